//! `cargo xtask bench frame`: the Python package beside others, from the same DataFrame.
//!
//! Each tool is a process of its own that loads the corpus into a DataFrame and then prints the
//! seconds from there to the list of pairs. The command reads the corpus from its file.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use serde_json::{Value as Json, json};

use super::accuracy::Answers;
use super::measure::{self, Usage};
use super::record::{self, Entry};
use super::tools::{BenchPaths, Job, Tool};
use super::{machine, rivals};
use crate::steps::{root, run as run_command, step};

const HELP: &str = include_str!("../help/bench-frame.txt");

const THRESHOLD: f64 = 0.8;
const THREADS: usize = 2;

/// What is called: a name, a script, and its last word.
const CALLS: [(&str, &str, Option<&str>); 7] = [
    ("pandas", "twinsift_frame", None),
    ("polars", "twinsift_frame", Some("polars")),
    ("pyarrow", "twinsift_frame", Some("pyarrow")),
    ("gaoya", "gaoya", None),
    ("rensa", "rensa", None),
    ("datasketch", "datasketch", None),
    ("text_dedup", "text_dedup", None),
];

/// Runs the benchmark.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let (mut repeat, mut rows) = (3_usize, 1_000_000_usize);
    let (mut label, mut only, mut input) = ("not described".to_owned(), None, None);
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(());
            }
            Long("only") => only = Some(arguments.value()?.string()?),
            Long("rows") => rows = arguments.value()?.parse()?,
            Long("repeat") => repeat = arguments.value()?.parse()?,
            Long("label") => label = arguments.value()?.string()?,
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(input) = input else {
        bail!("name a corpus; see cargo xtask bench frame --help");
    };
    let bench = Bench::prepare(&input)?;
    let mut entries = vec![bench.command(repeat)];
    let is_chosen =
        |name: &str| (only.as_ref()).is_none_or(|only| only.split(',').any(|n| n == name));
    for (name, script, kind) in CALLS.into_iter().filter(|call| is_chosen(call.0)) {
        let runs = if script == "twinsift_frame" {
            repeat
        } else {
            1
        };
        let results = (0..runs).map(|_| bench.call(name, script, kind)).collect();
        let words = [Some("python"), Some(script), kind].into_iter().flatten();
        let entry = Entry::new(name, words.map(str::to_owned).collect(), results);
        eprintln!(
            "{name:12} {:8.2} s",
            entry.best().map_or(0.0, |best| best.wall)
        );
        entries.push(entry);
    }
    bench.hold_against_the_command(&mut entries)?;
    let row_seconds = bench.rows(rows, repeat)?;
    record::print_table(&entries);
    println!("\n{}", shown(&row_seconds, rows));
    let record = json!({
        "kind": "frame",
        "machine": machine::describe(Some(rivals::FRAME)),
        "corpus": record::corpus(&input, &label)?,
        "threads": THREADS,
        "threshold": THRESHOLD,
        "repeat": repeat,
        "tools": entries.iter().map(Entry::to_json).collect::<Vec<_>>(),
        "rows": rows,
        "row_seconds": row_seconds,
    });
    println!("\nstored as {}", record::store(&record)?);
    Ok(())
}

/// What the benchmark runs, and on what.
struct Bench {
    paths: BenchPaths,
    python: PathBuf,
    corpus: PathBuf,
    table: PathBuf,
}

impl Bench {
    fn prepare(input: &Path) -> Result<Self> {
        let corpus =
            fs::canonicalize(input).with_context(|| format!("cannot read {}", input.display()))?;
        let paths = BenchPaths::prepare(&[Tool::SHINGLES])?;
        let python = rivals::FRAME.prepare()?;
        install_package(&python)?;
        let bench = Self {
            table: paths.work.join("corpus.parquet"),
            paths,
            python,
            corpus,
        };
        step("make a table of the corpus", || {
            let mut command = Command::new(&bench.python);
            command.arg(script("to_parquet")?);
            run_command(command.args([&bench.corpus, &bench.table]))
        })?;
        Ok(bench)
    }

    /// The command, on the file.
    fn command(&self, repeat: usize) -> Entry {
        let job = self.job();
        let results = (0..repeat).map(|_| job.run(Tool::SHINGLES)).collect();
        Entry::new("command", job.shown(Tool::SHINGLES), results)
    }

