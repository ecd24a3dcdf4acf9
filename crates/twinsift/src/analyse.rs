//! From a document to what is kept of it: tokenise, features, sketch.
//!
//! This is the work of the reading threads. A batch of documents becomes a
//! [`Parcel`]: flat arrays that the collecting thread appends in order.

use crate::collection::block::Block;
use crate::collection::documents::Entry;
use crate::document::{Document, Item, Skipped, Twin};
use crate::features::shingles::Shingles;
use crate::features::{Features, Featurise, Weights};
use crate::hash;
use crate::matching::similarity::Similarity;
use crate::recipe::{FeatureKind, Matching, Recipe};
use crate::sketch::minhash::MinHasher;
use crate::sketch::supershingles::{SUPER_SHINGLES, SuperShingler};
use crate::tokenise::Tokens;

/// What the documents of one batch left behind, in order.
#[derive(Debug, Default)]
pub(crate) struct Parcel {
    pub(crate) entries: Vec<Entry>,
    /// Features; documents are numbered from 0 within the parcel.
    pub(crate) block: Block,
    pub(crate) digests: Vec<Option<u128>>,
    /// Sketch rows of the documents that have one, one after another.
    pub(crate) rows: Vec<u64>,
    pub(crate) twins: Vec<(u32, Twin)>,
    pub(crate) skipped: Vec<Skipped>,
    /// Documents with fewer words than a feature takes.
    pub(crate) short: u64,
    pub(crate) words: u64,
}

/// Turns documents into parcels; shared by all threads.
#[derive(Debug)]
pub(crate) struct Analyser {
    recipe: Recipe,
    sketch: Sketch,
}

/// The sketch that can be made while reading.
#[derive(Clone, Debug)]
enum Sketch {
    None,
    MinHash { bands: u32, rows: u32 },
    SuperShingles(Box<SuperShingler>),
}

/// A thread's own buffers.
#[derive(Debug)]
pub(crate) struct Scratch {
    tokens: Tokens,
    features: Features,
    min_hasher: MinHasher,
    row: Vec<u64>,
    /// Where a batch's features are gathered, to be copied out once, at their
    /// final size.
    block: Block,
}

impl Analyser {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        Self {
            recipe: recipe.clone(),
            sketch: match recipe.matching {
                Matching::Lsh { bands, rows, .. } => Sketch::MinHash { bands, rows },
                Matching::SuperShingles => {
                    Sketch::SuperShingles(Box::new(SuperShingler::new(recipe.seed)))
                }
                _ => Sketch::None,
            },
        }
    }

    /// Values in a row of the sketch.
    pub(crate) fn row_width(&self) -> usize {
        match self.sketch {
            Sketch::None => 0,
            Sketch::MinHash { bands, .. } => bands as usize,
            Sketch::SuperShingles(_) => SUPER_SHINGLES,
        }
    }

    pub(crate) fn scratch(&self) -> Scratch {
        let (bands, rows) = match self.sketch {
            Sketch::MinHash { bands, rows } => (bands, rows),
            _ => (1, 1),
        };
        Scratch {
            tokens: Tokens::new(),
            features: Features::new(),
            min_hasher: MinHasher::new(bands, rows, self.recipe.seed),
            row: Vec::new(),
            block: Block::default(),
        }
    }

    /// What the items of one batch leave behind.
    pub(crate) fn parcel(
        &self,
        scratch: &mut Scratch,
        expand: impl FnOnce(&mut dyn FnMut(Item<'_>)),
    ) -> Parcel {
        let mut parcel = Parcel {
            block: std::mem::take(&mut scratch.block),
            ..Parcel::default()
        };
        expand(&mut |item| self.item(item, scratch, &mut parcel));
        let exact = parcel.block.clone();
        scratch.block = std::mem::replace(&mut parcel.block, exact);
        scratch.block.clear();
        parcel
    }

    /// Adds what a reader handed over.
    fn item(&self, item: Item<'_>, scratch: &mut Scratch, parcel: &mut Parcel) {
        match item {
            Item::Document(document) => self.document(&document, scratch, parcel),
            Item::Skipped(skipped) => parcel.skipped.push(skipped),
        }
    }

    pub(crate) fn document(
        &self,
        document: &Document<'_>,
        scratch: &mut Scratch,
        parcel: &mut Parcel,
    ) {
        if let Some(twin) = document.twin {
            parcel.twins.push((parcel.entries.len() as u32, twin));
        }
        parcel.entries.push(Entry::of(document));
        scratch.tokens.read(&document.text);
        parcel.words += scratch.tokens.len() as u64;
        if self.recipe.features == FeatureKind::Text {
            let words = scratch.tokens.bytes().map(hash::bytes);
            let digest = (words.len() > 0).then(|| hash::digest(words));
            parcel.digests.push(digest);
            return;
        }
        let shorter = scratch.tokens.len() < self.recipe.k as usize;
        parcel.short += u64::from(shorter && !scratch.tokens.is_empty());
        let count = self.recipe.weights != Weights::Binary;
        Shingles::new(self.recipe.k as usize, count)
            .features(&scratch.tokens, &mut scratch.features);
        let values = std::mem::take(&mut scratch.features);
        let weights = values.counts().iter().map(|&count| count as f32);
        self.vector(values.values(), weights, scratch, parcel);
        scratch.features = values;
    }

    /// Adds a document's features; `weights` is empty if all are 1.
    pub(crate) fn vector(
        &self,
        values: &[u64],
        weights: impl Iterator<Item = f32>,
        scratch: &mut Scratch,
        parcel: &mut Parcel,
    ) {
        if values.is_empty() {
            parcel.digests.push(None);
            return;
        }
        let doc = parcel.digests.len() as u32;
        let Parcel { block, rows, .. } = parcel;
        let weights_from = block.weights.len();
        block.weights.extend(weights);
        let weights = &block.weights[weights_from..];
        let bits = weights.iter().map(|weight| u64::from(weight.to_bits()));
        let mut digest = hash::digest(values.iter().copied().chain(bits));
        let mut keep_features = true;
        match &self.sketch {
            Sketch::None => {}
            Sketch::MinHash { .. } => {
                scratch.min_hasher.bands(values, &mut scratch.row);
                rows.extend_from_slice(&scratch.row);
            }
            Sketch::SuperShingles(shingler) => {
                let row = shingler.super_shingles(values);
                digest = hash::digest(row);
                rows.extend(row);
                keep_features = false;
            }
        }
        if self.recipe.matching == Matching::Hash {
            keep_features = false;
        }
        if keep_features {
            let similarity = match self.recipe.matching {
                Matching::Exact { similarity, .. } => similarity,
                _ => Similarity::Jaccard,
            };
            let total = similarity.total(values.len(), weights);
            block.values.extend_from_slice(values);
            block.end_document(doc, total);
        } else {
            block.weights.truncate(weights_from);
        }
        parcel.digests.push(Some(digest));
    }
}
