//! `twinsift train signals`: a classifier of pairs out of labelled pairs.

use super::super::print;
use crate::args::{SourceArgs, TrainSignalsArgs, run_args};
use crate::exit::bad_input;
use crate::numbers::{count, counted};
use crate::outputs::refuse_overwriting;
use crate::pages::labelled::{Groups, Labelled, LabelledPairs};
use crate::plan::Run;
use crate::say::say;
use crate::study::Study;
use crate::{progress, threads};
use std::path::Path;
use twinsift_eval::Curve;
use twinsift_io::AtomicFile;
use twinsift_io::write::{Column, Kind, Table, Value};
use twinsift_learn::classify::model::{Training, Validated};
use twinsift_learn::classify::{
    CrossValidation, Examples, Learner, Model, Validation, cross_validate,
};

pub fn run(args: TrainSignalsArgs) -> anyhow::Result<()> {
    args.read.refuse_content()?;
    let rule = ThresholdRule::parse(&args.threshold_by)?;
    if args.runs == 0 && (args.curve.is_some() || args.study || rule.needs_scores()) {
        return Err(bad_input(
            "--curve, --study and --threshold-by f or precision rest on cross-validation: leave out --runs 0",
        ));
    }
    let sources = SourceArgs::only(args.inputs.clone());
    let run = Run::new(sources, &run_args(args.read.clone(), args.common.clone()))?;
    let files = [Some(&args.pairs), args.of.queries.as_ref()];
    let read = run.inputs.iter().chain(files.into_iter().flatten());
    refuse_overwriting("-o", Some(&args.output), read.clone())?;
    refuse_overwriting("--curve", args.curve.as_deref(), read)?;
    AtomicFile::create(&args.output)?;
    Table::check(args.curve.as_deref())?;
    threads::within(&run.settings, || train(&args, &run, &rule))
}

fn train(args: &TrainSignalsArgs, run: &Run, rule: &ThresholdRule) -> anyhow::Result<()> {
    let learner = args.learner.unwrap_or_default();
    let labelled = LabelledPairs {
        pairs: &args.pairs,
        queries: args.of.queries.as_deref(),
        signals: &args.of.signals,
        split_by: args.split_by.as_deref(),
    };
    let Labelled {
        mut examples,
        groups,
        bodies,
        background,
    } = labelled.read(run)?;
    let (pairs, duplicates) = (examples.len(), examples.duplicates());
    let weight = duplicate_weight(&args.duplicate_weight, &examples)?;
    examples.weigh_duplicates(weight);
    let seed = run.choices.seed.unwrap_or(0);
    let mut how = CrossValidation {
        folds: usize::from(args.folds),
        runs: usize::from(args.runs),
        seed,
        threshold: 0.5,
    };
    let spinner = progress::working("cross-validating", run.quiet);
    let validation = (args.runs > 0).then(|| {
        let views = groups.as_ref().map(Groups::views);
        cross_validate(learner, &examples, views.as_deref(), &how)
    });
    how.threshold = rule.choose(validation.as_ref().map(|v| &v.median().curve))?;
    let classifier = learner.learn(&examples, seed);
    spinner.finish_and_clear();
    let training = Training {
        pairs: pairs as u64,
        duplicates: duplicates as u64,
        duplicate_weight: weight,
        threshold_by: rule.in_words(),
        seed,
        validation: validation
            .as_ref()
            .map(|validation| figures(validation, &how, args.split_by.as_deref())),
    };
    let signals = examples.signals().to_vec();
    let model = Model::new(&signals, classifier, how.threshold, background, training);
    AtomicFile::write_all_to(&args.output, model.spelled().as_bytes())?;
    if let (Some(path), Some(validation)) = (&args.curve, &validation) {
        write_curve(path, &validation.median().curve)?;
    }
    if args.study {
        let study = Study {
            examples: &examples,
            groups: groups.as_ref(),
            bodies: &bodies,
            how,
            quiet: run.quiet,
        };
        print(&study.markdown())?;
    }
    if !run.quiet {
        summary(args, learner, &model, pairs, duplicates);
    }
    Ok(())
}

