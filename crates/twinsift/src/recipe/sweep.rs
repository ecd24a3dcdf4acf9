//! One run that scores pairs far below a recipe's threshold, so that a whole curve comes
//! from it.

use super::{Matching, Recipe};

/// Similarity hashes of unrelated documents differ in about half of their bits.
const WIDEST_DISTANCE: f64 = 0.4;

impl Recipe {
    /// The same recipe with its threshold lowered to `floor`. Everything else stays:
    /// min-hash bands find the same candidates, of which more are then reported.
    /// Recipes without a threshold stay as they are.
    pub fn widened(&self, floor: f64) -> Self {
        let mut wide = self.clone();
        match &mut wide.matching {
            Matching::Exact { threshold, .. }
            | Matching::Lsh { threshold, .. }
            | Matching::MinHashes { threshold, .. }
            | Matching::Hyperplanes { threshold, .. }
            | Matching::WeightedMinHash { threshold, .. } => {
                *threshold = threshold.min(floor);
            }
            Matching::Hamming { bits, distance } => {
                *distance = (*distance).max((f64::from(*bits) * WIDEST_DISTANCE) as u32);
            }
            Matching::IMatch { verify, .. } => {
                if let Some(verify) = verify {
                    verify.threshold = verify.threshold.min(floor);
                }
            }
            Matching::Hash | Matching::SuperShingles { .. } => {}
        }
        wide
    }

    /// The least score of a near duplicate, where that is a threshold that can be chosen.
    pub fn least_score(&self) -> Option<f64> {
        match &self.classifier {
            Some(by) => Some(by.threshold),
            None => self.threshold(),
        }
    }

    /// The same recipe with another threshold and everything else as it is, also what would be
    /// chosen by the threshold. Recipes without one stay as they are.
    #[must_use]
    pub(crate) fn with_threshold(&self, other: f64) -> Self {
        let mut recipe = self.clone();
        if let Some(by) = &mut recipe.classifier {
            by.threshold = other;
            return recipe;
        }
        match &mut recipe.matching {
            Matching::Exact { threshold, .. }
            | Matching::Lsh { threshold, .. }
            | Matching::MinHashes { threshold, .. }
            | Matching::Hyperplanes { threshold, .. }
            | Matching::WeightedMinHash { threshold, .. } => *threshold = other,
            Matching::IMatch {
                verify: Some(verify),
                ..
            } => verify.threshold = other,
            _ => {}
        }
        recipe
    }

    /// The lowest score that it reports, on the scale of its pairs' scores; 0 where it
    /// reports whatever it finds.
    pub fn lowest_score(&self) -> f64 {
        match self.matching {
            Matching::Hamming { bits, distance } => 1.0 - f64::from(distance) / f64::from(bits),
            _ => self.threshold().unwrap_or(0.0),
        }
    }
}
