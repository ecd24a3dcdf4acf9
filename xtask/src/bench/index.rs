//! `cargo xtask bench index`: what it costs to build an index, to ask it, and to open it after a
//! crash.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use serde_json::{Value as Json, json};

use super::measure::{self, Usage};
use super::rivals::Packages;
use super::tools::{BenchPaths, Tool};
use super::vary::{Raw, write_corpus};
use super::{machine, record};
use crate::steps::{cargo, output, root, run as run_command, step};

const HELP: &str = include_str!("../help/bench-index.txt");

/// The methods that are measured, and what is named beside each.
const METHODS: [&[&str]; 3] = [
    &["--method", "shingles"],
    &["--method", "supershingles"],
    &["--method", "imatch", "--lexicon"],
];

/// A writer is killed after this time.
const UNTIL_KILLED: Duration = Duration::from_secs(3);

const RIVALS: Packages = Packages {
    what: "the index beside others",
    environment: "benchsuite/.venv-index",
    requirements: "index-requirements.txt",
    is_complete: false,
};

/// What was asked for.
struct Settings {
    raw: std::path::PathBuf,
    documents: usize,
    rival: usize,
    threads: usize,
    label: String,
}

/// Runs the benchmark.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let mut raw = None;
    let (mut documents, mut rival, mut threads) = (2_000_000, 50_000, 2);
    let mut label = "not described".to_owned();
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(());
            }
            Long("documents") => documents = arguments.value()?.parse()?,
            Long("rival") => rival = arguments.value()?.parse()?,
            Long("threads") => threads = arguments.value()?.parse()?,
            Long("label") => label = arguments.value()?.string()?,
            Value(path) if raw.is_none() => raw = Some(path.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(raw) = raw else {
        bail!("say of which texts documents are made; see cargo xtask bench index --help");
    };
    measure_all(&Settings {
        raw,
        documents,
        rival,
        threads,
        label,
    })
}

fn measure_all(settings: &Settings) -> Result<()> {
    let paths = BenchPaths::prepare(&[Tool::SHINGLES])?;
    step("build answers", || {
        let words = "build --release --package twinsift-index --example answers";
        run_command(cargo()?.args(words.split(' ')))
    })?;
    let corpus = paths.work.join("index.jsonl");
    step(&format!("make {} documents", settings.documents), || {
        write_corpus(&Raw::read(&settings.raw)?, 1, settings.documents, &corpus)
    })?;
    let lexicon = paths.work.join("index.lexicon");
    step("count words", || {
        let mut command = Command::new(paths.twinsift());
        run_command(
            command
                .arg("lexicon")
                .arg(&corpus)
                .args(["-q", "-o"])
                .arg(&lexicon),
        )
    })?;
    let mut found = serde_json::Map::new();
    for method in METHODS {
        let name = method[1];
        let mut method: Vec<_> = method.iter().map(std::ffi::OsString::from).collect();
        if name == "imatch" {
            method.push(lexicon.clone().into());
        }
        found.insert(
            name.to_owned(),
            of_method(&paths, settings, &corpus, &method)?,
        );
    }
    if settings.rival > 0 {
        found.insert(
            "datasketch with Redis".to_owned(),
            rival(&corpus, settings.rival)?,
        );
    }
    fs::remove_file(&corpus)?;
    print_table(&found);
    let record = json!({
        "kind": "index",
        "machine": machine::describe((settings.rival > 0).then_some(RIVALS)),
        "label": settings.label,
        "documents": settings.documents,
        "threads": settings.threads,
        "found": found,
    });
    println!("\nstored as {}", record::store(&record)?);
    Ok(())
}

/// A run of our command, as a process of its own.
fn called(paths: &BenchPaths, settings: &Settings, words: &[&std::ffi::OsStr]) -> Result<Usage> {
    let mut all = vec![paths.twinsift().into_os_string()];
    all.extend(words.iter().map(|&word| word.to_owned()));
    all.extend(["--quiet", "--threads"].map(Into::into));
    all.push(settings.threads.to_string().into());
    measure::separately(&all, settings.threads, &paths.work.join("index.log"))
}

