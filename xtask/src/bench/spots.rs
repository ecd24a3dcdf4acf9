//! `cargo xtask bench spots`: seconds of matching spot signatures, three ways.
//!
//! Our exact join, Algorithm 1 of the SpotSigs paper and min-hash LSH (LSH-S) over a range
//! of thresholds, in turns. `twinsift pairs` says how long it read and how long it
//! matched. LSH-S computes its min-hashes while it reads, so what its reading takes longer
//! than that of the exact join is counted as matching.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use serde_json::json;

use super::tools::{BenchPaths, Tool};
use super::vary::{Raw, write_corpus};
use super::{machine, measure, record};
use crate::steps::step;

const HELP: &str = include_str!("../help/bench-spots.txt");

/// The ways of matching, and how `twinsift pairs` is asked for each.
const WAYS: [(&str, &[&str]); 3] = [
    ("join", &["--method", "spotsigs"]),
    (
        "algorithm-1",
        &["--method", "spotsigs", "--join", "spotsigs"],
    ),
    ("lsh", &["--features", "spots", "--match", "lsh"]),
];

/// Seconds of a run, as its summary tells them.
#[derive(Clone, Copy)]
struct Seconds {
    reading: f64,
    matching: f64,
}

/// Runs the benchmark.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let mut thresholds: Vec<String> = (3..=10)
        .map(|t| format!("{:.1}", f64::from(t) / 10.0))
        .collect();
    let (mut vary, mut repeat, mut label) = (None, 2_usize, "not described".to_owned());
    let mut input = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(());
            }
            Long("vary") => vary = Some(arguments.value()?.parse::<usize>()?),
            Long("thresholds") => {
                let given = arguments.value()?.string()?;
                thresholds = given.split(',').map(str::to_owned).collect();
            }
            Long("repeat") => repeat = arguments.value()?.parse()?,
            Long("label") => label = arguments.value()?.string()?,
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(mut input) = input else {
        bail!("name a file of texts; see cargo xtask bench spots --help");
    };
    if repeat == 0 {
        bail!("--repeat must not be zero");
    }
    let paths = BenchPaths::prepare(&[Tool::SHINGLES])?;
    if let Some(documents) = vary {
        let corpus = paths.work.join("spots.jsonl");
        step(&format!("make {documents} documents"), || {
            write_corpus(&Raw::read(&input)?, 1, documents, &corpus)
        })?;
        input = corpus;
    }
    println!("| threshold | our join | Algorithm 1 | LSH-S | LSH-S / our join |");
    println!("|--:|--:|--:|--:|--:|");
    let mut rows = Vec::new();
    for threshold in &thresholds {
        let mut runs = WAYS.map(|_| Vec::new());
        for _ in 0..repeat {
            for ((name, options), runs) in WAYS.iter().zip(&mut runs) {
                let run = matched(&paths, &input, options, threshold);
                runs.push(run.with_context(|| format!("{name} at {threshold} failed"))?);
            }
        }
        let read = least(&runs[0], |run| run.reading);
        let join = least(&runs[0], |run| run.matching);
        let paper = least(&runs[1], |run| run.matching);
        let lsh = least(&runs[2], |run| run.matching + (run.reading - read).max(0.0));
        println!(
            "| {threshold} | {join:.2} | {paper:.2} | {lsh:.2} | {:.1} x |",
            lsh / join
        );
        let ways = WAYS.iter().zip(&runs).map(|((name, options), runs)| {
            let runs = runs.iter().map(
                |run| json!({"reading_seconds": run.reading, "matching_seconds": run.matching}),
            );
            json!({"way": name, "options": options, "runs": runs.collect::<Vec<_>>()})
        });
        rows.push(json!({"threshold": threshold, "ways": ways.collect::<Vec<_>>()}));
    }
    let record = json!({
        "kind": "spots",
        "machine": machine::describe(None),
        "corpus": record::corpus(&input, &label)?,
        "repeat": repeat,
        "thresholds": rows,
    });
    println!("\nstored as {}", record::store(&record)?);
    Ok(())
}

fn least(runs: &[Seconds], of: impl Fn(&Seconds) -> f64) -> f64 {
    runs.iter().map(of).fold(f64::INFINITY, f64::min)
}

/// One run of `twinsift pairs`.
fn matched(paths: &BenchPaths, input: &Path, options: &[&str], threshold: &str) -> Result<Seconds> {
    let log = paths.work.join("spots.log");
    let mut words: Vec<OsString> = vec![paths.twinsift().into(), "pairs".into(), input.into()];
    words.extend(options.iter().map(OsString::from));
    words.extend(["--threshold", threshold, "--threads", "2", "-o"].map(OsString::from));
    words.push(paths.work.join("spots.csv").into());
    measure::separately(&words, 2, &log)?;
    let said = fs::read_to_string(&log)?;
    Ok(Seconds {
        reading: seconds(&said, "read").context("no time of reading in the summary")?,
        matching: seconds(&said, "matched").context("no time of matching in the summary")?,
    })
}

/// The time that the summary's line `name … in N s` tells.
fn seconds(summary: &str, name: &str) -> Option<f64> {
    let line = summary
        .lines()
        .find(|line| line.split_whitespace().next() == Some(name))?;
    let (_, time) = line.rsplit_once(" in ")?;
    time.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_are_read_off_the_summary() {
        let summary = "   method  spotsigs: spots, in all\n     read  200 documents, 9 words in 0.44 s\n  matched  99 pairs checked in 0.01 s\n";
        assert_eq!(seconds(summary, "read"), Some(0.44));
        assert_eq!(seconds(summary, "matched"), Some(0.01));
        assert_eq!(seconds(summary, "found"), None);
    }
}
