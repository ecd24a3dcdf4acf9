//! The tf-idf distance: how much the lists of the heaviest terms differ.
//!
//! It minds most what moves near the tops of the lists. With positions from 1,
//!
//! ```text
//! weight(w) = 1 / (ln(pos(w, A) + e - 1) · ln(pos(w, B) + e - 1))
//! distance  = 1 - Σ weight(w) over the shared terms
//!               / Σ 1 / ln(pos + e - 1)² over the longer list
//! ```
//!
//! from 0 (equal lists) to 1 (no term in common).

use super::about::{About, Cost, Large};
use std::collections::HashMap;
use std::f64::consts::E;

/// The strongest signal of fetched bodies in the paper.
pub const ABOUT: About = About {
    name: "tfidf_distance",
    definition: "how far the lists of the 100 heaviest terms by tf-idf are apart, their tops counting most",
    cost: Cost::Terms,
    large: Large::Apart,
};

/// Terms that are compared.
pub const TOP: usize = 100;

/// The heaviest terms of a page with their positions from 1.
#[derive(Clone, Debug)]
pub struct TopTerms {
    positions: HashMap<u64, usize>,
}

impl TopTerms {
    /// A list of terms, the heaviest first.
    pub fn new(terms: impl IntoIterator<Item = u64>) -> Self {
        Self {
            positions: terms.into_iter().take(TOP).zip(1..).collect(),
        }
    }

    /// Where a term stands in the list, from 1.
    pub fn position(&self, term: u64) -> Option<usize> {
        self.positions.get(&term).copied()
    }

    /// How far the two lists are apart.
    pub fn distance(&self, other: &Self) -> f64 {
        let longer = self.positions.len().max(other.positions.len());
        let whole: f64 = (1..=longer).map(|at| discount(at).powi(2)).sum();
        let mut shared: Vec<(usize, usize)> = self
            .positions
            .iter()
            .filter_map(|(term, &here)| Some((here, *other.positions.get(term)?)))
            .map(|(here, there)| (here.min(there), here.max(there)))
            .collect();
        // One order of adding up, so that the distance is the same both ways.
        shared.sort_unstable();
        let shared: f64 = shared.iter().map(|&(x, y)| discount(x) * discount(y)).sum();
        match whole > 0.0 {
            true => (1.0 - shared / whole).clamp(0.0, 1.0),
            false => 0.0,
        }
    }
}

/// `1 / ln(pos + e - 1)`: 1 for the first position.
fn discount(position: usize) -> f64 {
    1.0 / (position as f64 + E - 1.0).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_position_weighs_one() {
        assert_eq!(discount(1), 1.0);
        assert!((discount(2) - 1.0 / (1.0 + E).ln()).abs() < 1e-15);
    }

    /// Two lists that swap their two terms: the weights of the paper by hand.
    #[test]
    fn swapped_terms_are_a_little_apart() {
        let (x, y) = (TopTerms::new([1, 2]), TopTerms::new([2, 1]));
        let second = 1.0 / (1.0 + E).ln();
        let by_hand = 1.0 - 2.0 * second / (1.0 + second * second);
        assert!((x.distance(&y) - by_hand).abs() < 1e-12);
        assert_eq!(x.distance(&x), 0.0);
        assert_eq!(x.distance(&TopTerms::new([3])), 1.0);
    }

    /// A term that moves counts the more the nearer the top it stood.
    #[test]
    fn the_top_of_the_list_counts_most() {
        let list = TopTerms::new(1..=10);
        let top_lost = TopTerms::new([11].into_iter().chain(2..=10));
        let last_lost = TopTerms::new((1..=9).chain([11]));
        assert!(list.distance(&top_lost) > list.distance(&last_lost));
    }

    proptest! {
        #[test]
        fn symmetric_and_in_range(x in prop::collection::vec(0u64..40, 0..120), y in prop::collection::vec(0u64..40, 0..120)) {
            let list = |terms: Vec<u64>| {
                let mut seen = std::collections::HashSet::new();
                TopTerms::new(terms.into_iter().filter(move |term| seen.insert(*term)))
            };
            let (x, y) = (list(x), list(y));
            prop_assert_eq!(x.distance(&y), y.distance(&x));
            prop_assert!((0.0..=1.0).contains(&x.distance(&y)));
            prop_assert_eq!(x.distance(&x), 0.0);
        }
    }
}
