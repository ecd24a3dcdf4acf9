//! Precision and recall at every threshold, from one pass over scored pairs.
//!
//! A threshold finds the pairs that score at or above it, so only the scores
//! that occur can make a difference: the curve has a point for each of them.
//! Pairs with equal scores are found together or not at all.
//!
//! A method does not score every pair: below some *floor* it reports nothing. A
//! true pair that was not scored counts as missed at every threshold, so recall
//! never reaches 1 by leaving pairs out; a false one that was not scored is
//! rightly not found. The curve says nothing about thresholds below the floor,
//! and average precision counts recall that was never reached as 0.

use rayon::slice::ParallelSliceMut;
use serde::{Deserialize, Serialize};
use twinsift::matching::score_buckets::ScoreBuckets;

/// How good an answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The share of found pairs that are true; 0 if nothing was found.
    pub precision: f64,
    /// The share of true pairs that were found.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

impl Scores {
    /// Scores of an answer with `found` pairs, `correct` of them true, where
    /// there are `positives` true ones.
    pub fn of(found: f64, correct: f64, positives: f64) -> Self {
        let share = |of: f64| if of > 0.0 { correct / of } else { 0.0 };
        Self {
            precision: share(found),
            recall: share(positives),
            f1: share((found + positives) / 2.0),
        }
    }

    /// Scores from averages of precision and recall.
    pub(super) fn of_means(precision: f64, recall: f64) -> Self {
        let sum = precision + recall;
        Self {
            precision,
            recall,
            f1: if sum > 0.0 {
                2.0 * precision * recall / sum
            } else {
                0.0
            },
        }
    }
}

/// What is found at a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Pairs with at least this score are found.
    pub threshold: f64,
    /// Judged pairs that are found.
    pub found: u64,
    /// True pairs among them.
    pub correct: u64,
}

/// Scored pairs as they come, before they are put in order.
#[derive(Clone, Debug, Default)]
pub struct ScoredPairs {
    pub(super) of_true: Vec<f64>,
    pub(super) of_false: ScoreBuckets,
}

impl ScoredPairs {
    /// Adds a judged pair.
    pub fn push(&mut self, score: f64, is_true: bool) {
        match is_true {
            true => self.of_true.push(score),
            false => self.of_false.push(score),
        }
    }

    /// The curve, where there are `positives` true pairs, scored or not.
    pub fn curve(mut self, positives: u64) -> Curve {
        self.of_true.par_sort_unstable_by(|a, b| b.total_cmp(a));
        self.of_false.prepare(&self.of_true);
        Curve {
            of_true: self.of_true,
            of_false: self.of_false,
            positives,
        }
    }
}

/// Two scores this close are the same: a similarity is a quotient, and a
/// threshold is a decimal number.
const SAME: f64 = 1e-12;

/// Precision and recall at every threshold.
///
/// There can be a point for nearly every pair of a collection. So scores are kept, not
/// points: the best point and the average need those of true pairs only.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The scores of true pairs, highest first.
    of_true: Vec<f64>,
    /// Those of the others.
    of_false: ScoreBuckets,
    positives: u64,
}

