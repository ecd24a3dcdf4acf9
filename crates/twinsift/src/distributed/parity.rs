//! A few bits of a document, by which most pairs that match in nothing but a key are told apart.
//!
//! Features are spread over classes. A document has a bit for each class: whether it has an odd
//! number of features there. Where the bits of two documents differ, one of them has a feature that
//! the other one lacks. So they differ in at least as many features as in bits, and pairs that may
//! not differ in as many are no candidates.

use crate::hash;

/// The number of classes.
const CLASSES: u32 = 128;

/// The parities of a document's features in each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parities(u128);

impl Parities {
    /// Documents that share nothing differ in so many bits, about.
    pub(super) const TYPICAL: u32 = CLASSES / 2;

    /// The parities of different features.
    pub(super) fn of(features: &[u64]) -> Self {
        let class = |&feature: &u64| 1u128 << hash::range(hash::spread(feature), CLASSES as usize);
        Self(features.iter().map(class).fold(0, |bits, bit| bits ^ bit))
    }

    /// In how many features two documents differ, at least.
    #[inline]
    pub(super) fn differences(self, other: Self) -> u32 {
        (self.0 ^ other.0).count_ones()
    }

    pub(super) fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    pub(super) fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn documents_differ_in_no_more_bits_than_features(
            x in btree_set(0u64..400, 0..200),
            y in btree_set(0u64..400, 0..200),
        ) {
            let of = |features: &std::collections::BTreeSet<u64>| {
                Parities::of(&features.iter().copied().collect::<Vec<_>>())
            };
            let differences = of(&x).differences(of(&y));
            prop_assert!(differences as usize <= x.symmetric_difference(&y).count());
        }
    }

    #[test]
    fn documents_that_share_nothing_differ_in_half_of_the_bits() {
        let (x, y): (Vec<u64>, Vec<u64>) = ((0..300).collect(), (300..600).collect());
        let differences = Parities::of(&x).differences(Parities::of(&y));
        assert!((44..84).contains(&differences));
    }
}
