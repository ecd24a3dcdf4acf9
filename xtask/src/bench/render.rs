//! `cargo xtask bench render`: how many pages a second a browser shows.
//!
//! The pages are those of the demonstration's search evaluation, which serves them on
//! this machine: a third of them lead on, have frames or are written by a script. The
//! browser is started for each run, and that counts.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use lexopt::prelude::*;
use serde_json::{Value, json};

use super::measure::{self, Usage};
use super::tools::{BenchPaths, Tool};
use super::{machine, record};
use crate::site::Site;

const HELP: &str = include_str!("../help/bench-render.txt");

/// What was asked for.
struct Settings {
    queries: usize,
    tabs: usize,
    browser: Option<String>,
    repeat: usize,
}

/// Runs the benchmark.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let mut settings = Settings {
        queries: 10,
        tabs: 4,
        browser: None,
        repeat: 3,
    };
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(());
            }
            Long("queries") => settings.queries = arguments.value()?.parse()?,
            Long("tabs") => settings.tabs = arguments.value()?.parse()?,
            Long("browser") => settings.browser = Some(arguments.value()?.string()?),
            Long("repeat") => settings.repeat = arguments.value()?.parse()?,
            other => return Err(other.unexpected().into()),
        }
    }
    if settings.queries == 0 || settings.tabs == 0 || settings.repeat == 0 {
        bail!("--queries, --tabs and --repeat must not be zero");
    }
    let paths = BenchPaths::prepare(&[Tool::SHINGLES])?;
    let (twinsift, folder) = (paths.twinsift(), paths.work.join("render"));
    let site = Site::open(&twinsift, &folder, settings.queries, 0)?;
    let mut runs = Vec::new();
    for _ in 0..settings.repeat {
        let (pages, run) = render(&twinsift, &folder, &settings)?;
        eprintln!("{pages} pages in {:.2} s", run.wall);
        runs.push((pages, run));
    }
    drop(site);
    fs::remove_dir_all(&folder)?;
    report(&settings, &runs)
}

/// Shows all pages once; how many there are, and what it took.
fn render(twinsift: &Path, folder: &Path, settings: &Settings) -> Result<(usize, Usage)> {
    let out = folder.join("rendered.jsonl");
    // A run that is there would be taken up again.
    let _ = fs::remove_file(&out);
    let mut words = vec![twinsift.as_os_str().to_owned(), "render".into()];
    words.push(folder.join("addresses.txt").into());
    words.extend(["--tabs".into(), settings.tabs.to_string().into()]);
    if let Some(browser) = &settings.browser {
        words.extend(["--browser".into(), browser.into()]);
    }
    words.extend(["-o".into(), out.clone().into()]);
    let run = measure::separately(&words, settings.tabs, &folder.join("render.log"))?;
    let text = fs::read_to_string(&out)?;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line)?;
        if !row["rendered"].is_string() || !row["error"].is_null() {
            bail!("{} was not shown: {}", row["id"], row["error"]);
        }
    }
    Ok((text.lines().count(), run))
}

fn report(settings: &Settings, runs: &[(usize, Usage)]) -> Result<()> {
    let rates = runs.iter().map(|(pages, run)| *pages as f64 / run.wall);
    let mut rates: Vec<f64> = rates.collect();
    rates.sort_by(f64::total_cmp);
    let median = rates[rates.len() / 2];
    let (lowest, highest) = (rates[0], rates[rates.len() - 1]);
    println!(
        "\n{median:.2} pages a second with {} tabs (median of {} runs, {lowest:.2} to {highest:.2})",
        settings.tabs,
        runs.len()
    );
    let runs = runs.iter().map(|(pages, run)| {
        let mut run = run.to_json();
        run["pages"] = (*pages).into();
        run
    });
    let record = json!({
        "kind": "render",
        "machine": machine::describe(None),
        "queries": settings.queries,
        "tabs": settings.tabs,
        "browser": settings.browser,
        "runs": runs.collect::<Vec<_>>(),
        "pages_per_second": median,
    });
    println!("stored as {}", record::store(&record)?);
    Ok(())
}
