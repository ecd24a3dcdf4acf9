//! A filter before all others: which documents may have a partner.
//!
//! A document stays if enough features of its region occur in the region of
//! another one. Which features do is noted with two bits each, "seen" and "seen
//! again", at a place that several features may share: the answer errs on the side
//! of "repeated", which costs a little work and never a pair.

use super::Rule;
use super::ranges::{CHUNK, Chunk, DOCUMENT_BITS, Partitioning, Table, by_range, owner};
use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use crate::vector::Vector;
use rayon::prelude::*;

/// Two bits to a place, so slices are a quarter of a mebibyte, and half a one in large
/// collections. With eight places for each feature about one in eight is taken for
/// repeated though it is not, with two places two in five.
const TABLE: Table = Table {
    most_places: 8,
    fewest_places: 2,
    slice: 1 << 20,
    largest_slice: 1 << 21,
};

/// Is added to the number of the document in an item if its feature is repeated.
const REPEATED: u32 = 1 << DOCUMENT_BITS;

/// Returns for every document, by block, whether it may have a partner: representatives may
/// whose regions hold enough repeated features.
pub(super) fn may_have_partner(
    job: &Job<'_>,
    rule: &Rule,
    store: &Store,
) -> Result<Vec<Vec<bool>>> {
    let noted = rule.short.length(store.features());
    let partitioning = Partitioning::new(noted, TABLE);
    // An item, and a mass beside it.
    let bytes = size_of::<u32>() + usize::from(rule.weighted) * size_of::<f32>();
    let at_once = job.budget.streams() / (noted * bytes / partitioning.ranges()).max(1);
    // The repeated mass of every document and the least that it needs, by block.
    let mut masses: Vec<Vec<(f64, f64)>> = vec![Vec::new(); store.len()];
    for start in (0..partitioning.ranges()).step_by(at_once.max(1)) {
        let ranges = start
            ..partitioning
                .ranges()
                .min(start.saturating_add(at_once.max(1)));
        let mut chunks = (0..store.len())
            .into_par_iter()
            .map(|number| {
                let block = store.lend(number)?;
                let starts = (0..block.len()).step_by(CHUNK);
                let chunks = starts.map(|first| {
                    let documents = first..block.len().min(first + CHUNK);
                    let regions = documents.map(|at| region(job, rule, &block, at));
                    Chunk::new(regions, rule.similarity, partitioning, &ranges)
                });
                Ok(chunks.collect())
            })
            .collect::<Result<Vec<Vec<Chunk>>>>()?;
        let items = chunks.iter_mut().flatten().map(Chunk::items_mut);
        by_range(items, ranges.len())
            .into_par_iter()
            .try_for_each(|streams| {
                job.check()?;
                mark_repeated(partitioning, streams);
                Ok(())
            })?;
        let masses = masses.par_iter_mut().enumerate().zip(chunks);
        masses.try_for_each(|((number, masses), chunks)| {
            if masses.is_empty() {
                let block = store.lend(number)?;
                let totals = block.totals.iter();
                masses.extend(totals.map(|&total| (0.0, rule.short.least_common(total))));
            }
            for (chunk, masses) in chunks.iter().zip(masses.chunks_mut(CHUNK)) {
                add_repeated(chunk, masses);
            }
            Ok(())
        })?;
    }
    // Sums of weights were rounded.
    let may_have_partner = |(repeated, least): (f64, f64)| repeated * (1.0 + 1e-6) >= least;
    Ok(masses
        .into_iter()
        .map(|block| block.into_iter().map(may_have_partner).collect())
        .collect())
}

/// The region of a document; nothing if another one represents it.
fn region<'a>(job: &Job<'_>, rule: &Rule, block: &'a Block, at: usize) -> Vector<'a> {
    let vector = block.vector(at);
    match job.classes.is_representative(block.docs[at]) {
        true => rule.short.of(vector),
        false => Vector {
            values: &[],
            ..vector
        },
    }
}

/// Replaces each item by its document and whether its place was seen at least twice.
fn mark_repeated(partitioning: Partitioning, mut streams: Vec<&mut [u32]>) {
    // 32 places to a word: the low half holds "seen", the high half "seen again".
    let mut words = vec![0u64; partitioning.places().div_ceil(32)];
    for stream in &streams {
        for &item in stream.iter() {
            let place = partitioning.place(item);
            let (word, bit) = (&mut words[place / 32], place % 32);
            *word |= 1 << bit | ((*word >> bit) & 1) << (bit + 32);
        }
    }
    for stream in &mut streams {
        for item in stream.iter_mut() {
            let place = partitioning.place(*item);
            let repeated = words[place / 32] >> (place % 32 + 32) & 1;
            *item = owner(*item) as u32 + repeated as u32 * REPEATED;
        }
    }
}

/// Adds the repeated mass of each document, once items are marked.
fn add_repeated(chunk: &Chunk, masses: &mut [(f64, f64)]) {
    if chunk.masses.is_empty() {
        let mut counts = [0u32; CHUNK];
        for &item in &chunk.items {
            counts[owner(item)] += item / REPEATED;
        }
        for ((mass, _), count) in masses.iter_mut().zip(counts) {
            *mass += f64::from(count);
        }
        return;
    }
    for (&item, &mass) in chunk.items.iter().zip(&chunk.masses) {
        if item >= REPEATED {
            masses[owner(item)].0 += f64::from(mass);
        }
    }
}
