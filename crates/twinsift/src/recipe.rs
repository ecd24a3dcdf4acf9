//! A whole pipeline as one small value.
//!
//! A [`Recipe`] says what is compared and how: method, features, matcher,
//! threshold, seed. It is what a config file holds, what a summary prints, and
//! its [`id`](Recipe::id) tells whether two results were made the same way.
//! It is resolved from [`Choices`].

mod check;
mod choices;
mod expected;
mod ids;
mod matching;
mod method;
mod reading;
mod spelled;
mod sweep;
mod verify;
mod words;

use crate::features::Weights;
use crate::features::learned::model::Model;
use crate::features::spots::SpotRules;
use crate::lexicon::Lexicon;
use crate::similarity::Similarity;
use crate::sketch::{imatch, supershingles};
use serde::{Deserialize, Serialize, Serializer};
use std::sync::Arc;

pub use choices::{Choices, Kind, Name, Parameter};
pub use matching::Matching;
pub use method::{FeatureKind, Matcher, Method};
pub use reading::{Body, Content};
pub use verify::Verify;

/// A complete pipeline: valid, and not changed any more. [`Choices`] make recipes:
///
/// ```
/// use twinsift::Recipe;
///
/// let recipe = Recipe::minhash().threshold(0.7).seed(1).resolve()?;
/// assert_eq!(recipe.to_string(), "minhash: word 5-grams, min-hash 25 bands x 5 rows, verified Jaccard ≥ 0.7");
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recipe {
    /// The preset that it started from.
    pub(crate) method: Method,
    /// What is compared.
    pub(crate) features: FeatureKind,
    /// Whether the disguises of words are undone before they are compared: look-alike
    /// characters, punctuation inside words, swapped letters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) fold: bool,
    /// Words to a feature.
    pub(crate) k: u32,
    /// How much a feature counts.
    pub(crate) weights: Weights,
    /// What a spot is, where spots are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spots: Option<SpotRules>,
    /// Only features whose normalised idf, `ln(N / df) / ln(N)`, is from the first
    /// to the second of these count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) idf: Option<[f64; 2]>,
    /// The lexicon; without one, the collection's own statistics serve. A recipe
    /// spells it as its id.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "lexicon_id")]
    pub(crate) lexicon: Option<Arc<Lexicon>>,
    /// How I-Match signatures are made, where they are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) imatch: Option<imatch::Rules>,
    /// The model of learned k-grams. A recipe spells it as its id.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "model_id")]
    pub(crate) learned: Option<Arc<Model>>,
    /// Only so many of a document's heaviest features count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top_terms: Option<u32>,
    /// How it is compared.
    #[serde(rename = "match")]
    pub(crate) matching: Matching,
    /// What decides about the pairs that are found, where these are only candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) classifier: Option<Classified>,
    /// How much of a page is its text.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) content: Content,
    /// Which body of a page is compared.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) body: Body,
    /// Seed of everything random.
    pub(crate) seed: u64,
}

/// A classifier of pairs, as far as a recipe has to know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairModel {
    /// What tells it from others.
    pub id: String,
    /// Pairs with at least this score are near duplicates, unless told otherwise.
    pub threshold: f64,
}

/// A classifier, as it stands in a recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Classified {
    /// The id of the model.
    pub model: String,
    /// Pairs with at least this score are near duplicates.
    pub threshold: f64,
    /// The method that finds the candidates.
    #[serde(default, skip_serializing_if = "is_default")]
    pub candidates: Method,
}

fn lexicon_id<S: Serializer>(
    lexicon: &Option<Arc<Lexicon>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    lexicon
        .as_ref()
        .map(|lexicon| lexicon.id())
        .serialize(serializer)
}

