//! Which documents can have a partner?
//!
//! A document stays if enough features of its region occur in the region of
//! another one. Which features do is noted with two bits each, "seen" and "seen
//! again", at a place that several features may share: the answer errs on the side
//! of "repeated", which costs a little work and never a pair.

use super::Rule;
use super::ranges::{Chunks, Deal, Dealt};
use super::region::Region;
use crate::collection::block::Vector;
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use rayon::prelude::*;

/// Places for each feature: about one in eight is taken for repeated though it is
/// not.
const PLACES: usize = 8;

/// Places in a slice: two bits each, half a mebibyte.
const SLICE: usize = 1 << 21;

/// Tells of every document, by block, whether it stays: representatives do whose
/// regions hold enough repeated features.
pub(super) fn thin(job: &Job<'_>, rule: &Rule, store: &Store) -> Result<Vec<Vec<bool>>> {
    let noted = rule.short.length(store.features());
    let deal = Deal::new(noted * PLACES, SLICE);
    let at_once = job.budget.streams() / (noted * size_of::<u32>() / deal.ranges()).max(1);
    let regions = Regions {
        job,
        region: rule.short,
        store,
    };
    // The repeated mass of every document and what it takes to stay, by block.
    let mut masses: Vec<Vec<(f64, f64)>> = vec![Vec::new(); store.len()];
    for start in (0..deal.ranges()).step_by(at_once.max(1)) {
        let ranges = start..deal.ranges().min(start.saturating_add(at_once.max(1)));
        let mut dealt = Dealt::new(&regions, deal, ranges)?;
        dealt.answer(|_, streams| mark_repeated(deal.slots(), streams));
        masses
            .par_iter_mut()
            .enumerate()
            .try_for_each(|(block, masses)| {
                let mut at = 0;
                dealt.replay(&regions, block, |vector, repeated| {
                    if at == masses.len() {
                        masses.push((0.0, rule.short.least_common(vector.total)));
                    }
                    masses[at].0 += repeated_mass(rule, vector, repeated);
                    at += 1;
                })
            })?;
    }
    // Sums of weights were rounded.
    let stays = |(repeated, least): (f64, f64)| repeated * (1.0 + 1e-9) >= least;
    Ok(masses
        .into_iter()
        .map(|block| block.into_iter().map(stays).collect())
        .collect())
}

fn repeated_mass(rule: &Rule, vector: Vector<'_>, repeated: &[u8]) -> f64 {
    match vector.weights.is_empty() {
        true => f64::from(repeated.iter().map(|&flag| u32::from(flag)).sum::<u32>()),
        false => (repeated.iter().enumerate())
            .filter(|&(_, &flag)| flag > 0)
            .map(|(at, _)| rule.similarity.mass(vector.weight(at)))
            .sum(),
    }
}

/// Replaces each place by whether it was met at least twice.
fn mark_repeated(slots: usize, streams: &mut [&mut [u32]]) {
    // 32 places to a word: the low half holds "seen", the high half "seen again".
    let mut words = vec![0u64; slots.div_ceil(32)];
    for &slot in streams.iter().flat_map(|stream| stream.iter()) {
        let (word, bit) = (&mut words[slot as usize / 32], slot % 32);
        *word |= 1 << bit | ((*word >> bit) & 1) << (bit + 32);
    }
    for slot in streams.iter_mut().flat_map(|stream| stream.iter_mut()) {
        *slot = (words[*slot as usize / 32] >> (*slot % 32 + 32)) as u32 & 1;
    }
}

/// The regions of all representatives; other documents show nothing.
struct Regions<'a> {
    job: &'a Job<'a>,
    region: Region,
    store: &'a Store,
}

impl Chunks for Regions<'_> {
    fn len(&self) -> usize {
        self.store.len()
    }

    fn visit(&self, chunk: usize, show: &mut dyn FnMut(Vector<'_>)) -> Result<()> {
        let block = self.store.load(chunk)?;
        for at in 0..block.len() {
            let vector = block.vector(at);
            show(match self.job.classes.is_representative(block.docs[at]) {
                true => self.region.of(vector),
                false => Vector {
                    values: &[],
                    ..vector
                },
            });
        }
        Ok(())
    }
}
