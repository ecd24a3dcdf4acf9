//! Scores in buckets, to count quickly how many reach a threshold.
//!
//! There can be one for nearly every pair of documents, and only some thresholds are
//! asked for. So scores go into buckets of the range from 0 to 1 as they come, and
//! only buckets that are asked about often are sorted.

use rayon::prelude::*;

/// Buckets of equal width; the last one is for a score of 0.
const BUCKETS: usize = 1024;

/// Questions about a bucket from which on it pays to sort it.
const MANY: u32 = 16;

/// ScoreBuckets, highest bucket first.
#[derive(Clone, Debug)]
pub struct ScoreBuckets {
    buckets: Vec<Bucket>,
    /// For each bucket, how many scores are in the buckets before it; empty until
    /// [`prepare`](Self::prepare).
    before: Vec<usize>,
}

#[derive(Clone, Debug, Default)]
struct Bucket {
    scores: Vec<f64>,
    /// Whether the highest score comes first; otherwise there is no order.
    sorted: bool,
}

impl Default for ScoreBuckets {
    fn default() -> Self {
        Self {
            buckets: vec![Bucket::default(); BUCKETS + 1],
            before: Vec::new(),
        }
    }
}

/// The bucket of a score: never a later one for a higher score.
fn bucket(score: f64) -> usize {
    ((1.0 - score).clamp(0.0, 1.0) * BUCKETS as f64) as usize
}

impl ScoreBuckets {
    /// Adds a score.
    pub fn push(&mut self, score: f64) {
        self.buckets[bucket(score)].scores.push(score);
    }

    /// Moves all scores of `other` here.
    pub fn append(&mut self, other: &mut Self) {
        for (bucket, other) in self.buckets.iter_mut().zip(&mut other.buckets) {
            bucket.scores.append(&mut other.scores);
        }
    }

    /// Sorts what makes [`reaching`](Self::reaching) fast at these thresholds.
    pub fn prepare(&mut self, thresholds: &[f64]) {
        let mut counts = [0; BUCKETS + 1];
        for &threshold in thresholds {
            counts[bucket(threshold)] += 1;
        }
        let buckets = self.buckets.par_iter_mut().zip(counts.par_iter());
        buckets.for_each(|(bucket, &count)| {
            if count > MANY {
                bucket.scores.sort_unstable_by(|a, b| b.total_cmp(a));
                bucket.sorted = true;
            }
        });
        let ends = self.buckets.iter().scan(0, |end, bucket| {
            *end += bucket.scores.len();
            Some(*end)
        });
        self.before = std::iter::once(0).chain(ends).collect();
    }

    /// How many scores are at or above a threshold.
    pub fn reaching(&self, threshold: f64) -> usize {
        let at = bucket(threshold);
        let Bucket { scores, sorted } = &self.buckets[at];
        let here = match sorted {
            true => scores.partition_point(|&score| score >= threshold),
            false => scores.iter().filter(|&&score| score >= threshold).count(),
        };
        self.before[at] + here
    }

    /// The lowest score at or above a threshold.
    pub fn lowest_reaching(&self, threshold: f64) -> Option<f64> {
        let mut buckets = self.buckets[..=bucket(threshold)].iter().rev();
        buckets.find_map(|bucket| {
            let reaching = bucket.scores.iter().filter(|&&score| score >= threshold);
            reaching.copied().reduce(f64::min)
        })
    }

    /// The highest score below a threshold.
    pub fn highest_below(&self, threshold: f64) -> Option<f64> {
        let mut buckets = self.buckets[bucket(threshold)..].iter();
        buckets.find_map(|bucket| {
            let below = bucket.scores.iter().filter(|&&score| score < threshold);
            below.copied().reduce(f64::max)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn score() -> impl Strategy<Value = f64> {
        let special = [-0.5, -0.0, 0.0, 0.5, 1.0, 1.0 + 1e-9, 2.5];
        prop_oneof![
            0.0..1.0,
            0.499..0.501,
            (0..=84).prop_map(|n| f64::from(n) / 84.0),
            proptest::sample::select(special.to_vec()),
        ]
    }

    proptest! {
        #[test]
        fn counts_as_a_list_does(
            all in prop::collection::vec(score(), 0..400),
            split in 0..400_usize,
            asked in prop::collection::vec(score(), 0..60),
        ) {
            let (mut scores, mut rest) = (ScoreBuckets::default(), ScoreBuckets::default());
            for (at, &score) in all.iter().enumerate() {
                if at < split { scores.push(score) } else { rest.push(score) }
            }
            scores.append(&mut rest);
            scores.prepare(&asked);
            for &threshold in asked.iter().chain(&all) {
                let at_least = all.iter().copied().filter(|&score| score >= threshold);
                let below = all.iter().copied().filter(|&score| score < threshold);
                prop_assert_eq!(scores.reaching(threshold), at_least.clone().count());
                prop_assert_eq!(scores.lowest_reaching(threshold), at_least.reduce(f64::min));
                prop_assert_eq!(scores.highest_below(threshold), below.reduce(f64::max));
            }
        }
    }
}