fn model_id<S: Serializer>(model: &Option<Arc<Model>>, serializer: S) -> Result<S::Ok, S::Error> {
    model.as_ref().map(|model| model.id()).serialize(serializer)
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Bits of a signature of learned k-grams unless told otherwise: the paper's 48 bytes.
pub const BITS: u32 = 384;

/// The most bits of such a signature, and of a similarity hash.
pub const MOST_BITS: u32 = 4096;

/// Min-hashes that `lsh` makes unless told otherwise.
pub const MIN_HASHES: u32 = 128;

/// The default threshold of the measures that have one.
pub const THRESHOLD: f64 = 0.8;

/// The threshold of the method that finds candidates for a classifier: low, for the
/// classifier does not see what is not found.
pub const CANDIDATES_THRESHOLD: f64 = 0.2;

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
            fold: false,
            k: 5,
            weights: Weights::Binary,
            spots: None,
            idf: None,
            lexicon: None,
            imatch: None,
            learned: None,
            top_terms: None,
            matching: Matching::Exact {
                similarity: Similarity::Jaccard,
                threshold: THRESHOLD,
            },
            classifier: None,
            content: Content::Main,
            body: Body::Rendered,
            seed: 0,
        }
    }
}

impl Recipe {
    /// The preset that it started from.
    pub fn method(&self) -> Method {
        self.method
    }

    /// What is compared.
    pub fn features(&self) -> FeatureKind {
        self.features
    }

    /// Whether the disguises of words are undone before they are compared.
    pub fn folds(&self) -> bool {
        self.fold
    }

    /// Words to a feature.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// How much a feature counts.
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// What a spot is, where spots are compared.
    pub fn spot_rules(&self) -> Option<&SpotRules> {
        self.spots.as_ref()
    }

    /// The lexicon; without one, the collection's own statistics serve.
    pub fn lexicon(&self) -> Option<&Arc<Lexicon>> {
        self.lexicon.as_ref()
    }

    /// How I-Match signatures are made, where they are compared.
    pub fn imatch_rules(&self) -> Option<imatch::Rules> {
        self.imatch
    }

