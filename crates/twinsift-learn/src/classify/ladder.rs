//! What does each further signal add? (The paper's Fig. 3.)
//!
//! Signals are added by rising cost, those of fetched bodies before those of rendered
//! ones, since a browser costs more than everything else. Signals that cost the same
//! and look at the same thing make one rung, as same domain and same title do in the
//! paper. Each rung is validated with all signals up to it.

use super::Learner;
use super::examples::Examples;
use super::validate::{CrossValidation, Validation, cross_validate};
use crate::signals::{Cost, Measure, Signal};

/// A rung: the signals that it adds, and how good all up to it are.
#[derive(Clone, Debug)]
pub struct Rung {
    /// The signals that were added.
    pub added: Vec<Signal>,
    /// How good a learner is with these and all before.
    pub validation: Validation,
}

/// Validates rung after rung. Signals that no pair has are left out.
pub fn climb(
    learner: Learner,
    examples: &Examples,
    groups: Option<&[[&str; 2]]>,
    how: &CrossValidation,
) -> Vec<Rung> {
    let mut so_far = Vec::new();
    let mut ladder = Vec::new();
    for added in rungs(examples) {
        so_far.extend_from_slice(&added);
        let validation = cross_validate(learner, &examples.with_signals(&so_far), groups, how);
        ladder.push(Rung { added, validation });
    }
    ladder
}

/// Signals that some pair has, in steps of rising cost.
fn rungs(examples: &Examples) -> Vec<Vec<Signal>> {
    let is_known = |signal: &Signal| {
        let at = examples.signals().iter().position(|known| known == signal);
        at.is_some_and(|at| (0..examples.len()).any(|row| !examples.row(row)[at].is_nan()))
    };
    let mut rungs: Vec<Vec<Signal>> = Vec::new();
    for signal in Signal::all().into_iter().filter(is_known) {
        match rungs.last_mut() {
            Some(rung) if rung.iter().all(|known| is_one_step(*known, signal)) => {
                rung.push(signal);
            }
            _ => rungs.push(vec![signal]),
        }
    }
    rungs
}

/// Whether two signals come together: addresses and titles, and what looks at main
/// content.
fn is_one_step(x: Signal, y: Signal) -> bool {
    let look = |measure: Measure| match measure.about().cost {
        Cost::Address | Cost::Title => Some(Cost::Address),
        Cost::Content => Some(Cost::Content),
        _ => None,
    };
    x.source == y.source && look(x.measure).is_some() && look(x.measure) == look(y.measure)
}

#[cfg(test)]
mod tests {
    use super::super::examples::tests::random;
    use super::*;

    #[test]
    fn rungs_rise_by_cost_and_leave_out_signals_without_values() {
        let names = [
            "same_domain",
            "same_title",
            "length_distance",
            "main_shingles",
            "main_spots",
            "mcd",
            "rendered_same_title",
        ];
        let mut examples = random(50, &names, 0.0, 1, |row| row[5] < 0.3);
        examples.push(&[None; 7], true);
        let rungs_found: Vec<Vec<String>> = rungs(&examples)
            .iter()
            .map(|rung| rung.iter().map(|signal| signal.name()).collect())
            .collect();
        assert_eq!(
            rungs_found,
            [
                vec!["same_domain", "same_title"],
                vec!["length_distance"],
                vec!["main_shingles", "main_spots"],
                vec!["mcd"],
                vec!["rendered_same_title"],
            ]
        );
        let without_values = random(50, &names, 1.1, 1, |row| row[0] < 0.5);
        assert!(rungs(&without_values).is_empty());
    }

    #[test]
    fn the_rung_that_tells_is_seen() {
        let names = ["same_title", "length_distance", "mcd"];
        let examples = random(400, &names, 0.0, 1, |row| row[2] < 0.3);
        let how = CrossValidation {
            folds: 4,
            runs: 1,
            ..CrossValidation::default()
        };
        let ladder = climb(Learner::Tree, &examples, None, &how);
        let f: Vec<f64> = ladder
            .iter()
            .map(|rung| rung.validation.median().scores.f1)
            .collect();
        assert!(f[1] < 0.5 && f[2] > 0.95, "{f:?}");
    }
}
