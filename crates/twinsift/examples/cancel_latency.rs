//! How soon does a cancelled run end? Every method is run on a collection that is made here,
//! and cancelled at moments spread over the whole run; the longest wait is told.
//!
//! ```text
//! cargo run --release -p twinsift --example cancel_latency -- 200000
//! ```

use std::thread;
use std::time::{Duration, Instant};
use twinsift::features::Weights;
use twinsift::hash::Stream;
use twinsift::recipe::{FeatureKind, Matcher, Method};
use twinsift::similarity::Similarity;
use twinsift::{Choices, Document, Error, Group, Item, Observer, Recipe, Settings, Sifter};

/// Moments of a run at which it is cancelled.
const MOMENTS: u32 = 40;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args()
        .nth(1)
        .map_or(Ok(20_000), |count| count.parse())?;
    let texts = texts(count);
    for recipe in recipes()? {
        let whole = Instant::now();
        run(&recipe, &texts, &Observer::default())?;
        let whole = whole.elapsed();
        let mut waits: Vec<Duration> = Vec::new();
        for moment in 1..MOMENTS {
            let observer = Observer::default();
            let ended = thread::scope(|scope| {
                let run = scope.spawn(|| (run(&recipe, &texts, &observer), Instant::now()));
                thread::sleep(whole * moment / MOMENTS);
                let asked = Instant::now();
                observer.cancel();
                run.join().map(|(outcome, ended)| (outcome, ended - asked))
            });
            match ended {
                Ok((Err(Error::Cancelled), wait)) => waits.push(wait),
                Ok((outcome, _)) => outcome?,
                Err(_) => return Err("a run panicked".into()),
            }
        }
        waits.sort_unstable();
        let (half, most) = (waits.len() / 2, waits.len() - 1);
        println!(
            "{:6.2} s  median {:5.1} ms  longest {:5.1} ms  {recipe}",
            whole.as_secs_f64(),
            waits[half].as_secs_f64() * 1e3,
            waits[most].as_secs_f64() * 1e3,
        );
    }
    Ok(())
}

fn recipes() -> Result<Vec<Recipe>, Error> {
    let of = |method| Choices::default().method(method);
    let words = Choices::default().features(FeatureKind::Words);
    let lsh = Recipe::shingles().matcher(Matcher::Lsh);
    let choices = [
        of(Method::Exact),
        of(Method::Shingles),
        of(Method::Shingles).threshold(0.3),
        of(Method::SpotSigs),
        of(Method::MinHash),
        lsh.no_verify(true),
        of(Method::SuperShingles),
        of(Method::IMatch),
        of(Method::SimHash),
        words.weights(Weights::TfIdf).similarity(Similarity::Cosine),
    ];
    choices.iter().map(Choices::resolve).collect()
}

/// News of made-up words, a third of them edited copies.
fn texts(count: usize) -> Vec<String> {
    let mut stream = Stream::new(1);
    let mut texts: Vec<Vec<u64>> = Vec::with_capacity(count);
    for _ in 0..count {
        let text = match stream.next_value() % 3 {
            0 if !texts.is_empty() => {
                let mut copy = texts[stream.next_value() as usize % texts.len()].clone();
                for _ in 0..stream.next_value() % 6 {
                    let at = stream.next_value() as usize % copy.len();
                    copy[at] = stream.next_value() % 20_000;
                }
                copy
            }
            _ => {
                let length = 30 + stream.next_value() % 300;
                // Some words are far more frequent than others.
                let word = |stream: &mut Stream| {
                    let spread = (stream.next_value() % 20_000) as f64 / 20_000.0;
                    (spread.powi(3) * 20_000.0) as u64
                };
                (0..length).map(|_| word(&mut stream)).collect()
            }
        };
        texts.push(text);
    }
    let stop_words = ["the", "a", "is", "was", "of", "and", "in", "said"];
    let spelled = |word: &u64| match word {
        0..8 => stop_words[*word as usize].to_owned(),
        _ => format!("w{word}"),
    };
    let spelled = |text: &Vec<u64>| text.iter().map(spelled).collect::<Vec<_>>().join(" ");
    texts.iter().map(spelled).collect()
}

fn run(recipe: &Recipe, texts: &[String], observer: &Observer) -> Result<(), Error> {
    let settings = Settings {
        observer: observer.clone(),
        ..Settings::default()
    };
    let mut sifter = Sifter::new(recipe.clone(), settings)?;
    let numbered: Vec<(usize, &String)> = texts.iter().enumerate().collect();
    sifter.add_batches(
        numbered.chunks(256),
        |chunk, sink| {
            for (number, text) in *chunk {
                sink(Item::Document(Document::new(
                    number.to_string(),
                    text.as_str(),
                )));
            }
        },
        |_| Ok(()),
    )?;
    let matches = sifter.finish()?;
    matches.clusters(Group::Connected)?;
    Ok(())
}
