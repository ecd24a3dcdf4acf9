//! What every threshold would give: precision over recall, and F1 over the
//! threshold itself.
//!
//! F1 changes only where a pair comes in, so it is drawn in steps: a method that
//! knows few different scores is seen to have few. Nothing is drawn below a
//! method's floor, where it has scored nothing.

use super::chart::{Axis, Chart, line};
use super::numbers::{setting, share};
use super::series::Looks;
use crate::evaluate::outcome::{CurvePoint, MethodOutcome};
use std::fmt::Write as _;

/// Precision over recall; nothing if no method has a curve.
pub fn precision_recall(methods: &[&MethodOutcome], looks: &Looks) -> Option<String> {
    let drawable = with_curves(methods);
    let best = |method: &MethodOutcome| {
        format!(
            "{}: average precision {}",
            method.name,
            share(method.average_precision)
        )
    };
    let chart = Chart {
        kind: "precision-recall".to_owned(),
        title: "Precision over recall".to_owned(),
        description: described("Precision over recall at every threshold", &drawable, best)?,
        x: Axis::share("Recall (share of true pairs found)"),
        y: Axis::share("Precision"),
    };
    let mut drawn = String::new();
    for (look, method) in looks.layered(&drawable) {
        let points = points(method).map(|p| chart.place(p.scores.recall, p.scores.precision));
        let (x, y) = chart.place(method.scores.recall, method.scores.precision);
        let words = format!(
            "{}{}: precision {}, recall {}",
            method.name,
            at_threshold(method),
            share(method.scores.precision),
            share(method.scores.recall)
        );
        let mark = match method.found_pairs > 0 {
            true => look.mark(x, y, &words),
            false => String::new(),
        };
        let _ = writeln!(
            drawn,
            "<g class=\"{}\">{}{mark}</g>",
            look.class(),
            line(points)
        );
    }
    let note = "<p class=\"note\">The mark is the method at the threshold it ran with.</p>\n";
    Some(chart.figure(&drawn, &(looks.legend(&drawable) + note)))
}

/// F1 over the threshold; nothing if no method has a curve.
pub fn f1(methods: &[&MethodOutcome], looks: &Looks) -> Option<String> {
    let drawable = with_curves(methods);
    let best = |method: &MethodOutcome| {
        let at = method.max_f1_threshold.map(setting);
        let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
        format!("{}: best F1 {}{at}", method.name, share(method.max_f1))
    };
    let ends = |method: &&MethodOutcome| {
        let thresholds: Vec<f64> = points(method).map(|point| point.threshold).collect();
        [lowest(method), thresholds.first().copied().unwrap_or(1.0)]
    };
    let ends: Vec<f64> = drawable.iter().flat_map(ends).collect();
    let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let chart = Chart {
        kind: "f1-threshold".to_owned(),
        title: "F1 over threshold".to_owned(),
        description: described("F1 at every threshold", &drawable, best)?,
        x: Axis::linear("Threshold (least score of a pair)", low, high),
        y: Axis::share("F1"),
    };
    let mut drawn = String::new();
    for (look, method) in looks.layered(&drawable) {
        let corners = steps(method).map(|(threshold, f1)| chart.place(threshold, f1));
        let mark = method.max_f1_threshold.map(|threshold| {
            let (x, y) = chart.place(threshold, method.max_f1);
            look.mark(x, y, &best(method))
        });
        let _ = writeln!(
            drawn,
            "<g class=\"{}\">{}{}</g>",
            look.class(),
            line(corners),
            mark.unwrap_or_default()
        );
    }
    let note = "<p class=\"note\">The mark is the method’s best F1.</p>\n";
    Some(chart.figure(&drawn, &(looks.legend(&drawable) + note)))
}

fn with_curves<'a>(methods: &[&'a MethodOutcome]) -> Vec<&'a MethodOutcome> {
    let has_points = |method: &&&MethodOutcome| points(method).next().is_some();
    methods.iter().filter(has_points).copied().collect()
}

fn points(method: &MethodOutcome) -> impl Iterator<Item = &CurvePoint> {
    let is_finite = |point: &&CurvePoint| {
        let scores = point.scores;
        [point.threshold, scores.precision, scores.recall, scores.f1]
            .iter()
            .all(|value| value.is_finite())
    };
    method.curve.iter().filter(is_finite)
}

/// The lowest threshold of which something is known.
fn lowest(method: &MethodOutcome) -> f64 {
    let last = points(method).last().map_or(1.0, |point| point.threshold);
    match method.floor.is_finite() {
        true => last.min(method.floor),
        false => last,
    }
}

/// The corners of F1 over the threshold, from the highest threshold down.
fn steps(method: &MethodOutcome) -> impl Iterator<Item = (f64, f64)> {
    let until = points(method)
        .skip(1)
        .map(|point| point.threshold)
        .chain([lowest(method)]);
    points(method)
        .zip(until)
        .flat_map(|(point, until)| [(point.threshold, point.scores.f1), (until, point.scores.f1)])
}

fn at_threshold(method: &MethodOutcome) -> String {
    let at = method.threshold.map(setting);
    at.map(|at| format!(" at {at}")).unwrap_or_default()
}

/// The picture in words; nothing if there are no methods.
fn described(
    head: &str,
    methods: &[&MethodOutcome],
    each: impl Fn(&MethodOutcome) -> String,
) -> Option<String> {
    let all: Vec<String> = methods.iter().map(|method| each(method)).collect();
    (!all.is_empty()).then(|| format!("{head}. {}.", all.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinsift_eval::Scores;

    fn point(threshold: f64, f1: f64) -> CurvePoint {
        CurvePoint {
            threshold,
            scores: Scores {
                f1,
                ..Scores::default()
            },
        }
    }

    #[test]
    fn f1_holds_until_the_next_pair_and_ends_at_the_floor() {
        let method = MethodOutcome {
            curve: vec![point(0.9, 0.2), point(0.5, 0.6)],
            floor: 0.3,
            ..MethodOutcome::default()
        };
        let corners: Vec<_> = steps(&method).collect();
        assert_eq!(corners, [(0.9, 0.2), (0.5, 0.2), (0.5, 0.6), (0.3, 0.6)]);
    }

    #[test]
    fn no_curve_no_chart() {
        let method = MethodOutcome::default();
        let looks = Looks::of(&Default::default());
        assert!(precision_recall(&[&method], &looks).is_none());
        assert!(f1(&[&method], &looks).is_none());
    }
}
