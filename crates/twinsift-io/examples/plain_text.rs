//! Any collection as plain text, for tools that read nothing else: one JSON line a document,
//! with `id`, `title` and `text`.
//!
//! ```text
//! cargo run --release -p twinsift-io --example plain_text -- pages.warc.gz mail/ > texts.jsonl
//! ```

use std::error::Error;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;
use twinsift::Item;
use twinsift_io::{Inputs, ReadOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let inputs = Inputs::open(&paths, ReadOptions::default())?;
    let mut out = BufWriter::new(stdout().lock());
    for batch in inputs.batches() {
        let mut written = Ok(());
        inputs.expand(&batch, &mut |item| match item {
            Item::Document(document) if written.is_ok() => {
                let line = serde_json::json!({
                    "id": document.id.to_string(),
                    "title": document.title,
                    "text": document.text,
                });
                written = writeln!(out, "{line}");
            }
            Item::Document(_) => {}
            Item::Skipped(skipped) => eprintln!("left out: {}", skipped.reason),
        });
        written?;
    }
    Ok(out.flush()?)
}
