//! One run that scores pairs far below a method's threshold, so that the whole
//! curve comes from it.

use crate::recipe::{Matching, Recipe};

/// Similarity hashes of strangers differ in about half of their bits.
const WIDEST_DISTANCE: f64 = 0.4;

/// The same recipe with its threshold lowered to `floor`. Everything else stays:
/// min-hash bands find the same candidates, of which more are then reported.
/// Methods without a threshold stay as they are.
pub fn widened(recipe: &Recipe, floor: f64) -> Recipe {
    let mut wide = recipe.clone();
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

/// The lowest score that a recipe reports, on the scale of its pairs' scores;
/// 0 where it reports whatever it finds.
pub fn lowest_score(recipe: &Recipe) -> f64 {
    match recipe.matching {
        Matching::Exact { threshold, .. }
        | Matching::Lsh { threshold, .. }
        | Matching::MinHashes { threshold, .. }
        | Matching::Hyperplanes { threshold, .. }
        | Matching::WeightedMinHash { threshold, .. } => threshold,
        Matching::Hamming { bits, distance } => 1.0 - f64::from(distance) / f64::from(bits),
        Matching::IMatch { verify, .. } => verify.map_or(0.0, |verify| verify.threshold),
        Matching::Hash | Matching::SuperShingles { .. } => 0.0,
    }
}
