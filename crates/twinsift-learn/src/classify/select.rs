//! Which signals are enough? (The paper's future work: more fine-grained feature
//! selection.)
//!
//! Forward selection: the signal that adds most to F is kept, then the one that adds most
//! to that, until none adds anything worth having. F is the mean of the learners', each
//! the median of all runs of cross-validation. What is kept was chosen on the very pairs
//! that its F is given for, so that F is somewhat too high.

use super::Learner;
use super::examples::Examples;
use super::validate::{CrossValidation, cross_validate};
use crate::signals::Signal;

/// A signal must add so much to F.
const WORTH_HAVING: f64 = 0.001;

/// A signal that was kept, and F with it and all before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kept {
    /// The signal.
    pub signal: Signal,
    /// F.
    pub f1: f64,
}

/// Keeps signals one by one. Of equally good ones, the cheapest.
pub fn forward(
    learners: &[Learner],
    examples: &Examples,
    groups: Option<&[[&str; 2]]>,
    how: &CrossValidation,
) -> Vec<Kept> {
    let mut kept: Vec<Kept> = Vec::new();
    loop {
        let so_far: Vec<Signal> = kept.iter().map(|kept| kept.signal).collect();
        let best = (examples.signals().iter())
            .filter(|signal| !so_far.contains(signal))
            .map(|&signal| {
                let with = examples.with_signals(&[&so_far[..], &[signal]].concat());
                let f1 = |&learner: &Learner| {
                    let validation = cross_validate(learner, &with, groups, how);
                    validation.median().scores.f1
                };
                let sum: f64 = learners.iter().map(f1).sum();
                let f1 = sum / learners.len() as f64;
                Kept { signal, f1 }
            })
            .reduce(|best, next| if next.f1 > best.f1 { next } else { best });
        let reached = kept.last().map_or(0.0, |last| last.f1);
        match best {
            Some(best) if best.f1 >= reached + WORTH_HAVING => kept.push(best),
            _ => return kept,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::tests::random;
    use super::*;

    #[test]
    fn only_signals_that_tell_are_kept() {
        let names = ["same_title", "length_distance", "tfidf_distance", "mcd"];
        let examples = random(300, &names, 0.0, 1, |row| row[1] < 0.5 && row[3] < 0.5);
        let how = CrossValidation {
            folds: 4,
            runs: 1,
            ..CrossValidation::default()
        };
        let kept = forward(&[Learner::Tree], &examples, None, &how);
        let mut names: Vec<String> = kept.iter().map(|kept| kept.signal.name()).collect();
        names.truncate(2);
        names.sort();
        assert_eq!(names, ["length_distance", "mcd"]);
        assert!(kept.is_sorted_by(|a, b| a.f1 < b.f1), "{kept:?}");
        assert!(kept[1].f1 > 0.9, "{kept:?}");
    }
}
