//! Which features have been seen at least twice?
//!
//! Two bits for each of many slots, a feature's slot chosen by its value: "seen"
//! and "seen again". Two features may share a slot, so the answer errs on the
//! side of "repeated", which costs a little work and never a pair.
//!
//! One thread does all the noting, the one that collects what the others read: a
//! plain store costs a fraction of an atomic one, and it keeps up with many
//! readers.

/// Slots in a word: the low half holds "seen", the high half "seen again".
const SLOTS: u64 = 32;

/// How many slots are looked at together, so that their cache misses overlap.
const TOGETHER: usize = 16;

/// A compact memory of which features recur.
#[derive(Debug)]
pub struct Repeats {
    words: Vec<u64>,
}

impl Repeats {
    /// A memory for about `features` features in at most `bytes` bytes.
    pub fn new(features: u64, bytes: u64) -> Self {
        // Four slots for each feature: about one in five is taken for repeated
        // though it is not.
        let wanted = (features.saturating_mul(4) / SLOTS).max(1024);
        let words = wanted.min(bytes / 8).max(1);
        Self {
            words: vec![0; words as usize],
        }
    }

    #[inline]
    fn slot(&self, value: u64) -> (usize, u32) {
        // Regions hold low values only: they are spread over all slots.
        let spread = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (u128::from(spread) * (self.words.len() as u128 * u128::from(SLOTS))) >> 64;
        ((slot as u64 / SLOTS) as usize, (slot as u64 % SLOTS) as u32)
    }

    /// Notes the features of one document.
    pub fn note(&mut self, values: &[u64]) {
        for &value in values {
            let (word, bit) = self.slot(value);
            let word = &mut self.words[word];
            let seen = *word >> bit & 1;
            *word |= 1 << bit | seen << (u64::from(bit) + SLOTS);
        }
    }

    /// Tells `enough` the positions of values that may have been seen twice, until
    /// it says so; whether it did.
    #[inline]
    pub(super) fn any(&self, values: &[u64], mut enough: impl FnMut(usize) -> bool) -> bool {
        for (group_at, group) in values.chunks(TOGETHER).enumerate() {
            let mut found = [false; TOGETHER];
            for (found, &value) in found.iter_mut().zip(group) {
                let (word, bit) = self.slot(value);
                *found = self.words[word] >> (u64::from(bit) + SLOTS) & 1 != 0;
            }
            for (at, &found) in found[..group.len()].iter().enumerate() {
                if found && enough(group_at * TOGETHER + at) {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;

    #[test]
    fn a_repeated_feature_is_never_missed() {
        for bytes in [8, 1 << 10, 1 << 20] {
            let mut repeats = Repeats::new(10_000, bytes);
            let values: Vec<u64> = (0..10_000).map(hash::mix).collect();
            repeats.note(&values);
            repeats.note(&values[..5_000]);
            let mut repeated = Vec::new();
            repeats.any(&values, |at| {
                repeated.push(at);
                false
            });
            assert!((0..5_000).all(|at| repeated.binary_search(&at).is_ok()));
            assert!(bytes < 1 << 10 || repeated.len() < values.len());
        }
    }
}
