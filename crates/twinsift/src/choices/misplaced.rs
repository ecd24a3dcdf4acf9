//! What makes no sense beside the chosen features and matcher.

use super::{Choices, refuse};
use crate::error::Result;
use crate::features::Weights;
use crate::recipe::{FeatureKind, Matcher, Method};
use crate::sketch::imatch;

impl Choices {
    /// Refuses parameters that the chosen matcher would silently ignore, and
    /// combinations that mean nothing.
    pub(super) fn refuse_misplaced(
        &self,
        features: FeatureKind,
        matcher: Matcher,
        super_shingles: bool,
    ) -> Result<()> {
        if features == FeatureKind::Text && matcher != Matcher::Hash {
            return refuse(
                "whole texts can only be compared by --match hash: choose --features words or shingles for a similarity",
            );
        }
        if self.method == Some(Method::SpotSigs) && features != FeatureKind::Spots {
            return refuse("spotsigs compares spots: leave out --features, or leave out --method");
        }
        if super_shingles && features != FeatureKind::Shingles {
            return refuse(
                "super-shingles are made of shingles, not of words or spots: leave out --features",
            );
        }
        if self.method == Some(Method::SuperShingles) && matcher != Matcher::Hash {
            return refuse(
                "super-shingles are compared by equality: leave out --match, or choose --method shingles or minhash",
            );
        }
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
            "--k",
            features == FeatureKind::Shingles,
            "--features shingles",
        )?;
        let spots = features == FeatureKind::Spots;
        for (given, flag) in [
            (self.spots.is_some(), "--spots"),
            (self.language.is_some(), "--language"),
            (self.antecedents.is_some(), "--antecedents"),
            (self.stop_words.is_some(), "--stop-words"),
            (self.min_spots.is_some(), "--min-spots"),
            (self.fallback.is_some(), "--fallback"),
        ] {
            only(given, flag, spots, "--method spotsigs and --features spots")?;
        }
        if self.idf.is_some() && (super_shingles || features == FeatureKind::Text) {
            return refuse(
                "--idf chooses among words, shingles or spots that are compared one by one: it has no meaning for --method exact and supershingles",
            );
        }
        only(
            self.threshold.is_some(),
            "--threshold",
            joins || lsh,
            "--match exact and lsh",
        )?;
        only(
            self.similarity.is_some(),
            "--similarity",
            joins,
            "--match exact",
        )?;
        only(self.bands.is_some(), "--bands", lsh, "--match lsh")?;
        only(self.rows.is_some(), "--rows", lsh, "--match lsh")?;
        only(self.bits.is_some(), "--bits", hamming, "--match hamming")?;
        only(
            self.distance.is_some(),
            "--distance",
            hamming,
            "--match hamming",
        )?;
        let weighted = self
            .weights
            .is_some_and(|weights| weights != Weights::Binary);
        // Bands of spots bring documents together as sets; they are compared as
        // multisets, like the exact join does.
        if self.weights == Some(Weights::Counts) && lsh && spots {
            return Ok(());
        }
        if weighted && lsh {
            return refuse(
                "min-hashes compare sets, which have no weights: leave out --weights, or use --match exact",
            );
        }
        only(
            weighted,
            "--weights",
            joins || hamming,
            "--match exact and hamming",
        )
    }

    /// Refuses what belongs to lexicons where there is none.
    pub(super) fn refuse_misplaced_lexicon(
        &self,
        features: FeatureKind,
        imatch: bool,
    ) -> Result<()> {
        let is_lexicon = features == FeatureKind::Lexicon;
        if self.method == Some(Method::IMatch) && !is_lexicon {
            return refuse(
                "imatch compares the words of a lexicon: leave out --features, or leave out --method",
            );
        }
        if self.lexicon.is_some() && !is_lexicon {
            return refuse(
                "--lexicon has no meaning here: it belongs to --method imatch, --method andd and --features lexicon",
            );
        }
        for (given, flag) in [
            (self.lexicons.is_some(), "--lexicons"),
            (self.drop.is_some(), "--drop"),
            (self.require.is_some(), "--require"),
            (self.min_terms.is_some(), "--min-terms"),
            (self.min_ratio.is_some(), "--min-ratio"),
            (self.expand_to.is_some(), "--expand-to"),
            (self.secondary.is_some(), "--secondary"),
            (self.digest.is_some(), "--digest"),
            (self.verify.is_some(), "--verify"),
        ] {
            if given && !imatch {
                return refuse(format!(
                    "{flag} has no meaning here: it belongs to --method imatch (and, with --lexicons, to --features spots --match hash)"
                ));
            }
        }
        if self.digest == Some(imatch::Digest::Sha1) && self.lexicon.is_none() {
            return refuse(
                "--digest sha1 needs the words themselves: name a lexicon file with --lexicon",
            );
        }
        let expands = self.min_ratio.unwrap_or(0.0) > 0.0 || self.expand_to.unwrap_or(0) > 0;
        if self.secondary.is_some() && !expands {
            return refuse(
                "--secondary needs --min-ratio or --expand-to, which say when that lexicon is used",
            );
        }
        if self.drop.is_some() && self.lexicons == Some(0) {
            return refuse("--drop needs randomised lexicons: --lexicons 0 makes none");
        }
        Ok(())
    }
}
