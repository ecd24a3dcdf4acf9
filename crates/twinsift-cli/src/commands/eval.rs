//! `twinsift eval`: how good is a method?

use super::{print, spare};
use crate::args::config;
use crate::args::run::Run;
use crate::args::{EvalArgs, SourceArgs, model_reading};
use crate::evaluate::collection::{Collection, Task};
use crate::evaluate::labels::GoldSource;
use crate::evaluate::outcome::{MethodComparison, MethodOutcome, Outcome};
use crate::evaluate::results::{Results, key};
use crate::evaluate::suite::{Data, Suite, class_and_target};
use crate::evaluate::trial::Options;
use crate::evaluate::variants::{self, Base, Variant};
use crate::evaluate::{tables, trial};
use crate::exit::{bad_input, sentence};
use crate::say::say;
use crate::{progress, report};
use std::path::{Path, PathBuf};
use twinsift::Choices;
use twinsift_eval::{FLOOR, PRICE, RESAMPLES, paired_test};
use twinsift_io::AtomicFile;
use twinsift_io::write::{Column, Kind, Table, Value};

pub fn run(args: EvalArgs) -> anyhow::Result<()> {
    check_outputs(&args)?;
    let suite = args.suite.as_deref().map(|path| load(&args, path));
    let suite = suite.transpose()?;
    let outcome = match &suite {
        Some(suite) => run_suite(&args, suite)?,
        None => run_one(&args)?,
    };
    print(&tables::markdown(&outcome))?;
    if let Some(path) = &args.json {
        write(path, &(serde_json::to_string_pretty(&outcome)? + "\n"))?;
    }
    if let Some(path) = &args.csv {
        write_csv(&args, path, &outcome)?;
    }
    if let Some(path) = &args.report {
        write(path, &report::render(&outcome))?;
    }
    if !args.run.common.quiet {
        for path in [&args.report, &args.json, &args.csv].into_iter().flatten() {
            say!("written  {}", path.display());
        }
    }
    for study in suite.iter().flat_map(|suite| &suite.studies) {
        let told = study.markdown(&args.run).map_err(|error| {
            let sentence = format!("study {}: {}", study.name, sentence(&error));
            error.context(sentence)
        })?;
        let space = if outcome.data.is_empty() { "" } else { "\n" };
        print(&format!("{space}# {}\n\n{told}", study.name))?;
    }
    Ok(())
}

/// What cannot be written, or would take the place of something, is refused before
/// anything is read.
fn check_outputs(args: &EvalArgs) -> anyhow::Result<()> {
    let gold = args.gold.as_ref().map(PathBuf::from);
    let read = args.inputs.iter().chain(&args.suite).chain(&gold);
    let read: Vec<PathBuf> = read.chain(&args.queries).cloned().collect();
    spare_all(args, &read)?;
    if args.suite.is_none() && (args.data.is_some() || args.results.is_some()) {
        return Err(bad_input("--data and --results belong to --suite"));
    }
    if args.run.method.files.unsigned.is_some() {
        return Err(bad_input(
            "--unsigned has no meaning here: it belongs to pairs, clusters and dedup",
        ));
    }
    let of_one = Choices {
        fold: None,
        ..args.run.method.choices.clone()
    };
    if !args.methods.is_empty() && of_one != Choices::default() {
        return Err(bad_input(
            "--methods lists methods with their settings: leave out the flags of a single method",
        ));
    }
    let outputs = outputs(args);
    for (at, (flag, path)) in outputs.iter().enumerate() {
        if let Some((other, _)) = outputs[..at].iter().find(|(_, known)| known == path) {
            return Err(bad_input(format!(
                "{other} and {flag} name the same file: they are different outputs"
            )));
        }
        super::check_place(flag, path)?;
    }
    Table::check(args.csv.as_deref())?;
    if args
        .floor
        .is_some_and(|floor| !(floor > 0.0 && floor < 1.0))
    {
        return Err(bad_input("--floor must be above 0 and below 1"));
    }
    if args
        .cost
        .is_some_and(|cost| !(cost >= 0.0 && cost.is_finite()))
    {
        return Err(bad_input("--cost must be 0 or more"));
    }
    Ok(())
}

