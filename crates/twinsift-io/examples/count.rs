//! Reads what it is given on one thread and says how much there was, and how
//! fast: `cargo run --release --example count -- data.jsonl`.

use std::path::PathBuf;
use std::time::Instant;

use twinsift::Item;
use twinsift_io::{Content, Inputs, ReadError, ReadOptions};

fn main() -> Result<(), ReadError> {
    let (flags, paths): (Vec<_>, Vec<_>) = std::env::args()
        .skip(1)
        .partition(|arg| arg.starts_with("--"));
    let paths: Vec<_> = paths.into_iter().map(PathBuf::from).collect();
    let options = ReadOptions {
        content: match flags.iter().any(|flag| flag == "--main") {
            true => Content::Main,
            false => Content::All,
        },
        ..ReadOptions::default()
    };
    let start = Instant::now();
    let inputs = Inputs::open(&paths, options)?;
    let (mut documents, mut bytes, mut raw, mut skipped) = (0, 0, 0, 0);
    for batch in inputs.batches() {
        raw += batch.len();
        inputs.expand(&batch, &mut |item| match item {
            Item::Document(document) => {
                documents += 1;
                bytes += document.text.len();
            }
            Item::Skipped(problem) => {
                skipped += 1;
                if skipped <= 10 {
                    eprintln!("{}: {}", inputs.place_name(problem.place), problem.reason);
                }
            }
        });
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{documents} documents, {bytes} bytes of text, {skipped} skipped, {} sources; \
         {raw} bytes in {seconds:.2} s, {:.0} MB/s",
        inputs.sources().len(),
        raw as f64 / 1e6 / seconds
    );
    Ok(())
}
