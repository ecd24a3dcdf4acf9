//! From which similarity on are two documents near duplicates?
//!
//! The model is run on labelled documents exactly as it will be run later, and every
//! threshold is tried. The best one lies anywhere between the lowest score that it finds and
//! the highest that it does not; the middle is taken.
//!
//! It is chosen on all labelled documents: strangers grow with the square of their number,
//! and the few clusters that were set apart have too few of them to tell a threshold
//! that is too low. How good it is, is told on these clusters alone.

use super::Task;
use crate::Choices;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::eval::{Curve, Gold, Trial};
use crate::features::learned::model::{Model, Validation, rounded};
use crate::recipe::{Method, Recipe};
use std::sync::Arc;

/// Thresholds are written with so many decimal places.
const PLACES: f64 = 1e4;

impl Task<'_> {
    /// Chooses the model's threshold, and says how good it is on what was set apart.
    pub(super) fn choose_threshold(&self, model: &mut Model) -> Result<()> {
        let choices = Choices {
            method: Some(Method::Andd),
            model: Some(Arc::new(model.clone())),
            lexicon: self.options.lexicon.clone(),
            ..Choices::default()
        };
        let recipe = choices.resolve()?;
        let mut labelled = [&self.fitted[..], &self.apart[..]].concat();
        labelled.sort_unstable();
        let curve = self.curve(&recipe, &labelled)?;
        let Some(threshold) = choose(&curve, self.options.min_precision) else {
            return Err(Error::Recipe(match self.options.min_precision {
                Some(least) => format!(
                    "no threshold has a precision of {least} on the labelled documents: ask for less with --min-precision, or label more documents"
                ),
                None => "no pair of near duplicates has anything in common: are the labels right?"
                    .to_owned(),
            }));
        };
        model.threshold = threshold;
        if !self.apart.is_empty() {
            let curve = self.curve(&recipe, &self.apart)?;
            let scores = curve.scores(curve.at(threshold));
            model.training.validation = Some(Validation {
                documents: self.apart.len() as u64,
                precision: rounded(scores.precision),
                recall: rounded(scores.recall),
                f1: rounded(scores.f1),
            });
        }
        Ok(())
    }

    /// The curve of a recipe on some of the documents.
    fn curve(&self, recipe: &Recipe, docs: &[u32]) -> Result<Curve> {
        fn pick<'a>(names: &[Option<&'a str>], docs: &[u32]) -> Vec<Option<&'a str>> {
            let name = |&doc: &u32| names.get(doc as usize).copied().flatten();
            docs.iter().map(name).collect()
        }
        let gold = Gold::from_clusters(&pick(self.clusters, docs), &pick(self.groups, docs));
        let documents: Vec<Document<'_>> = docs
            .iter()
            .map(|&doc| self.documents[doc as usize].view())
            .collect();
        Trial::new(&documents, &gold, self.settings).curve(recipe)
    }
}

/// The best threshold of a curve.
fn choose(curve: &Curve, min_precision: Option<f64>) -> Option<f64> {
    let best = match min_precision {
        Some(least) => curve.best_with_precision(least),
        None => curve.best(),
    }?;
    let below = curve
        .points()
        .iter()
        .map(|point| point.threshold)
        .find(|&threshold| threshold < best.threshold);
    let middle = (best.threshold + below.unwrap_or(crate::eval::FLOOR)) / 2.0;
    // Rounded, it must still lie between the two.
    let short = (middle * PLACES).round() / PLACES;
    let fits = short <= best.threshold && below.is_none_or(|below| short > below);
    let threshold = if fits { short } else { best.threshold };
    Some(threshold.clamp(f64::MIN_POSITIVE, 1.0))
}
