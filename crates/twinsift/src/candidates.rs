//! Pairs that a classifier has still to decide about.

use crate::collection::documents::Documents;
use crate::error::Result;
use crate::matches::{Matches, Pair, Pairs};
use crate::recipe::Recipe;
use crate::settings::Settings;

/// Pairs that are decided about together.
const TOGETHER: usize = 1 << 16;

/// The candidate pairs of a recipe with a classifier, as [`Sifter::candidates`](crate::Sifter::candidates)
/// finds them. [`decide`](Self::decide) makes [`Matches`] of them: what is no candidate is no
/// near duplicate.
#[derive(Debug)]
pub struct Candidates {
    found: Matches,
    threshold: f64,
    settings: Settings,
}

impl Candidates {
    pub(crate) fn new(found: Matches, threshold: f64, settings: Settings) -> Self {
        Self {
            found,
            threshold,
            settings,
        }
    }

    /// How they were found, and what is to decide about them.
    pub fn recipe(&self) -> &Recipe {
        self.found.recipe()
    }

    /// The documents, by index.
    pub fn documents(&self) -> &Documents {
        self.found.documents()
    }

    /// Every candidate once, ordered by `a`, then `b`, with the score by which it was found.
    pub fn pairs(&self) -> Pairs<'_> {
        self.found.pairs()
    }

    /// The candidates that are near duplicates: those whose score, which `scores` gives to
    /// some of them at a time, is at least the recipe's.
    pub fn decide(self, scores: impl Fn(&[Pair]) -> Vec<f64>) -> Result<Matches> {
        let mut kept = Vec::new();
        let mut candidates = self.found.pairs();
        loop {
            let pairs: Vec<Pair> = candidates.by_ref().take(TOGETHER).collect::<Result<_>>()?;
            if pairs.is_empty() {
                break;
            }
            let scored = pairs.iter().zip(scores(&pairs));
            let decided = scored.map(|(&pair, score)| Pair { score, ..pair });
            kept.extend(decided.filter(|pair| pair.score >= self.threshold));
        }
        drop(candidates);
        self.found.with_pairs(&kept, &self.settings)
    }
}
