//! Learned k-grams with their weights.

use super::{AnalysedBatch, Analyser};
use crate::document::Document;
use crate::features::learned::{self, Weigher};
use crate::recipe::Recipe;

/// A thread's own buffers.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    learned: learned::Scratch,
    values: Vec<u64>,
    weights: Vec<f32>,
}

impl Analyser {
    /// Adds a document by its learned k-grams.
    pub(super) fn learned(
        &self,
        weigher: &Weigher,
        document: &Document<'_>,
        scratch: &mut super::Scratch,
        analysed: &mut AnalysedBatch,
    ) {
        let mut own = std::mem::take(&mut scratch.learned);
        let weighed = weigher.weigh(document, &mut own.learned);
        own.values.clear();
        own.values.extend(weighed.iter().map(|&(value, _)| value));
        own.weights.clear();
        own.weights
            .extend(weighed.iter().map(|&(_, weight)| weight));
        let words = own.learned.reading().words.len();
        analysed.words += words as u64;
        analysed.short += u64::from(0 < words && words < self.recipe.k() as usize);
        let weights = own.weights.iter().copied();
        self.vector(&own.values, weights, scratch, analysed);
        scratch.learned = own;
    }
}

/// The model of a recipe at work, if it has one.
pub(super) fn weigher(recipe: &Recipe) -> Option<Weigher> {
    let lexicon = recipe.lexicon().map(|lexicon| &**lexicon);
    Some(Weigher::new(recipe.model()?, lexicon, recipe.top_terms))
}
