//! What makes no sense beside the chosen features and matcher.

use super::Choices;
use crate::error::Result;
use crate::features::Weights;
use crate::recipe::{FeatureKind, Matcher};
use crate::refusal::refuse;

impl Choices {
    /// Refuses parameters that the chosen features and matcher would silently ignore.
    /// What of a recipe does not go together is refused by [`Recipe::check`](crate::Recipe::check).
    pub(super) fn refuse_misplaced(
        &self,
        features: FeatureKind,
        matcher: Matcher,
        super_shingles: bool,
        imatch: bool,
    ) -> Result<()> {
        let only = |given: bool, flag: &str, fits: bool, where_: &str| match given && !fits {
            true => refuse(format!(
                "{flag} has no meaning here: it belongs to {where_}"
            )),
            false => Ok(()),
        };
        let joins = matcher == Matcher::Exact;
        let lsh = matcher == Matcher::Lsh;
        let hamming = matcher == Matcher::Hamming;
        only(
            self.k.is_some(),
            "‹k›",
            features == FeatureKind::Shingles,
            "‹features› shingles",
        )?;
        let spots = features == FeatureKind::Spots;
        for (given, flag) in [
            (self.spots.is_some(), "‹spots›"),
            (self.language.is_some(), "‹language›"),
            (self.antecedents.is_some(), "‹antecedents›"),
            (self.stop_words.is_some(), "‹stop_words›"),
            (self.min_spots.is_some(), "‹min_spots›"),
            (self.fallback.is_some(), "‹fallback›"),
        ] {
            only(given, flag, spots, "‹method› spotsigs and ‹features› spots")?;
        }
        only(
            self.threshold.is_some(),
            "‹threshold›",
            joins || lsh,
            "‹match› exact and lsh",
        )?;
        only(
            self.similarity.is_some(),
            "‹similarity›",
            joins,
            "‹match› exact",
        )?;
        only(self.no_verify.is_some(), "‹no_verify›", lsh, "‹match› lsh")?;
        only(
            self.require.is_some(),
            "‹require›",
            imatch || super_shingles,
            "‹method› imatch and supershingles (and, with ‹lexicons›, to ‹features› spots ‹match› hash)",
        )?;
        only(self.bands.is_some(), "‹bands›", lsh, "‹match› lsh")?;
        only(self.rows.is_some(), "‹rows›", lsh, "‹match› lsh")?;
        only(self.bits.is_some(), "‹bits›", hamming, "‹match› hamming")?;
        only(
            self.distance.is_some(),
            "‹distance›",
            hamming,
            "‹match› hamming",
        )?;
        let weighted = self
            .weights
            .is_some_and(|weights| weights != Weights::Binary);
        only(
            weighted,
            "‹weights›",
            joins || hamming || lsh,
            "‹match› exact and hamming",
        )
    }

    /// Refuses what belongs to lexicons where there is none.
    pub(super) fn refuse_misplaced_lexicon(&self, imatch: bool) -> Result<()> {
        for (given, flag) in [
            (self.lexicons.is_some(), "‹lexicons›"),
            (self.drop.is_some(), "‹drop›"),
            (self.min_terms.is_some(), "‹min_terms›"),
            (self.min_ratio.is_some(), "‹min_ratio›"),
            (self.expand_to.is_some(), "‹expand_to›"),
            (self.secondary.is_some(), "‹secondary›"),
            (self.digest.is_some(), "‹digest›"),
            (self.verify.is_some(), "‹verify›"),
        ] {
            if given && !imatch {
                return refuse(format!(
                    "{flag} has no meaning here: it belongs to ‹method› imatch (and, with ‹lexicons›, to ‹features› spots ‹match› hash)"
                ));
            }
        }
        let expands = self.min_ratio.unwrap_or(0.0) > 0.0 || self.expand_to.unwrap_or(0) > 0;
        if self.secondary.is_some() && !expands {
            return refuse(
                "‹secondary› needs ‹min_ratio› or ‹expand_to›, which say when that lexicon is used",
            );
        }
        if self.drop.is_some() && self.lexicons == Some(0) {
            return refuse("‹drop› needs randomised lexicons: ‹lexicons› 0 makes none");
        }
        Ok(())
    }
}
