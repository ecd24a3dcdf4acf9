//! The hash functions behind every feature, digest and signature.
//!
//! They are fixed: a value computed today can be stored and compared with one
//! computed next year on another machine. Words and byte strings go through
//! rapidhash version 3 with its default secrets; numbers are mixed by a 64 x 64
//! -> 128 bit multiplication whose halves are folded together.

use std::hash::{BuildHasherDefault, Hasher};

use rapidhash::v3::{DEFAULT_RAPID_SECRETS, rapidhash_v3_micro_inline};

const MIX_ADD: u64 = 0x2d35_8dcc_aa6c_78a5;
const MIX_MULTIPLY: u64 = 0x9e37_79b9_7f4a_7c15;

/// Hash of a word or of any other byte string.
#[inline]
pub fn bytes(data: &[u8]) -> u64 {
    rapidhash_v3_micro_inline::<true, false>(data, &DEFAULT_RAPID_SECRETS)
}

/// Scrambles a number so that every input bit moves every output bit.
#[inline]
pub fn mix(value: u64) -> u64 {
    fold(value ^ MIX_ADD, MIX_MULTIPLY)
}

/// Joins two numbers into one; the order of the two matters.
#[inline]
pub fn pair(a: u64, b: u64) -> u64 {
    fold(mix(a) ^ 0x4b33_a62e_d433_d4a3, b ^ MIX_ADD)
}

/// Spreads numbers that may be small or alike evenly over all of `u64`. No two numbers
/// become one.
pub fn spread(value: u64) -> u64 {
    let value = (value ^ MIX_ADD).wrapping_mul(MIX_MULTIPLY);
    let value = (value ^ (value >> 32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    value ^ (value >> 29)
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The range of a value, where all values are cut into `count` ranges of equal width.
#[inline]
pub(crate) fn range(value: u64, count: usize) -> usize {
    ((u128::from(value) * count as u128) >> 64) as usize
}

/// A 128-bit digest of a sequence of numbers: wide enough that two sequences
/// with one digest can be taken for equal.
pub fn digest(values: impl IntoIterator<Item = u64>) -> u128 {
    let mut low = 0x1656_67b1_9e37_79f9u64;
    let mut high = 0xd6e8_feb8_6659_fd93u64;
    let mut count = 0u64;
    for value in values {
        low = fold(low ^ value, MIX_MULTIPLY);
        high = high.wrapping_add(value).wrapping_mul(0xff51_afd7_ed55_8ccd) ^ (high >> 29);
        count += 1;
    }
    u128::from(pair(low, count)) << 64 | u128::from(pair(high, count))
}

/// A digest as wide of a set of numbers in ascending order; faster, since no number
/// waits for the one before it.
///
/// Two numbers are multiplied with each other, and both halves of the product go into
/// two sums. They are joined by exclusive or, so that the sums are not linear: sets of
/// small numbers whose bits are equally frequent must differ too.
pub(crate) fn digest_of_set(values: &[u64]) -> u128 {
    let (mut low, mut high) = (values.len() as u64, 0u64);
    let mut add = |first: u64, second: u64| {
        let product = u128::from(first ^ MIX_ADD) * u128::from(second ^ MIX_MULTIPLY);
        let (lower, upper) = (product as u64, (product >> 64) as u64);
        low = low.wrapping_add(lower ^ upper);
        high = high.wrapping_add(lower.rotate_left(23) ^ upper);
    };
    let (pairs, last) = values.as_chunks::<2>();
    pairs.iter().for_each(|&[first, second]| add(first, second));
    last.iter().for_each(|&value| add(value, 0));
    u128::from(low) << 64 | u128::from(high)
}

/// A deterministic stream of well-mixed numbers from a seed.
#[derive(Clone, Debug)]
pub struct Stream(u64);

impl Stream {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// The next number.
    pub fn next_value(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(MIX_MULTIPLY);
        mix(self.0)
    }

    /// A number below `count`, all of them equally likely (to one part in 2^32).
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next_value()) * count as u128) >> 64) as usize
    }

    /// Puts a list into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

/// For maps in memory whose keys are hashes already, or numbers of documents.
pub type OfHashes = BuildHasherDefault<OfHash>;

/// See [`OfHashes`]. One multiplication spreads keys that are alike in their
/// leading bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfHash(u64);

impl Hasher for OfHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, data: &[u8]) {
        self.0 = bytes(data);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value.wrapping_mul(MIX_MULTIPLY);
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = mix(value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored signatures depend on these values: a change here is a change of
    /// every file format.
    #[test]
    fn values_never_change() {
        assert_eq!(bytes(b"twinsift"), 0x6ad3_d486_9f78_e678);
        assert_eq!(mix(1), 0xa79d_538a_1ae6_2880);
        assert_eq!(pair(1, 2), 0xad00_4a90_b149_8f8e);
        assert_eq!(spread(1), 0xe35e_5f97_4809_5030);
        assert_ne!(pair(1, 2), pair(2, 1));
        assert_eq!(digest([1, 2, 3]), 0xabf3_6911_ec7e_5630_37f9_57ee_f5a6_b8d6);
    }

    #[test]
    fn numbers_are_spread_and_none_is_lost() {
        let spread: std::collections::HashSet<u64> = (0..1 << 16).map(spread).collect();
        assert_eq!(spread.len(), 1 << 16);
        // Any byte of what small numbers become has all values about as often.
        for byte in 0..8 {
            let mut counts = [0; 256];
            let bytes = spread.iter().map(|value| (value >> (8 * byte)) as u8);
            bytes.for_each(|byte| counts[usize::from(byte)] += 1);
            assert!(
                counts.iter().all(|count| (150..=370).contains(count)),
                "{byte}"
            );
        }
    }

    #[test]
    fn digests_see_every_number_and_that_of_a_sequence_its_place() {
        assert_ne!(digest([1, 2]), digest([2, 1]));
        assert_ne!(digest([0]), digest([0, 0]));
        assert_ne!(digest([]), digest([0]));
        // Every set of numbers below 16, by either half of its digest.
        let mut seen = [(); 2].map(|()| std::collections::HashSet::new());
        for members in 0..1u64 << 16 {
            let values: Vec<u64> = (0..16).filter(|at| members >> at & 1 == 1).collect();
            let digest = digest_of_set(&values);
            assert!(seen[0].insert((digest >> 64) as u64));
            assert!(seen[1].insert(digest as u64));
        }
    }
}
