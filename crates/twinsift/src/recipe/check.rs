//! Does a recipe make sense?
//!
//! All recipes are checked when they are made, so what takes one need not check it. The rules of
//! features and matchers are checked where they are declared; here, what must go together.

use super::{FeatureRules, Matching, Method, Recipe};
use crate::error::{Error, Result, misplaced, missing, out_of_range, refuse};
use crate::features::{FeatureKind, Weights};
use crate::matcher::{check_idf, check_similarity};
use crate::sketch::imatch::Digest;

impl Recipe {
    /// Refuses a recipe that makes no sense, by a sentence that says why.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_preset()?;
        self.features.check(self.fold)?;
        self.check_choice()?;
        self.check_matching()?;
        self.check_weights()?;
        match &self.classifier {
            Some(by) => check_similarity("threshold", by.threshold),
            None => Ok(()),
        }
    }

    /// Refuses a classifier, for what compares documents by themselves.
    pub(crate) fn refuse_classifier(&self) -> Result<()> {
        match &self.classifier {
            None => Ok(()),
            Some(by) => Err(Error::Classifier {
                model: by.model.clone(),
            }),
        }
    }

    /// What a preset is about cannot be taken out of it.
    fn check_preset(&self) -> Result<()> {
        match self.method {
            Method::SpotSigs if self.features() != FeatureKind::Spots => {
                refuse("spotsigs compares spots: leave out ‹features›, or leave out ‹method›")
            }
            Method::IMatch if self.features() != FeatureKind::Lexicon => refuse(
                "imatch compares the words of a lexicon: leave out ‹features›, or leave out ‹method›",
            ),
            Method::SuperShingles if !matches!(self.matching, Matching::SuperShingles(_)) => {
                refuse(
                    "super-shingles are compared by equality: leave out ‹match›, or choose ‹method› shingles or minhash",
                )
            }
            Method::Andd if self.model().is_none() => refuse(
                "andd compares learned k-grams, and they are compared by andd alone: leave out ‹features›, or leave out ‹method›",
            ),
            Method::Signals if self.classifier.is_none() => missing(
                "‹method› signals needs a classifier: make one with twinsift train signals and name it with ‹model›",
            ),
            Method::Signals => Ok(()),
            _ if (self.features() == FeatureKind::Profile)
                != matches!(self.matching, Matching::Detector(_)) =>
            {
                refuse(
                    "a detector compares profiles, and they are compared by a detector alone: leave out ‹features› and ‹match›",
                )
            }
            _ if self.classifier.is_some() => {
                misplaced("a classifier of pairs belongs to ‹method› signals")
            }
            _ => Ok(()),
        }
    }

    /// Refuses to choose among features where there is no choice.
    fn check_choice(&self) -> Result<()> {
        if let Some(range) = self.idf {
            check_idf(range)?;
            if matches!(self.features, FeatureRules::Text | FeatureRules::Profile) {
                return misplaced(
                    "‹idf› chooses among words, shingles or spots: it has no meaning for ‹method› exact and detector",
                );
            }
        }
        match self.top_terms {
            Some(0) => out_of_range("‹top_terms› must be at least 1"),
            Some(_) if !self.has_heaviest() => misplaced(
                "‹top_terms› has no meaning here: features must have weights (‹method› andd, or ‹weights› tfidf or counts with ‹match› join or hamming)",
            ),
            _ => Ok(()),
        }
    }

    /// Whether features differ in weight and are compared by it.
    fn has_heaviest(&self) -> bool {
        let by_weight = matches!(self.matching, Matching::Exact(_) | Matching::Hamming(_));
        self.model().is_some() || by_weight && self.weights != Weights::Binary
    }

    fn check_matching(&self) -> Result<()> {
        if self.features == FeatureRules::Text && !matches!(self.matching, Matching::Hash(_)) {
            return refuse(
                "whole texts can only be compared by ‹match› hash: choose ‹features› words or shingles for a similarity",
            );
        }
        self.matcher().check(&self.vectors())?;
        let digest = self.imatch_rules().map(|rules| rules.digest);
        match digest == Some(Digest::Sha1) && self.lexicon().is_none() {
            true => missing(
                "‹digest› sha1 needs the words themselves: name a lexicon file with ‹lexicon›",
            ),
            false => Ok(()),
        }
    }

    /// Weights that would be ignored.
    fn check_weights(&self) -> Result<()> {
        if (self.weights == Weights::Learned) != self.model().is_some() {
            return misplaced(
                "‹weights› has no meaning here: learned k-grams, and they alone, are weighed by a model",
            );
        }
        match self.weights {
            Weights::Binary | Weights::Learned => Ok(()),
            _ => self.matcher().check_weights(&self.vectors()),
        }
    }
}
