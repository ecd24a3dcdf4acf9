//! `cargo xtask bench retsim`: a learned detector beside a neural one, in documents a second.
//!
//! Both get the same plain texts and sign them: RETSim embeds, twinsift weighs by a model and makes
//! bit signatures. RETSim knows no HTML, so pages are made into text before, which counts for neither;
//! twinsift also runs on the collection as it is, and there all of its reading counts.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use lexopt::prelude::*;
use serde_json::{Value, json};

use super::measure::{self, Usage};
use super::tools::{BenchPaths, Tool, build_example};
use super::{machine, record, rivals};
use crate::steps::{root, run as run_command, step};

const HELP: &str = include_str!("../help/bench-retsim.txt");

/// What was asked for.
struct Settings {
    inputs: Vec<PathBuf>,
    model: OsString,
    lexicon: Option<OsString>,
    threads: usize,
    repeat: usize,
    label: String,
}

fn parse(mut arguments: lexopt::Parser) -> Result<Option<Settings>> {
    let mut settings = Settings {
        inputs: Vec::new(),
        model: OsString::new(),
        lexicon: None,
        threads: 2,
        repeat: 9,
        label: "not described".to_owned(),
    };
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Long("model") => settings.model = arguments.value()?,
            Long("lexicon") => settings.lexicon = Some(arguments.value()?),
            Long("threads") => settings.threads = arguments.value()?.parse()?,
            Long("repeat") => settings.repeat = arguments.value()?.parse()?,
            Long("label") => settings.label = arguments.value()?.string()?,
            Value(path) => settings.inputs.push(path.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    if settings.inputs.is_empty() || settings.model.is_empty() {
        bail!("name inputs and a --model; see cargo xtask bench retsim --help");
    }
    if settings.repeat == 0 || settings.threads == 0 {
        bail!("--repeat and --threads must not be zero");
    }
    Ok(Some(settings))
}

/// Runs the benchmark.
pub fn run(arguments: lexopt::Parser) -> Result<()> {
    let Some(settings) = parse(arguments)? else {
        print!("{HELP}");
        return Ok(());
    };
    let paths = BenchPaths::prepare(&[Tool::SHINGLES])?;
    build_example("plain_text")?;
    let python = rivals::RETSIM.prepare()?;
    let texts = paths.work.join("texts.jsonl");
    step("make plain text", || {
        let mut command = Command::new(paths.example("plain_text"));
        run_command(
            command
                .args(&settings.inputs)
                .stdout(Stdio::from(File::create(&texts)?)),
        )
    })?;
    let documents = fs::read_to_string(&texts)?.lines().count();

    let mut words = vec![OsString::from(python)];
    words.push(rivals::folder(&root()?).join("retsim.py").into());
    words.extend([texts.clone().into(), paths.work.join("retsim.npy").into()]);
    let log = paths.work.join("retsim.log");
    let rival = measure::separately(&words, settings.threads, &log)?;
    eprintln!("RETSim: {documents} documents in {:.2} s", rival.wall);

    let ours = |inputs: &[PathBuf]| -> Result<Vec<Usage>> {
        let mut words = vec![paths.twinsift().into(), OsString::from("signatures")];
        words.extend(inputs.iter().map(OsString::from));
        words.extend(["--method", "andd", "--match", "lsh", "--no-verify"].map(OsString::from));
        words.extend(["--content", "all"].map(OsString::from));
        words.extend(["--model".into(), settings.model.clone()]);
        if let Some(lexicon) = &settings.lexicon {
            words.extend(["--lexicon".into(), lexicon.clone()]);
        }
        words.extend(["--threads".into(), settings.threads.to_string().into()]);
        words.extend(["--quiet".into(), "-o".into()]);
        words.push(paths.work.join("signatures.parquet").into());
        let log = paths.work.join("signatures.log");
        let run = |_| measure::separately(&words, settings.threads, &log);
        (0..settings.repeat).map(run).collect()
    };
    let (of_texts, as_is) = (ours(&[texts])?, ours(&settings.inputs)?);
    report(&settings, documents, &rival, &of_texts, &as_is)
}

fn report(
    settings: &Settings,
    documents: usize,
    rival: &Usage,
    of_texts: &[Usage],
    as_is: &[Usage],
) -> Result<()> {
    let rate = |run: &Usage| documents as f64 / run.wall;
    let rates = |runs: &[Usage]| {
        let mut rates: Vec<f64> = runs.iter().map(rate).collect();
        rates.sort_by(f64::total_cmp);
        (rates[rates.len() / 2], rates[rates.len() - 1])
    };
    println!("\n{documents} documents; documents a second, and times RETSim's:");
    println!("RETSim                      {:10.1}", rate(rival));
    for (name, runs) in [
        ("on plain text", of_texts),
        ("on the input as it is", as_is),
    ] {
        let (median, best) = rates(runs);
        let times = |own: f64| own / rate(rival);
        println!(
            "twinsift {name:21} {best:8.0} {:7.0} x (median {median:.0}, {:.0} x)",
            times(best),
            times(median)
        );
    }
    let runs = |runs: &[Usage]| runs.iter().map(Usage::to_json).collect::<Vec<Value>>();
    let record = json!({
        "kind": "retsim",
        "machine": machine::describe(Some(rivals::RETSIM)),
        "label": settings.label,
        "documents": documents,
        "threads": settings.threads,
        "repeat": settings.repeat,
        "lexicon": settings.lexicon.is_some(),
        "retsim": rival.to_json(),
        "twinsift_on_plain_text": runs(of_texts),
        "twinsift_on_the_input": runs(as_is),
    });
    println!("stored as {}", record::store(&record)?);
    Ok(())
}
