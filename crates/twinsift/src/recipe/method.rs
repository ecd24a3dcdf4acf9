//! Methods by name, and the parts that they are made of.

use super::Recipe;
use crate::recipe::Choices;
use serde::{Deserialize, Serialize};

/// A preset by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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
    /// Words of a lexicon, one of several signatures equal.
    IMatch,
    /// Words by tf-idf, similarity hash, Hamming distance.
    SimHash,
    /// Learned k-grams, exact join or bit signatures; needs a model.
    Andd,
    /// A classifier of signals on the candidates of another method; needs a model.
    Signals,
    /// A detector: a classifier of any texts, built in or trained.
    Detector,
}

impl Method {
    /// Every preset that needs nothing besides documents.
    pub const ALL: [Method; 7] = [
        Method::Exact,
        Method::Shingles,
        Method::SpotSigs,
        Method::MinHash,
        Method::SuperShingles,
        Method::IMatch,
        Method::SimHash,
    ];
}

/// How it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Matcher {
    /// Every pair at or above the threshold, by an exact join.
    #[serde(rename = "join", alias = "exact")]
    Exact,
    /// Min-hash bands, then compared in full.
    Lsh,
    /// Equal signatures.
    Hash,
    /// Signatures within some bits.
    Hamming,
}

/// Choices that start from a preset.
macro_rules! presets {
    ($($(#[doc = $doc:literal])+ $name:ident: $method:ident,)+) => {
        impl Recipe {
            $($(#[doc = $doc])+ pub fn $name() -> Choices {
                Choices::default().method(Method::$method)
            })+
        }
    };
}

presets! {
    /// Equal normalised texts.
    exact: Exact,
    /// Word 5-grams, exact join, Jaccard.
    shingles: Shingles,
    /// Spot signatures, exact join, multiset Jaccard.
    spotsigs: SpotSigs,
    /// Word 5-grams, min-hash bands, candidates compared in full.
    minhash: MinHash,
    /// 6 super-shingles, at least 2 equal.
    supershingles: SuperShingles,
    /// Words of a lexicon, one of several signatures equal.
    imatch: IMatch,
    /// Words by tf-idf, similarity hash, Hamming distance.
    simhash: SimHash,
    /// Learned k-grams; needs a [model](Choices::model).
    andd: Andd,
    /// A [classifier](Choices::classifier) on the candidates of another method.
    signals: Signals,
    /// A [detector](Choices::detector), built in unless one is given.
    detector: Detector,
}
