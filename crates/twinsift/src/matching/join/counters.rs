//! How frequent is a feature, roughly?
//!
//! A table of small counters; two features may share one, which makes the order
//! of features a little worse and changes nothing else.

use super::Rule;
use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use crate::parallel;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Counters stop here: far enough below 65,535 that threads which add at the same
/// time cannot overflow one.
const FULL: u16 = 1 << 15;

/// How many counters are looked at together, so that their cache misses overlap.
pub(super) const TOGETHER: usize = 16;

/// A class is below this many bits.
pub(super) const CLASS_BITS: u32 = 6;

/// Counts of the region features of all documents that are left.
pub(super) struct Counters(Vec<AtomicU16>);

impl Counters {
    pub(super) fn count(job: &Job<'_>, rule: &Rule, store: &Store) -> Result<Self> {
        let region = |block: &Block, at: usize| {
            let features = block.range(at);
            features.start..features.start + rule.region.length(features.len())
        };
        let mut features = 0;
        for at in 0..store.len() {
            let block = store.load(at)?;
            features += (0..block.len())
                .map(|at| region(&block, at).len())
                .sum::<usize>();
        }
        let slots = (features * 2).min(job.budget.counters() / 2).max(1);
        let mut list = Vec::new();
        list.resize_with(slots, AtomicU16::default);
        let counters = Self(list);
        parallel::look_at_blocks(store, |block| {
            for at in 0..block.len() {
                counters.add(&block.values[region(block, at)]);
            }
        })?;
        Ok(counters)
    }

    #[inline]
    fn slot(&self, value: u64) -> &AtomicU16 {
        &self.0[((u128::from(value) * self.0.len() as u128) >> 64) as usize]
    }

    fn add(&self, values: &[u64]) {
        for group in values.chunks(TOGETHER) {
            let mut before = [0; TOGETHER];
            for (before, &value) in before.iter_mut().zip(group) {
                *before = self.slot(value).load(Relaxed);
            }
            for (&before, &value) in before.iter().zip(group) {
                if before < FULL && self.slot(value).load(Relaxed) < FULL {
                    self.slot(value).fetch_add(1, Relaxed);
                }
            }
        }
    }

    /// The class of a value's count: 0 for one that occurs once, then rising
    /// with its frequency, in steps of about a quarter.
    #[inline]
    pub(super) fn class(&self, value: u64) -> u16 {
        let count = self.slot(value).load(Relaxed).min(FULL);
        match count {
            0..=8 => count.saturating_sub(1),
            _ => {
                let power = count.ilog2() as u16;
                let quarter = (count >> (power - 2)) & 3;
                8 + (power - 3) * 4 + quarter
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_rise_with_counts_and_fit_their_bits() {
        let counters = Counters(vec![AtomicU16::new(0)]);
        let mut last = 0;
        for count in 0..=FULL {
            counters.0[0].store(count, Relaxed);
            let class = counters.class(7);
            assert!(class >= last && class < 1 << CLASS_BITS);
            assert_eq!(class == 0, count < 2);
            last = class;
        }
    }
}
