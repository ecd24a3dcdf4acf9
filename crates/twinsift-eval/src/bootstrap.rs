//! Confidence intervals of scores, by resampling the collection (bootstrap).
//!
//! Pairs of one cluster are not independent: if a method misses a page, it
//! misses it in all of its pairs. So whole clusters are drawn with replacement,
//! as often as there are, and the scores computed again; the middle 95 % of
//! them are the interval. A wrong pair belongs half to the one cluster and half
//! to the other.

use crate::curve::Scores;
use crate::gold::Gold;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use twinsift::hash::Stream;

/// An interval that covers 95 % of resampled scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// 2.5 % of the resampled scores are below.
    pub low: f64,
    /// 2.5 % of the resampled scores are above.
    pub high: f64,
}

/// Intervals of the three scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Intervals {
    /// Of precision.
    pub precision: Interval,
    /// Of recall.
    pub recall: Interval,
    /// Of F1.
    pub f1: Interval,
}

/// What each unit contributes.
#[derive(Clone, Debug)]
pub(super) struct Bootstrap {
    units: BTreeMap<u32, Contribution>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Contribution {
    found: f64,
    correct: f64,
    positives: f64,
}

impl Bootstrap {
    /// Every unit of the truth, with its true pairs.
    pub(super) fn new(gold: &Gold) -> Self {
        let mut units: BTreeMap<u32, Contribution> = BTreeMap::new();
        for doc in 0..gold.documents() as u32 {
            if let Some([unit, _]) = gold.units(doc, doc) {
                units.entry(unit).or_default();
            }
        }
        for (a, b) in gold.each_positive() {
            for unit in gold.units(a, b).into_iter().flatten() {
                units.entry(unit).or_default().positives += 0.5;
            }
        }
        Self { units }
    }

    /// Notes a judged pair that was found.
    pub(super) fn add(&mut self, gold: &Gold, a: u32, b: u32, is_true: bool) {
        for unit in gold.units(a, b).into_iter().flatten() {
            let unit = self.units.entry(unit).or_default();
            unit.found += 0.5;
            unit.correct += if is_true { 0.5 } else { 0.0 };
        }
    }

    pub(super) fn intervals(&self, resamples: u32, seed: u64) -> Option<Intervals> {
        let units: Vec<Contribution> = self.units.values().copied().collect();
        if resamples == 0 || units.is_empty() {
            return None;
        }
        let mut stream = Stream::new(seed);
        let drawn: Vec<Scores> = (0..resamples)
            .map(|_| {
                let mut sum = Contribution::default();
                for _ in 0..units.len() {
                    let unit = units[stream.below(units.len())];
                    sum.found += unit.found;
                    sum.correct += unit.correct;
                    sum.positives += unit.positives;
                }
                Scores::of(sum.found, sum.correct, sum.positives)
            })
            .collect();
        let interval = |of: fn(&Scores) -> f64| {
            let mut values: Vec<f64> = drawn.iter().map(of).collect();
            values.sort_unstable_by(f64::total_cmp);
            let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
            Interval {
                low: at(0.025),
                high: at(0.975),
            }
        };
        Some(Intervals {
            precision: interval(|scores| scores.precision),
            recall: interval(|scores| scores.recall),
            f1: interval(|scores| scores.f1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_answer_has_no_spread_and_a_mixed_one_has() {
        let names: Vec<String> = (0..60).map(|doc| format!("c{}", doc / 3)).collect();
        let clusters: Vec<_> = names.iter().map(|name| Some(name.as_str())).collect();
        let gold = Gold::from_clusters(&clusters, &[]);
        let mut all = Bootstrap::new(&gold);
        let mut some = Bootstrap::new(&gold);
        for (a, b) in gold.each_positive() {
            all.add(&gold, a, b, true);
            if a % 2 == 0 {
                some.add(&gold, a, b, true);
            }
        }
        let perfect = all.intervals(200, 1).expect("units");
        assert_eq!((perfect.f1.low, perfect.f1.high), (1.0, 1.0));
        let mixed = some.intervals(200, 1).expect("units");
        assert!(mixed.recall.low < 0.5 && mixed.recall.high > 0.5);
        assert!(mixed.recall.high < 1.0);
        assert_eq!(mixed.precision.low, 1.0);
        assert_eq!(
            some.intervals(200, 1),
            Some(mixed),
            "same seed, same interval"
        );
        assert_eq!(some.intervals(0, 1), None);
    }
}
