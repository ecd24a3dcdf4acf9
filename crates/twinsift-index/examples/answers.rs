//! How fast an index answers and learns: `answers DIR.idx CORPUS.jsonl [ASKED] [ADDED]`.
//!
//! The corpus is the one of the index: JSON lines with `id` and `text`. ASKED of its documents,
//! spread over all of it, are looked up twice, and the second time counts, when what is read is in
//! memory. Then ADDED documents are added one by one, each on disk before the next. Prints a line
//! of JSON.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};
use twinsift::{Document, Id, Signature};
use twinsift_index::{Batch, Index, Record, Time};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, corpus, numbers @ ..] = &words[..] else {
        return Err("say an index and its corpus".into());
    };
    let number = |at: usize, usual: usize| numbers.get(at).map_or(Ok(usual), |word| word.parse());
    let (asked, added) = (number(0, 20_000)?, number(1, 2_000)?);
    let started = Instant::now();
    let mut index = Index::open(folder)?;
    let searcher = index.searcher();
    let opened = started.elapsed();

    let documents = searcher.stats(Time::now())?.documents as usize;
    let mut signatures: Vec<Signature> = Vec::new();
    let every = (documents / asked.max(1)).max(1);
    let mut reading = Duration::ZERO;
    for (at, line) in BufReader::new(File::open(corpus)?).lines().enumerate() {
        if at % every == 0 && signatures.len() < asked {
            let row: serde_json::Value = serde_json::from_str(&line?)?;
            let text = row["text"].as_str().unwrap_or_default();
            let began = Instant::now();
            signatures.push(searcher.extractor().extract(&Document::new("", text)));
            reading += began.elapsed();
        }
    }
    let (mut times, mut matches) = (Vec::new(), 0);
    for round in 0..2 {
        for signature in &signatures {
            let began = Instant::now();
            let answer = searcher.search(signature, 10, Time::now())?;
            if round == 1 {
                times.push(began.elapsed());
                matches += answer.matches.len();
            }
        }
    }
    times.sort();
    let microseconds = |share: f64| {
        let at = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e6)
    };

    let began = Instant::now();
    for (at, signature) in signatures.iter().cycle().take(added).enumerate() {
        let mut batch = Batch::default();
        let id = Id::text(format!("added-{at}"));
        batch.add(Record::new(id, signature.clone(), Time::now()));
        index.commit(batch)?;
    }
    let adding = began.elapsed();
    index.close()?;
    println!(
        "{}",
        serde_json::json!({
            "documents": documents,
            "open_seconds": opened.as_secs_f64(),
            "extract_microseconds": reading.as_secs_f64() * 1e6 / signatures.len().max(1) as f64,
            "p50_microseconds": microseconds(0.5),
            "p99_microseconds": microseconds(0.99),
            "most_microseconds": microseconds(1.0),
            "matches_each": matches as f64 / times.len().max(1) as f64,
            "durable_adds_per_second": added as f64 / adding.as_secs_f64(),
        })
    );
    Ok(())
}
