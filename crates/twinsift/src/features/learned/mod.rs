//! K-grams that count as much as was learnt from labelled documents: the vectors of the
//! ANDD paper.
//!
//! The weight of a k-gram in a document is Σ λφ (Eq. 1) over what is known of it there
//! ([`phi`]). The λ come from a [`model`], which `twinsift-learn`
//! makes. A document's vector depends on the document, the model and the lexicon alone, so
//! that vectors and signatures can be made one by one, stored, and compared later.

pub mod described;
pub mod model;
pub mod phi;
pub mod reading;

use super::heaviest;
use crate::document::Document;
use crate::lexicon::Lexicon;
use described::Described;
use model::Model;
use phi::{Phi, Queries, Rarity};
use reading::ReadDocument;

/// The most words to a k-gram.
pub const LONGEST: u32 = 5;

/// How documents are turned into k-grams with features.
#[derive(Clone, Debug)]
pub struct Describer {
    phi: Phi,
    without_disguises: bool,
    width: usize,
}

/// Buffers of a thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    reading: ReadDocument,
    /// By word.
    idf: Vec<f32>,
    sorted: Vec<f32>,
    weighed: Vec<(u64, f32)>,
}

impl Scratch {
    /// The document that was read last.
    pub fn reading(&self) -> &ReadDocument {
        &self.reading
    }
}

impl Describer {
    /// K-grams of `k` words; without a lexicon, document frequencies say nothing.
    pub fn new(
        k: u32,
        lexicon: Option<&Lexicon>,
        queries: Option<Queries>,
        without_disguises: bool,
    ) -> Self {
        let rarity = lexicon.map(|lexicon| Rarity::new(lexicon, without_disguises));
        Self {
            width: phi::names(k as usize, queries.is_some()).len(),
            phi: Phi::new(k as usize, rarity, queries),
            without_disguises,
        }
    }

    /// Features of a k-gram.
    pub fn width(&self) -> usize {
        self.width
    }

    fn read(&self, document: &Document<'_>, scratch: &mut Scratch) {
        scratch
            .reading
            .read(document, self.phi.k(), self.without_disguises);
        let Scratch { reading, idf, .. } = scratch;
        self.phi.look_up(reading, idf);
    }

    /// Appends a document to `out`: what the learner sees of it.
    pub fn describe(&self, document: &Document<'_>, scratch: &mut Scratch, out: &mut Described) {
        self.read(document, scratch);
        let Scratch {
            reading,
            idf,
            sorted,
            ..
        } = scratch;
        reading.grams.sort_unstable_by_key(|gram| gram.value);
        let grams = reading.grams.iter();
        let values: Vec<u64> = grams.clone().map(|gram| gram.value).collect();
        let mut phi = vec![0.0; values.len() * self.width];
        for (gram, row) in grams.zip(phi.chunks_exact_mut(self.width)) {
            self.phi
                .emit_values(gram, reading, idf, sorted, |feature, value| {
                    row[feature] = value;
                });
        }
        out.push(&values, &phi);
    }
}

/// A model at work.
#[derive(Clone, Debug)]
pub struct Weigher {
    describer: Describer,
    lambda: Vec<f32>,
    /// Only so many of the heaviest k-grams are kept.
    top: Option<usize>,
}

impl Weigher {
    /// A model with the lexicon that it was made for.
    pub fn new(model: &Model, lexicon: Option<&Lexicon>, top: Option<u32>) -> Self {
        let queries = model.queries.clone();
        Self {
            describer: Describer::new(model.k, lexicon, queries, model.fold),
            lambda: model.lambda().iter().map(|&weight| weight as f32).collect(),
            top: top.map(|top| top as usize),
        }
    }

    /// The k-grams of a document with their weights, by ascending value. Those that weigh
    /// nothing are left out.
    pub fn weigh<'s>(&self, document: &Document<'_>, scratch: &'s mut Scratch) -> &'s [(u64, f32)] {
        self.describer.read(document, scratch);
        let Scratch {
            reading,
            idf,
            sorted,
            weighed,
        } = scratch;
        weighed.clear();
        for gram in &reading.grams {
            let mut weight = 0.0;
            let phi = &self.describer.phi;
            phi.emit_values(gram, reading, idf, sorted, |feature, value| {
                weight += self.lambda[feature] * value;
            });
            if weight > 0.0 {
                weighed.push((gram.value, weight));
            }
        }
        if let Some(top) = self.top {
            heaviest::keep(weighed, top);
        }
        weighed.sort_unstable_by_key(|&(value, _)| value);
        weighed
    }
}
