//! What is compared, once a document has been cut into words?
//!
//! A document becomes a bag of 64-bit feature values: its words, or its word
//! k-grams ([`shingles`]), or chains of words behind stop words ([`spots`]), or the
//! words that I-Match looks at ([`lexicon`]). How much each one counts is a choice
//! of its own: once ([`Weights::Binary`]), as often as it occurs ([`Weights::Counts`]), or
//! by rarity in the collection ([`Weights::TfIdf`], see [`idf`]).

pub(crate) mod heaviest;
pub mod idf;
pub mod learned;
pub mod lexicon;
pub mod profile;
pub mod shingles;
pub mod spots;
pub(crate) mod uniform_sort;
pub(crate) mod window;

use crate::tokenise::Tokens;
use serde::{Deserialize, Serialize};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FeatureKind {
    /// The whole text, normalised.
    Text,
    /// Words.
    Words,
    /// Word k-grams.
    Shingles,
    /// Spot signatures: chains of words behind stop words.
    Spots,
    /// Words of a lexicon.
    Lexicon,
    /// K-grams weighed by a model.
    Learned,
    /// Words and word 3-grams of text and title, which a detector compares.
    Profile,
}

/// How much a feature counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Weights {
    /// Once, however often it occurs: the document is a set.
    #[default]
    Binary,
    /// As often as it occurs: the document is a multiset.
    Counts,
    /// `(1 + ln tf) * ln(1 + N / df)`: rare features count more.
    TfIdf,
    /// As a model says (see [`learned`]).
    Learned,
}

/// The features of one document: distinct values in ascending order, and how
/// often each occurs. Reuse it: its buffers stay allocated.
#[derive(Clone, Debug, Default)]
pub struct Features {
    values: Vec<u64>,
    counts: Vec<u32>,
    sorter: uniform_sort::Sorter,
    /// Room for a featuriser that needs to see all words at once.
    words: Vec<(u64, u64)>,
}

impl Features {
    /// No features.
    pub fn new() -> Self {
        Self::default()
    }

    /// The distinct values, ascending.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// How often each value occurs, in the order of [`values`](Self::values).
    /// Empty if the features were collected as a set.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Keeps the values that `stays` says, with their counts.
    pub fn retain(&mut self, mut stays: impl FnMut(u64) -> bool) {
        let stay: Vec<bool> = self.values.iter().map(|&value| stays(value)).collect();
        let mut values = stay.iter();
        self.values.retain(|_| values.next() == Some(&true));
        let mut counts = stay.iter();
        self.counts.retain(|_| counts.next() == Some(&true));
    }

    /// Starts over with the values that `fill` pushes: a set, or a multiset if
    /// `count` is set.
    pub fn collect(&mut self, count: bool, fill: impl FnOnce(&mut Vec<u64>)) {
        self.values.clear();
        self.counts.clear();
        fill(&mut self.values);
        self.sorter.sort(&mut self.values);
        if count {
            let mut last = None;
            let counts = &mut self.counts;
            self.values.retain(|&value| {
                let new = last != Some(value);
                match counts.last_mut() {
                    Some(count) if !new => *count += 1,
                    _ => counts.push(1),
                }
                last = Some(value);
                new
            });
        } else {
            self.values.dedup();
        }
    }
}

/// Turns a document's words into features.
pub trait Featurise: Send + Sync {
    /// Replaces `out` by the features of `tokens`.
    fn features(&self, tokens: &Tokens, out: &mut Features);
}
