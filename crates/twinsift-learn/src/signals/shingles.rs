//! How many word 5-grams does the main content of two pages share?

use super::about::{About, Cost, Large};
use super::content::Bag;
use twinsift::features::shingles::Shingles;

/// The measure of the method `shingles`.
pub const ABOUT: About = About {
    name: "main_shingles",
    definition: "Jaccard similarity of the word 5-grams of the main content",
    cost: Cost::Content,
    large: Large::Alike,
};

/// What makes them.
pub fn features() -> Shingles {
    Shingles::new(5, false)
}

/// The share of common 5-grams.
pub fn similarity(a: &Bag, b: &Bag) -> f64 {
    a.jaccard(b)
}

#[cfg(test)]
mod tests {
    use super::super::content::tests::bag;
    use super::*;

    #[test]
    fn one_of_three_grams_is_shared() {
        let a = bag(&features(), "one two three four five six");
        let b = bag(&features(), "zero one two three four five");
        assert_eq!(similarity(&a, &b), 1.0 / 3.0);
        assert_eq!(similarity(&a, &a), 1.0);
    }
}
