//! By how much is the longer body longer?
//!
//! `bld(A, B) = |len(A) - len(B)| / max{len(A), len(B)}`, and 0 for two empty
//! bodies. Lengths are those of the bodies as they came, in bytes.

use super::about::{About, Cost, Large};

/// The cheap stand-in for compression distances.
pub const ABOUT: About = About {
    name: "length_distance",
    definition: "the difference of the lengths of the bodies over the longer one",
    cost: Cost::Length,
    large: Large::Apart,
};

/// The distance of two lengths.
pub fn distance(a: usize, b: usize) -> f64 {
    match a.max(b) {
        0 => 0.0,
        longer => a.abs_diff(b) as f64 / longer as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_papers_cases() {
        assert_eq!(distance(0, 0), 0.0);
        assert_eq!(distance(0, 5), 1.0);
        assert_eq!(distance(75, 100), 0.25);
    }

    proptest! {
        #[test]
        fn symmetric_and_in_range(a: u32, b: u32) {
            let (a, b) = (a as usize, b as usize);
            prop_assert_eq!(distance(a, b), distance(b, a));
            prop_assert!((0.0..=1.0).contains(&distance(a, b)));
            prop_assert_eq!(distance(a, a), 0.0);
        }
    }
}
