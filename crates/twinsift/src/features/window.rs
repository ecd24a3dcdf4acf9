//! Only features that are neither too common nor too rare.
//!
//! The normalised idf of a feature is `ln(N / df) / ln(N)`: 0 for one that every
//! document has, 1 for one that a single document has. A window on it is how the
//! I-Match and SpotSigs papers keep out boilerplate and noise. It needs the whole
//! collection, so what depends on a document's features (its digest, its sketch) is
//! made again afterwards (`analyse/feature_signer.rs`).

use super::idf;
use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::Result;
use crate::lexicon::normalised_idf;
use crate::parallel;
use crate::settings::{Budget, Settings};
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
        let mut narrowed = Store::new(budget.weighted(), settings);
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
