//! From what a user said to a complete recipe.
//!
//! [`Choices`] are what a user said; [`Choices::resolve`] fills in the rest from
//! the method's preset and refuses what makes no sense. Parameters that the chosen
//! matcher would silently ignore are refused too.

mod learned;
mod misplaced;
#[cfg(test)]
mod tests;

use crate::classify;
use crate::error::{Error, Result};
use crate::features::Weights;
use crate::features::learned::model::Model;
use crate::features::spots::{Fallback, Language, Specification, SpotRules};
use crate::lexicon::Lexicon;
use crate::matching::lsh;
use crate::matching::similarity::Similarity;
use crate::recipe::{
    CANDIDATES_THRESHOLD, Classified, FeatureKind, MIN_HASHES, Matcher, Matching, Method, Recipe,
    SPOTS_THRESHOLD, THRESHOLD, Verify,
};
use crate::sketch::imatch;
use crate::sketch::imatch::bags::Bags;
use crate::sketch::supershingles::REQUIRED;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a user chose; everything else follows from the method's preset. This is
/// also what a config file may hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Choices {
    /// A preset.
    pub method: Option<Method>,
    /// What is compared.
    pub features: Option<FeatureKind>,
    /// Whether the disguises of words are undone.
    pub fold: Option<bool>,
    /// Words to a k-gram.
    pub k: Option<u32>,
    /// How much a feature counts.
    pub weights: Option<Weights>,
    /// Which spots to take.
    pub spots: Option<Vec<Specification>>,
    /// The language of all documents.
    pub language: Option<Language>,
    /// Antecedents in place of the languages' own.
    #[serde(skip)]
    pub antecedents: Option<Vec<String>>,
    /// Stop words in place of the languages' own.
    #[serde(skip)]
    pub stop_words: Option<Vec<String>>,
    /// Documents with fewer spots are not judged by them.
    pub min_spots: Option<u32>,
    /// Another method for these.
    pub fallback: Option<Fallback>,
    /// The range of normalised idf in which a feature counts.
    pub idf: Option<[f64; 2]>,
    /// The lexicon, in place of the collection's own statistics.
    #[serde(skip)]
    pub lexicon: Option<Arc<Lexicon>>,
    /// Randomised lexicons beside the original.
    pub lexicons: Option<u32>,
    /// The share of words that each of them leaves out, in place of a bootstrap.
    pub drop: Option<f64>,
    /// How many signatures must be equal.
    pub require: Option<u32>,
    /// Signatures of fewer words are rejected.
    pub min_terms: Option<u32>,
    /// The least share of a document's words that a signature is made of.
    pub min_ratio: Option<f64>,
    /// Signatures of fewer words are filled up from the secondary lexicon.
    pub expand_to: Option<u32>,
    /// The most words of the secondary lexicon.
    pub secondary: Option<u32>,
    /// The hash behind I-Match signatures.
    pub digest: Option<imatch::Digest>,
    /// A second look at pairs of equal I-Match signatures.
    pub verify: Option<Verify>,
    /// The model of learned k-grams.
    #[serde(skip)]
    pub model: Option<Arc<Model>>,
    /// Only so many of a document's heaviest features count.
    pub top_terms: Option<u32>,
    /// Whether signatures alone decide, without a second look at the documents.
    pub no_verify: Option<bool>,
    /// The classifier of the method `signals`.
    #[serde(skip)]
    pub classifier: Option<Arc<classify::Model>>,
    /// The method that finds its candidates.
    pub candidates: Option<Method>,
    /// How it is compared.
    #[serde(rename = "match")]
    pub matcher: Option<Matcher>,
    /// The measure.
    pub similarity: Option<Similarity>,
    /// The least similarity of a near duplicate.
    pub threshold: Option<f64>,
    /// Min-hash bands.
    pub bands: Option<u32>,
    /// Min-hashes to a band.
    pub rows: Option<u32>,
    /// Bits of a similarity hash, or of a signature of learned k-grams.
    pub bits: Option<u32>,
    /// Most bits in which similarity hashes of near duplicates differ.
    pub distance: Option<u32>,
    /// Seed of everything random.
    pub seed: Option<u64>,
}

