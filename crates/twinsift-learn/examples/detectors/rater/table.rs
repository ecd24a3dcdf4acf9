//! What raters came to, as tables to read and as records to keep.

use super::run::{EACH, ESTIMATED, LABELS, Outcome};
use super::{SEEDS, Start, Strategy};
use serde_json::{Value, json};

/// Labels that have a column.
const SHOWN: [usize; 7] = [0, 10, 20, 30, 50, 100, 200];

/// Labels at which the width of intervals is shown.
const WIDTHS: [usize; 2] = [100, 200];

pub(super) fn head() {
    println!(
        "| collection | titles | first detector | questions | {} | labels for the F1 of random with 200, of uncertainty with 100 | intervals held precision, recall | width with 100, 200 labels | settled: runs, mean labels |",
        SHOWN.map(|labels| labels.to_string()).join(" | ")
    );
    println!(
        "|---|---|---|---|{}---|---|---|---|",
        "---|".repeat(SHOWN.len())
    );
}

pub(super) fn print(start: &Start<'_>, all: &[(Strategy, Vec<Outcome>)]) {
    let curve_of = |wanted| {
        let of_strategy = all.iter().find(|(strategy, _)| *strategy == wanted);
        of_strategy.map_or_else(Vec::new, |(_, runs)| curve(runs))
    };
    let goals = [
        curve_of(Strategy::Random)[LABELS / EACH],
        curve_of(Strategy::Uncertainty)[LABELS / 2 / EACH],
    ];
    for (strategy, runs) in all {
        let f1 = curve(runs);
        let cells = SHOWN.map(|labels| format!("{:.4}", f1[labels / EACH]));
        let needed = goals.map(|goal| match f1.iter().position(|&f1| f1 >= goal) {
            Some(at) => (at * EACH).to_string(),
            None => format!("> {LABELS}"),
        });
        println!(
            "| {} | {:?} | {} | {strategy:?} | {} | {} | {} |",
            start.set.name,
            start.set.titles,
            start.trained_on,
            cells.join(" | "),
            needed.join(", "),
            estimates(runs)
        );
    }
}

/// The mean F1 of runs.
fn curve(runs: &[Outcome]) -> Vec<f64> {
    let mean = |at: usize| runs.iter().map(|run| run.f1[at]).sum::<f64>() / SEEDS as f64;
    (0..=LABELS / EACH).map(mean).collect()
}

/// How good estimates were.
fn estimates(runs: &[Outcome]) -> String {
    let said = runs.iter().flat_map(|run| &run.said);
    if said.clone().next().is_none() {
        return "| |".to_owned();
    }
    let both = |of: &dyn Fn(usize) -> f64| [0, 1].map(|at| format!("{:.2}", of(at))).join(", ");
    let held = both(&|at| {
        let held = said.clone().filter(|said| said.held[at]).count();
        held as f64 / said.clone().count() as f64
    });
    let widths = WIDTHS.map(|labels| {
        both(&|at| {
            let widths = runs
                .iter()
                .map(|run| run.said[labels / ESTIMATED - 1].width[at]);
            widths.sum::<f64>() / SEEDS as f64
        })
    });
    let settled: Vec<usize> = runs.iter().filter_map(settled).collect();
    let mean = settled.iter().sum::<usize>() / settled.len().max(1);
    format!("{held} | {} | {}, {mean}", widths.join("; "), settled.len())
}

/// The labels after which a rater was told to stop.
fn settled(run: &Outcome) -> Option<usize> {
    let at = run.said.iter().position(|said| said.is_settled)?;
    Some((at + 1) * ESTIMATED)
}

/// What the runs of a strategy came to, to keep: means of them, rounded.
pub(super) fn record(start: &Start<'_>, strategy: Strategy, runs: &[Outcome]) -> Value {
    let rounded = |value: f64| (value * 10_000.0).round() / 10_000.0;
    let mean = |of: &dyn Fn(&Outcome) -> f64| {
        rounded(runs.iter().map(of).sum::<f64>() / runs.len() as f64)
    };
    let estimates = runs.first().map_or(0, |run| run.said.len());
    let each = |of: &dyn Fn(&Outcome, usize) -> f64| -> Vec<f64> {
        (0..estimates).map(|at| mean(&|run| of(run, at))).collect()
    };
    let [held, widths] = [
        [0, 1].map(|which| each(&|run, at| f64::from(u8::from(run.said[at].held[which])))),
        [0, 1].map(|which| each(&|run, at| run.said[at].width[which])),
    ];
    json!({
        "collection": start.set.name,
        "titles": format!("{:?}", start.set.titles),
        "first_detector": start.trained_on,
        "questions": format!("{strategy:?}"),
        "runs": runs.len(),
        "f1_each": EACH,
        "f1": curve(runs).into_iter().map(rounded).collect::<Vec<_>>(),
        "estimated_each": ESTIMATED,
        "held_precision": held[0],
        "held_recall": held[1],
        "width_precision": widths[0],
        "width_recall": widths[1],
        "settled": runs.iter().map(settled).collect::<Vec<_>>(),
    })
}
