//! How good detectors are on pairs of clusters, and of collections, that they have not seen.

use crate::collection::{FOLDS, Labelled};
use crate::weighed;
use twinsift::Detector;
use twinsift_learn::detect::Example;

/// Prints a table of the sets.
pub(crate) fn print(sets: &[Labelled], learn: impl Fn(&[Example]) -> Detector) {
    println!(
        "| collection | titles | candidates | recall of candidates | trained on | precision | recall | F1 |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (at, set) in sets.iter().enumerate() {
        let found = set.examples.iter().filter(|example| example.same).count();
        let row = |trained: &str, scores: &[f64]| {
            let [precision, recall, f1] = measure(set, scores);
            println!(
                "| {} | {:?} | {} | {:.4} | {trained} | {precision:.4} | {recall:.4} | {f1:.4} |",
                set.name,
                set.titles,
                set.examples.len(),
                found as f64 / set.same as f64,
            );
        };
        row("other clusters of all sets", &by_folds(sets, at, &learn));
        let others = weighed(sets, |other, _| other.origin() != set.origin());
        if !others.is_empty() {
            let detector = learn(&others);
            let scores = set
                .examples
                .iter()
                .map(|example| detector.score_of(&example.row));
            row("sets of another origin", &scores.collect::<Vec<_>>());
        }
    }
}

/// The score of each pair by a detector that has seen no document of its two clusters.
fn by_folds(sets: &[Labelled], at: usize, learn: impl Fn(&[Example]) -> Detector) -> Vec<f64> {
    let mut scores = vec![0.0; sets[at].examples.len()];
    for first in 0..FOLDS {
        for second in first..FOLDS {
            let is_held = |folds: &[u64; 2]| folds.contains(&first) || folds.contains(&second);
            let of_fold = |folds: &[u64; 2]| {
                (folds[0].min(folds[1]), folds[0].max(folds[1])) == (first, second)
            };
            let examples = weighed(sets, |set, pair| !is_held(&set.folds[pair]));
            let detector = learn(&examples);
            for (pair, folds) in sets[at].folds.iter().enumerate() {
                if of_fold(folds) {
                    scores[pair] = detector.score_of(&sets[at].examples[pair].row);
                }
            }
        }
    }
    scores
}

/// Precision, recall and F1 over all pairs of a set.
fn measure(set: &Labelled, scores: &[f64]) -> [f64; 3] {
    let taken = |at: &usize| scores[*at] >= 0.5;
    let all = (0..scores.len()).filter(taken).count() as f64;
    let right = (0..scores.len())
        .filter(taken)
        .filter(|&at| set.examples[at].same)
        .count() as f64;
    let (precision, recall) = (right / all.max(1.0), right / set.same as f64);
    [
        precision,
        recall,
        2.0 * precision * recall / (precision + recall).max(1e-12),
    ]
}
