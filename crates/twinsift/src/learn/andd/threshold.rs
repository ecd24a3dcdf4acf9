//! From which similarity on are two documents near duplicates?
//!
//! The model is run on the clusters that were set apart, exactly as it will be run
//! later, and every threshold is tried. The best one lies anywhere between the lowest score
//! that it finds and the highest that it does not; the middle is taken.

use super::Task;
use crate::Choices;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::eval::{Curve, Gold, Trial};
use crate::features::learned::model::{Model, Validation, rounded};
use crate::recipe::Method;
use std::sync::Arc;

/// Thresholds are written with so many decimal places.
const PLACES: f64 = 1e4;

impl Task<'_> {
    /// Chooses the model's threshold, and says how good it is there.
    pub(super) fn choose_threshold(&self, model: &mut Model) -> Result<()> {
        let docs = match self.apart.is_empty() {
            true => &self.fitted,
            false => &self.apart,
        };
        let of = |names: &'_ [Option<&'_ str>]| -> Vec<Option<String>> {
            let name = |&doc: &u32| names.get(doc as usize).copied().flatten();
            docs.iter()
                .map(|doc| name(doc).map(str::to_owned))
                .collect()
        };
        let (clusters, groups) = (of(self.clusters), of(self.groups));
        fn view(names: &[Option<String>]) -> Vec<Option<&str>> {
            names.iter().map(Option::as_deref).collect()
        }
        let gold = Gold::from_clusters(&view(&clusters), &view(&groups));
        let documents: Vec<Document<'_>> = docs
            .iter()
            .map(|&doc| self.documents[doc as usize].view())
            .collect();
        let choices = Choices {
            method: Some(Method::Andd),
            model: Some(Arc::new(model.clone())),
            lexicon: self.options.lexicon.clone(),
            ..Choices::default()
        };
        let trial = Trial::new(&documents, &gold, self.settings);
        let curve = trial.curve(&choices.resolve()?)?;
        let Some((threshold, validation)) = choose(&curve, self.options.min_precision) else {
            return Err(Error::Recipe(match self.options.min_precision {
                Some(least) => format!(
                    "no threshold has a precision of {least} on the documents set apart: ask for less with --min-precision, or label more documents"
                ),
                None => "no pair of near duplicates has anything in common: are the labels right?"
                    .to_owned(),
            }));
        };
        model.threshold = threshold;
        if !self.apart.is_empty() {
            model.training.validation = Some(Validation {
                documents: docs.len() as u64,
                ..validation
            });
        }
        Ok(())
    }
}

/// The best threshold of a curve.
fn choose(curve: &Curve, min_precision: Option<f64>) -> Option<(f64, Validation)> {
    let best = match min_precision {
        Some(least) => curve.best_with_precision(least),
        None => curve.best(),
    }?;
    let scores = curve.scores(best);
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
    let validation = Validation {
        documents: 0,
        precision: rounded(scores.precision),
        recall: rounded(scores.recall),
        f1: rounded(scores.f1),
    };
    Some((threshold.clamp(f64::MIN_POSITIVE, 1.0), validation))
}