/// The files that a run writes, by flag.
fn outputs(args: &EvalArgs) -> Vec<(&'static str, PathBuf)> {
    let kept = args.suite.as_ref().map(|suite| match &args.results {
        Some(path) => path.clone(),
        None => {
            let stem = suite.file_stem().unwrap_or_default().to_string_lossy();
            PathBuf::from(format!("{stem}.results.jsonl"))
        }
    });
    let outputs = [
        ("--results", kept),
        ("--report", args.report.clone()),
        ("--csv", args.csv.clone()),
        ("--json", args.json.clone()),
    ];
    let given = outputs.into_iter();
    given
        .filter_map(|(flag, path)| Some((flag, path?)))
        .collect()
}

/// Refuses outputs that would take the place of something that is read.
fn spare_all(args: &EvalArgs, read: &[PathBuf]) -> anyhow::Result<()> {
    let mut outputs = outputs(args).into_iter();
    outputs.try_for_each(|(flag, path)| spare(flag, Some(&path), read.iter()))
}

fn run_one(args: &EvalArgs) -> anyhow::Result<Outcome> {
    let sources = SourceArgs {
        inputs: args.inputs.clone(),
        against: Vec::new(),
    };
    let run = Run::new(sources, &args.run)?;
    let base =
        Base::new(run.choices.clone(), Path::new("")).with_classifier(run.classifier.clone());
    // Both hold for any number of methods.
    let chosen = Choices {
        seed: None,
        fold: None,
        ..run.choices.clone()
    };
    let methods = match (&args.methods[..], chosen == Default::default()) {
        ([], true) => variants::presets(&base)?,
        ([], false) => vec![variants::single(&base)?],
        (specs, _) => variants::listed(specs, &base)?,
    };
    check_models(&methods, &run)?;
    let gold = args.gold.as_deref().unwrap_or_default();
    let seeded = Choices {
        seed: run.choices.seed,
        ..Choices::default()
    };
    let gold = GoldSource::parse(gold, &Base::new(seeded, Path::new("")))?;
    let name = match &args.inputs[..] {
        [one] => one
            .file_name()
            .unwrap_or(one.as_os_str())
            .display()
            .to_string(),
        several => format!("{} inputs", several.len()),
    };
    let task = Task {
        name: name.clone(),
        gold,
        unjudged_within: args.unjudged_within.clone(),
        classes: args.classes.as_deref().map(class_and_target).transpose()?,
        cost: args.cost.unwrap_or(PRICE),
        split_by: None,
        queries: args.queries.clone(),
        flag: "--gold",
    };
    let options = Options {
        settings: run.settings.clone(),
        floor: args.floor.unwrap_or(FLOOR),
        resamples: args.resamples.unwrap_or(RESAMPLES),
        repeat: 1,
        seed: run.choices.seed.unwrap_or(0),
        query_sample: args.query_sample,
        splits: None,
    };
    let collection = Collection::read(&run, &task)?;
    let mut outcome = Outcome::new(name);
    for (at, variant) in methods.iter().enumerate() {
        let told = step(&collection, variant, at, methods.len());
        let spinner = progress::working(told, run.quiet);
        outcome
            .methods
            .push(try_one(&run, &task, &collection, variant, &options)?);
        spinner.finish_and_clear();
    }
    outcome.data.push(collection.outcome);
    Ok(outcome)
}

/// Reads a suite, and refuses outputs that would take the place of its files.
fn load(args: &EvalArgs, path: &Path) -> anyhow::Result<Suite> {
    let seeded = Choices {
        seed: args.run.common.seed,
        ..Choices::default()
    };
    let suite = Suite::load(path, args.data.as_deref(), &seeded)?;
    for data in &suite.data {
        let mut read = data.inputs.clone();
        if let GoldSource::File(path) = &data.task.gold {
            read.push(path.clone());
        }
        read.extend(data.task.queries.clone());
        spare_all(args, &read)?;
    }
    for study in &suite.studies {
        spare_all(args, &study.files())?;
        if let Some(missing) = study.files().iter().find(|path| !path.exists()) {
            return Err(bad_input(format!(
                "study {}: there is no {}",
                study.name,
                missing.display()
            )));
        }
    }
    let has_files = [&args.report, &args.json, &args.csv, &args.results]
        .into_iter()
        .any(Option::is_some);
    if suite.data.is_empty() && has_files {
        return Err(bad_input(
            "--report, --json, --csv and --results are for methods on collections, and the suite has only studies: leave them out",
        ));
    }
    Ok(suite)
}

