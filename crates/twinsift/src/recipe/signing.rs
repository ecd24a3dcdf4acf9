//! Signatures in place of documents: which of them a recipe can compare, and which can be
//! stored as values.

use super::{FeatureKind, FeatureRules, Matching, Recipe};
use crate::error::{Result, refuse};
use crate::signature::Signature;

/// Why other methods cannot do with the values of signatures.
const VALUES_ONLY: &str = "stored signatures are offered for ‹method› imatch (without ‹verify›), andd ‹match› lsh ‹no_verify›, minhash ‹no_verify›, supershingles and exact: other methods compare the documents themselves";

impl Recipe {
    /// The recipe by which documents are signed: how many I-Match signatures must be equal is
    /// settled where they are compared, and documents with fewer than that are signed too.
    pub fn for_signing(&self) -> Self {
        let mut signing = self.clone();
        if let Matching::IMatch(imatch) = &mut signing.matching {
            (imatch.require, imatch.verify) = (1, None);
        }
        signing
    }

    /// Refuses recipes that compare more than a few values, and those whose values depend on the
    /// collection itself: they could be compared with no other.
    pub fn check_signing(&self) -> Result<()> {
        let why = match self.matching {
            Matching::IMatch(_) if self.features() != FeatureKind::Lexicon => {
                "signatures of spots depend on the collection that they are made of, and could be compared with no other: use ‹method› imatch and a lexicon"
            }
            Matching::IMatch(_) if self.lexicon().is_none() => {
                "without a lexicon, signatures could be compared with no other collection: make one with twinsift lexicon, and name it with ‹lexicon›"
            }
            _ if self.narrows() => {
                "‹idf› without a lexicon makes signatures that could be compared with no other collection: leave it out"
            }
            Matching::IMatch(_) | Matching::Hyperplanes(_) => return Ok(()),
            _ if self.compares_values() => return Ok(()),
            _ => VALUES_ONLY,
        };
        refuse(why)
    }

    /// Refuses recipes that compare more than the values of signatures.
    pub fn check_values(&self) -> Result<()> {
        match self.compares_values() {
            true => Ok(()),
            false if self.imatch_matcher().is_some() => {
                refuse("‹verify› needs the documents themselves, not their signatures")
            }
            false => refuse(VALUES_ONLY),
        }
    }

    /// Whether a few values of a signature are all that is compared.
    fn compares_values(&self) -> bool {
        match self.matching {
            Matching::Hash(_) => self.features == FeatureRules::Text,
            Matching::Hamming(_) => false,
            _ => !self.matcher().keeps_features(),
        }
    }

    /// Values to a signature that is stored.
    pub fn signature_width(&self) -> usize {
        self.matcher().signature_width()
    }

    /// 64-bit numbers to a value of a signature.
    pub fn signature_lanes(&self) -> usize {
        match self.features {
            FeatureRules::Text => 2,
            _ => self.imatch_rules().map_or(1, |rules| rules.digest.lanes()),
        }
    }

    /// The values of a signature, each of [`signature_lanes`](Self::signature_lanes) numbers, all 0
    /// where a value is missing. `None` if the document has no signature.
    pub fn signature_values(&self, signature: &Signature) -> Option<Vec<u64>> {
        let digest = signature.digest?;
        Some(match self.features {
            FeatureRules::Text => vec![(digest >> 64) as u64, digest as u64],
            _ => signature.row.clone(),
        })
    }

    /// Refuses a signature that this recipe cannot have made.
    pub(crate) fn check_signature(&self, signature: &Signature) -> Result<()> {
        if !signature.is_judged() || signature.is_fallback {
            return Ok(());
        }
        if self.matcher().keeps_features() && signature.values.is_empty() {
            return self.check_values();
        }
        match signature.row.len() == self.matcher().row_width() {
            true => Ok(()),
            false => refuse("a signature has another length than those of this method"),
        }
    }

    /// Whether a signature has as many values as must be equal.
    pub(crate) fn has_enough_values(&self, signature: &Signature) -> bool {
        self.imatch_matcher().is_none_or(|imatch| {
            let values = signature.row.chunks_exact(imatch.rules.digest.lanes());
            let present = values.filter(|value| value[0] != 0).count();
            present >= imatch.require as usize
        })
    }
}