    /// The model of learned k-grams.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.learned.as_ref()
    }

    /// How it is compared.
    pub fn matching(&self) -> Matching {
        self.matching
    }

    /// What decides about the pairs that are found, where these are only candidates.
    pub fn classifier(&self) -> Option<&Classified> {
        self.classifier.as_ref()
    }

    /// How much of a page is its text.
    pub fn content(&self) -> Content {
        self.content
    }

    /// Which body of a page is compared.
    pub fn body(&self) -> Body {
        self.body
    }

    /// Seed of everything random.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The same recipe with another lexicon.
    pub fn with_lexicon(&self, lexicon: Arc<Lexicon>) -> crate::error::Result<Self> {
        let recipe = Self {
            lexicon: Some(lexicon),
            ..self.clone()
        };
        recipe.check()?;
        Ok(recipe)
    }

    /// The same recipe for documents that were read as `other` says: the same content and body
    /// of pages.
    pub fn of_documents_read_for(&self, other: &Self) -> Self {
        Self {
            content: other.content,
            body: other.body,
            ..self.clone()
        }
    }

    /// The recipe by which documents are signed: how many I-Match signatures must be equal is
    /// settled where they are compared, and documents with fewer than that are signed too.
    pub fn for_signing(&self) -> Self {
        let matching = match self.matching {
            Matching::IMatch { .. } => Matching::IMatch {
                require: 1,
                verify: None,
            },
            other => other,
        };
        Self {
            matching,
            ..self.clone()
        }
    }

    /// The recipe of the candidates that a classifier decides about; without one, the
    /// recipe itself.
    pub fn candidates(&self) -> Self {
        Self {
            method: (self.classifier.as_ref()).map_or(self.method, |by| by.candidates),
            classifier: None,
            ..self.clone()
        }
    }

    /// Whether documents are compared by their features in the end, rather than by a sketch
    /// or a digest alone.
    pub(crate) fn keeps_features(&self) -> bool {
        !matches!(
            self.matching,
            Matching::Hash
                | Matching::MinHashes { .. }
                | Matching::SuperShingles { .. }
                | Matching::IMatch { verify: None, .. }
                | Matching::Hyperplanes { verify: false, .. }
                | Matching::WeightedMinHash { verify: false, .. }
        )
    }

    /// Whether features go when everything has been read, because the collection
    /// itself says which are in the range of idf.
    pub(crate) fn narrows(&self) -> bool {
        self.idf.is_some() && self.lexicon.is_none()
    }

    /// Whether what two documents score depends on the documents around them: weights by
    /// rarity, or a range of idf, without a lexicon that says how rare features are.
    pub fn needs_collection(&self) -> bool {
        self.weights == Weights::TfIdf || self.narrows()
    }

    /// Values to a signature that is stored.
    pub fn signature_width(&self) -> usize {
        match self.matching {
            Matching::IMatch { .. } => self.imatch.unwrap_or_default().lexicons as usize + 1,
            Matching::SuperShingles { .. } => supershingles::SUPER_SHINGLES,
            Matching::Hyperplanes { bits, .. } => bits as usize / 64,
            Matching::WeightedMinHash { bands, rows, .. } => bands as usize * rows as usize,
            Matching::MinHashes { values, .. } => values as usize,
            _ => 1,
        }
    }

    /// 64-bit numbers to a value of a signature.
    pub fn signature_lanes(&self) -> usize {
        match self.features {
            FeatureKind::Text => 2,
            _ => self.imatch.map_or(1, |rules| rules.digest.lanes()),
        }
    }

    /// The measure that features are kept for; Jaccard where there is none.
    pub(crate) fn similarity(&self) -> Similarity {
        match self.matching {
            Matching::Exact { similarity, .. } => similarity,
            Matching::Hyperplanes { .. } => Similarity::Cosine,
            Matching::WeightedMinHash { .. } => Similarity::ExtendedJaccard,
            Matching::IMatch {
                verify: Some(verify),
                ..
            } => verify.similarity,
            _ => Similarity::Jaccard,
        }
    }

    /// The least similarity, for matchers that have one.
    pub fn threshold(&self) -> Option<f64> {
        match self.matching {
            Matching::Exact { threshold, .. }
            | Matching::Lsh { threshold, .. }
            | Matching::MinHashes { threshold, .. }
            | Matching::Hyperplanes { threshold, .. }
            | Matching::WeightedMinHash { threshold, .. } => Some(threshold),
            Matching::IMatch { verify, .. } => verify.map(|verify| verify.threshold),
            _ => None,
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

    /// What is read of pages changes what is found; what was stored before it was in the
    /// recipe keeps its id.
    #[test]
    fn the_id_follows_what_is_read_of_pages() {
        let of = |choices: Choices| choices.resolve().expect("valid");
        let (main, all) = (Recipe::shingles(), Recipe::shingles().content(Content::All));
        let fetched = Recipe::shingles().body(Body::Fetched);
        let [main, all, fetched] = [main, all, fetched].map(of);
        let ids = [&main, &all, &fetched].map(Recipe::id);
        assert!(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
        assert_eq!(
            main.id(),
            of(Recipe::shingles().content(Content::Main)).id()
        );
        assert_ne!(main.features_id(), all.features_id());
        assert!(!main.to_json().contains("content"));
        let again = Recipe::from_json(&all.to_json(), None, None);
        assert_eq!(again.expect("valid"), all);
        assert_eq!(main.of_documents_read_for(&all), all);
    }

    /// Without its pages, candidates would be taken for near duplicates.
    #[test]
    fn a_classifier_is_not_ignored() {
        let candidates = Recipe::minhash().resolve().expect("valid");
        let recipe = Recipe {
            method: Method::Signals,
            classifier: Some(Classified {
                model: "m".into(),
                threshold: 0.5,
                candidates: Method::MinHash,
            }),
            ..candidates.clone()
        };
        recipe.check().expect("valid");
        assert_eq!(recipe.candidates(), candidates);
        let again = Recipe::from_json(&recipe.to_json(), None, None);
        assert_eq!(again.expect("valid"), recipe);
        let statistics = crate::Statistics::default();
        let sifter = crate::Sifter::new(recipe.clone(), crate::Settings::default());
        for refused in [
            crate::Extractor::new(&recipe, &statistics).err(),
            crate::Keys::new(&recipe).err(),
            crate::Verifier::new(&recipe).err(),
            crate::filter::Filter::new(&recipe).err(),
            sifter.expect("valid").finish().err(),
        ] {
            let refused = refused.expect("refused");
            assert!(
                matches!(&refused, crate::Error::Classifier { model } if model == "m"),
                "{refused}"
            );
        }
    }
}
