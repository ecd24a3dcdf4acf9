//! The figures of a collection: quality, groups, cost, splits.

use super::escape;
use super::numbers::{NONE, amount, chance, count, difference, share, threshold};
use super::series::Looks;
use super::table::{Best, Table};
use crate::evaluate::outcome::{MethodComparison, MethodOutcome, Outcome};
use Best::{Highest, Lowest, Neither};

type Rows<'a> = [&'a MethodOutcome];

/// How good a method is, pair by pair.
pub fn quality(methods: &Rows<'_>, looks: &Looks) -> String {
    let interval = |m: &&MethodOutcome| {
        let f1 = m.intervals?.f1;
        Some((f1.low, format!("{} to {}", share(f1.low), share(f1.high))))
    };
    Table::new(methods)
        .group("At its threshold")
        .number("Threshold", Neither, threshold, |m| m.threshold)
        .number("Precision", Highest, share, |m| Some(m.scores.precision))
        .number("Recall", Highest, share, |m| Some(m.scores.recall))
        .number("F1", Highest, share, |m| Some(m.scores.f1))
        .text("95 % of F1", Neither, interval)
        .group("At any threshold")
        .number("Average precision", Highest, share, |m| {
            Some(m.average_precision)
        })
        .group("Best threshold in hindsight")
        .number("Max F1", Highest, share, |m| Some(m.max_f1))
        .number("at", Neither, threshold, |m| m.max_f1_threshold)
        .number("Precision", Neither, share, |m| Some(m.max_f1_precision))
        .number("Recall", Neither, share, |m| Some(m.max_f1_recall))
        .group("Mean of queries")
        .number("Precision", Highest, share, |m| Some(m.per_query.precision))
        .number("Recall", Highest, share, |m| Some(m.per_query.recall))
        .number("F1", Highest, share, |m| Some(m.per_query.f1))
        .html("Quality", |m| named(&m.name, looks))
}

/// What the found pairs and groups are like.
pub fn groups(methods: &Rows<'_>, looks: &Looks) -> String {
    let b_cubed = |m: &MethodOutcome| m.groups.b_cubed;
    Table::new(methods)
        .group("Pairs")
        .number("Judged", Neither, count, |m| Some(m.found_pairs as f64))
        .number("True", Highest, count, |m| Some(m.correct_pairs as f64))
        .number("Not judged", Neither, count, |m| {
            Some(m.unjudged_pairs as f64)
        })
        .group("Groups")
        .number("All", Neither, count, |m| Some(m.groups.groups as f64))
        .number("Largest", Neither, count, |m| Some(m.groups.largest as f64))
        .number("Pure", Highest, share, |m| m.groups.pure)
        .number("Chained pairs", Lowest, count, |m| {
            Some(m.groups.chained_pairs as f64)
        })
        .number("Adjusted Rand", Highest, share, |m| m.groups.adjusted_rand)
        .group("B-cubed")
        .number("Precision", Highest, share, |m| Some(b_cubed(m)?.precision))
        .number("Recall", Highest, share, |m| Some(b_cubed(m)?.recall))
        .number("F1", Highest, share, |m| Some(b_cubed(m)?.f1))
        .group("Utility")
        .number("Mean", Highest, amount, |m| Some(m.utility?.mean))
        .number("Found", Highest, count, |m| {
            Some(m.utility?.targets_found as f64)
        })
        .number("Wrongly hit", Lowest, count, |m| {
            Some(m.utility?.others_hit as f64)
        })
        .html("Pairs and groups", |m| named(&m.name, looks))
}

/// What a method takes.
pub fn cost(methods: &Rows<'_>, looks: &Looks) -> String {
    Table::new(methods)
        .number("Time, s", Lowest, amount, |m| Some(m.seconds))
        .number("CPU, s", Lowest, amount, |m| m.cpu_seconds)
        .number("Peak memory, MB", Lowest, amount, |m| m.peak_mb)
        .number("Signature, bytes per document", Lowest, amount, |m| {
            Some(m.signature_bytes)
        })
        .number("Pairs compared in full", Lowest, count, |m| {
            Some(m.candidates as f64)
        })
        .group("Features")
        .number("Mean of a document", Neither, amount, |m| {
            Some(m.features.as_ref()?.mean)
        })
        .number("Median", Neither, count, |m| {
            Some(m.features.as_ref()?.median as f64)
        })
        .number("Distinct", Neither, count, |m| {
            Some(m.features.as_ref()?.distinct as f64)
        })
        .html("Cost", |m| named(&m.name, looks))
}

/// Scores on documents that the threshold was not chosen on; empty if there are
/// no splits.
pub fn splits(methods: &Rows<'_>, comparisons: &[&MethodComparison], looks: &Looks) -> String {
    let methods: Vec<_> = methods
        .iter()
        .filter(|m| !m.splits.is_empty())
        .copied()
        .collect();
    let to_best = |m: &MethodOutcome| comparisons.iter().find(|c| c.other == m.name);
    let is_best = |m: &MethodOutcome| comparisons.iter().any(|c| c.best == m.name);
    Table::new(&methods)
        .number("Splits", Neither, count, |m| Some(m.splits.len() as f64))
        .text("Mean F1 ± sd", Highest, |m| {
            let (mean, deviation) = m.split_f1()?;
            Some((mean, format!("{} ± {}", share(mean), share(deviation))))
        })
        .text("Difference to the best", Neither, |m| match to_best(m) {
            None if is_best(m) => Some((0.0, "best".to_owned())),
            other => other.map(|c| (c.test.difference, difference(c.test.difference))),
        })
        .number("t", Neither, amount, |m| to_best(m)?.test.t)
        .number("p", Neither, chance, |m| to_best(m)?.test.p)
        .group("Best threshold in hindsight")
        .number("Max F1", Highest, share, |m| Some(m.split_max_f1()?.f1))
        .number("Precision", Neither, share, |m| {
            Some(m.split_max_f1()?.precision)
        })
        .number("Recall", Neither, share, |m| Some(m.split_max_f1()?.recall))
        .html("Splits", |m| named(&m.name, looks))
}

/// The F1 of every method on every collection.
pub fn overview(
    caption: &str,
    f1: fn(&MethodOutcome) -> f64,
    outcome: &Outcome,
    looks: &Looks,
) -> String {
    let mut names: Vec<&str> = Vec::new();
    for method in &outcome.methods {
        if !names.contains(&method.name.as_str()) {
            names.push(&method.name);
        }
    }
    let mut table = Table::new(&names);
    for data in &outcome.data {
        table = table.number(&data.name, Highest, share, |name| {
            let mut methods = outcome.methods_on(data);
            methods.find(|method| method.name == **name).map(f1)
        });
    }
    table.html(caption, |name| named(name, looks))
}

fn named(name: &str, looks: &Looks) -> String {
    let shown = if name.is_empty() { NONE } else { name };
    format!(
        "<div class=\"named\">{}{}</div>",
        looks.get(name).swatch(),
        escape::inline(shown)
    )
}
