//! Compares embedded stores under the load of a near-duplicate index.
//!
//! Every store is measured in a process of its own, so that none pays for the
//! memory, threads or crashes of another. `--role` is how this program calls
//! itself for the trials that need further processes.

mod corpus;
mod measure;
mod stores;
mod trials;

use anyhow::{Context, Result, bail};
use corpus::Corpus;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use stores::{KINDS, Kind};

const USAGE: &str = "usage: stores [--store NAME] [--documents N] [--dir FOLDER] [--seed N]
              [--json FILE] [--build-times]

All is kept in a new folder inside FOLDER (by default the temporary folder) and
deleted at the end.
--build-times also builds a crate that needs nothing but the store, with one job.";

pub struct Options {
    store: Option<String>,
    documents: u32,
    dir: PathBuf,
    seed: u64,
    json: Option<PathBuf>,
    build_times: bool,
    role: Option<String>,
    first: u32,
}

fn options() -> Result<Options> {
    let mut options = Options {
        store: None,
        documents: 1_000_000,
        dir: std::env::temp_dir(),
        seed: 1,
        json: None,
        build_times: false,
        role: None,
        first: 0,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        if flag == "--build-times" {
            options.build_times = true;
            continue;
        }
        let value = arguments.next().context(USAGE)?;
        match flag.as_str() {
            "--store" => options.store = Some(value),
            "--documents" => options.documents = value.parse().context("--documents")?,
            "--dir" => options.dir = value.into(),
            "--seed" => options.seed = value.parse().context("--seed")?,
            "--json" => options.json = Some(value.into()),
            "--role" => options.role = Some(value),
            "--first" => options.first = value.parse().context("--first")?,
            _ => bail!(USAGE),
        }
    }
    Ok(options)
}

/// This program again, for one store in a folder.
fn again(kind: &Kind, folder: &Path, corpus: Corpus, documents: u32) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--store", kind.name, "--seed", &corpus.seed.to_string()]);
    command.args(["--documents", &documents.to_string()]);
    command.arg("--dir").arg(folder);
    Ok(command)
}

/// Measures a store in a process of its own.
fn apart(kind: &Kind, options: &Options) -> Result<Value> {
    let corpus = Corpus { seed: options.seed };
    let json = options.dir.join(format!("{}.json", kind.name));
    let folder = options.dir.join(kind.name);
    let mut command = again(kind, &folder, corpus, options.documents)?;
    command.arg("--json").arg(&json).stdout(Stdio::null());
    command.args(options.build_times.then_some("--build-times"));
    let status = command.status()?;
    if !status.success() {
        bail!("{}: {status}", kind.name);
    }
    let figures: Vec<Value> = serde_json::from_slice(&std::fs::read(json)?)?;
    figures.into_iter().next().context("no figures")
}

/// Measures stores, in a folder that is deleted afterwards.
fn measure(kinds: &[&Kind], options: &Options) -> Result<()> {
    println!("{}", measure::HEADER);
    let mut all = Vec::new();
    for &kind in kinds {
        let figures = match options.store {
            Some(_) => measure::measure(kind, options),
            None => apart(kind, options),
        };
        match figures {
            Ok(figures) => {
                println!("{}", measure::row(&figures));
                all.push(figures);
            }
            Err(error) if options.store.is_none() => eprintln!("{}: {error:#}", kind.name),
            Err(error) => return Err(error),
        }
    }
    if let Some(path) = &options.json {
        std::fs::write(path, format!("{:#}\n", Value::Array(all)))?;
    }
    Ok(())
}

fn run() -> Result<ExitCode> {
    let mut options = options()?;
    let named = |kind: &&Kind| {
        options
            .store
            .as_deref()
            .is_none_or(|name| name == kind.name)
    };
    let kinds: Vec<_> = KINDS.iter().filter(named).collect();
    if kinds.is_empty() {
        let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
        bail!("no such store: there are {}", names.join(", "));
    }
    if let Some(role) = &options.role {
        return trials::play(role, kinds[0], &options);
    }
    options.dir.push(format!("stores-{}", std::process::id()));
    std::fs::create_dir_all(&options.dir)
        .with_context(|| format!("cannot make the folder {}", options.dir.display()))?;
    let measured = measure(&kinds, &options);
    std::fs::remove_dir_all(&options.dir)?;
    measured.map(|()| ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::from(trials::REFUSED)
    })
}
