//! A whole pipeline as one small value.
//!
//! A [`Recipe`] says what is compared and how: method, features, matcher,
//! threshold, seed. It is what a config file holds, what a summary prints, and
//! its [`id`](Recipe::id) tells whether two results were made the same way.
//! It is resolved from [`Choices`].

mod check;
mod choices;
mod feature_rules;
mod ids;
mod method;
mod reading;
mod signing;
mod spelled;
mod words;

use crate::features::Weights;
use crate::features::learned::model::Model;
use crate::features::spots::SpotRules;
use crate::lexicon::Lexicon;
use crate::matcher::{PairMatcher, VectorKind};
use crate::similarity::Similarity;
use crate::sketch::imatch;
pub(crate) use feature_rules::FeatureRules;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use crate::features::FeatureKind;
pub use crate::matcher::{
    Equality, ExactJoin, Hamming, Hyperplanes, IMatch, Matching, MinHashBands, MinHashes,
    SuperShingles, Verify, WeightedMinHash,
};
pub use choices::{Choices, Kind, Name, Parameter};
pub use method::{Matcher, Method};
pub use reading::{Body, Content};

/// A complete pipeline: valid, and not changed any more. [`Choices`] make recipes:
///
/// ```
/// use twinsift::Recipe;
///
/// let recipe = Recipe::minhash().threshold(0.7).seed(1).resolve()?;
/// assert_eq!(recipe.to_string(), "minhash: word 5-grams, min-hash 25 bands x 5 rows, verified Jaccard ≥ 0.7");
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The preset that it started from.
    pub(crate) method: Method,
    /// What is compared.
    pub(crate) features: FeatureRules,
    /// Whether the disguises of words are undone before they are compared: look-alike
    /// characters, punctuation inside words, swapped letters.
    pub(crate) fold: bool,
    /// How much a feature counts.
    pub(crate) weights: Weights,
    /// Only features whose normalised idf, `ln(N / df) / ln(N)`, is from the first
    /// to the second of these count.
    pub(crate) idf: Option<[f64; 2]>,
    /// Only so many of a document's heaviest features count.
    pub(crate) top_terms: Option<u32>,
    /// How it is compared.
    pub(crate) matching: Matching,
    /// What decides about the pairs that are found, where these are only candidates.
    pub(crate) classifier: Option<Classified>,
    /// How much of a page is its text.
    pub(crate) content: Content,
    /// Which body of a page is compared.
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

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Bits of a signature of learned k-grams unless told otherwise: the paper's 48 bytes.
pub const BITS: u32 = 384;

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
            features: FeatureRules::Shingles { k: 5 },
            fold: false,
            weights: Weights::Binary,
            idf: None,
            top_terms: None,
            matching: Matching::Exact(ExactJoin {
                similarity: Similarity::Jaccard,
                threshold: THRESHOLD,
            }),
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
        self.features.kind()
    }

    /// Whether the disguises of words are undone before they are compared.
    pub fn folds(&self) -> bool {
        self.fold
    }

    /// Words to a feature.
    pub fn k(&self) -> u32 {
        self.features.k()
    }

    /// How much a feature counts.
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// What a spot is, where spots are compared.
    pub fn spot_rules(&self) -> Option<&SpotRules> {
        match &self.features {
            FeatureRules::Spots(rules) => Some(rules),
            _ => None,
        }
    }

    /// The lexicon; without one, the collection's own statistics serve.
    pub fn lexicon(&self) -> Option<&Arc<Lexicon>> {
        self.features.lexicon()
    }

    /// How I-Match signatures are made, where they are compared.
    pub fn imatch_rules(&self) -> Option<imatch::Rules> {
        self.imatch_matcher().map(|imatch| imatch.rules)
    }

    /// The matcher, if it is I-Match.
    pub(crate) fn imatch_matcher(&self) -> Option<IMatch> {
        match self.matching {
            Matching::IMatch(imatch) => Some(imatch),
            _ => None,
        }
    }

    /// The model of learned k-grams.
    pub fn model(&self) -> Option<&Arc<Model>> {
        match &self.features {
            FeatureRules::Learned { model, .. } => Some(model),
            _ => None,
        }
    }

    /// How it is compared.
    pub fn matching(&self) -> Matching {
        self.matching
    }

    pub(crate) fn matcher(&self) -> &dyn PairMatcher {
        self.matching.matcher()
    }

    /// What its matcher compares.
    pub(crate) fn vectors(&self) -> VectorKind {
        VectorKind {
            features: self.features(),
            weights: self.weights,
            trained_for: self.model().map(|model| model.similarity),
            seed: self.seed,
        }
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
            features: self.features.clone().with_lexicon(Some(lexicon))?,
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

    /// The recipe of the candidates that a classifier decides about; without one, the
    /// recipe itself.
    pub fn candidates(&self) -> Self {
        Self {
            method: (self.classifier.as_ref()).map_or(self.method, |by| by.candidates),
            classifier: None,
            ..self.clone()
        }
    }

    /// The same recipe with its threshold lowered to `floor`, so that one run gives a whole
    /// curve. Everything else stays: min-hash bands find the same candidates, of which more
    /// are then reported. Recipes without a threshold stay as they are.
    pub fn widened(&self, floor: f64) -> Self {
        let mut wide = self.clone();
        wide.matching.matcher_mut().widen(floor);
        wide
    }

    /// The lowest score that it reports, on the scale of its pairs' scores; 0 where it
    /// reports whatever it finds.
    pub fn lowest_score(&self) -> f64 {
        let lowest = self.matcher().lowest_score().or(self.threshold());
        lowest.unwrap_or(0.0)
    }

    /// Where the method is a matter of chance: how likely it is that pairs of some
    /// similarities are found, as (similarity, chance). For min-hashes and
    /// super-shingles the similarity is Jaccard, for bits cosine.
    pub fn expected_recall(&self) -> Vec<(f64, f64)> {
        self.matcher().expected_recall()
    }

    /// For I-Match: the chance that a pair is found whose documents differ in some
    /// number of lexicon words, as (words, chance).
    pub fn expected_survival(&self) -> Vec<(u32, f64)> {
        self.imatch_matcher()
            .map_or_else(Vec::new, |imatch| imatch.expected_survival())
    }

    /// Whether features go when everything has been read, because the collection
    /// itself says which are in the range of idf.
    pub(crate) fn narrows(&self) -> bool {
        self.idf.is_some() && self.lexicon().is_none()
    }

    /// Whether what two documents score depends on the documents around them: weights by
    /// rarity, or a range of idf, without a lexicon that says how rare features are.
    pub fn needs_collection(&self) -> bool {
        self.weights == Weights::TfIdf || self.narrows()
    }

    /// The measure that features are kept for; Jaccard where there is none.
    pub(crate) fn similarity(&self) -> Similarity {
        self.matcher().similarity()
    }

    /// The least similarity, for matchers that have one.
    pub fn threshold(&self) -> Option<f64> {
        let mut matching = self.matching;
        matching.matcher_mut().threshold_mut().copied()
    }

    /// The least score of a near duplicate, where that is a threshold that can be chosen.
    pub fn least_score(&self) -> Option<f64> {
        match &self.classifier {
            Some(by) => Some(by.threshold),
            None => self.threshold(),
        }
    }

    /// The same recipe with another threshold and everything else as it is, also what would be
    /// chosen by the threshold. Recipes without one stay as they are.
    #[must_use]
    pub(crate) fn with_threshold(&self, other: f64) -> Self {
        let mut recipe = self.clone();
        let threshold = match &mut recipe.classifier {
            Some(by) => Some(&mut by.threshold),
            None => recipe.matching.matcher_mut().threshold_mut(),
        };
        if let Some(threshold) = threshold {
            *threshold = other;
        }
        recipe
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
