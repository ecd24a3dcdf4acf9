//! Drops the documents that cannot have a partner.

use super::Rule;
use super::repeats::Repeats;
use crate::collection::block::{Block, Vector};
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use crate::parallel;

/// Keeps representatives whose regions hold enough repeated features.
pub(super) fn thin(job: &Job<'_>, rule: &Rule, store: Store, repeats: Repeats) -> Result<Store> {
    let mut thinned = Store::new(job.budget.thinned(), &job.settings.tmp);
    parallel::each_block(
        store,
        |block| {
            let alive: Vec<usize> = (0..block.len())
                .filter(|&at| job.classes.is_representative(block.docs[at]))
                .filter(|&at| may_have_partner(rule, block.vector(at), &repeats))
                .collect();
            block.select(&alive)
        },
        |block: Block| match block.is_empty() {
            true => Ok(()),
            false => thinned.push(block).map(|_| ()),
        },
    )?;
    Ok(thinned)
}

fn may_have_partner(rule: &Rule, vector: Vector<'_>, repeats: &Repeats) -> bool {
    let features = vector.values.len();
    let least = rule.region.least_common(features, vector.total);
    let mut common = 0.0;
    repeats.any(&vector.values[..rule.region.length(features)], |at| {
        common += rule.similarity.mass(vector.weight(at));
        common >= least
    })
}
