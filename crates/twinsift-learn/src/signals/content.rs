//! The main content of a page as sets, for the signals that compare it: word 5-grams
//! and spots.

use twinsift::features::Features;
use twinsift::similarity::Similarity;
use twinsift::vector::Vector;

/// Distinct feature values, with counts where these matter.
#[derive(Clone, Debug)]
pub struct Bag {
    values: Vec<u64>,
    weights: Vec<f32>,
    total: f64,
}

impl Bag {
    /// The features as they were collected; `None` if there are none.
    pub fn of(features: &Features) -> Option<Self> {
        let weights: Vec<f32> = features.counts().iter().map(|&n| n as f32).collect();
        (!features.values().is_empty()).then(|| Self {
            total: Similarity::Jaccard.total(features.values().len(), &weights),
            values: features.values().to_vec(),
            weights,
        })
    }

    fn vector(&self) -> Vector<'_> {
        Vector {
            total: self.total,
            values: &self.values,
            weights: &self.weights,
        }
    }

    /// Shared mass over united mass.
    pub fn jaccard(&self, other: &Self) -> f64 {
        Similarity::Jaccard.of(self.vector(), other.vector())
    }

    /// Shared mass over the mass of the smaller one.
    pub fn containment(&self, other: &Self) -> f64 {
        let shared = Similarity::Jaccard.shared(self.vector(), other.vector());
        shared / self.total.min(other.total)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use twinsift::features::Featurise;
    use twinsift::tokenise::Tokens;

    /// The bag that a featuriser makes of a text.
    pub(in crate::signals) fn bag(by: &impl Featurise, text: &str) -> Bag {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let mut features = Features::new();
        by.features(&tokens, &mut features);
        Bag::of(&features).expect("features")
    }

    #[test]
    fn nothing_is_no_bag() {
        assert!(Bag::of(&Features::new()).is_none());
    }
}
