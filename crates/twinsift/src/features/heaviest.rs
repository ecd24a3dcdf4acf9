//! Only the features of a document that weigh most: the "top terms" of the ANDD paper.

use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::Result;
use crate::parallel;
use crate::settings::{Budget, Settings};

/// Keeps the `top` heaviest features; of equal weights, those with the lower value. They
/// come in any order.
pub(crate) fn keep(features: &mut Vec<(u64, f32)>, top: usize) {
    if top < features.len() {
        features.select_nth_unstable_by(top, |x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
        features.truncate(top);
    }
}

/// Keeps the `top` heaviest features of each document in `store`, and gives it the total
/// that `total` makes of how many there are and of their weights.
pub(crate) fn cut(
    store: Store,
    top: usize,
    total: impl Fn(usize, &[f32]) -> f64 + Sync,
    settings: &Settings,
) -> Result<Store> {
    let mut cut = Store::new(Budget::new(settings.memory).weighted(), settings);
    parallel::each_block(
        store,
        |block| cut_block(&block, top, &total),
        |block| cut.push(block).map(|_| ()),
    )?;
    Ok(cut)
}

pub(crate) fn cut_block(block: &Block, top: usize, total: impl Fn(usize, &[f32]) -> f64) -> Block {
    let mut out = Block::default();
    let mut features = Vec::new();
    for at in 0..block.len() {
        let vector = block.vector(at);
        let weights = (0..).map(|at| vector.weight(at) as f32);
        features.clear();
        features.extend(vector.values.iter().copied().zip(weights));
        keep(&mut features, top);
        features.sort_unstable_by_key(|&(value, _)| value);
        let weights_from = out.weights.len();
        out.values.extend(features.iter().map(|&(value, _)| value));
        if !vector.weights.is_empty() {
            let weights = features.iter().map(|&(_, weight)| weight);
            out.weights.extend(weights);
        }
        let total = total(features.len(), &out.weights[weights_from..]);
        out.end_document(block.docs[at], total);
    }
    out
}