impl Curve {
    /// The points, from the highest threshold to the lowest.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        std::iter::successors(self.below(f64::INFINITY), |point| {
            self.below(point.threshold)
        })
    }

    /// The point with the highest threshold below another one.
    pub fn below(&self, threshold: f64) -> Option<Point> {
        let of_true = self.of_true.get(self.true_reaching(threshold)).copied();
        let of_false = self.of_false.highest_below(threshold);
        let next = of_true.into_iter().chain(of_false).reduce(f64::max);
        next.map(|threshold| self.point(threshold))
    }

    /// The points at which recall rises, from the highest threshold to the lowest.
    fn rises(&self) -> impl Iterator<Item = Point> + '_ {
        let scores = self.of_true.chunk_by(|a, b| a == b);
        scores.scan(0, |correct, equal| {
            *correct += equal.len();
            Some(self.point_of(equal[0], *correct))
        })
    }

    /// What a threshold finds.
    pub fn at(&self, threshold: f64) -> Point {
        Point {
            threshold,
            ..self.point(threshold - SAME)
        }
    }

    fn point(&self, threshold: f64) -> Point {
        self.point_of(threshold, self.true_reaching(threshold))
    }

    fn point_of(&self, threshold: f64, correct: usize) -> Point {
        Point {
            threshold,
            found: (correct + self.of_false.reaching(threshold)) as u64,
            correct: correct as u64,
        }
    }

    fn true_reaching(&self, threshold: f64) -> usize {
        self.of_true.partition_point(|&score| score >= threshold)
    }

    /// All true pairs, found or not.
    pub fn positives(&self) -> u64 {
        self.positives
    }

    /// How good a point is.
    pub fn scores(&self, point: Point) -> Scores {
        let [found, correct, positives] =
            [point.found, point.correct, self.positives].map(|n| n as f64);
        Scores::of(found, correct, positives)
    }

    /// The point with the highest F1; of several the one with the highest
    /// threshold. `None` if no judged pair was scored.
    pub fn best(&self) -> Option<Point> {
        self.best_where(|_| true)
    }

    /// As [`best`](Self::best), among the points with at least some precision.
    pub fn best_with_precision(&self, least: f64) -> Option<Point> {
        self.best_where(|scores| scores.precision >= least)
    }

    fn best_where(&self, fits: impl Fn(Scores) -> bool) -> Option<Point> {
        let mut best: Option<(Point, f64)> = None;
        // Between two rises of recall there are only more wrong pairs.
        for point in self.points().take(1).chain(self.rises()) {
            let scores = self.scores(point);
            if fits(scores) && best.is_none_or(|(_, f1)| scores.f1 > f1) {
                best = Some((point, scores.f1));
            }
        }
        best.map(|(point, _)| point)
    }

    /// The mean of precision over recall, each step of recall with the precision
    /// at its end (no interpolation).
    pub fn average_precision(&self) -> f64 {
        let mut sum = 0.0;
        let mut before = 0;
        for point in self.rises() {
            sum += (point.correct - before) as f64 * self.scores(point).precision;
            before = point.correct;
        }
        match self.positives {
            0 => 0.0,
            positives => sum / positives as f64,
        }
    }

    /// At most about `count` points that show the same curve: evenly spread over
    /// thresholds and over recall, with both ends and the best one.
    pub fn thinned(&self, count: usize) -> Vec<Point> {
        let Some(Point {
            threshold: highest, ..
        }) = self.points().next()
        else {
            return Vec::new();
        };
        let lowest = self.lowest_reaching(f64::NEG_INFINITY).unwrap_or(highest);
        let half = (count / 2).max(1);
        let share = |step: usize| step as f64 / half as f64;
        let evenly = (1..half).map(|step| highest - share(step) * (highest - lowest));
        let by_recall = (1..=half).filter_map(|step| {
            let correct = (share(step) * self.positives as f64).ceil() as usize;
            self.of_true.get(correct.checked_sub(1)?).copied()
        });
        let best = self.best().map(|point| point.threshold);
        // Between two scores a threshold finds what the higher one finds.
        let mut thresholds: Vec<f64> = evenly
            .filter_map(|threshold| self.lowest_reaching(threshold))
            .chain(by_recall)
            .chain([highest, lowest])
            .chain(best)
            .collect();
        thresholds.sort_unstable_by(|a, b| b.total_cmp(a));
        thresholds.dedup();
        let point = |threshold| self.point(threshold);
        thresholds.into_iter().map(point).collect()
    }

    /// The lowest score at or above a threshold.
    fn lowest_reaching(&self, threshold: f64) -> Option<f64> {
        let count = self.true_reaching(threshold);
        let of_true = count.checked_sub(1).map(|last| self.of_true[last]);
        let of_false = self.of_false.lowest_reaching(threshold);
        of_true.into_iter().chain(of_false).reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(scored: &[(f64, bool)], positives: u64) -> Curve {
        let mut pairs = ScoredPairs::default();
        scored
            .iter()
            .for_each(|&(score, label)| pairs.push(score, label));
        pairs.curve(positives)
    }

    #[test]
    fn equal_scores_are_found_together() {
        let curve = curve(&[(0.5, true), (0.9, true), (0.5, false), (0.5, false)], 2);
        let points: Vec<_> = curve.points().map(|p| (p.found, p.correct)).collect();
        assert_eq!(points, [(1, 1), (4, 2)]);
        let best = curve.best().expect("a point");
        assert_eq!((best.threshold, best.found), (0.9, 1));
        assert_eq!(curve.at(0.7).found, 1);
        assert_eq!(curve.at(0.5).found, 4);
        assert_eq!(
            curve.at(0.95),
            Point {
                threshold: 0.95,
                found: 0,
                correct: 0
            }
        );
    }

    #[test]
    fn true_pairs_that_were_never_scored_are_missed_at_every_threshold() {
        let scored = [(0.9, true), (0.8, false), (0.7, true)];
        let (all, half) = (curve(&scored, 2), curve(&scored, 4));
        let recall = |curve: &Curve| curve.scores(curve.at(0.0)).recall;
        assert_eq!((recall(&all), recall(&half)), (1.0, 0.5));
        assert_eq!(half.average_precision(), all.average_precision() / 2.0);
        assert_eq!(all.average_precision(), (1.0 + 2.0 / 3.0) / 2.0);
    }

    #[test]
    fn a_precision_floor_moves_the_best_point() {
        let scored = [(0.9, true), (0.8, false), (0.7, true), (0.6, true)];
        let curve = curve(&scored, 3);
        let at = |point: Option<Point>| point.map(|p| p.threshold);
        assert_eq!(at(curve.best()), Some(0.6));
        assert_eq!(at(curve.best_with_precision(0.99)), Some(0.9));
        assert_eq!(at(curve.best_with_precision(1.1)), None);
    }

    #[test]
    fn nothing_scored_is_nothing_found() {
        let curve = curve(&[], 3);
        assert_eq!(curve.best(), None);
        assert_eq!(curve.average_precision(), 0.0);
        assert_eq!(curve.scores(curve.at(0.5)), Scores::default());
        assert!(curve.thinned(10).is_empty());
    }

    #[test]
    fn a_thinned_curve_keeps_its_ends_and_its_best() {
        let scored: Vec<_> = (1..=10_000)
            .map(|at| (f64::from(at) / 10_000.0, at % 3 != 0 && at > 4_000))
            .collect();
        let curve = curve(&scored, 4_000);
        let thin = curve.thinned(100);
        assert!((50..=210).contains(&thin.len()), "{}", thin.len());
        assert_eq!(thin.first().copied(), curve.points().next());
        assert_eq!(thin.last().copied(), curve.points().last());
        let all: Vec<Point> = curve.points().collect();
        assert!(thin.iter().all(|point| all.contains(point)));
        assert!(thin.contains(&curve.best().expect("a point")));
    }
}
