//! Drops the documents that cannot have a partner.
//!
//! A document stays if enough features of its region occur in the region of
//! another one. Which features do is noted with two bits each, "seen" and "seen
//! again", at a place that several features may share: the answer errs on the side
//! of "repeated", which costs a little work and never a pair.

use super::Rule;
use super::ranges::{Chunks, Deal, Dealt};
use crate::collection::block::Vector;
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use crate::parallel;
use rayon::prelude::*;

/// Places for each feature: about one in eight is taken for repeated though it is
/// not.
const PLACES: usize = 8;

/// Places in a slice: two bits each, half a mebibyte.
const SLICE: usize = 1 << 21;

/// Keeps representatives whose regions hold enough repeated features.
pub(super) fn thin(job: &Job<'_>, rule: &Rule, store: Store) -> Result<Store> {
    let noted = rule.region.length(store.features());
    let deal = Deal::new(noted * PLACES, SLICE);
    let at_once = job.budget.streams() / (noted * size_of::<u32>() / deal.ranges()).max(1);
    let regions = Regions {
        job,
        rule,
        store: &store,
    };
    // The repeated mass of every document, by block.
    let mut common: Vec<Vec<f64>> = vec![Vec::new(); store.len()];
    for start in (0..deal.ranges()).step_by(at_once.max(1)) {
        let ranges = start..deal.ranges().min(start.saturating_add(at_once.max(1)));
        let mut dealt = Dealt::new(&regions, deal, ranges)?;
        dealt.answer(|_, streams| mark_repeated(deal.slots(), streams));
        common
            .par_iter_mut()
            .enumerate()
            .try_for_each(|(block, common)| {
                let mut at = 0;
                dealt.replay(&regions, block, |vector, repeated| {
                    let mass = |(at, &repeated): (usize, &u32)| match repeated {
                        0 => 0.0,
                        _ => rule.similarity.mass(vector.weight(at)),
                    };
                    let sum: f64 = repeated.iter().enumerate().map(mass).sum();
                    match common.get_mut(at) {
                        Some(common) => *common += sum,
                        None => common.push(sum),
                    }
                    at += 1;
                })
            })?;
    }
    let mut thinned = Store::new(job.budget.thinned(), &job.settings.tmp);
    parallel::each_block(
        store,
        |number, mut block| {
            block.retain(|at, vector| {
                let least = rule.region.least_common(vector.values.len(), vector.total);
                // Sums of weights were rounded.
                common[number][at] * (1.0 + 1e-9) >= least
            });
            block
        },
        |block| match block.is_empty() {
            true => Ok(()),
            false => thinned.push(block).map(|_| ()),
        },
    )?;
    Ok(thinned)
}

/// Replaces each place by whether it was met at least twice.
fn mark_repeated(slots: usize, streams: &mut [Vec<u32>]) {
    // 32 places to a word: the low half holds "seen", the high half "seen again".
    let mut words = vec![0u64; slots.div_ceil(32)];
    for &slot in streams.iter().flatten() {
        let (word, bit) = (&mut words[slot as usize / 32], slot % 32);
        *word |= 1 << bit | ((*word >> bit) & 1) << (bit + 32);
    }
    for slot in streams.iter_mut().flatten() {
        *slot = (words[*slot as usize / 32] >> (*slot % 32 + 32)) as u32 & 1;
    }
}

/// The regions of all representatives; other documents show nothing.
struct Regions<'a> {
    job: &'a Job<'a>,
    rule: &'a Rule,
    store: &'a Store,
}

impl Chunks for Regions<'_> {
    fn len(&self) -> usize {
        self.store.len()
    }

    fn features(&self, chunk: usize) -> usize {
        self.rule.region.length(self.store.features_of(chunk))
    }

    fn visit(&self, chunk: usize, show: &mut dyn FnMut(Vector<'_>)) -> Result<()> {
        let block = self.store.load(chunk)?;
        for at in 0..block.len() {
            let vector = block.vector(at);
            let length = match self.job.classes.is_representative(block.docs[at]) {
                true => self.rule.region.length(vector.values.len()),
                false => 0,
            };
            show(Vector {
                values: &vector.values[..length],
                ..vector
            });
        }
        Ok(())
    }
}
