//! `cargo xtask bench growth`: what a collection ten times as large costs.
//!
//! The exponent says it in one number: 1.0 means that twice the documents take
//! twice the time, 2.0 that they take four times as long.

use std::fs;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::record::{self, Entry};
use super::tools::{BenchPaths, Job, Tool};
use super::vary::{Raw, write_corpus};
use super::{Settings, machine};
use crate::steps::step;

/// Runs the floor and the exact join at every size.
pub fn run(settings: &Settings) -> Result<()> {
    let tools = [Tool::Floor, Tool::SHINGLES];
    let paths = BenchPaths::prepare(&tools)?;
    let corpus = paths.work.join("growth.jsonl");
    let mut sizes: Vec<(usize, Value, Vec<Entry>)> = Vec::new();
    for &size in &settings.sizes {
        step(&format!("make {size} documents"), || {
            // Loaded for each size and let go again: the tools need the memory.
            let raw = Raw::read(&settings.input)?;
            write_corpus(&raw, settings.seed, size, &corpus)
        })?;
        let job = Job {
            paths: &paths,
            corpus: &corpus,
            threads: settings.threads,
            threshold: settings.threshold,
            lexicon: None,
            model: None,
        };
        let mut results = tools.map(|_| Vec::new());
        for _ in 0..settings.repeat {
            for (tool, results) in tools.iter().zip(&mut results) {
                results.push(job.run(*tool));
            }
        }
        let entries = tools
            .iter()
            .zip(results)
            .map(|(tool, results)| Entry::new(tool.name(), job.shown(*tool), results))
            .collect();
        sizes.push((size, record::corpus(&corpus, &settings.label)?, entries));
    }
    fs::remove_file(&corpus)?;

    print_table(&sizes);
    let record = json!({
        "kind": "growth",
        "machine": machine::describe(None),
        "threads": settings.threads,
        "threshold": settings.threshold,
        "repeat": settings.repeat,
        "seed": settings.seed,
        "sizes": sizes.iter().map(|(_, corpus, entries)| json!({
            "corpus": corpus,
            "tools": entries.iter().map(Entry::to_json).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    });
    println!("\nstored as {}", record::store(&record)?);
    let failed = |entries: &[Entry]| entries.iter().any(|entry| entry.failure.is_some());
    if sizes.iter().any(|(_, _, entries)| failed(entries)) {
        bail!("not everything went well");
    }
    Ok(())
}

fn print_table(sizes: &[(usize, Value, Vec<Entry>)]) {
    println!(
        "\n| {:>10} | {:10} | {:>8} | {:>8} | {:>8} | {:>13} | {:>15} |",
        "documents", "tool", "wall s", "CPU s", "peak MB", "time exponent", "memory exponent"
    );
    println!("|--:|---|--:|--:|--:|--:|--:|");
    for (at, (size, _, entries)) in sizes.iter().enumerate() {
        for (tool, entry) in entries.iter().enumerate() {
            let Some(best) = entry.best().filter(|_| entry.failure.is_none()) else {
                let reason = entry.failure.as_deref().unwrap_or("did not run");
                println!("| {size:>10} | {:10} | {reason} | | | | |", entry.name);
                continue;
            };
            let before = at.checked_sub(1).map(|at| &sizes[at]);
            let before = before.and_then(|(size, _, entries)| Some((*size, entries[tool].best()?)));
            let [time, memory] = match before {
                Some((smaller, run)) => [
                    exponent(smaller, *size, run.wall, best.wall),
                    exponent(smaller, *size, run.peak as f64, best.peak as f64),
                ]
                .map(|exponent| format!("{exponent:.2}")),
                None => ["-".to_owned(), "-".to_owned()],
            };
            println!(
                "| {size:>10} | {:10} | {:8.2} | {:8.2} | {:8.0} | {time:>13} | {memory:>15} |",
                entry.name,
                best.wall,
                best.cpu(),
                best.peak as f64 / 1e6,
            );
        }
    }
}

/// The power of the size with which a cost grows.
fn exponent(small: usize, large: usize, cost_small: f64, cost_large: f64) -> f64 {
    (cost_large / cost_small).ln() / (large as f64 / small as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn exponents_are_powers_of_the_size() {
        assert!((exponent(100, 1000, 2.0, 20.0) - 1.0).abs() < 1e-12);
        assert!((exponent(100, 1000, 2.0, 200.0) - 2.0).abs() < 1e-12);
        assert!(exponent(100, 1000, 5.0, 5.0).abs() < 1e-12);
    }
}
