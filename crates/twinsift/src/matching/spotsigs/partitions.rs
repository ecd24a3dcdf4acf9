//! Where documents are cut by length (section 4.2 of the SpotSigs paper).
//!
//! `p_0 = 1`, and `p_{k+1}` is the smallest integer above `p_k` with
//! `p_{k+1} - p_k > (1 - τ) p_{k+1}`. Then
//!
//! - (A) similar documents are in one partition or in two neighbouring ones,
//! - (B) no two documents of one partition differ in length so much that they could
//!   not be similar.
//!
//! The boundaries depend on the threshold alone. The paper counts 501 and 41
//! partitions below 1000 for τ = 1 and 0.9; the rule gives 1000 and 49.

/// Lengths beyond this (the paper's ρ) share the last partition.
const LONGEST: f64 = (1 << 20) as f64;

/// Rounding may not separate documents that are just similar enough.
const ROUNDING: f64 = 1e-9;

/// The boundaries `p_0, p_1, …`.
#[derive(Clone, Debug)]
pub(super) struct Partitions {
    threshold: f64,
    boundaries: Vec<f64>,
}

impl Partitions {
    /// The partitions that hold lengths up to `longest`.
    pub(super) fn new(threshold: f64, longest: f64) -> Self {
        let mut boundaries = Vec::new();
        let mut next = 1.0;
        while next <= longest.min(LONGEST) {
            boundaries.push(next);
            let above: f64 = (next / threshold * (1.0 + ROUNDING)).floor() + 1.0;
            next = above.max(next + 1.0);
        }
        Self {
            threshold,
            boundaries,
        }
    }

    /// The partition of a length. The first one also holds all below 1, the last
    /// one all that is longer than any boundary.
    pub(super) fn of(&self, length: f64) -> usize {
        let above = self
            .boundaries
            .partition_point(|&boundary| boundary <= length);
        above.saturating_sub(1)
    }

    /// Whether a document of this length may have a partner in the partition after
    /// its own: line 29 of Algorithm 1.
    pub(super) fn reaches_next(&self, length: f64) -> bool {
        let next = self.boundaries.get(self.of(length) + 1);
        next.is_some_and(|&next| next - length <= (1.0 - self.threshold) * next + ROUNDING * next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Conditions (A) and (B), and line 29.
        #[test]
        fn similar_lengths_are_neighbours_and_others_are_apart(
            threshold in prop_oneof![(1u32..=100).prop_map(|t| f64::from(t) / 100.0), 0.001..=1.0f64],
            shorter in 1u32..3000,
            more in 0u32..3000,
        ) {
            let (short, long) = (f64::from(shorter), f64::from(shorter + more));
            let partitions = Partitions::new(threshold, 6000.0);
            let (left, right) = (partitions.of(short), partitions.of(long));
            if short / long >= threshold {
                prop_assert!(right - left <= 1);
                prop_assert!(right == left || partitions.reaches_next(short));
            }
            if short / long < threshold * (1.0 - 1e-6) {
                prop_assert!(left != right);
            }
        }
    }

    #[test]
    fn as_many_as_the_rule_gives() {
        for (threshold, count) in [(1.0, 1000), (0.9, 49), (0.1, 3)] {
            let partitions = Partitions::new(threshold, 1000.0);
            assert!(
                partitions.boundaries.len().abs_diff(count) <= 1,
                "{threshold}"
            );
        }
    }
}
