//! Does a recipe make sense?
//!
//! All recipes are checked when they are made, so what takes one need not check it.

use super::{FeatureKind, Matching, Method, Recipe, Verify};
use crate::error::{Error, Result, misplaced, missing, out_of_range, refuse};
use crate::features::Weights;
use crate::features::spots::{MOST_SPECIFICATIONS, SpotRules};
use crate::recipe::MOST_BITS;
use crate::similarity::Similarity;
use crate::sketch::imatch::bags::Bags;
use crate::sketch::imatch::{self, MOST_LEXICONS};
use crate::sketch::supershingles::SUPER_SHINGLES;

/// The most words to a shingle.
const LONGEST: u32 = 1000;

impl Recipe {
    /// Refuses a recipe that makes no sense, by a sentence that says why.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_preset()?;
        self.check_features()?;
        self.check_matching()?;
        self.check_weights()?;
        self.check_lexicon()?;
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
        let is_learned = self.features == FeatureKind::Learned;
        match self.method {
            Method::SpotSigs if self.features != FeatureKind::Spots => {
                refuse("spotsigs compares spots: leave out ‹features›, or leave out ‹method›")
            }
            Method::IMatch if self.features != FeatureKind::Lexicon => refuse(
                "imatch compares the words of a lexicon: leave out ‹features›, or leave out ‹method›",
            ),
            Method::SuperShingles if !matches!(self.matching, Matching::SuperShingles { .. }) => {
                refuse(
                    "super-shingles are compared by equality: leave out ‹match›, or choose ‹method› shingles or minhash",
                )
            }
            Method::Andd if !is_learned => refuse(
                "andd compares learned k-grams, and they are compared by andd alone: leave out ‹features›, or leave out ‹method›",
            ),
            Method::Signals if self.classifier.is_none() => missing(
                "‹method› signals needs a classifier: make one with twinsift train signals and name it with ‹model›",
            ),
            Method::Signals => Ok(()),
            _ if self.classifier.is_some() => {
                misplaced("a classifier of pairs belongs to ‹method› signals")
            }
            _ => Ok(()),
        }
    }

    fn check_features(&self) -> Result<()> {
        let kind = self.features;
        if self.k == 0 || self.k > LONGEST {
            return out_of_range(format!("‹k› must be between 1 and {LONGEST}"));
        }
        if self.k > 1 && !matches!(kind, FeatureKind::Shingles | FeatureKind::Learned) {
            return misplaced("‹k› has no meaning here: it belongs to ‹features› shingles");
        }
        match (&self.spots, kind == FeatureKind::Spots) {
            (Some(rules), true) => check_spots(rules)?,
            (None, false) => {}
            (None, true) => return missing("spots need rules for what a spot is"),
            (Some(_), false) => {
                return misplaced(
                    "rules for spots have no meaning here: they belong to ‹features› spots",
                );
            }
        }
        if let Some(range) = self.idf {
            check_idf(range)?;
            if kind == FeatureKind::Text {
                return misplaced(
                    "‹idf› chooses among words, shingles or spots: it has no meaning for ‹method› exact, which compares whole texts",
                );
            }
        }
        match (&self.learned, kind == FeatureKind::Learned) {
            (Some(model), true) => {
                if self.k != model.k || self.fold != model.fold {
                    return refuse(match self.fold == model.fold {
                        true => "‹k› has no meaning here: the model has its own, from its training",
                        false if model.fold => {
                            "the model was trained with ‹fold›: compare with it too, or train the model again without"
                        }
                        false => {
                            "the model was trained without ‹fold›: leave it out, or train the model again with it"
                        }
                    });
                }
            }
            (None, false) => {}
            (None, true) => {
                return missing(
                    "‹method› andd needs a model: make one with twinsift train andd, and name it with ‹model›",
                );
            }
            (Some(_), false) => {
                return misplaced("‹model› has no meaning here: it belongs to ‹method› andd");
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
        let by_weight = matches!(
            self.matching,
            Matching::Exact { .. } | Matching::Hamming { .. }
        );
        self.learned.is_some() || by_weight && self.weights != Weights::Binary
    }

    fn check_matching(&self) -> Result<()> {
        let kind = self.features;
        let is_learned = kind == FeatureKind::Learned;
        if kind == FeatureKind::Text && self.matching != Matching::Hash {
            return refuse(
                "whole texts can only be compared by ‹match› hash: choose ‹features› words or shingles for a similarity",
            );
        }
        if self.imatch.is_some() != matches!(self.matching, Matching::IMatch { .. }) {
            return refuse("I-Match signatures and the rules that make them belong together");
        }
        // What a model was trained for.
        let trained = self.learned.as_ref().map(|model| model.similarity);
        match self.matching {
            Matching::Exact {
                similarity,
                threshold,
            } => {
                if trained.is_some_and(|trained| trained != similarity) {
                    return misplaced(
                        "‹similarity› has no meaning here: the model has its own, from its training",
                    );
                }
                check_similarity("threshold", threshold)
            }
            Matching::Hyperplanes {
                bits, threshold, ..
            } => {
                if trained != Some(Similarity::Cosine) {
                    return refuse("such bits are made by a model that was trained for the cosine");
                }
                check_bits(bits)?;
                check_similarity("threshold", threshold)
            }
            Matching::WeightedMinHash {
                threshold,
                bands,
                rows,
                ..
            } => {
                if trained != Some(Similarity::ExtendedJaccard) {
                    return refuse(
                        "such min-hashes are made by a model that was trained for extended-jaccard",
                    );
                }
                check_bands(bands, rows)?;
                check_similarity("threshold", threshold)
            }
            _ if is_learned => refuse("learned k-grams are compared by ‹match› join or lsh"),
            Matching::Lsh {
                threshold,
                bands,
                rows,
            } => {
                check_bands(bands, rows)?;
                check_similarity("threshold", threshold)
            }
            Matching::Hamming { bits, distance } => {
                check_bits(bits)?;
                match distance < bits {
                    true => Ok(()),
                    false => out_of_range(format!(
                        "‹distance› must be below the {bits} bits of a hash"
                    )),
                }
            }
            Matching::MinHashes { threshold, values } => {
                check_bands(values, 1)?;
                check_similarity("threshold", threshold)
            }
            Matching::SuperShingles { .. } if kind != FeatureKind::Shingles => refuse(
                "super-shingles are made of shingles, not of words or spots: leave out ‹features›",
            ),
            Matching::SuperShingles { require } => check_require(require, SUPER_SHINGLES as u32),
            Matching::IMatch { require, verify } => self.check_signatures(require, verify),
            Matching::Hash => Ok(()),
        }
    }

    fn check_signatures(&self, require: u32, verify: Option<Verify>) -> Result<()> {
        let rules = self.imatch.unwrap_or_default();
        if !matches!(self.features, FeatureKind::Lexicon | FeatureKind::Spots) {
            return refuse("I-Match signatures are made of the words of a lexicon, or of spots");
        }
        check_idf(rules.window)?;
        if rules.lexicons > MOST_LEXICONS {
            return out_of_range(format!(
                "‹random_lexicons› {} is too many: at most {MOST_LEXICONS}",
                rules.lexicons
            ));
        }
        if let Bags::Drop(share) = rules.bags
            && !(0.0 < share && share < 1.0)
        {
            return out_of_range("‹drop› must be above 0 and below 1");
        }
        if !(0.0..=1.0).contains(&rules.min_ratio) {
            return out_of_range("‹min_ratio› must be from 0 to 1");
        }
        if 0 < rules.expand_to && rules.expand_to < rules.min_terms {
            return refuse(format!(
                "‹expand_to› {} makes signatures that ‹min_terms› {} rejects: give it at least {1}",
                rules.expand_to, rules.min_terms
            ));
        }
        check_require(require, rules.lexicons + 1)?;
        verify.map_or(Ok(()), |verify| {
            check_similarity("verify", verify.threshold)
        })
    }

    /// Weights that would be ignored.
    fn check_weights(&self) -> Result<()> {
        let is_learned = self.features == FeatureKind::Learned;
        if (self.weights == Weights::Learned) != is_learned {
            return misplaced(
                "‹weights› has no meaning here: learned k-grams, and they alone, are weighed by a model",
            );
        }
        match (self.weights, self.matching) {
            (Weights::Binary | Weights::Learned, _) => Ok(()),
            (_, Matching::Exact { .. } | Matching::Hamming { .. } | Matching::Hash) => Ok(()),
            // Bands of spots bring documents together as sets; they are compared as
            // multisets, like the exact join does.
            (Weights::Counts, Matching::Lsh { .. }) if self.spots.is_some() => Ok(()),
            (_, Matching::Lsh { .. } | Matching::MinHashes { .. }) => refuse(
                "min-hashes compare sets, which have no weights: leave out ‹weights›, or use ‹match› join",
            ),
            _ => misplaced("‹weights› has no meaning here: it belongs to ‹match› join and hamming"),
        }
    }

    /// Whether the lexicon is the one that the words ask for.
    fn check_lexicon(&self) -> Result<()> {
        let digest = self.imatch.map(|rules| rules.digest);
        if digest == Some(imatch::Digest::Sha1) && self.lexicon.is_none() {
            return missing(
                "‹digest› sha1 needs the words themselves: name a lexicon file with ‹lexicon›",
            );
        }
        match (&self.learned, &self.lexicon) {
            (Some(model), lexicon) => model.check_lexicon(lexicon.as_deref()),
            (None, Some(_)) if self.features != FeatureKind::Lexicon => misplaced(
                "‹lexicon› has no meaning here: it belongs to ‹method› imatch, ‹method› andd and ‹features› lexicon",
            ),
            (None, Some(lexicon)) => lexicon.check_folding(self.fold),
            (None, None) => Ok(()),
        }
    }
}

fn check_spots(rules: &SpotRules) -> Result<()> {
    match rules.specifications.len() {
        0 => return out_of_range("‹spots› names no spots"),
        1..=MOST_SPECIFICATIONS => {}
        count => {
            return out_of_range(format!(
                "‹spots› is given {count} times: at most {MOST_SPECIFICATIONS} can be used at once"
            ));
        }
    }
    let mut wrong = rules.specifications.iter().filter_map(|spot| spot.check());
    wrong.next().map_or(Ok(()), refuse)
}

fn check_idf([least, most]: [f64; 2]) -> Result<()> {
    match 0.0 <= least && least <= most && most <= 1.0 {
        true => Ok(()),
        false => out_of_range(format!(
            "‹idf› {least},{most} is out of range: both must be from 0 to 1, the smaller one first"
        )),
    }
}

/// Refuses signatures of bits that are no whole words, and of far too many.
fn check_bits(bits: u32) -> Result<()> {
    match bits.is_multiple_of(64) && (64..=MOST_BITS).contains(&bits) {
        true => Ok(()),
        false => out_of_range(format!(
            "‹bits› {bits} is not offered: use a multiple of 64, up to {MOST_BITS}"
        )),
    }
}

/// Refuses to ask for more equal signatures than there are.
fn check_require(require: u32, signatures: u32) -> Result<()> {
    match (1..=signatures).contains(&require) {
        true => Ok(()),
        false => out_of_range(format!(
            "‹require› {require} cannot be met: there are {signatures} signatures"
        )),
    }
}

/// Refuses signatures of no min-hash, and of far too many.
fn check_bands(bands: u32, rows: u32) -> Result<()> {
    match (bands, rows) {
        (1.., 1..) if u64::from(bands) * u64::from(rows) <= 1 << 16 => Ok(()),
        _ => out_of_range(
            "‹bands› times ‹rows› must be between 1 and 65,536 (one of them alone divides 128)",
        ),
    }
}

/// Refuses a similarity that a parameter cannot ask for.
fn check_similarity(parameter: &str, threshold: f64) -> Result<()> {
    match threshold > 0.0 && threshold <= 1.0 {
        true => Ok(()),
        false => out_of_range(format!(
            "‹{parameter}› {threshold} is out of range: it must be above 0 and at most 1"
        )),
    }
}
