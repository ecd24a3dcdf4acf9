//! What the figures come to, in plain words.

use super::escape::inline;
use super::numbers::{amount, chance, setting, share};
use crate::evaluate::outcome::{DataOutcome, MethodOutcome, Outcome};

/// Scores closer than this look the same.
const SAME: f64 = 0.0005;

/// Which method to use on a collection, and how sure that is.
pub fn on(data: &DataOutcome, outcome: &Outcome) -> String {
    let methods: Vec<_> = outcome.methods_on(data).collect();
    let by_f1 = |a: &&&MethodOutcome, b: &&&MethodOutcome| a.max_f1.total_cmp(&b.max_f1);
    let Some(best) = methods.iter().rev().max_by(by_f1) else {
        return format!("No method was tried on {}.", inline(&data.name));
    };
    if best.max_f1 <= 0.0 {
        return format!("On {}, no method found a true pair.", inline(&data.name));
    }
    let mut sentences = vec![format!(
        "On {}, <strong>{}</strong> does best: F1\u{a0}{}{}.",
        inline(&data.name),
        inline(&best.name),
        share(best.max_f1),
        at(best.max_f1_threshold),
    )];
    sentences.extend(as_it_ran(best));
    let others = || methods.iter().filter(|m| m.name != best.name);
    if let Some(next) = others().rev().max_by(by_f1) {
        let (name, place) = (inline(&next.name), at(next.max_f1_threshold));
        let f1 = share(next.max_f1);
        sentences.push(match f1 == share(best.max_f1) {
            true => format!("{name} does as well{place}."),
            false => format!("Next is {name} with {f1}{place}."),
        });
    }
    let by_f1_as_run =
        |a: &&&MethodOutcome, b: &&&MethodOutcome| a.scores.f1.total_cmp(&b.scores.f1);
    if let Some(ran) = others().rev().max_by(by_f1_as_run)
        && ran.scores.f1 - best.scores.f1 >= SAME
    {
        sentences.push(format!(
            "With the thresholds they ran with, {} does best: F1\u{a0}{}{}.",
            inline(&ran.name),
            share(ran.scores.f1),
            at(ran.threshold)
        ));
    }
    sentences.extend(over_splits(data, outcome));
    let quickest = others().min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    if let Some(quickest) = quickest.filter(|m| m.seconds < best.seconds / 2.0) {
        sentences.push(format!(
            "{} took {}\u{a0}s; the quickest, {}, took {}\u{a0}s for F1\u{a0}{}.",
            inline(&best.name),
            amount(best.seconds),
            inline(&quickest.name),
            amount(quickest.seconds),
            share(quickest.max_f1)
        ));
    }
    sentences.join(" ")
}

/// The best method at the threshold it ran with.
fn as_it_ran(best: &MethodOutcome) -> Option<String> {
    let Some(threshold) = best.threshold else {
        let f1 = share(best.scores.f1);
        return Some(format!("As it ran, F1 is\u{a0}{f1}."));
    };
    let interval = best.intervals.map(|intervals| {
        let (low, high) = (share(intervals.f1.low), share(intervals.f1.high));
        format!(" (95\u{a0}% of resampled collections: {low} to {high})")
    });
    let interval = interval.unwrap_or_default();
    Some(match best.max_f1 - best.scores.f1 < SAME {
        true if interval.is_empty() => return None,
        true => format!(
            "At {}, the threshold it ran with, it is the same{interval}.",
            setting(threshold)
        ),
        false => format!(
            "At {}, the threshold it ran with, F1 is\u{a0}{}{interval}.",
            setting(threshold),
            share(best.scores.f1)
        ),
    })
}

/// Whether the best over splits is better than the next one by more than chance.
fn over_splits(data: &DataOutcome, outcome: &Outcome) -> Option<String> {
    let closest = outcome
        .comparisons
        .iter()
        .filter(|comparison| comparison.data == data.name)
        .max_by(|a, b| a.test.difference.total_cmp(&b.test.difference))?;
    let p = closest.test.p?;
    let verdict = match p < 0.05 {
        true => "is better than",
        false => "cannot be told from",
    };
    Some(format!(
        "Over splits, {} {verdict} {} (p\u{a0}{}).",
        inline(&closest.best),
        inline(&closest.other),
        match p < 0.001 {
            true => chance(p),
            false => format!("=\u{a0}{}", chance(p)),
        }
    ))
}

fn at(threshold: Option<f64>) -> String {
    let threshold = threshold.map(|threshold| format!(" at\u{a0}{}", setting(threshold)));
    threshold.unwrap_or_default()
}