fn of_method(
    paths: &BenchPaths,
    settings: &Settings,
    corpus: &Path,
    method: &[std::ffi::OsString],
) -> Result<Json> {
    let (folder, out) = (
        paths.work.join("bench.idx"),
        paths.work.join("index-pairs.jsonl"),
    );
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let method: Vec<_> = method.iter().map(|word| &**word).collect();
    let words = [
        &[
            "pairs".as_ref(),
            corpus.as_os_str(),
            "-o".as_ref(),
            out.as_os_str(),
        ],
        &method[..],
    ];
    let pairs = called(paths, settings, &words.concat())?;
    let words = [
        &["index".as_ref(), "create".as_ref(), folder.as_os_str()],
        &method[..],
    ];
    called(paths, settings, &words.concat())?;
    let words = [
        "index".as_ref(),
        "add".as_ref(),
        folder.as_os_str(),
        corpus.as_os_str(),
    ];
    let build = called(paths, settings, &words)?;
    let bytes = bytes_in(&folder)?;
    let warm = answers(paths, &folder, corpus)?;
    kill_a_writer(paths, &folder, corpus)?;
    let again = answers(paths, &folder, corpus)?;
    fs::remove_dir_all(&folder)?;
    fs::remove_file(&out)?;
    Ok(json!({
        "pairs": pairs.to_json(),
        "build": build.to_json(),
        "x_pairs": build.wall / pairs.wall,
        "bytes_each": bytes as f64 / settings.documents as f64,
        "answers": warm,
        "open_seconds_after_a_crash": again["open_seconds"],
    }))
}

/// What the example says of an index.
fn answers(paths: &BenchPaths, folder: &Path, corpus: &Path) -> Result<Json> {
    let mut command = Command::new(paths.example("answers"));
    let said = output(command.arg(folder).arg(corpus))?;
    serde_json::from_str(&said).context("the example printed something else")
}

/// Has documents added, each on disk before the next, and kills that.
fn kill_a_writer(paths: &BenchPaths, folder: &Path, corpus: &Path) -> Result<()> {
    let mut child = Command::new(paths.twinsift())
        .args(["index", "add", "--ack", "-q"])
        .arg(folder)
        .arg(corpus)
        .stdout(Stdio::null())
        .spawn()?;
    thread::sleep(UNTIL_KILLED);
    child.kill()?;
    child.wait()?;
    Ok(())
}

fn bytes_in(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}

/// Min-hash LSH in Redis, on the first documents.
fn rival(corpus: &Path, documents: usize) -> Result<Json> {
    let python = RIVALS.prepare()?;
    let script = root()?.join("benchsuite/rivals/datasketch_redis.py");
    let said = output(
        Command::new(python)
            .arg(script)
            .arg(corpus)
            .arg(documents.to_string()),
    )?;
    serde_json::from_str(&said).context("the script printed something else")
}

fn print_table(found: &serde_json::Map<String, Json>) {
    println!(
        "\n| index | build s | x pairs | bytes a document | p50 µs | p99 µs | durable adds a second | open s | open s after a crash |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (name, row) in found {
        let answers = &row["answers"];
        let columns = [
            (&row["build"]["wall_seconds"], 1),
            (&row["x_pairs"], 2),
            (&row["bytes_each"], 0),
            (&answers["p50_microseconds"], 0),
            (&answers["p99_microseconds"], 0),
            (&answers["durable_adds_per_second"], 0),
            (&answers["open_seconds"], 2),
            (&row["open_seconds_after_a_crash"], 2),
        ];
        let shown = columns.map(|(value, digits)| match value.as_f64() {
            Some(value) => format!("{value:.digits$}"),
            None => "–".to_owned(),
        });
        println!("| {name} | {} |", shown.join(" | "));
    }
}
