//! Only features that are neither too common nor too rare.
//!
//! The normalised idf of a feature is `ln(N / df) / ln(N)`: 0 for one that every
//! document has, 1 for one that a single document has. A window on it is how the
//! I-Match and SpotSigs papers keep out boilerplate and noise. It needs the whole
//! collection, so what depends on a document's features (its digest, its sketch) is
//! made anew afterwards.

use super::idf;
use crate::collection::block::{Block, Vector};
use crate::collection::store::Store;
use crate::error::Result;
use crate::hash;
use crate::lexicon::normalised_idf;
use crate::parallel;
use crate::recipe::{Matching, Recipe};
use crate::settings::{Budget, Settings};
use crate::sketch::Rows;
use crate::sketch::minhash::MinHasher;
use crate::sketch::supershingles::{SUPER_SHINGLES, SuperShingler};
use rayon::prelude::*;
use std::ops::Range;

/// Drops the features of `store` outside the window, and gives each document the
/// total that `total` makes of how many are left and their weights.
pub(crate) fn narrow(
    mut store: Store,
    documents: usize,
    window: [f64; 2],
    total: impl Fn(usize, &[f32]) -> f64 + Sync,
    settings: &Settings,
) -> Result<Store> {
    let budget = Budget::new(settings.memory);
    let passes = (store.features() * idf::COUNTER_BYTES)
        .div_ceil(budget.frequencies())
        .max(1);
    let parts = rayon::current_num_threads();
    for pass in 0..passes {
        let ranges: Vec<Range<u128>> = (0..parts)
            .map(|part| idf::slice(pass * parts + part, passes * parts))
            .collect();
        let counted: Vec<idf::Counts> = ranges
            .par_iter()
            .map(|range| idf::count(&store, range))
            .collect::<Result<_>>()?;
        let keeps = |value: u64| {
            let part = ranges
                .iter()
                .position(|range| range.contains(&u128::from(value)));
            part.is_none_or(|part| {
                let df = counted[part].get(&value).copied().unwrap_or(1);
                is_within(window, documents as u64, df)
            })
        };
        let mut narrowed = Store::new(budget.weighted(), &settings.tmp);
        parallel::each_block(
            store,
            |block| narrowed_block(&block, keeps, &total),
            |block| narrowed.push(block).map(|_| ()),
        )?;
        store = narrowed;
    }
    Ok(store)
}

/// Whether a feature that `df` of the documents have is in the window.
pub(crate) fn is_within(window: [f64; 2], documents: u64, df: u32) -> bool {
    let idf = normalised_idf(documents, df);
    window[0] <= idf && idf <= window[1]
}

/// The documents of a block with those features that `keeps` accepts.
pub(crate) fn narrowed_block(
    block: &Block,
    keeps: impl Fn(u64) -> bool,
    total: impl Fn(usize, &[f32]) -> f64,
) -> Block {
    let mut out = Block::default();
    for at in 0..block.len() {
        let vector = block.vector(at);
        let (values_from, weights_from) = (out.values.len(), out.weights.len());
        for (feature, &value) in vector.values.iter().enumerate() {
            if keeps(value) {
                out.values.push(value);
                out.weights.extend(vector.weights.get(feature));
            }
        }
        let left = out.values.len() - values_from;
        out.end_document(block.docs[at], total(left, &out.weights[weights_from..]));
    }
    out
}

/// The digests of all documents in `store`, made anew; `None` for those with
/// nothing left. And their min-hashes or super-shingles, if the recipe asks for them.
pub(crate) fn sign(store: &Store, recipe: &Recipe, digests: &mut [Option<u128>]) -> Result<Rows> {
    let mut signer = FeatureSigner::new(recipe);
    let mut signed = Rows::new(signer.width);
    for number in 0..store.len() {
        let block = store.load(number)?;
        for (at, &doc) in block.docs.iter().enumerate() {
            let digest = signer.sign(block.vector(at));
            digests[doc as usize] = digest;
            if digest.is_some() && signer.width > 0 {
                signed.set(doc, signer.row());
            }
        }
    }
    Ok(signed)
}

/// Makes digests and sketches of features that have changed since they were read.
#[derive(Debug)]
pub(crate) struct FeatureSigner {
    matching: Matching,
    /// Values of a sketch; 0 for none.
    width: usize,
    min_hasher: MinHasher,
    shingler: SuperShingler,
    row: Vec<u64>,
}

impl FeatureSigner {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        let (width, bands, rows) = match recipe.matching {
            Matching::Lsh { bands, rows, .. } => (bands as usize, bands, rows),
            Matching::MinHashes { values, .. } => (values as usize, values, 1),
            Matching::SuperShingles { .. } => (SUPER_SHINGLES, 1, 1),
            _ => (0, 1, 1),
        };
        Self {
            matching: recipe.matching,
            width,
            min_hasher: MinHasher::new(bands, rows, recipe.seed),
            shingler: SuperShingler::new(recipe.seed),
            row: Vec::new(),
        }
    }

    /// The digest of a document; `None` if no features are left. Its sketch is the
    /// [`row`](Self::row).
    pub(crate) fn sign(&mut self, vector: Vector<'_>) -> Option<u128> {
        self.row.clear();
        if vector.values.is_empty() {
            return None;
        }
        match self.matching {
            _ if self.width == 0 => {}
            Matching::MinHashes { .. } => {
                self.min_hasher
                    .all_of_ascending(vector.values, &mut self.row);
            }
            Matching::SuperShingles { .. } => {
                self.row.extend(self.shingler.super_shingles(vector.values));
            }
            _ => self
                .min_hasher
                .bands_of_ascending(vector.values, &mut self.row),
        }
        let weights = vector.weights.iter();
        let weights = weights.map(|weight| u64::from(weight.to_bits()));
        Some(hash::digest(vector.values.iter().copied().chain(weights)))
    }

    /// The sketch of the document that was signed last.
    pub(crate) fn row(&self) -> &[u64] {
        &self.row
    }
}
