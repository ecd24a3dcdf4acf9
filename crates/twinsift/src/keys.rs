//! Blocking keys: documents that match share one.

use crate::error::Result;
use crate::hash;
use crate::matcher::{BlockingKeys, KeyRule};
use crate::matching::join::prefix_length;
use crate::recipe::{Recipe, THRESHOLD};
use crate::signature::Signature;
use crate::similarity::Similarity;
use crate::statistics::Statistics;

/// Makes the blocking keys of signatures: only signatures that share a key need be compared.
///
/// How complete that is depends on the recipe, and is said by [`recall`](Self::recall):
///
/// | recipe | keys | two signatures that the [`Verifier`](crate::Verifier) accepts share a key |
/// |---|---|---|
/// | exact join, with or without weights | the features of a prefix | always |
/// | equal texts | the digest | always |
/// | I-Match, super-shingles, min-hashes alone | some of the values | always |
/// | similarity hashes | blocks of bits | always |
/// | bits of a learned model, verified | the features of a prefix | always |
/// | min-hash bands | the bands | by chance, as in any run of the recipe |
/// | bits of a learned model alone | samples of bits | with a chance of at least 0.97 |
///
/// A *prefix* are the features with the lowest values, so many that what is left has too little
/// weight to make a pair. The lowest feature that two documents of a pair share is then in the
/// prefixes of both: otherwise all that one of them shares would be in what is left.
///
/// ```
/// use twinsift::{Document, Extractor, Keys, Recipe, Statistics};
///
/// let recipe = Recipe::default();
/// let keys = Keys::new(&recipe)?;
/// assert_eq!(keys.recall(), Some(1.0));
/// let text: Vec<String> = (0..104).map(|n| n.to_string()).collect();
/// let extractor = Extractor::new(&recipe, &Statistics::default())?;
/// let signature = extractor.extract(&Document::new("a", text.join(" ")));
/// // Of 100 five-grams, a document with a Jaccard similarity of 0.8 shares 80.
/// assert_eq!(keys.of(&signature).len(), 21);
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Keys(BlockingKeys);

/// Where the keys of documents start that are compared by another measure.
const FALLBACK: u64 = u64::MAX;

impl Keys {
    /// The keys of a recipe.
    pub fn new(recipe: &Recipe) -> Result<Self> {
        recipe.refuse_classifier()?;
        Ok(Self(recipe.matcher().keys(&recipe.vectors())))
    }

    /// What the keys are made of.
    pub(crate) fn rule(&self) -> &KeyRule {
        &self.0.rule
    }

    /// The least chance that two signatures share a key that the verifier accepts; 1 where that
    /// is certain, `None` where it is not known.
    pub fn recall(&self) -> Option<f64> {
        self.0.recall
    }

    /// How many documents of a collection have the keys of a signature, at most and counted once
    /// for each key: what it costs to look them up. `None` where keys are not the features that
    /// statistics count.
    ///
    /// ```
    /// use twinsift::{Document, Extractor, Keys, Recipe, Statistics};
    ///
    /// let recipe = Recipe::shingles().k(2).resolve()?;
    /// let mut counter = Statistics::counter(&recipe);
    /// let documents = ["one two three four", "zero two three four", "two three four five"];
    /// documents.iter().for_each(|text| counter.add(&Document::new("", *text)));
    /// let statistics = counter.finish();
    /// let keys = Keys::new(&recipe)?;
    /// let signature = Extractor::new(&recipe, &statistics)?.extract(&Document::new("", documents[0]));
    /// let expected = keys.expected_postings(&signature, &statistics);
    /// assert!(expected.is_some_and(|postings| (1..=3).contains(&postings)));
    /// # Ok::<(), twinsift::Error>(())
    /// ```
    pub fn expected_postings(&self, signature: &Signature, statistics: &Statistics) -> Option<u64> {
        let KeyRule::Prefix { .. } = self.0.rule else {
            return None;
        };
        let frequency = |key: &u64| u64::from(statistics.frequency(*key));
        (!signature.is_fallback).then(|| self.of(signature).iter().map(frequency).sum())
    }

    /// The keys of a signature, ascending, each once; none if it is not
    /// [judged](Signature::is_judged).
    pub fn of(&self, signature: &Signature) -> Vec<u64> {
        let Some(digest) = signature.digest else {
            return Vec::new();
        };
        let mut keys = match signature.is_fallback {
            true => {
                let length =
                    prefix_length(signature.vector(), Similarity::Jaccard, THRESHOLD, false);
                let features = signature.values[..length].iter();
                features.map(|&value| hash::pair(FALLBACK, value)).collect()
            }
            false => self.0.rule.keys(signature, digest),
        };
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}
