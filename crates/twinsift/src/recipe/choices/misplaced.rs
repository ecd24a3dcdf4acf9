//! What makes no sense beside the chosen features and matcher.

use super::Choices;
use crate::error::{Result, misplaced, refuse};
use crate::features::Weights;
use crate::recipe::{FeatureKind, Matcher};

/// The part of a recipe that a parameter belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Any recipe, or what it belongs to is a longer story.
    Any,
    Shingles,
    Spots,
    /// I-Match signatures.
    Signatures,
    /// Signatures of which some must be equal.
    Places,
    /// The exact join.
    Join,
    /// Measures with a threshold.
    Similarity,
    /// Bands of min-hashes.
    Bands,
    /// Similarity hashes.
    Bits,
}

impl Owner {
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Owner::Any => "other recipes",
            Owner::Shingles => "‹features› shingles",
            Owner::Spots => "‹method› spotsigs and ‹features› spots",
            Owner::Signatures => {
                "‹method› imatch (and, with ‹random_lexicons›, to ‹features› spots ‹match› hash)"
            }
            Owner::Places => {
                "‹method› imatch and supershingles (and, with ‹random_lexicons›, to ‹features› spots ‹match› hash)"
            }
            Owner::Join => "‹match› join",
            Owner::Similarity => "‹match› join and lsh",
            Owner::Bands => "‹match› lsh",
            Owner::Bits => "‹match› hamming",
        }
    }
}

impl Choices {
    /// Refuses parameters that the chosen features and matcher would silently ignore.
    /// What of a recipe does not go together is refused as it is made (`recipe/check.rs`).
    pub(super) fn refuse_misplaced(
        &self,
        features: FeatureKind,
        matcher: Matcher,
        super_shingles: bool,
        imatch: bool,
    ) -> Result<()> {
        let fits = |owner| match owner {
            Owner::Any => true,
            Owner::Shingles => features == FeatureKind::Shingles,
            Owner::Spots => features == FeatureKind::Spots,
            Owner::Signatures => imatch,
            Owner::Places => imatch || super_shingles,
            Owner::Join => matcher == Matcher::Exact,
            Owner::Similarity => matches!(matcher, Matcher::Exact | Matcher::Lsh),
            Owner::Bands => matcher == Matcher::Lsh,
            Owner::Bits => matcher == Matcher::Hamming,
        };
        if let Some((name, owner)) = self.given().find(|&(_, owner)| !fits(owner)) {
            let owner = owner.in_words();
            return misplaced(format!(
                "‹{name}› has no meaning here: it belongs to {owner}"
            ));
        }
        let weighted = self
            .weights
            .is_some_and(|weights| weights != Weights::Binary);
        if weighted && matcher == Matcher::Hash {
            return misplaced(
                "‹weights› has no meaning here: it belongs to ‹match› join and hamming",
            );
        }
        let expands = self.min_ratio.unwrap_or(0.0) > 0.0 || self.expand_to.unwrap_or(0) > 0;
        if self.secondary.is_some() && !expands {
            return refuse(
                "‹secondary› needs ‹min_ratio› or ‹expand_to›, which say when that lexicon is used",
            );
        }
        if self.drop.is_some() && self.random_lexicons == Some(0) {
            return refuse("‹drop› needs randomised lexicons: ‹random_lexicons› 0 makes none");
        }
        Ok(())
    }
}
