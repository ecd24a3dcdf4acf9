//! The files that `twinsift eval` writes.

use crate::args::EvalArgs;
use crate::evaluate::outcome::{MethodOutcome, Outcome};
use crate::exit::bad_input;
use crate::outputs::{check_output_path, refuse_overwriting};
use crate::plan::config;
use std::path::{Path, PathBuf};
use twinsift::Choices;
use twinsift_io::write::{Column, Kind, Table, Value};

/// Refuses flags that contradict each other, and outputs that cannot be written or would
/// overwrite an input, before anything is read.
pub fn check(args: &EvalArgs) -> anyhow::Result<()> {
    let gold = args.gold.as_ref().map(PathBuf::from);
    let read = args.inputs.iter().chain(&args.suite).chain(&gold);
    let read: Vec<PathBuf> = read.chain(&args.queries).cloned().collect();
    refuse_overwriting_any(args, &read)?;
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
        check_output_path(flag, path)?;
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
pub fn outputs(args: &EvalArgs) -> Vec<(&'static str, PathBuf)> {
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

/// Refuses outputs that would overwrite something that is read.
pub fn refuse_overwriting_any(args: &EvalArgs, read: &[PathBuf]) -> anyhow::Result<()> {
    let mut outputs = outputs(args).into_iter();
    outputs.try_for_each(|(flag, path)| refuse_overwriting(flag, Some(&path), read.iter()))
}

/// Writes a row for each method.
pub fn write_csv(args: &EvalArgs, path: &Path, outcome: &Outcome) -> anyhow::Result<()> {
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
