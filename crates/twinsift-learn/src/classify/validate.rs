//! How good is a classifier on pairs that it has not seen?
//!
//! The paper's way: 10-fold cross-validation, nine times with other seeds for folds
//! and learning, and the run with the median F is reported. Precision and recall of a
//! run are those of all its folds together, each pair judged by the classifier that
//! had not seen it. A pair counts as found if its score reaches the threshold; the
//! scores themselves make the precision-recall curve.

use super::examples::Examples;
use super::folds::{self, Fold};
use super::{Classifier, Learner};
use rayon::prelude::*;
use twinsift_eval::curve::{Curve, ScoredPairs, Scores};

/// How to validate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossValidation {
    /// Folds of a run.
    pub folds: usize,
    /// Runs, each with a seed of its own.
    pub runs: usize,
    /// The first seed.
    pub seed: u64,
    /// A pair with at least this score is a duplicate.
    pub threshold: f64,
}

impl Default for CrossValidation {
    /// The paper's: 10 folds, 9 runs.
    fn default() -> Self {
        Self {
            folds: 10,
            runs: 9,
            seed: 0,
            threshold: 0.5,
        }
    }
}

/// The result of one run of a cross-validation.
#[derive(Clone, Debug)]
pub struct ValidationRun {
    /// Precision, recall and F at the threshold.
    pub scores: Scores,
    /// The same at every threshold.
    pub curve: Curve,
    /// Pairs that were judged.
    pub judged: usize,
    /// Duplicates among them.
    pub duplicates: usize,
}

/// All runs, by rising F.
#[derive(Clone, Debug)]
pub struct Validation {
    /// The runs, by rising F.
    pub runs: Vec<ValidationRun>,
}

impl Validation {
    /// The run with the median F.
    pub fn median(&self) -> &ValidationRun {
        self.quantile(0.5)
    }

    /// The run at a share of the way from the lowest F to the highest.
    pub fn quantile(&self, share: f64) -> &ValidationRun {
        let last = self.runs.len() - 1;
        &self.runs[(last as f64 * share).round() as usize]
    }
}

/// Validates a learner on examples, whose pages have `groups` if these are not to be
/// on both sides.
pub fn cross_validate(
    learner: Learner,
    examples: &Examples,
    groups: Option<&[[&str; 2]]>,
    how: &CrossValidation,
) -> Validation {
    let tasks: Vec<(u64, Fold)> = (0..how.runs.max(1) as u64)
        .flat_map(|run| {
            let seed = how.seed + run;
            let count = how.folds.max(2);
            let folds = match groups {
                None => folds::stratified(examples, count, seed),
                Some(groups) => folds::by_group(groups, count, seed),
            };
            folds.into_iter().map(move |fold| (run, fold))
        })
        .collect();
    let judged: Vec<(u64, Vec<(f64, bool)>)> = tasks
        .into_par_iter()
        .map(|(run, fold)| {
            let learned = learner.learn(&examples.subset(&fold.train), how.seed + run);
            (run, scored(&learned, examples, &fold.test))
        })
        .collect();
    let mut runs: Vec<ValidationRun> = (0..how.runs.max(1) as u64)
        .map(|run| {
            let of_run = judged.iter().filter(|(of, _)| *of == run);
            validation_run(
                of_run.flat_map(|(_, scores)| scores).copied(),
                how.threshold,
            )
        })
        .collect();
    runs.sort_by(|a, b| a.scores.f1.total_cmp(&b.scores.f1));
    Validation { runs }
}

/// The score and label of some of the examples.
fn scored(classifier: &Classifier, examples: &Examples, test: &[usize]) -> Vec<(f64, bool)> {
    let score = |&at: &usize| (classifier.score(examples.row(at)), examples.label(at));
    test.iter().map(score).collect()
}

/// How good scores are against labels.
pub fn validation_run(scored: impl Iterator<Item = (f64, bool)>, threshold: f64) -> ValidationRun {
    let mut pairs = ScoredPairs::default();
    let (mut judged, mut duplicates) = (0, 0);
    for (score, label) in scored {
        pairs.push(score, label);
        judged += 1;
        duplicates += usize::from(label);
    }
    let curve = pairs.curve(duplicates as u64);
    ValidationRun {
        scores: curve.scores(curve.at(threshold)),
        curve,
        judged,
        duplicates,
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::tests::random;
    use super::*;

    const TWO: [&str; 2] = ["tfidf_distance", "mcd"];

    #[test]
    fn what_can_be_learned_is_learned_and_the_rest_is_chance() {
        let how = CrossValidation {
            folds: 5,
            runs: 3,
            ..CrossValidation::default()
        };
        for learner in Learner::ALL {
            let easy = random(600, &TWO, 0.0, 1, |row| row[0] < 0.3);
            let f = cross_validate(learner, &easy, None, &how)
                .median()
                .scores
                .f1;
            assert!(f > 0.97, "{learner:?}: {f}");
            // The label is one bit of the number: nothing that a threshold could see.
            let hopeless = random(600, &TWO, 0.0, 1, |row| {
                ((row[0] * 1e9) as u64).is_multiple_of(2)
            });
            let f = cross_validate(learner, &hopeless, None, &how)
                .median()
                .scores
                .f1;
            assert!(f < 0.75, "{learner:?}: {f}");
        }
    }

    #[test]
    fn runs_are_in_order_and_the_same_every_time() {
        let examples = random(300, &TWO, 0.1, 1, |row| row[0] * row[1] < 0.2);
        let how = CrossValidation::default();
        let validation = cross_validate(Learner::Tree, &examples, None, &how);
        assert_eq!(validation.runs.len(), 9);
        assert!(validation.runs.is_sorted_by_key(|run| run.scores.f1));
        assert_eq!(validation.median().scores, validation.runs[4].scores);
        assert_eq!(validation.median().judged, 300);
        let again = cross_validate(Learner::Tree, &examples, None, &how);
        assert_eq!(again.median().scores, validation.median().scores);
    }
}
