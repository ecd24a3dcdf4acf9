//! How many spot signatures does the main content of two pages share?

use super::about::{About, Cost, Large};
use super::content::Bag;
use twinsift::features::spots::{SpotRules, Spots};

/// The measure of the method `spotsigs`.
pub const ABOUT: About = About {
    name: "main_spots",
    definition: "multiset Jaccard similarity of the spot signatures of the main content",
    cost: Cost::Content,
    large: Large::Alike,
};

/// What makes them.
pub fn features() -> Spots {
    Spots::new(&SpotRules::default())
}

/// The share of common spots.
pub fn similarity(a: &Bag, b: &Bag) -> f64 {
    a.jaccard(b)
}

#[cfg(test)]
mod tests {
    use super::super::content::tests::bag;
    use super::*;

    #[test]
    fn spots_count_as_often_as_they_occur() {
        let once = "The council is ready to open the bridge over the river on Tuesday.";
        let (a, b) = (
            bag(&features(), once),
            bag(&features(), &format!("{once} {once}")),
        );
        let similarity = similarity(&a, &b);
        assert!((0.3..0.7).contains(&similarity), "{similarity}");
    }
}
