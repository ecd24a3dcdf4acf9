//! `twinsift eval`: how good is a method?

mod files;

use super::print;
use crate::args::{EvalArgs, SourceArgs};
use crate::evaluate::base::Base;
use crate::evaluate::collection::{Collection, Task};
use crate::evaluate::gold_source::GoldSource;
use crate::evaluate::outcome::{MethodComparison, MethodOutcome, Outcome};
use crate::evaluate::results::{Results, key};
use crate::evaluate::suite::{Data, Suite, class_and_target};
use crate::evaluate::trial::{self, Options};
use crate::evaluate::variants::{self, Variant};
use crate::exit::{bad_input, sentence};
use crate::plan::{Run, model_reading};
use crate::say::say;
use crate::{progress, report};
use std::path::Path;
use twinsift::Choices;
use twinsift_eval::{FLOOR, PRICE, RESAMPLES, paired_test};
use twinsift_io::AtomicFile;

pub fn run(args: EvalArgs) -> anyhow::Result<()> {
    files::check(&args)?;
    let suite = args.suite.as_deref().map(|path| load(&args, path));
    let suite = suite.transpose()?;
    let outcome = match &suite {
        Some(suite) => run_suite(&args, suite)?,
        None => run_one(&args)?,
    };
    print(&report::markdown::markdown(&outcome))?;
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&outcome)? + "\n";
        AtomicFile::write_all_to(path, json.as_bytes())?;
    }
    if let Some(path) = &args.csv {
        files::write_csv(&args, path, &outcome)?;
    }
    if let Some(path) = &args.report {
        AtomicFile::write_all_to(path, report::render(&outcome).as_bytes())?;
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

fn run_one(args: &EvalArgs) -> anyhow::Result<Outcome> {
    let sources = SourceArgs::only(args.inputs.clone());
    let run = Run::new(sources, &args.run)?;
    let base =
        Base::new(run.choices.clone(), Path::new("")).with_classifier(run.classifier.clone());
    // These hold for any number of methods.
    let chosen = Choices {
        seed: None,
        fold: None,
        content: None,
        body: None,
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
        files::refuse_overwriting_any(args, &read)?;
    }
    for study in &suite.studies {
        files::refuse_overwriting_any(args, &study.files())?;
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
    let kept = files::outputs(args)
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
        let variant = &variant.of_documents_read_for(&run.recipe);
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
