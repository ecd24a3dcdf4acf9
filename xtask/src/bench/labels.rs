//! `cargo xtask bench labels`: how good detectors become by how many answers.
//!
//! The simulation is an example of `twinsift-learn`, which knows the collections; it prints the
//! table, and what it found is stored here.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail};
use lexopt::prelude::*;
use serde_json::{Value as Json, json};

use super::tools::BenchPaths;
use super::{machine, record};
use crate::steps::{cargo, root, run as run_command};

const HELP: &str = include_str!("../help/bench-labels.txt");

/// Runs the benchmark.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let mut data = root()?.join("benchsuite/data");
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(());
            }
            Long("data") => data = std::path::absolute(PathBuf::from(arguments.value()?))?,
            other => return Err(other.unexpected().into()),
        }
    }
    if !data.is_dir() {
        bail!("name the folder with the data; see cargo xtask bench labels --help");
    }
    let found = BenchPaths::prepare(&[])?.work.join("labels.json");
    let words = "run --quiet --release --package twinsift-learn --example detectors --";
    let mut command = cargo()?;
    command.args(words.split(' ')).arg(data);
    run_command(command.arg("--rater").arg(&found))?;
    let raters: Json = serde_json::from_str(&fs::read_to_string(&found)?)?;
    let record = json!({
        "kind": "labels",
        "machine": machine::describe(None),
        "raters": raters,
    });
    println!("\nstored as {}", record::store(&record)?);
    Ok(())
}
