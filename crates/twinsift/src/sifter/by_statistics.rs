//! What depends on the whole collection, once all documents are read: which features
//! are too common or too rare, how much each counts, and which documents are equal.

use super::collected::Collected;
use crate::analyse::feature_signer::{self, late_sketcher};
use crate::collection::classes::{Classes, resolve_revisits};
use crate::collection::store::Store;
use crate::document::ContentKey;
use crate::error::Result;
use crate::features::{Weights, heaviest, idf, window};
use crate::hash;
use crate::recipe::Recipe;
use crate::settings::Settings;
use crate::sketch::Rows;
use rayon::prelude::*;

impl Collected {
    /// The same with the features and sketches that the recipe compares.
    pub(super) fn by_statistics(mut self, recipe: &Recipe, settings: &Settings) -> Result<Self> {
        let documents = self.documents.len();
        let total = |features: usize, weights: &[f32]| recipe.similarity().total(features, weights);
        if recipe.narrows() {
            self.store = narrow(self.store, recipe, documents, settings)?;
            self.sign_again(recipe)?;
        }
        if recipe.weights == Weights::TfIdf {
            let total = |weights: &[f32]| total(weights.len(), weights);
            self.store = idf::weigh(self.store, documents, total, settings)?;
        }
        // Learned k-grams have been chosen as they were weighed.
        if let Some(top) = recipe.top_terms.filter(|_| recipe.model().is_none()) {
            self.store = heaviest::cut(self.store, top as usize, total, settings)?;
        }
        if late_sketcher(recipe).is_some() {
            self.rows = sketch(&self.store, recipe)?;
            for doc in self.rows.docs() {
                let row = self.rows.row(doc).iter().copied();
                self.digests[doc as usize] = Some(hash::digest(row));
            }
        }
        Ok(self)
    }

    /// Digests and sketches of the features that are left.
    fn sign_again(&mut self, recipe: &Recipe) -> Result<()> {
        let signed: Vec<bool> = self.digests.iter().map(Option::is_some).collect();
        self.rows = feature_signer::sign(&self.store, recipe, &mut self.digests)?;
        let emptied = (0..).zip(self.digests.iter().zip(signed));
        let emptied = emptied.filter(|(_, (digest, signed))| *signed && digest.is_none());
        let emptied: Vec<(u32, u32)> = emptied.map(|(doc, _)| (doc, 0)).collect();
        self.report.emptied = emptied.len() as u64;
        self.unsigned.extend(emptied);
        self.unsigned.sort_unstable();
        Ok(())
    }

    /// Bytes of all that documents are compared by.
    pub(super) fn signature_bytes(&self, recipe: &Recipe) -> u64 {
        let bytes = match (self.rows.width(), self.store.features()) {
            (0, 0) => self.digests.iter().flatten().count() * size_of::<u128>(),
            (0, features) if recipe.weights == Weights::Binary => features * size_of::<u64>(),
            (0, features) => features * (size_of::<u64>() + size_of::<f32>()),
            (width, _) => {
                let signed = self.rows.docs().count() + self.repeated as usize;
                signed * width * size_of::<u64>()
            }
        };
        bytes as u64
    }

    /// Equal documents taken together.
    pub(super) fn classes(&mut self) -> Classes {
        let mut digests = std::mem::take(&mut self.digests);
        self.report.orphan_revisits = resolve_revisits(&self.content_keys, &mut digests) as u64;
        let mut repeats_another = vec![false; digests.len()];
        for &(doc, content_key) in &self.content_keys {
            repeats_another[doc as usize] = matches!(content_key, ContentKey::Repeats(_));
        }
        Classes::new(&digests, |doc| !repeats_another[doc as usize])
    }

    /// Documents that are not judged, though not for too few features.
    pub(super) fn count_unjudged(&self, classes: &Classes) -> u64 {
        let unjudged = (0..classes.len() as u32).filter(|&doc| !classes.is_judged(doc));
        let is_explained = |doc: &u32| {
            let found = self.unsigned.binary_search_by_key(doc, |&(doc, _)| doc);
            found.is_ok()
        };
        unjudged.filter(|doc| !is_explained(doc)).count() as u64
    }
}

/// The features of a store that are in the recipe's range of idf.
pub(super) fn narrow(
    store: Store,
    recipe: &Recipe,
    documents: usize,
    settings: &Settings,
) -> Result<Store> {
    let total = |features: usize, weights: &[f32]| recipe.similarity().total(features, weights);
    match recipe.idf.filter(|_| recipe.narrows()) {
        Some(range) => window::narrow(store, documents, range, total, settings),
        None => Ok(store),
    }
}

/// The sketches of all documents that have features, made of their weights.
fn sketch(store: &Store, recipe: &Recipe) -> Result<Rows> {
    let mut rows = Rows::new(recipe.matcher().row_width());
    let together = rayon::current_num_threads() * 4;
    for start in (0..store.len()).step_by(together) {
        let signed: Vec<Vec<(u32, Vec<u64>)>> = (start..store.len().min(start + together))
            .into_par_iter()
            .map(|at| {
                let block = store.lend(at)?;
                let mut sketcher = late_sketcher(recipe);
                Ok((0..block.len())
                    .filter(|&at| !block.range(at).is_empty())
                    .filter_map(|at| {
                        let mut row = Vec::new();
                        sketcher.as_mut()?.sketch(block.vector(at), &mut row);
                        Some((block.docs[at], row))
                    })
                    .collect())
            })
            .collect::<Result<_>>()?;
        for (doc, row) in signed.into_iter().flatten() {
            rows.set(doc, &row);
        }
    }
    Ok(rows)
}
