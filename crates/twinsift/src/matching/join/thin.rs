//! Which documents can have a partner?
//!
//! A document stays if enough features of its region occur in the region of
//! another one. Which features do is noted with two bits each, "seen" and "seen
//! again", at a place that several features may share: the answer errs on the side
//! of "repeated", which costs a little work and never a pair.

use super::Rule;
use super::ranges::{self, Deal, Hand, by_range};
use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use rayon::prelude::*;
use std::ops::Range;

/// Places for each feature: about one in eight is taken for repeated though it is
/// not.
const PLACES: usize = 8;

/// Places in a slice: two bits each, a quarter of a mebibyte.
const SLICE: usize = 1 << 20;

/// Documents that are dealt out together.
const SHEAF: usize = 1 << DOCUMENT_BITS;

/// An item is a feature's slot, and below it so many bits for which document of its
/// sheaf has the feature.
const DOCUMENT_BITS: u32 = 8;

/// An item's lowest bits again, and this one if the feature is repeated.
const REPEATED: u32 = 1 << DOCUMENT_BITS;

/// Tells of every document, by block, whether it stays: representatives do whose
/// regions hold enough repeated features.
pub(super) fn thin(job: &Job<'_>, rule: &Rule, store: &Store) -> Result<Vec<Vec<bool>>> {
    let noted = rule.short.length(store.features());
    let deal = Deal::new(noted * PLACES, SLICE).limited(1 << (u32::BITS - DOCUMENT_BITS));
    // An item, and a mass beside it.
    let bytes = size_of::<u32>() + usize::from(rule.weighted) * size_of::<f32>();
    let at_once = job.budget.streams() / (noted * bytes / deal.ranges()).max(1);
    // The repeated mass of every document and what it takes to stay, by block.
    let mut masses: Vec<Vec<(f64, f64)>> = vec![Vec::new(); store.len()];
    for start in (0..deal.ranges()).step_by(at_once.max(1)) {
        let ranges = start..deal.ranges().min(start.saturating_add(at_once.max(1)));
        let mut sheaves = (0..store.len())
            .into_par_iter()
            .map_init(Buffers::default, |buffers, number| {
                let block = store.load(number)?;
                let starts = (0..block.len()).step_by(SHEAF);
                Ok(starts
                    .map(|first| {
                        let docs = first..block.len().min(first + SHEAF);
                        Sheaf::new(job, rule, &block, docs, deal, &ranges, buffers)
                    })
                    .collect())
            })
            .collect::<Result<Vec<Vec<Sheaf>>>>()?;
        let hands = sheaves.iter_mut().flatten().map(|sheaf| &mut sheaf.hand);
        by_range(hands, ranges.len())
            .into_par_iter()
            .for_each(|streams| mark_repeated(deal.slots(), streams));
        let masses = masses.par_iter_mut().enumerate().zip(sheaves);
        masses.try_for_each(|((number, masses), sheaves)| {
            if masses.is_empty() {
                let block = store.load(number)?;
                let totals = block.totals.iter();
                masses.extend(totals.map(|&total| (0.0, rule.short.least_common(total))));
            }
            for (sheaf, masses) in sheaves.iter().zip(masses.chunks_mut(SHEAF)) {
                sheaf.add_repeated(masses);
            }
            Ok(())
        })?;
    }
    // Sums of weights were rounded.
    let stays = |(repeated, least): (f64, f64)| repeated * (1.0 + 1e-6) >= least;
    Ok(masses
        .into_iter()
        .map(|block| block.into_iter().map(stays).collect())
        .collect())
}

/// What a thread gathers the features of a sheaf in.
#[derive(Default)]
struct Buffers {
    values: Vec<u64>,
    docs: Vec<u8>,
    masses: Vec<f32>,
}

/// The features of a few documents, dealt out.
struct Sheaf {
    hand: Hand,
    /// The mass of each, beside the items of the hand; empty if all are 1.
    masses: Vec<f32>,
}

impl Sheaf {
    fn new(
        job: &Job<'_>,
        rule: &Rule,
        block: &Block,
        docs: Range<usize>,
        deal: Deal,
        ranges: &Range<usize>,
        buffers: &mut Buffers,
    ) -> Self {
        let Buffers {
            values,
            docs: owners,
            masses,
        } = buffers;
        values.clear();
        owners.clear();
        masses.clear();
        for (owner, at) in docs.enumerate() {
            if job.classes.is_representative(block.docs[at]) {
                let vector = rule.short.of(block.vector(at));
                values.extend(vector.values.iter().map(|&value| ranges::spread(value)));
                owners.resize(values.len(), owner as u8);
                let weights = vector.weights.iter().take(vector.values.len());
                masses.extend(weights.map(|&weight| rule.similarity.mass(weight.into()) as f32));
            }
        }
        let mut dealt = Vec::new();
        let hand = Hand::new(values, deal, ranges, |at, slot, to| {
            if let Some(&mass) = masses.get(at) {
                dealt.resize(dealt.len().max(to + 1), 0.0);
                dealt[to] = mass;
            }
            slot << DOCUMENT_BITS | u32::from(owners[at])
        });
        Self {
            hand,
            masses: dealt,
        }
    }

    /// Adds the repeated mass of each document, once repeated items are marked.
    fn add_repeated(&self, masses: &mut [(f64, f64)]) {
        if self.masses.is_empty() {
            let mut counts = [0u32; SHEAF];
            for &item in &self.hand.items {
                counts[item as usize % SHEAF] += item >> DOCUMENT_BITS;
            }
            for ((mass, _), count) in masses.iter_mut().zip(counts) {
                *mass += f64::from(count);
            }
            return;
        }
        for (&item, &mass) in self.hand.items.iter().zip(&self.masses) {
            if item & REPEATED > 0 {
                masses[item as usize % SHEAF].0 += f64::from(mass);
            }
        }
    }
}

/// Replaces the slot of each item by whether it was met at least twice.
fn mark_repeated(slots: usize, mut streams: Vec<&mut [u32]>) {
    // 32 places to a word: the low half holds "seen", the high half "seen again".
    let mut words = vec![0u64; slots.div_ceil(32)];
    for &item in streams.iter().flat_map(|stream| stream.iter()) {
        let slot = item >> DOCUMENT_BITS;
        let (word, bit) = (&mut words[slot as usize / 32], slot % 32);
        *word |= 1 << bit | ((*word >> bit) & 1) << (bit + 32);
    }
    for item in streams.iter_mut().flat_map(|stream| stream.iter_mut()) {
        let slot = *item >> DOCUMENT_BITS;
        let repeated = (words[slot as usize / 32] >> (slot % 32 + 32)) as u32 & 1;
        *item = (*item % REPEATED) | (repeated << DOCUMENT_BITS);
    }
}
