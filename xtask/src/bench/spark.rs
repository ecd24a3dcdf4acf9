//! `cargo xtask bench spark`: the Spark job beside others, what it costs, and whether its answers
//! are those of the command.
//!
//! The measurements are in `benchsuite/spark/bench.py`. Here its environment is made, with the
//! Python package of this checkout, and corpora of several sizes for `cost`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use serde_json::{Value as Json, json};

use super::rivals::Packages;
use super::tools::{BenchPaths, Tool};
use super::vary::{Raw, write_corpus};
use super::{frame, machine, record};
use crate::steps::{root, run as run_command, step};

const HELP: &str = include_str!("../help/bench-spark.txt");

/// Spark, what runs on it, and what builds our own package.
const PACKAGES: Packages = Packages {
    what: "the comparison on Spark",
    environment: "benchsuite/.venv-spark",
    requirements: "../spark/requirements.txt",
    is_complete: true,
};

/// Runs the benchmark.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let (mut mode, mut inputs) = (None, Vec::new());
    let (mut label, mut sizes) = ("not described".to_owned(), vec![10_000, 100_000, 1_000_000]);
    let mut passed: Vec<String> = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(());
            }
            Long("label") => label = arguments.value()?.string()?,
            Long("sizes") => {
                let said = arguments.value()?.string()?;
                let parsed = said.split(',').map(str::parse).collect::<Result<_, _>>();
                sizes = parsed.context("--sizes takes numbers")?;
            }
            Long(name @ ("only" | "partitions" | "methods" | "model" | "sample" | "limit")) => {
                passed.push(format!("--{name}"));
                passed.push(arguments.value()?.string()?);
            }
            Value(word) if mode.is_none() => mode = Some(word.string()?),
            Value(path) => inputs.push(PathBuf::from(path)),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(mode) = mode else {
        bail!("say what to measure; see cargo xtask bench spark --help");
    };
    let paths = BenchPaths::prepare(&[Tool::SHINGLES])?;
    let python = PACKAGES.prepare()?;
    frame::install_package(&python)?;
    if mode == "cost" {
        inputs = vary(&inputs, &sizes, &paths.work)?;
    }
    let result = paths.work.join("spark.json");
    let mut command = Command::new(&python);
    command.arg(root()?.join("benchsuite/spark/bench.py"));
    command.arg(&mode).args(&inputs).args(&passed);
    command.arg("--command").arg(paths.twinsift());
    command.arg("--work").arg(&paths.work);
    command.arg("--result").arg(&result);
    run_command(&mut command)?;
    if mode == "cost" {
        inputs.iter().try_for_each(fs::remove_file)?;
    }
    let found: Json = serde_json::from_slice(&fs::read(&result)?)?;
    let record = json!({
        "kind": format!("spark-{mode}"),
        "machine": machine::describe(Some(PACKAGES)),
        "label": label,
        "found": found,
    });
    println!("\nstored as {}", record::store(&record)?);
    Ok(())
}

/// Makes a corpus of each size out of the texts of a smaller one.
fn vary(inputs: &[PathBuf], sizes: &[usize], work: &Path) -> Result<Vec<PathBuf>> {
    let [raw] = inputs else {
        bail!("cost takes one file of texts");
    };
    let raw = Raw::read(raw)?;
    let make = |&size: &usize| {
        let path = work.join(format!("varied-{size}.jsonl"));
        step(&format!("make {size} documents"), || {
            write_corpus(&raw, 1, size, &path)
        })?;
        Ok(path)
    };
    sizes.iter().map(make).collect()
}
