//! The floor under every speed figure: what it costs to read a corpus, parse it,
//! cut it into words and make the sorted set of hashed word 5-grams of each
//! document, with nothing kept and nothing compared.
//!
//! ```text
//! cargo run --release -p twinsift-io --example floor -- corpus.jsonl --threads 2
//! ```

use std::error::Error;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use twinsift::Item;
use twinsift::features::shingles::Shingles;
use twinsift::features::{Features, Featurise};
use twinsift::tokenise::Tokens;
use twinsift_io::{Inputs, ReadOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut threads = std::thread::available_parallelism()?.get();
    let mut paths = Vec::new();
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--threads") => {
                let number = arguments.next().ok_or("--threads needs a number")?;
                threads = number.to_string_lossy().parse()?;
            }
            _ => paths.push(PathBuf::from(argument)),
        }
    }
    let started = Instant::now();
    let inputs = Inputs::open(&paths, ReadOptions::default())?;
    let batches = Mutex::new(inputs.batches());
    let (documents, features) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let (mut tokens, mut set) = (Tokens::new(), Features::new());
                let shingles = Shingles::new(5, false);
                loop {
                    let next = batches.lock().ok().and_then(|mut batches| batches.next());
                    let Some(batch) = next else { break };
                    inputs.expand(&batch, &mut |item| {
                        if let Item::Document(document) = item {
                            tokens.read(&document.text);
                            shingles.features(&tokens, &mut set);
                            documents.fetch_add(1, Relaxed);
                            features.fetch_add(set.values().len() as u64, Relaxed);
                        }
                    });
                }
            });
        }
    });
    println!(
        "{} documents, {} distinct 5-grams, {:.3} s",
        documents.into_inner(),
        features.into_inner(),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}
