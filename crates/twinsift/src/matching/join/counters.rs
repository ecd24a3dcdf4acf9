//! How frequent is a feature, roughly?
//!
//! A table of small counters; two features may share one, which makes the order
//! of features a little worse and changes nothing else.

use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use crate::parallel;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Counters stop here: far enough below 255 that threads which add at the same
/// time cannot overflow one.
const FULL: u8 = 128;

/// How many counters are looked at together, so that their cache misses overlap.
const TOGETHER: usize = 16;

/// A class is below this many bits.
pub(super) const CLASS_BITS: u32 = 5;

/// Counts of the features of all documents that are left.
pub(super) struct Counters(Vec<AtomicU8>);

impl Counters {
    pub(super) fn count(job: &Job<'_>, store: &Store) -> Result<Self> {
        let mut features = 0;
        for at in 0..store.len() {
            features += store.load(at)?.values.len();
        }
        let slots = features.min(job.budget.counters()).max(1);
        let mut list = Vec::new();
        list.resize_with(slots, AtomicU8::default);
        let counters = Self(list);
        parallel::look_at_blocks(store, |block| counters.add(&block.values))?;
        Ok(counters)
    }

    #[inline]
    fn slot(&self, value: u64) -> &AtomicU8 {
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

    /// Replaces `out` by the classes of some values. All counters are fetched
    /// before any is looked at: a branch on each would wait for its cache miss.
    pub(super) fn classes(&self, values: &[u64], out: &mut Vec<u8>) {
        out.clear();
        out.extend(values.iter().map(|&value| self.slot(value).load(Relaxed)));
        out.iter_mut().for_each(|count| *count = class(*count));
    }
}

/// The class of a count: 0 for a feature that occurs once, then rising with its
/// frequency, in steps of about a quarter.
#[inline]
fn class(count: u8) -> u8 {
    match count {
        0..=8 => count.saturating_sub(1),
        _ => {
            let count = count.min(FULL);
            let power = count.ilog2() as u8;
            let quarter = (count >> (power - 2)) & 3;
            8 + (power - 3) * 4 + quarter
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_rise_with_counts_and_fit_their_bits() {
        let mut last = 0;
        for count in 0..=u8::MAX {
            let class = class(count);
            assert!(class >= last && class < 1 << CLASS_BITS);
            assert_eq!(class == 0, count < 2);
            last = class;
        }
    }
}
