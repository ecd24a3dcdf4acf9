//! Seeded chance.
//!
//! This is SplitMix64, written out rather than taken from a crate: crates keep
//! the right to change their streams between versions, and a corpus must come
//! out the same for years. The values do not depend on the platform.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Chance(u64);

impl Chance {
    /// The stream that belongs to a path of numbers, such as seed, story, copy.
    pub(super) fn of(path: &[u64]) -> Self {
        let mut chance = Chance(0);
        for &step in path {
            chance.0 ^= step;
            chance.0 = chance.next();
        }
        chance
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of a hundred cases.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Puts a list into random order.
    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut chance = Chance(1_234_567);
        assert_eq!(chance.next(), 6_457_827_717_110_365_317);
        assert_eq!(chance.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn paths_lead_to_different_streams() {
        let first = |path: &[u64]| Chance::of(path).next();
        assert_eq!(first(&[1, 2]), first(&[1, 2]));
        assert_ne!(first(&[1, 2]), first(&[2, 1]));
        assert_ne!(first(&[1]), first(&[1, 0]));
    }
}
