//! Weights by rarity: `(1 + ln tf) * ln(1 + N / df)`.
//!
//! The document frequency of every feature is counted exactly. Features are
//! counted a range of values at a time, as many ranges as the memory asks for;
//! with enough memory there is one. `1 +` inside the logarithm keeps a feature
//! that every document has above zero, so that two equal documents stay equal
//! also in a collection of two.

use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::Result;
use crate::hash;
use crate::parallel;
use crate::settings::{Budget, Settings};
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;

/// How many documents have each feature.
pub(crate) type Counts = HashMap<u64, u32, hash::OfHashes>;

/// Bytes that one counter takes in a hash map, roughly.
pub(crate) const COUNTER_BYTES: usize = 24;

/// Replaces the counts in `store` by tf-idf weights, and each document's total by
/// what `total` makes of its weights. `documents` is the size of the collection.
pub(crate) fn weigh(
    store: Store,
    documents: usize,
    total: impl Fn(&[f32]) -> f64 + Sync,
    settings: &Settings,
) -> Result<Store> {
    let budget = Budget::new(settings.memory);
    let features = store.features();
    let passes = (features * COUNTER_BYTES)
        .div_ceil(budget.frequencies())
        .max(1);
    let parts = rayon::current_num_threads();
    let mut store = store;
    for pass in 0..passes {
        let ranges: Vec<Range<u128>> = (0..parts)
            .map(|part| slice(pass * parts + part, passes * parts))
            .collect();
        let counted: Vec<Counts> = ranges
            .par_iter()
            .map(|range| count(&store, range))
            .collect::<Result<_>>()?;
        let mut weighted = Store::new(budget.weighted(), settings);
        parallel::each_block(
            store,
            |mut block| {
                for (range, counts) in ranges.iter().zip(&counted) {
                    apply(&mut block, range, counts, documents);
                }
                block.totals = (0..block.len())
                    .map(|at| total(&block.weights[block.range(at)]))
                    .collect();
                block
            },
            |block| weighted.push(block).map(|_| ()),
        )?;
        store = weighted;
    }
    Ok(store)
}

/// The `part`-th of `parts` equal ranges of all values.
pub(crate) fn slice(part: usize, parts: usize) -> Range<u128> {
    let bound = |part: usize| (1u128 << 64) * part as u128 / parts as u128;
    bound(part)..bound(part + 1)
}

/// The features of a document within a range of values.
fn within(values: &[u64], range: &Range<u128>) -> Range<usize> {
    let position = |bound: u128| values.partition_point(|&value| u128::from(value) < bound);
    position(range.start)..position(range.end)
}

pub(crate) fn count(store: &Store, range: &Range<u128>) -> Result<Counts> {
    let mut counts = Counts::default();
    for at in 0..store.len() {
        let block = store.lend(at)?;
        for at in 0..block.len() {
            let values = block.vector(at).values;
            for &value in &values[within(values, range)] {
                *counts.entry(value).or_insert(0) += 1;
            }
        }
    }
    Ok(counts)
}

fn apply(block: &mut Block, range: &Range<u128>, counts: &Counts, documents: usize) {
    for at in 0..block.len() {
        let all = block.range(at);
        let part = within(&block.values[all.clone()], range);
        for feature in all.start + part.start..all.start + part.end {
            let df = counts.get(&block.values[feature]).copied().unwrap_or(1);
            let tf = f64::from(block.weights[feature]);
            block.weights[feature] = weight(tf, df, documents) as f32;
        }
    }
}

/// What a feature counts that is in a document `tf` times and in `df` of all documents.
pub fn weight(tf: f64, df: u32, documents: usize) -> f64 {
    (1.0 + tf.ln()) * (1.0 + documents as f64 / f64::from(df)).ln()
}
