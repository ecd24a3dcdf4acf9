//! Is this pair the same, to a reader? A classifier of any two texts.
//!
//! A [`Detector`] weighs how alike two documents are in [many ways](NAMES): shared words and word
//! 3-grams, as they are written and with disguises undone, titles, lengths. Each counts as it is
//! and by its log-odds, and the sum becomes a score from 0 to 1: logistic regression, whose
//! weights people can read. Nothing depends on the documents around a pair.
//!
//! Pairs that share too few 3-grams are not looked at: what is no *candidate* is no near
//! duplicate. So all pairs are found exactly, by an exact join of the candidates.
//!
//! Two detectors are built in ([`Detector::built_in`]); more are trained from labelled pairs.

mod signals;
mod weights;

pub use signals::{COUNT, NAMES};
pub use weights::Weights;

use crate::features::profile::Kind;
use crate::signature::Signature;
use crate::similarity::Similarity;
use crate::vector::Vector;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// What people look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Find {
    /// The same text, lightly edited.
    Copies,
    /// The same article or document, whatever the frame, cut or edited.
    Stories,
    /// The same message, randomised to look different.
    Campaigns,
}

/// A classifier of pairs of documents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Detector {
    /// Pairs with at least this cosine of folded 3-grams are looked at.
    pub candidates: f64,
    /// Pairs with at least this score are near duplicates.
    pub threshold: f64,
    /// The sum of which nothing is known.
    pub intercept: f32,
    /// How much each signal counts.
    pub weights: Weights,
}

/// What a classifier sums up: each signal, then the log-odds of each.
pub type Row = [f64; 2 * COUNT];

/// Keeps log-odds of 0 and 1 finite.
const MARGIN: f64 = 0.02;

fn log_odds(share: f64) -> f64 {
    ((share + MARGIN) / (1.0 + MARGIN - share)).ln()
}

/// What a detector sums up of two documents, given by the signatures of its recipe.
pub fn row(a: &Signature, b: &Signature) -> Row {
    row_of_vectors(a.vector(), b.vector())
}

fn row_of_vectors(a: Vector<'_>, b: Vector<'_>) -> Row {
    let signals = signals::of(a, b);
    std::array::from_fn(|at| match at.checked_sub(COUNT) {
        None => signals[at],
        Some(at) => log_odds(signals[at]),
    })
}

impl Detector {
    /// The detector that comes with the program.
    pub fn built_in(find: Find) -> Option<Self> {
        static STORIES: LazyLock<Detector> = LazyLock::new(|| parse(include_str!("stories.json")));
        static CAMPAIGNS: LazyLock<Detector> =
            LazyLock::new(|| parse(include_str!("campaigns.json")));
        match find {
            Find::Copies => None,
            Find::Stories => Some(*STORIES),
            Find::Campaigns => Some(*CAMPAIGNS),
        }
    }

    /// How sure it is that a pair with this row is the same, from 0 to 1.
    pub fn score_of(&self, row: &Row) -> f64 {
        let weighed = self.weights.0.iter().zip(row);
        let sum: f64 = weighed
            .map(|(&weight, value)| f64::from(weight) * value)
            .sum();
        1.0 / (1.0 + (-(f64::from(self.intercept) + sum)).exp())
    }

    /// How sure it is that two profiles are the same, whether or not they are candidates.
    pub(crate) fn score(&self, a: Vector<'_>, b: Vector<'_>) -> f64 {
        self.score_of(&row_of_vectors(a, b))
    }

    /// The score of two profiles, if it is enough and they are candidates.
    pub(crate) fn reaching(&self, a: Vector<'_>, b: Vector<'_>) -> Option<f64> {
        let [x, y] = [a, b].map(|profile| Kind::FoldedGrams.of(profile));
        Similarity::Cosine.reaching(self.candidates, x, y)?;
        Some(self.score(a, b)).filter(|score| *score >= self.threshold)
    }
}

/// A detector of our own.
fn parse(text: &str) -> Detector {
    serde_json::from_str(text).expect("a detector that the tests read")
}
