//! `cargo xtask results`: measures how good the methods are.
//!
//! Runs every suite of `suites/` and keeps what `twinsift eval` prints as
//! `docs/results/SUITE.md`, with the command, the version and the machine at its
//! head. The tables of `docs/results.md` quote these files, so a figure there can
//! be traced to its run and repeated.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;

use crate::bench::machine;
use crate::bench::tools::{BenchPaths, Tool};
use crate::site::Site;
use crate::steps::{output, root, run as run_command};

const HELP: &str = include_str!("help/results.txt");

/// The suite whose pages are made, served and rendered first.
const SEARCH: &str = "signals-search";

/// The suite of classifiers trained on one search evaluation and tried on another.
const ELSEWHERE: &str = "signals-elsewhere";

/// Queries of the search evaluation, with 18 pages each.
const QUERIES: usize = 50;

/// Runs the suites.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let mut data = None;
    let mut names = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(());
            }
            Long("data") => data = Some(PathBuf::from(arguments.value()?)),
            Value(name) => names.push(name.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(data) = data else {
        bail!("name the folder of labelled collections with --data");
    };
    let suites = root()?.join("suites");
    if names.is_empty() {
        names = all(&suites)?;
    }
    let paths = BenchPaths::prepare(&[Tool::SHINGLES])?;
    let work = paths.work.join("results");
    fs::create_dir_all(&work)?;
    fs::create_dir_all(folder()?)?;
    for name in &names {
        let suite = suites.join(format!("{name}.toml"));
        if !suite.is_file() {
            bail!("there is no suite {}", suite.display());
        }
        let start = Instant::now();
        let data = match name.as_str() {
            SEARCH => search_evaluation(&paths.twinsift(), &work.join("search"), 0)?,
            ELSEWHERE => two_evaluations(&paths.twinsift(), &work.join("elsewhere"))?,
            _ => data.clone(),
        };
        let tables = evaluate(&paths.twinsift(), &suite, &data, &work)?;
        let seconds = start.elapsed().as_secs_f64();
        fs::write(page(name)?, described(name, &tables, seconds))?;
        eprintln!("{name}: {seconds:.0} s");
    }
    Ok(())
}

/// The names of all suites, in order.
fn all(suites: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(suites)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "toml") {
            names.extend(path.file_stem().map(|stem| stem.display().to_string()));
        }
    }
    names.sort();
    Ok(names)
}

fn folder() -> Result<PathBuf> {
    Ok(root()?.join("docs/results"))
}

fn page(name: &str) -> Result<PathBuf> {
    Ok(folder()?.join(format!("{name}.md")))
}

/// The tables of a suite. Nothing of an earlier run is used again.
fn evaluate(twinsift: &Path, suite: &Path, data: &Path, work: &Path) -> Result<String> {
    let name = suite.file_stem().unwrap_or_default().display();
    let kept = work.join(format!("{name}.results.jsonl"));
    if kept.exists() {
        fs::remove_file(&kept)?;
    }
    let mut command = Command::new(twinsift);
    command.arg("eval").arg("--suite").arg(suite);
    command.arg("--data").arg(data).arg("--quiet");
    // A suite of studies alone keeps no trials.
    if fs::read_to_string(suite)?.contains("[[method]]") {
        command.arg("--results").arg(kept);
    }
    output(&mut command).with_context(|| format!("{} failed", suite.display()))
}

/// Makes the search evaluation of a seed in `folder` and renders its pages.
fn search_evaluation(twinsift: &Path, folder: &Path, seed: u64) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let _site = Site::open(twinsift, folder, QUERIES, seed)?;
    let mut command = Command::new(twinsift);
    command.arg("render").arg(folder.join("addresses.txt"));
    run_command(command.arg("-o").arg(folder.join("rendered.jsonl")))?;
    Ok(folder.to_owned())
}

/// Makes two search evaluations in `folder`, and classifiers trained on the first.
fn two_evaluations(twinsift: &Path, folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let pages = search_evaluation(twinsift, &folder.join("ev"), 0)?;
    search_evaluation(twinsift, &folder.join("ev2"), 2)?;
    for learner in ["tree", "rules"] {
        let mut command = Command::new(twinsift);
        command.args(["train", "signals"]);
        command.arg(pages.join("rendered.jsonl"));
        command.arg("--pairs").arg(pages.join("pairs.csv"));
        command.arg("--queries").arg(pages.join("queries.tsv"));
        command.args(["--signals", "F,R,RS", "--runs", "0"]);
        command.args(["--learner", learner, "-o"]);
        run_command(command.arg(folder.join(format!("{learner}.json"))))?;
    }
    Ok(folder.to_owned())
}

/// The tables under a head that says where they come from.
fn described(name: &str, tables: &str, seconds: f64) -> String {
    let machine = machine::describe(None);
    let said = |key: &str| machine[key].as_str().unwrap_or("unknown").to_owned();
    let state = match machine["commit_is_clean"].as_bool() {
        Some(true) => "",
        _ => ", with changes",
    };
    format!(
        "# {name}\n\n\
         `twinsift eval --suite suites/{name}.toml --data FOLDER`, run by `cargo xtask results` \
         at commit {}{state}: twinsift {}, {} cores of {}, {seconds:.0} s.\n\n{tables}\n",
        said("commit"),
        machine["versions"]["twinsift"]
            .as_str()
            .unwrap_or("unknown"),
        machine["cores"],
        said("processor"),
    )
}
