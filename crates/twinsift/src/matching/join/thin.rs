//! Drops the features that occur once, and the documents that this leaves
//! without a possible partner.

use super::repeats::Repeats;
use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::{Job, similarity::Similarity};
use crate::parallel;

/// Keeps what can still matter, of representatives only.
pub(super) fn thin(
    job: &Job<'_>,
    similarity: Similarity,
    reach: f64,
    store: Store,
    repeats: Repeats,
) -> Result<Store> {
    let mut thinned = Store::new(job.budget.thinned(), &job.settings.tmp);
    parallel::each_block(
        store,
        |block| {
            let mut out = Block::default();
            for at in 0..block.len() {
                if job.classes.is_representative(block.docs[at]) {
                    document(block, at, similarity, reach, &repeats, &mut out);
                }
            }
            out
        },
        |block| thinned.push(block).map(|_| ()),
    )?;
    Ok(thinned)
}

fn document(
    block: &Block,
    at: usize,
    similarity: Similarity,
    reach: f64,
    repeats: &Repeats,
    out: &mut Block,
) {
    let vector = block.vector(at);
    let (values, weights) = (out.values.len(), out.weights.len());
    let mut left = 0.0;
    repeats.each(vector.values, |at, repeated| {
        if repeated {
            left += similarity.mass(vector.weight(at));
            out.values.push(vector.values[at]);
            if let Some(&weight) = vector.weights.get(at) {
                out.weights.push(weight);
            }
        }
    });
    if left > 0.0 && left >= reach * vector.total {
        out.end_document(block.docs[at], vector.total);
    } else {
        out.values.truncate(values);
        out.weights.truncate(weights);
    }
}