impl Choices {
    /// `self` where it says something, else `other`. A preset stands for features and a
    /// matcher, so it takes the place of those too.
    pub fn or(self, other: Self) -> Self {
        let other = match self.method {
            None => other,
            Some(_) => Self {
                features: None,
                matcher: None,
                ..other
            },
        };
        Self {
            method: self.method.or(other.method),
            features: self.features.or(other.features),
            fold: self.fold.or(other.fold),
            k: self.k.or(other.k),
            weights: self.weights.or(other.weights),
            spots: self.spots.or(other.spots),
            language: self.language.or(other.language),
            antecedents: self.antecedents.or(other.antecedents),
            stop_words: self.stop_words.or(other.stop_words),
            min_spots: self.min_spots.or(other.min_spots),
            fallback: self.fallback.or(other.fallback),
            idf: self.idf.or(other.idf),
            lexicon: self.lexicon.or(other.lexicon),
            lexicons: self.lexicons.or(other.lexicons),
            drop: self.drop.or(other.drop),
            require: self.require.or(other.require),
            min_terms: self.min_terms.or(other.min_terms),
            min_ratio: self.min_ratio.or(other.min_ratio),
            expand_to: self.expand_to.or(other.expand_to),
            secondary: self.secondary.or(other.secondary),
            digest: self.digest.or(other.digest),
            verify: self.verify.or(other.verify),
            model: self.model.or(other.model),
            classifier: self.classifier.or(other.classifier),
            candidates: self.candidates.or(other.candidates),
            top_terms: self.top_terms.or(other.top_terms),
            no_verify: self.no_verify.or(other.no_verify),
            matcher: self.matcher.or(other.matcher),
            similarity: self.similarity.or(other.similarity),
            threshold: self.threshold.or(other.threshold),
            bands: self.bands.or(other.bands),
            rows: self.rows.or(other.rows),
            bits: self.bits.or(other.bits),
            distance: self.distance.or(other.distance),
            seed: self.seed.or(other.seed),
        }
    }

    /// The complete recipe, or a sentence that says why there is none.
    pub fn resolve(&self) -> Result<Recipe> {
        let recipe = match self.method {
            Some(Method::Signals) => self.resolve_signals(),
            _ if self.classifier.is_some() => {
                refuse("this --model is a classifier of pairs: it belongs to --method signals")
            }
            _ if self.candidates.is_some() => {
                refuse("--candidates has no meaning here: it belongs to --method signals")
            }
            _ => self.resolve_plain(),
        }?;
        recipe.check()?;
        Ok(recipe)
    }

    /// The recipe of the candidates, with the classifier that decides about them.
    fn resolve_signals(&self) -> Result<Recipe> {
        let Some(model) = &self.classifier else {
            return refuse(
                "--method signals needs a classifier: make one with twinsift train signals and name it with --model",
            );
        };
        let candidates = self.candidates.unwrap_or_default();
        let has_threshold = matches!(
            candidates,
            Method::Shingles | Method::SpotSigs | Method::MinHash
        );
        let found_by = Self {
            method: Some(candidates),
            threshold: has_threshold.then_some(CANDIDATES_THRESHOLD),
            classifier: None,
            candidates: None,
            ..self.clone()
        };
        let recipe = match candidates {
            Method::Signals => {
                return refuse("--candidates signals makes no sense: name another method");
            }
            _ => found_by.resolve_plain()?,
        };
        Ok(Recipe {
            method: Method::Signals,
            classifier: Some(Classified {
                model: model.id(),
                threshold: self.threshold.unwrap_or(model.threshold),
                candidates,
            }),
            ..recipe
        })
    }

