//! A whole pipeline as one small value.
//!
//! A [`Recipe`] says what is compared and how: method, features, matcher,
//! threshold, seed. It is what a config file holds, what a summary prints, and
//! its [`id`](Recipe::id) tells whether two results were made the same way.
//! It is resolved from [`Choices`](crate::Choices).

use crate::features::Weights;
use crate::features::spots::SpotRules;
use crate::hash;
use crate::matching::lsh;
use crate::matching::similarity::Similarity;
use crate::sketch::{simhash, supershingles};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A preset by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Equal normalised text.
    Exact,
    /// Word 5-grams, exact join, Jaccard.
    #[default]
    Shingles,
    /// Spot signatures with counts, exact join, multiset Jaccard.
    SpotSigs,
    /// Word 5-grams, min-hash bands, candidates compared in full.
    MinHash,
    /// 6 super-shingles, at least 2 equal.
    SuperShingles,
    /// Words by tf-idf, similarity hash, Hamming distance.
    SimHash,
}

impl Method {
    /// Every preset.
    pub const ALL: [Method; 6] = [
        Method::Exact,
        Method::Shingles,
        Method::SpotSigs,
        Method::MinHash,
        Method::SuperShingles,
        Method::SimHash,
    ];
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeatureKind {
    /// The whole text, normalised.
    Text,
    /// Words.
    Words,
    /// Word k-grams.
    Shingles,
    /// Spot signatures: chains of words behind stop words.
    Spots,
}

/// How it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Matcher {
    /// Every pair at or above the threshold.
    Exact,
    /// Min-hash bands, then compared in full.
    Lsh,
    /// Equal signatures.
    Hash,
    /// Signatures within some bits.
    Hamming,
}

/// A complete, valid pipeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// The preset that it started from.
    pub method: Method,
    /// What is compared.
    pub features: FeatureKind,
    /// Words to a feature.
    pub k: u32,
    /// How much a feature counts.
    pub weights: Weights,
    /// What a spot is, where spots are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spots: Option<SpotRules>,
    /// Only features whose normalised idf, `ln(N / df) / ln(N)`, is from the first
    /// to the second of these count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idf: Option<[f64; 2]>,
    /// How it is compared.
    #[serde(rename = "match")]
    pub matching: Matching,
    /// Seed of everything random.
    pub seed: u64,
}

/// A matcher with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "by")]
pub enum Matching {
    /// Every pair at or above a threshold.
    Exact {
        /// The measure.
        similarity: Similarity,
        /// The least similarity.
        threshold: f64,
    },
    /// Min-hash bands, then compared in full by Jaccard.
    Lsh {
        /// The least similarity.
        threshold: f64,
        /// Bands.
        bands: u32,
        /// Min-hashes to a band.
        rows: u32,
    },
    /// Equal features.
    Hash,
    /// At least 2 of 6 super-shingles equal.
    SuperShingles,
    /// Similarity hashes within some bits.
    Hamming {
        /// Bits of a hash.
        bits: u32,
        /// Most bits that differ.
        distance: u32,
    },
}

/// Min-hashes that `lsh` makes unless told otherwise.
pub const MIN_HASHES: u32 = 128;

/// The default threshold of the measures that have one.
pub const THRESHOLD: f64 = 0.8;

/// The default threshold of spot signatures. Chosen on one half of four labelled
/// collections of pages, two of them news, each page reduced to its main content; the
/// guide has the figures. The paper's 0.44 is for whole pages of another collection.
pub const SPOTS_THRESHOLD: f64 = 0.35;

impl Default for Recipe {
    /// The default method with its defaults: word 5-grams, exact, Jaccard 0.8.
    fn default() -> Self {
        Self {
            method: Method::Shingles,
            features: FeatureKind::Shingles,
            k: 5,
            weights: Weights::Binary,
            spots: None,
            idf: None,
            matching: Matching::Exact {
                similarity: Similarity::Jaccard,
                threshold: THRESHOLD,
            },
            seed: 0,
        }
    }
}

impl Recipe {
    /// A short name that changes whenever anything in the recipe does.
    pub fn id(&self) -> String {
        let spelled = serde_json::to_string(self).unwrap_or_default();
        format!("{:016x}", hash::bytes(spelled.as_bytes()))
    }

    /// The least similarity, for matchers that have one.
    pub fn threshold(&self) -> Option<f64> {
        match self.matching {
            Matching::Exact { threshold, .. } | Matching::Lsh { threshold, .. } => Some(threshold),
            _ => None,
        }
    }

    /// Where the method is a matter of chance: how likely it is that pairs of some
    /// similarities are found, as (similarity, chance). For `lsh` and
    /// super-shingles the similarity is Jaccard, for similarity hashes cosine.
    pub fn expected_recall(&self) -> Vec<(f64, f64)> {
        let at = |similarities: &[f64], chance: &dyn Fn(f64) -> f64| {
            similarities.iter().map(|&s| (s, chance(s))).collect()
        };
        match self.matching {
            Matching::Lsh {
                threshold,
                bands,
                rows,
            } => at(&[threshold], &|s| lsh::recall(s, bands, rows)),
            Matching::SuperShingles => at(&[0.8, 0.9, 0.95], &supershingles::recall),
            Matching::Hamming { bits, distance } => {
                at(&[0.9, 0.95, 0.99], &|s| simhash::recall(s, bits, distance))
            }
            Matching::Exact { .. } | Matching::Hash => Vec::new(),
        }
    }
}

impl fmt::Display for Recipe {
    /// One line for people: `shingles: word 5-grams, exact join, Jaccard ≥ 0.8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = serde_json::to_value(self.method).unwrap_or_default();
        write!(f, "{}: ", method.as_str().unwrap_or_default())?;
        match self.features {
            FeatureKind::Text => write!(f, "normalised text")?,
            FeatureKind::Words => write!(f, "words")?,
            FeatureKind::Shingles => write!(f, "word {}-grams", self.k)?,
            FeatureKind::Spots => {
                let rules = self.spots.iter().flat_map(|rules| &rules.specifications);
                let sizes: Vec<String> = rules
                    .map(|spot| format!("({}, {})", spot.distance, spot.chain))
                    .collect();
                write!(f, "spots {}", sizes.join(" "))?;
            }
        }
        match self.weights {
            Weights::Binary => {}
            Weights::Counts => write!(f, " with counts")?,
            Weights::TfIdf => write!(f, " by tf-idf")?,
        }
        if let Some([least, most]) = self.idf {
            write!(f, ", normalised idf {least} to {most}")?;
        }
        match self.matching {
            Matching::Exact {
                similarity,
                threshold,
            } => write!(f, ", exact join, {} ≥ {threshold}", similarity.name()),
            Matching::Lsh {
                threshold,
                bands,
                rows,
            } => write!(
                f,
                ", min-hash {bands} bands x {rows} rows, verified Jaccard ≥ {threshold}"
            ),
            Matching::Hash => write!(f, ", equality"),
            Matching::SuperShingles => write!(
                f,
                ", at least {} of {} super-shingles equal",
                supershingles::REQUIRED,
                supershingles::SUPER_SHINGLES
            ),
            Matching::Hamming { bits, distance } => {
                write!(f, ", at most {distance} of {bits} bits differ")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_follows_every_parameter() {
        let recipe = Recipe::default();
        assert_eq!(recipe.id(), Recipe::default().id());
        let other = Recipe {
            seed: 1,
            ..Recipe::default()
        };
        assert_ne!(recipe.id(), other.id());
    }
}