fn run_suite(args: &EvalArgs, suite: &Suite) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::new(suite.title.clone());
    if suite.data.is_empty() {
        return Ok(outcome);
    }
    let kept = outputs(args)
        .into_iter()
        .find(|(flag, _)| *flag == "--results");
    let (_, kept) = kept.unwrap_or_default();
    let mut results = Results::open(&kept)?;
    for data in &suite.data {
        run_data(args, suite, data, &mut results, &mut outcome)?;
    }
    outcome.comparisons = comparisons(&outcome);
    Ok(outcome)
}

/// Tries every method of a suite on one of its collections.
fn run_data(
    args: &EvalArgs,
    suite: &Suite,
    data: &Data,
    results: &mut Results,
    outcome: &mut Outcome,
) -> anyhow::Result<()> {
    let run = Run::for_suite(data.inputs.clone(), &args.run, &data.read)?;
    check_models(&suite.methods, &run)?;
    let options = Options {
        settings: run.settings.clone(),
        floor: args.floor.or(suite.floor).unwrap_or(FLOOR),
        resamples: args.resamples.or(suite.resamples).unwrap_or(RESAMPLES),
        repeat: suite.repeat.unwrap_or(1),
        seed: run.choices.seed.unwrap_or(0),
        query_sample: args.query_sample.or(suite.query_sample),
        splits: suite.splits.clone(),
    };
    let collection = Collection::read(&run, &data.task)?;
    let documents = collection.fingerprint();
    let made = format!(
        "{:?}\n{} {} {} {} {:?}\n{:?}",
        data.task,
        options.floor,
        options.resamples,
        options.repeat,
        options.seed,
        options.query_sample,
        options.splits
    );
    for (at, variant) in suite.methods.iter().enumerate() {
        let told = step(&collection, variant, at, suite.methods.len());
        let trained = format!("{:?}", variant.training);
        let key = key(&[
            &variant.name,
            &variant.recipe.id(),
            &trained,
            &made,
            &documents,
        ]);
        let done = match results.find(&key) {
            Some(known) => known.clone(),
            None => {
                let spinner = progress::working(told, run.quiet);
                let done = try_one(&run, &data.task, &collection, variant, &options)?;
                spinner.finish_and_clear();
                results.add(key, &done)?;
                done
            }
        };
        outcome.methods.push(done);
    }
    outcome.data.push(collection.outcome);
    Ok(())
}

/// Tries a method that finds pairs, or a classifier that is given them.
fn try_one(
    run: &Run,
    task: &Task,
    collection: &Collection,
    variant: &Variant,
    options: &Options,
) -> anyhow::Result<MethodOutcome> {
    match &variant.classifier {
        Some(model) => trial::run_classifier(run, task, collection, variant, model, options),
        None => trial::run(collection, variant, options),
    }
}

/// Refuses models that were made of documents which were read otherwise.
fn check_models(methods: &[Variant], run: &Run) -> anyhow::Result<()> {
    let mut learned = methods
        .iter()
        .filter_map(|method| method.recipe.model().map(|model| &**model));
    learned.try_for_each(|model| model_reading::check(model, &run.read))
}

fn step(collection: &Collection, variant: &Variant, at: usize, of: usize) -> String {
    let (data, name) = (&collection.outcome.name, &variant.name);
    format!("{data}: {name} ({} of {of})", at + 1)
}

/// Every method against the best one of its collection, by F1 over splits.
fn comparisons(outcome: &Outcome) -> Vec<MethodComparison> {
    let mut tests = Vec::new();
    for data in &outcome.data {
        let methods = || outcome.methods_on(data);
        let mean = |method: &MethodOutcome| method.split_f1().map_or(0.0, |(mean, _)| mean);
        // Of equals, the first.
        let best = methods().rev().max_by(|x, y| mean(x).total_cmp(&mean(y)));
        let Some(best) = best else { continue };
        let scores = |method: &MethodOutcome| -> Vec<f64> {
            method.splits.iter().map(|split| split.scores.f1).collect()
        };
        for other in methods().filter(|method| method.name != best.name) {
            if let Some(test) = paired_test(&scores(best), &scores(other)) {
                tests.push(MethodComparison {
                    data: data.name.clone(),
                    best: best.name.clone(),
                    other: other.name.clone(),
                    test,
                });
            }
        }
    }
    tests
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.put(text.as_bytes())?;
    Ok(file.finish()?)
}