    fn job(&self) -> Job<'_> {
        Job {
            paths: &self.paths,
            corpus: &self.corpus,
            threads: THREADS,
            threshold: THRESHOLD,
            lexicon: None,
            model: None,
        }
    }

    fn out(&self, name: &str) -> PathBuf {
        self.paths.work.join(format!("frame-{name}.csv"))
    }

    /// One call from a DataFrame.
    fn call(&self, name: &str, file: &str, kind: Option<&str>) -> Result<Usage> {
        let mut words: Vec<OsString> = vec![(&self.python).into(), script(file)?.into()];
        words.extend([(&self.table).into(), self.out(name).into()]);
        words.push(THRESHOLD.to_string().into());
        words.extend(kind.map(OsString::from));
        let (usage, printed) = self.measured(name, &words)?;
        let seconds = |what: &str| printed[what].as_f64().context("no seconds were printed");
        Ok(Usage {
            wall: seconds("wall")?,
            user: seconds("cpu")?,
            system: 0.0,
            peak: usage.peak,
        })
    }

    /// Runs a script, and reads the last line of JSON that it prints.
    fn measured(&self, name: &str, words: &[OsString]) -> Result<(Usage, Json)> {
        let log = self.paths.work.join(format!("frame-{name}.log"));
        let usage = measure::separately(words, THREADS, &log)?;
        let said = fs::read_to_string(&log)?;
        let printed = said
            .lines()
            .rev()
            .find_map(|line| serde_json::from_str(line).ok());
        Ok((usage, printed.context("nothing was printed")?))
    }

    /// Counts the pairs of each tool, and how many of them are those of the command.
    fn hold_against_the_command(&self, entries: &mut [Entry]) -> Result<()> {
        let exact = Answers::read(&self.job().out(Tool::SHINGLES))?;
        for entry in entries.iter_mut().filter(|entry| entry.failure.is_none()) {
            let pairs = match entry.name {
                "command" => Answers::read(&self.job().out(Tool::SHINGLES))?,
                name => Answers::read(&self.out(name))?,
            };
            entry.accuracy = Some(pairs.against(&exact));
            entry.pairs = Some(pairs.len());
        }
        Ok(())
    }

    /// The best seconds of each way to add rows.
    fn rows(&self, count: usize, repeat: usize) -> Result<Json> {
        let mut best = serde_json::Map::new();
        for what in ["list", "arrow", "extract"] {
            let words: [OsString; 4] = [
                (&self.python).into(),
                script("twinsift_rows")?.into(),
                what.into(),
                count.to_string().into(),
            ];
            let runs: Vec<f64> = (0..repeat)
                .map(|_| {
                    Ok(self.measured(what, &words)?.1["wall"]
                        .as_f64()
                        .unwrap_or(0.0))
                })
                .collect::<Result<_>>()?;
            best.insert(
                what.into(),
                runs.into_iter().fold(f64::INFINITY, f64::min).into(),
            );
        }
        Ok(best.into())
    }
}

/// Builds the Python package and installs it for a Python that has maturin.
pub fn install_package(python: &Path) -> Result<()> {
    step("build and install the Python package", || {
        let pip = ["-m", "pip", "install", "--quiet", "--force-reinstall"];
        let as_it_is = ["--no-deps", "--no-build-isolation"];
        let mut command = Command::new(python);
        command.args(pip).args(as_it_is).arg(root()?.join("python"));
        run_command(command.env("PATH", with_first(python)?))
    })
}

fn script(name: &str) -> Result<PathBuf> {
    Ok(rivals::folder(&root()?).join(format!("{name}.py")))
}

/// The search path, with the programs of a Python environment first.
fn with_first(python: &Path) -> Result<OsString> {
    let folder = python.parent().map(Path::to_owned);
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(
        folder.into_iter().chain(std::env::split_paths(&path)),
    )?)
}

fn shown(seconds: &Json, rows: usize) -> String {
    let [list, arrow, extract] =
        ["list", "arrow", "extract"].map(|what| seconds[what].as_f64().unwrap_or(0.0));
    format!(
        "{rows} short strings: from a list {list:.2} s, from an Arrow column {arrow:.2} s, {:.2} x; Extractor.extract: {:.1} µs a call",
        list / arrow,
        extract / rows as f64 * 1e6
    )
}