fn summary(
    args: &TrainSignalsArgs,
    learner: Learner,
    model: &Model,
    pairs: usize,
    duplicates: usize,
) {
    say!(
        "  trained  {} on {}, {} of them duplicates",
        learner.name(),
        counted(pairs as u64, "pair"),
        count(duplicates as u64)
    );
    if let Some(validated) = &model.training.validation {
        say!(
            "   tested  precision {:.3}, recall {:.3}, F {:.3} (median of {} runs of {}-fold cross-validation) at {}",
            validated.precision,
            validated.recall,
            validated.f1,
            validated.runs,
            validated.folds,
            model.threshold
        );
    }
    say!(
        "  written  {} (twinsift train show prints it)",
        args.output.display()
    );
}

fn duplicate_weight(text: &str, examples: &Examples) -> anyhow::Result<f64> {
    let duplicates = examples.duplicates() as f64;
    match text.parse::<f64>() {
        _ if text == "balanced" => Ok((examples.len() as f64 - duplicates) / duplicates),
        Ok(weight) if weight > 0.0 && weight.is_finite() => Ok(weight),
        _ => Err(bad_input(format!(
            "--duplicate-weight {text} is neither a number above 0 nor balanced"
        ))),
    }
}

/// The figures of the run with the median F at the chosen threshold.
fn figures(validation: &Validation, how: &CrossValidation, group: Option<&str>) -> Validated {
    let scores = |share: f64| {
        let curve = &validation.quantile(share).curve;
        curve.scores(curve.at(how.threshold))
    };
    let median = scores(0.5);
    Validated {
        folds: how.folds as u64,
        runs: how.runs as u64,
        group: group.map(str::to_owned),
        precision: median.precision,
        recall: median.recall,
        f1: median.f1,
        quartiles: [scores(0.25).f1, scores(0.75).f1],
    }
}

fn write_curve(path: &Path, curve: &Curve) -> anyhow::Result<()> {
    let columns = ["threshold", "precision", "recall", "f1"];
    let columns = columns.map(|name| Column::new(name, Kind::Number));
    let mut table = Table::create(Some(path), &columns)?;
    for point in curve.points() {
        let scores = curve.scores(point);
        let values = [point.threshold, scores.precision, scores.recall, scores.f1];
        table.row(&values.map(Value::Number))?;
    }
    Ok(table.finish()?)
}

/// How the threshold is chosen.
enum ThresholdRule {
    Given(f64),
    F,
    Precision(f64),
}

impl ThresholdRule {
    fn parse(text: &str) -> anyhow::Result<Self> {
        let number = |text: &str| {
            let number = text.parse::<f64>().ok();
            number.filter(|number| *number > 0.0 && *number <= 1.0)
        };
        let rule = match (text, text.strip_prefix("precision:")) {
            ("f", _) => Some(Self::F),
            (_, Some(floor)) => number(floor).map(Self::Precision),
            (given, None) => number(given).map(Self::Given),
        };
        rule.ok_or_else(|| {
            bad_input(format!(
                "--threshold-by {text} is unknown: use a number above 0 and at most 1, f, or precision:0.95"
            ))
        })
    }

    fn needs_scores(&self) -> bool {
        !matches!(self, Self::Given(_))
    }

    fn choose(&self, curve: Option<&Curve>) -> anyhow::Result<f64> {
        let best = match (self, curve) {
            (Self::Given(threshold), _) => Some(*threshold),
            (Self::F, Some(curve)) => curve.best().map(|point| point.threshold),
            (Self::Precision(floor), Some(curve)) => curve
                .best_with_precision(*floor)
                .map(|point| point.threshold),
            (_, None) => None,
        };
        best.ok_or_else(|| {
            bad_input(format!(
                "no threshold reaches it in cross-validation: {}",
                self.in_words()
            ))
        })
    }

    fn in_words(&self) -> String {
        match self {
            Self::Given(_) => "as given".to_owned(),
            Self::F => "the highest F in cross-validation".to_owned(),
            Self::Precision(floor) => {
                format!("the highest F with a precision of at least {floor} in cross-validation")
            }
        }
    }
}
