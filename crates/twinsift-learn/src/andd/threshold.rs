//! From which similarity on are two documents near duplicates?
//!
//! The model is run on labelled documents exactly as it will be run later, and every
//! threshold is tried. The best one lies anywhere between the lowest score that it finds and
//! the highest that it does not; the middle is taken.
//!
//! It is chosen on all labelled documents: unrelated pairs grow with the square of their number,
//! and the few clusters that were set apart have too few of them to show that a
//! threshold is too low. How good it is, is measured on these clusters alone.

use super::Task;
use std::sync::Arc;
use twinsift::Choices;
use twinsift::document::Document;
use twinsift::error::{Error, Result};
use twinsift::features::learned::model::{Model, Validation, rounded};
use twinsift::recipe::Method;
use twinsift_eval::{Curve, Gold, Scores, Trial};

/// Thresholds are written with so many decimal places.
const PLACES: f64 = 1e4;

impl Task<'_> {
    /// The threshold of a model, chosen on some documents.
    pub(super) fn threshold(&self, model: &Model, docs: &[u32]) -> Result<f64> {
        let least = self.options.min_precision;
        choose(&self.curve(model, docs)?, least).ok_or_else(|| {
            let why = match least {
                Some(least) => format!(
                    "no threshold has a precision of {least} on the labelled documents: ask for less with ‹min_precision›, or label more documents"
                ),
                None => "no pair of near duplicates has anything in common: are the labels right?"
                    .to_owned(),
            };
            Error::Recipe(why.into())
        })
    }

    /// What a model finds among some documents, at its threshold.
    pub(super) fn found(&self, model: &Model, docs: &[u32]) -> Result<PairCounts> {
        let curve = self.curve(model, docs)?;
        let point = curve.at(model.threshold);
        Ok(PairCounts {
            documents: docs.len() as u64,
            found: point.found,
            correct: point.correct,
            positives: curve.positives(),
        })
    }

    /// The curve of a model on some documents.
    fn curve(&self, model: &Model, docs: &[u32]) -> Result<Curve> {
        let choices = Choices {
            method: Some(Method::Andd),
            model: Some(Arc::new(model.clone())),
            lexicon: self.options.lexicon.clone(),
            ..Choices::default()
        };
        let recipe = choices.resolve()?;
        fn pick<'a>(names: &[Option<&'a str>], docs: &[u32]) -> Vec<Option<&'a str>> {
            let name = |&doc: &u32| names.get(doc as usize).copied().flatten();
            docs.iter().map(name).collect()
        }
        let gold = Gold::from_clusters(&pick(self.clusters, docs), &pick(self.groups, docs));
        let documents: Vec<Document<'_>> = docs
            .iter()
            .map(|&doc| self.documents[doc as usize].view())
            .collect();
        Trial::new(&documents, &gold, self.settings).curve(&recipe)
    }
}

/// Pairs found among some documents, those of them that are true, and all that are.
#[derive(Clone, Copy, Default)]
pub(super) struct PairCounts {
    documents: u64,
    found: u64,
    correct: u64,
    positives: u64,
}

impl PairCounts {
    pub(super) fn add(&mut self, other: Self) {
        self.documents += other.documents;
        self.found += other.found;
        self.correct += other.correct;
        self.positives += other.positives;
    }

    /// How good that is, in so many rounds.
    pub(super) fn validation(self, rounds: u64) -> Validation {
        let scores = Scores::of(
            self.found as f64,
            self.correct as f64,
            self.positives as f64,
        );
        Validation {
            documents: self.documents,
            rounds,
            precision: rounded(scores.precision),
            recall: rounded(scores.recall),
            f1: rounded(scores.f1),
        }
    }
}

/// The best threshold of a curve.
fn choose(curve: &Curve, min_precision: Option<f64>) -> Option<f64> {
    let best = match min_precision {
        Some(least) => curve.best_with_precision(least),
        None => curve.best(),
    }?;
    let below = curve.below(best.threshold).map(|point| point.threshold);
    let middle = (best.threshold + below.unwrap_or(twinsift_eval::FLOOR)) / 2.0;
    // Rounded, it must still lie between the two.
    let short = (middle * PLACES).round() / PLACES;
    let fits = short <= best.threshold && below.is_none_or(|below| short > below);
    let threshold = if fits { short } else { best.threshold };
    Some(threshold.clamp(f64::MIN_POSITIVE, 1.0))
}
