//! `cargo xtask bench`: how fast, how large, how right, beside other tools.
//!
//! All tools get the same file, the same number of threads and the same
//! threshold, and each runs alone as a process of its own. The *floor* is what
//! comes before any comparison by word 5-grams (read the file, parse it, cut it
//! into words, make the sorted set of hashed 5-grams of each document): times
//! are given as multiples of it, which carries over to other machines far
//! better than seconds do. Our own tools run several times, in turns with the
//! floor, and the best run counts; the rivals run once.

mod accuracy;
mod frame;
mod growth;
mod index;
mod labels;
pub mod machine;
pub mod measure;
mod record;
mod render;
mod retsim;
mod rivals;
mod spark;
mod spots;
pub mod tools;
mod vary;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;

use self::accuracy::Answers;
use self::measure::Usage;
use self::record::Entry;
use self::tools::Tool;

const HELP: &str = include_str!("../help/bench.txt");

/// What was asked for.
#[derive(Debug)]
struct Settings {
    input: PathBuf,
    only: Option<Vec<String>>,
    threads: usize,
    threshold: f64,
    repeat: usize,
    label: String,
    lexicon: Option<PathBuf>,
    model: Option<PathBuf>,
    growth: bool,
    sizes: Vec<usize>,
    seed: u64,
}

/// Runs the benchmark.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let first = arguments.raw_args()?.peek().map(ToOwned::to_owned);
    let of_their_own = [
        ("frame", frame::run as fn(_) -> _),
        ("index", index::run),
        ("labels", labels::run),
        ("render", render::run),
        ("retsim", retsim::run),
        ("spark", spark::run),
        ("spots", spots::run),
    ];
    if let Some((_, run)) = of_their_own
        .into_iter()
        .find(|&(name, _)| first.as_deref().is_some_and(|word| word == name))
    {
        arguments.raw_args()?.next();
        return run(arguments);
    }
    let Some(settings) = parse(arguments)? else {
        print!("{HELP}");
        return Ok(());
    };
    if settings.growth {
        growth::run(&settings)
    } else {
        compare(&settings)
    }
}

fn parse(mut arguments: lexopt::Parser) -> Result<Option<Settings>> {
    let mut settings = Settings {
        input: PathBuf::new(),
        only: None,
        threads: 2,
        threshold: 0.8,
        repeat: 3,
        label: "not described".to_owned(),
        lexicon: None,
        model: None,
        growth: false,
        sizes: vec![200_000, 2_000_000],
        seed: 1,
    };
    let mut words = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Long("only") => {
                let names = arguments.value()?.string()?;
                settings.only = Some(names.split(',').map(str::to_owned).collect());
            }
            Long("threads") => settings.threads = arguments.value()?.parse()?,
            Long("threshold") => settings.threshold = arguments.value()?.parse()?,
            Long("repeat") => settings.repeat = arguments.value()?.parse()?,
            Long("label") => settings.label = arguments.value()?.string()?,
            Long("lexicon") => settings.lexicon = Some(arguments.value()?.into()),
            Long("model") => settings.model = Some(arguments.value()?.into()),
            Long("sizes") => {
                let sizes = arguments.value()?.string()?;
                settings.sizes = sizes
                    .split(',')
                    .map(|size| {
                        size.parse()
                            .with_context(|| format!("{size:?} is no number"))
                    })
                    .collect::<Result<_>>()?;
            }
            Long("seed") => settings.seed = arguments.value()?.parse()?,
            Value(word) => words.push(PathBuf::from(word)),
            other => return Err(other.unexpected().into()),
        }
    }
    settings.growth = words
        .first()
        .is_some_and(|word| word == Path::new("growth"));
    if settings.growth {
        words.remove(0);
    }
    let [input] = &words[..] else {
        bail!("name one input file; see cargo xtask bench --help");
    };
    settings.input =
        fs::canonicalize(input).with_context(|| format!("cannot read {}", input.display()))?;
    if settings.repeat == 0 || settings.threads == 0 || settings.sizes.is_empty() {
        bail!("--repeat, --threads and --sizes must not be zero or empty");
    }
    Ok(Some(settings))
}

/// Runs all tools on one corpus.
fn compare(settings: &Settings) -> Result<()> {
    let tools = tools::chosen(settings.only.as_deref(), settings.model.is_some())?;
    let paths = tools::BenchPaths::prepare(&tools)?;
    let job = tools::Job {
        paths: &paths,
        corpus: &settings.input,
        threads: settings.threads,
        threshold: settings.threshold,
        lexicon: settings.lexicon.as_deref(),
        model: settings.model.as_deref(),
    };

    job.make_lexicon(&tools)?;
    let mut runs: HashMap<&str, Vec<Result<Usage>>> = HashMap::new();
    for round in 0..settings.repeat {
        for tool in tools.iter().filter(|tool| round == 0 || tool.is_ours()) {
            let known = runs.entry(tool.name()).or_default();
            if known.iter().any(Result::is_err) {
                continue;
            }
            let run = job.run(*tool);
            match &run {
                Ok(run) => eprintln!("{:14} {:8.2} s", tool.name(), run.wall),
                Err(error) => eprintln!("{:14} failed: {error:#}", tool.name()),
            }
            known.push(run);
        }
    }

    let exact = answers(&job, &runs, Tool::SHINGLES)?;
    let mut entries = Vec::new();
    for tool in &tools {
        let known = runs.remove(tool.name()).unwrap_or_default();
        let mut entry = Entry::new(tool.name(), job.shown(*tool), known);
        if entry.failure.is_none() && tool.reports_pairs() {
            let pairs = Answers::read(&job.out(*tool))?;
            if let Some(exact) = &exact {
                entry.accuracy = Some(pairs.against(exact));
            }
            entry.pairs = Some(pairs.len());
        }
        entries.push(entry);
    }
    let identical = same_bytes(&job, &entries)?;
    let record = record::comparison(settings, &paths, &entries, identical)?;
    record::print_table(&entries);
    if let Some(identical) = identical {
        println!(
            "\nwith --memory 200M the output is {}",
            if identical {
                "the same, byte for byte"
            } else {
                "DIFFERENT"
            }
        );
    }
    let path = record::store(&record)?;
    println!("\nstored as {path}");
    if entries.iter().any(|entry| entry.failure.is_some()) || identical == Some(false) {
        bail!("not everything went well");
    }
    Ok(())
}

/// What a tool answered, if it ran and did not fail.
fn answers(
    job: &tools::Job<'_>,
    runs: &HashMap<&str, Vec<Result<Usage>>>,
    tool: Tool,
) -> Result<Option<Answers>> {
    match runs.get(tool.name()) {
        Some(known) if known.iter().all(Result::is_ok) => Answers::read(&job.out(tool)).map(Some),
        _ => Ok(None),
    }
}

/// Whether running in little memory changed the output; nothing if it was not tried.
fn same_bytes(job: &tools::Job<'_>, entries: &[Entry]) -> Result<Option<bool>> {
    let ran = |tool: Tool| {
        entries
            .iter()
            .any(|entry| entry.name == tool.name() && entry.failure.is_none())
    };
    if !ran(Tool::SHINGLES) || !ran(Tool::SPILLED) {
        return Ok(None);
    }
    accuracy::same_bytes(&job.out(Tool::SHINGLES), &job.out(Tool::SPILLED)).map(Some)
}
