//! Is one page's main content within the other's?

use super::about::{About, Cost, Large};
use super::content::Bag;

/// Sees printer-friendly and shortened copies.
pub const ABOUT: About = About {
    name: "main_containment",
    definition: "shared word 5-grams of the main content over those of the page that has fewer",
    cost: Cost::Content,
    large: Large::Alike,
};

/// The share of the smaller one's 5-grams that the other one has.
pub fn similarity(a: &Bag, b: &Bag) -> f64 {
    a.containment(b)
}

#[cfg(test)]
mod tests {
    use super::super::content::tests::bag;
    use super::super::shingles::features;
    use super::*;

    #[test]
    fn a_part_is_contained_in_the_whole() {
        let part = bag(&features(), "one two three four five six");
        let whole = bag(&features(), "zero one two three four five six seven");
        assert_eq!(similarity(&part, &whole), 1.0);
        assert_eq!(similarity(&whole, &part), 1.0);
    }
}