fn write_csv(args: &EvalArgs, path: &Path, outcome: &Outcome) -> anyhow::Result<()> {
    let common = &args.run.common;
    let (_, config) = config::load(common.config.as_deref())?;
    let guards = common.spreadsheet_safe || config.spreadsheet_safe.unwrap_or(false);
    type Cell = fn(&MethodOutcome) -> Option<f64>;
    let numbers: [(&str, Cell); 36] = [
        ("threshold", |m| m.threshold),
        ("precision", |m| Some(m.scores.precision)),
        ("recall", |m| Some(m.scores.recall)),
        ("f1", |m| Some(m.scores.f1)),
        ("f1_low", |m| Some(m.intervals?.f1.low)),
        ("f1_high", |m| Some(m.intervals?.f1.high)),
        ("max_f1", |m| Some(m.max_f1)),
        ("max_f1_threshold", |m| m.max_f1_threshold),
        ("max_f1_precision", |m| Some(m.max_f1_precision)),
        ("max_f1_recall", |m| Some(m.max_f1_recall)),
        ("average_precision", |m| Some(m.average_precision)),
        ("precision_per_query", |m| Some(m.per_query.precision)),
        ("recall_per_query", |m| Some(m.per_query.recall)),
        ("f1_per_query", |m| Some(m.per_query.f1)),
        ("found_pairs", |m| Some(m.found_pairs as f64)),
        ("correct_pairs", |m| Some(m.correct_pairs as f64)),
        ("unjudged_pairs", |m| Some(m.unjudged_pairs as f64)),
        ("groups", |m| Some(m.groups.groups as f64)),
        ("largest_group", |m| Some(m.groups.largest as f64)),
        ("chained_pairs", |m| Some(m.groups.chained_pairs as f64)),
        ("utility", |m| Some(m.utility?.mean)),
        ("others_hit", |m| Some(m.utility?.others_hit as f64)),
        ("adjusted_rand", |m| m.groups.adjusted_rand),
        ("b_cubed_f1", |m| Some(m.groups.b_cubed?.f1)),
        ("pure", |m| m.groups.pure),
        ("test_f1", |m| Some(m.split_f1()?.0)),
        ("test_max_f1", |m| Some(m.split_max_f1()?.f1)),
        ("test_max_f1_precision", |m| {
            Some(m.split_max_f1()?.precision)
        }),
        ("test_max_f1_recall", |m| Some(m.split_max_f1()?.recall)),
        ("seconds", |m| Some(m.seconds)),
        ("cpu_seconds", |m| m.cpu_seconds),
        ("peak_mb", |m| m.peak_mb),
        ("signature_bytes", |m| Some(m.signature_bytes)),
        ("features", |m| Some(m.features.as_ref()?.mean)),
        ("features_median", |m| {
            Some(m.features.as_ref()?.median as f64)
        }),
        ("features_distinct", |m| {
            Some(m.features.as_ref()?.distinct as f64)
        }),
    ];
    let mut columns = vec![
        Column::new("data", Kind::Text),
        Column::new("name", Kind::Text),
        Column::new("method", Kind::Text),
        Column::new("recipe", Kind::Text),
        Column::new("candidates", Kind::Integer),
    ];
    columns.extend(numbers.map(|(name, _)| Column::new(name, Kind::Number)));
    let mut table = Table::create(Some(path), &columns)?.guard_formulas(guards);
    for method in &outcome.methods {
        let mut row = vec![
            Value::Text(&method.data),
            Value::Text(&method.name),
            Value::Text(&method.method),
            Value::Text(&method.recipe),
            Value::Integer(method.candidates as i64),
        ];
        row.extend(numbers.map(|(_, cell)| cell(method).map_or(Value::Missing, Value::Number)));
        table.row(&row)?;
    }
    Ok(table.finish()?)
}
