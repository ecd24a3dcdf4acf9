//! What the figures come to, in plain words.

use super::escape::inline;
use super::numbers::{amount, chance, setting, share};
use crate::evaluate::outcome::{DataOutcome, Outcome};
use crate::evaluate::verdict::Verdict;

/// Which method to use on a collection, and how sure that is: first with the thresholds that
/// users get, then with the best ones in hindsight.
pub fn on(data: &DataOutcome, outcome: &Outcome) -> String {
    let name = inline(&data.name);
    let Some(verdict) = Verdict::on(data, outcome) else {
        return format!("No method was tried on {name}.");
    };
    let Verdict {
        best,
        next,
        in_hindsight,
    } = verdict;
    if in_hindsight.max_f1 <= 0.0 {
        return format!("On {name}, no method found a true pair.");
    }
    let interval = best.intervals.map(|intervals| {
        let (low, high) = (share(intervals.f1.low), share(intervals.f1.high));
        format!(" (95\u{a0}% of resampled collections: {low} to {high})")
    });
    let mut sentences = vec![format!(
        "On {name}, with the thresholds they ran with, <strong>{}</strong> does best: F1\u{a0}{}{}{}.",
        inline(&best.name),
        share(best.scores.f1),
        at(best.threshold),
        interval.unwrap_or_default(),
    )];
    if let Some(next) = next {
        let (name, place) = (inline(&next.name), at(next.threshold));
        let f1 = share(next.scores.f1);
        sentences.push(match f1 == share(best.scores.f1) {
            true => format!("{name} does as well{place}."),
            false => format!("Next is {name} with {f1}{place}."),
        });
    }
    let reached = format!(
        "F1\u{a0}{}{}",
        share(in_hindsight.max_f1),
        at(in_hindsight.max_f1_threshold)
    );
    sentences.push(format!(
        "With the best threshold in hindsight, {} would reach {reached}.",
        inline(&in_hindsight.name)
    ));
    sentences.extend(over_splits(data, outcome));
    let others = outcome.methods_on(data).filter(|m| m.name != best.name);
    let quickest = others.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    if let Some(quickest) = quickest.filter(|m| m.seconds < best.seconds / 2.0) {
        sentences.push(format!(
            "{} took {}\u{a0}s; the quickest, {}, took {}\u{a0}s for F1\u{a0}{}.",
            inline(&best.name),
            amount(best.seconds),
            inline(&quickest.name),
            amount(quickest.seconds),
            share(quickest.scores.f1)
        ));
    }
    sentences.join(" ")
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