    fn resolve_plain(&self) -> Result<Recipe> {
        if self.is_learned() {
            return self.resolve_learned();
        }
        self.refuse_misplaced_model()?;
        let method = self.method.unwrap_or(match self.features {
            Some(FeatureKind::Spots) => Method::SpotSigs,
            Some(FeatureKind::Lexicon) => Method::IMatch,
            _ => Method::default(),
        });
        let (features, matcher) = match method {
            Method::Exact => (FeatureKind::Text, Matcher::Hash),
            Method::Shingles => (FeatureKind::Shingles, Matcher::Exact),
            Method::SpotSigs => (FeatureKind::Spots, Matcher::Exact),
            Method::MinHash => (FeatureKind::Shingles, Matcher::Lsh),
            Method::SuperShingles => (FeatureKind::Shingles, Matcher::Hash),
            Method::IMatch => (FeatureKind::Lexicon, Matcher::Hash),
            Method::SimHash => (FeatureKind::Words, Matcher::Hamming),
            // Its candidates are found by another method.
            Method::Signals => return self.resolve_signals(),
            Method::Andd => (FeatureKind::Learned, Matcher::Exact),
        };
        let features = self.features.unwrap_or(features);
        let matcher = self.matcher.unwrap_or(matcher);
        let super_shingles = method == Method::SuperShingles && matcher == Matcher::Hash;
        // I-Match-S, too, is plain equality unless lexicons are asked for.
        let imatch = matcher == Matcher::Hash
            && (features == FeatureKind::Lexicon
                || features == FeatureKind::Spots && self.lexicons.is_some());
        self.refuse_misplaced(features, matcher, super_shingles, imatch)?;
        self.refuse_misplaced_lexicon(imatch)?;
        let verify = self.no_verify != Some(true);
        let k = match features {
            FeatureKind::Shingles => self.k.unwrap_or(5),
            _ => 1,
        };
        let is_spots = features == FeatureKind::Spots;
        let weights = self.weights.unwrap_or(match matcher {
            Matcher::Hamming => Weights::TfIdf,
            Matcher::Exact if is_spots => Weights::Counts,
            Matcher::Lsh if is_spots && verify => Weights::Counts,
            _ => Weights::Binary,
        });
        let spots = match is_spots {
            true => Some(self.spot_rules()),
            false => None,
        };
        let threshold = self.threshold.unwrap_or(match is_spots {
            true => SPOTS_THRESHOLD,
            false => THRESHOLD,
        });
        let matching = match matcher {
            Matcher::Exact => Matching::Exact {
                similarity: self.similarity.unwrap_or_default(),
                threshold,
            },
            Matcher::Lsh if !verify => {
                let (bands, rows) = self.unverified_bands_and_rows();
                Matching::MinHashes {
                    threshold,
                    values: bands.saturating_mul(rows),
                }
            }
            Matcher::Lsh => {
                let (bands, rows) = self.bands_and_rows(threshold);
                Matching::Lsh {
                    threshold,
                    bands,
                    rows,
                }
            }
            Matcher::Hash if super_shingles => Matching::SuperShingles {
                require: self.require.unwrap_or(REQUIRED),
            },
            Matcher::Hash if imatch => Matching::IMatch {
                require: self.require.unwrap_or(1),
                verify: self.verify,
            },
            Matcher::Hash => Matching::Hash,
            Matcher::Hamming => {
                let bits = self.bits.unwrap_or(64);
                let distance = self.distance.unwrap_or(3 * (bits / 64));
                Matching::Hamming { bits, distance }
            }
        };
        Ok(Recipe {
            method,
            features,
            fold: self.fold.unwrap_or(false),
            k,
            weights,
            spots,
            idf: match (imatch, features) {
                (true, _) => None,
                (false, FeatureKind::Lexicon) => self.idf.or(Some(imatch::Rules::default().window)),
                (false, _) => self.idf,
            },
            lexicon: self.lexicon.clone(),
            imatch: imatch.then(|| self.imatch_rules()),
            learned: None,
            top_terms: self.top_terms,
            matching,
            classifier: None,
            seed: self.seed.unwrap_or(0),
        })
    }

    /// How I-Match signatures are made.
    fn imatch_rules(&self) -> imatch::Rules {
        let defaults = imatch::Rules::default();
        imatch::Rules {
            window: self.idf.unwrap_or(defaults.window),
            min_terms: self.min_terms.unwrap_or(defaults.min_terms),
            min_ratio: self.min_ratio.unwrap_or(defaults.min_ratio),
            expand_to: self.expand_to.unwrap_or(defaults.expand_to),
            secondary: self.secondary.unwrap_or(defaults.secondary),
            lexicons: self.lexicons.unwrap_or(defaults.lexicons),
            bags: self.drop.map_or(defaults.bags, Bags::Drop),
            digest: self.digest.unwrap_or(defaults.digest),
        }
    }

    /// What a spot is.
    fn spot_rules(&self) -> SpotRules {
        let defaults = SpotRules::default();
        let given = self.spots.clone().filter(|some| !some.is_empty());
        SpotRules {
            specifications: given.unwrap_or(defaults.specifications),
            language: self.language,
            antecedents: self.antecedents.clone(),
            stop_words: self.stop_words.clone(),
            min_spots: self.min_spots.unwrap_or(defaults.min_spots),
            fallback: self.fallback,
        }
    }

    fn bands_and_rows(&self, threshold: f64) -> (u32, u32) {
        match (self.bands, self.rows) {
            (None, None) => lsh::bands_for(threshold, MIN_HASHES),
            (Some(bands), None) => (bands, MIN_HASHES / bands.max(1)),
            (None, Some(rows)) => (MIN_HASHES / rows.max(1), rows),
            (Some(bands), Some(rows)) => (bands, rows),
        }
    }

    /// The same where min-hashes are compared one by one, so that bands do not matter.
    fn unverified_bands_and_rows(&self) -> (u32, u32) {
        (self.bands.unwrap_or(MIN_HASHES), self.rows.unwrap_or(1))
    }
}

fn refuse<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::Recipe(why.into()))
}
