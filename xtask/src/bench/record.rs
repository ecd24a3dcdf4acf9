//! The record of a run: a table to read now, the raw figures for later.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::accuracy::Accuracy;
use super::measure::Usage;
use super::tools::BenchPaths;
use super::{Settings, machine, rivals};
use crate::steps::{output, root};

/// What is known of one tool.
pub struct Entry {
    pub name: &'static str,
    command: Vec<String>,
    runs: Vec<Usage>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// How many pairs it reported.
    pub pairs: Option<usize>,
    /// How right they are.
    pub accuracy: Option<Accuracy>,
}

impl Entry {
    pub fn new(name: &'static str, command: Vec<String>, results: Vec<Result<Usage>>) -> Self {
        let mut entry = Self {
            name,
            command,
            runs: Vec::new(),
            failure: None,
            pairs: None,
            accuracy: None,
        };
        for result in results {
            match result {
                Ok(run) => entry.runs.push(run),
                Err(error) => entry.failure = Some(format!("{error:#}")),
            }
        }
        entry
    }

    /// The quickest run.
    pub fn best(&self) -> Option<&Usage> {
        self.runs.iter().min_by(|a, b| a.wall.total_cmp(&b.wall))
    }

    pub fn to_json(&self) -> Value {
        json!({
            "tool": self.name,
            "command": self.command,
            "runs": self.runs.iter().map(Usage::to_json).collect::<Vec<_>>(),
            "best": self.best().map(Usage::to_json),
            "pairs": self.pairs,
            "recall": self.accuracy.map(|accuracy| accuracy.recall),
            "precision": self.accuracy.map(|accuracy| accuracy.precision),
            "failure": self.failure,
        })
    }
}

/// The record of a comparison.
pub fn comparison(
    settings: &Settings,
    paths: &BenchPaths,
    entries: &[Entry],
    identical: Option<bool>,
) -> Result<Value> {
    Ok(json!({
        "kind": "comparison",
        "machine": machine::describe(paths.python.is_some().then_some(rivals::PAIRS)),
        "corpus": corpus(&settings.input, &settings.label)?,
        "threads": settings.threads,
        "threshold": settings.threshold,
        "repeat": settings.repeat,
        "tools": entries.iter().map(Entry::to_json).collect::<Vec<_>>(),
        "memory_200M_is_identical": identical,
    }))
}

/// Describes a corpus by its size, not its name, which may be private.
pub fn corpus(path: &Path, label: &str) -> Result<Value> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let bytes = file.metadata()?.len();
    let mut documents = 0_u64;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    loop {
        let block = reader.fill_buf()?;
        if block.is_empty() {
            break;
        }
        documents += block.iter().filter(|byte| **byte == b'\n').count() as u64;
        let size = block.len();
        reader.consume(size);
    }
    Ok(json!({ "label": label, "documents": documents, "bytes": bytes }))
}

/// Writes a record under today's date and says where.
pub fn store(record: &Value) -> Result<String> {
    let stamp = output(Command::new("date").args(["-u", "+%Y-%m-%d-%H%M"]))?;
    let root = root()?;
    fs::create_dir_all(root.join("benchsuite/runs"))?;
    let mut name = format!("benchsuite/runs/{stamp}.json");
    let mut repeat = 1;
    while root.join(&name).exists() {
        repeat += 1;
        name = format!("benchsuite/runs/{stamp}-{repeat}.json");
    }
    let text = serde_json::to_string_pretty(record)?;
    fs::write(root.join(&name), text + "\n").with_context(|| format!("cannot write {name}"))?;
    Ok(name)
}

/// Prints one line per tool.
pub fn print_table(entries: &[Entry]) {
    let floor = entries
        .iter()
        .find(|entry| entry.name == "floor")
        .and_then(Entry::best)
        .map(|run| (run.wall, run.cpu()));
    println!(
        "\n| {:14} | {:>8} | {:>7} | {:>8} | {:>7} | {:>8} | {:>10} | {:>8} | {:>9} |",
        "tool", "wall s", "x floor", "CPU s", "x floor", "peak MB", "pairs", "recall", "precision"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for entry in entries {
        let Some(best) = entry.best().filter(|_| entry.failure.is_none()) else {
            let reason = entry.failure.as_deref().unwrap_or("did not run");
            println!("| {:14} | {reason} | | | | | | | |", entry.name);
            continue;
        };
        let ratio = |part: f64, of: Option<f64>| {
            of.map_or("-".to_owned(), |of| format!("{:.2}", part / of.max(1e-9)))
        };
        let share = |part: Option<f64>| {
            part.map_or("-".to_owned(), |part| format!("{:.2} %", part * 100.0))
        };
        println!(
            "| {:14} | {:8.2} | {:>7} | {:8.2} | {:>7} | {:8.0} | {:>10} | {:>8} | {:>9} |",
            entry.name,
            best.wall,
            ratio(best.wall, floor.map(|(wall, _)| wall)),
            best.cpu(),
            ratio(best.cpu(), floor.map(|(_, cpu)| cpu)),
            best.peak as f64 / 1e6,
            entry
                .pairs
                .map_or("-".to_owned(), |pairs| pairs.to_string()),
            share(entry.accuracy.map(|accuracy| accuracy.recall)),
            share(entry.accuracy.map(|accuracy| accuracy.precision)),
        );
    }
}
