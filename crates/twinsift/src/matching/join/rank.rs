//! Puts each document's features in one common order, the rare ones first.
//!
//! Features are counted in a table of small counters; two features may share a
//! counter, which makes the order a little worse and changes nothing else. A
//! feature's *key* is the class of its count, then the leading bits of its value:
//! sorting by key is sorting by frequency.

use super::band::{Band, KEY_SHIFT};
use crate::collection::block::{Block, Vector};
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::{Job, similarity::Similarity};
use crate::parallel;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Counters stop here: far enough below 65,535 that threads which add at the same
/// time cannot overflow one.
const FULL: u16 = 1 << 15;

const TOGETHER: usize = 16;

/// Documents in bands of similar size, features in common order.
pub(super) struct Ranked {
    store: Store,
    pub(super) bands: Vec<BandPlan>,
}

/// One band: the documents up to some size.
pub(super) struct BandPlan {
    /// The largest document of the band, by total and number.
    last: (f64, u32),
    smallest_total: f64,
    blocks: Vec<usize>,
    filling: Block,
}

impl Ranked {
    pub(super) fn load(&self, band: usize) -> Result<Band> {
        let blocks = self.bands[band]
            .blocks
            .iter()
            .map(|&block| self.store.load(block))
            .collect::<Result<Vec<_>>>()?;
        Ok(Band::new(&blocks))
    }

    pub(super) fn smallest_total(&self, band: usize) -> f64 {
        self.bands[band].smallest_total
    }
}

pub(super) fn rank(
    job: &Job<'_>,
    similarity: Similarity,
    reach: f64,
    thinned: Store,
) -> Result<Ranked> {
    let counters = count(job, &thinned)?;
    let mut bands = plan(job, &thinned)?;
    let mut store = Store::new(job.budget.ranked(), &job.settings.tmp);
    let flush_at = job.budget.band_buffer(bands.len());
    parallel::each_block(
        thinned,
        |block| {
            let mut order = Order::default();
            let mut out = Block::default();
            for at in 0..block.len() {
                order.document(block, at, similarity, reach, &counters, &mut out);
            }
            out
        },
        |block| {
            for at in 0..block.len() {
                let (doc, vector) = (block.docs[at], block.vector(at));
                let size = (vector.total, doc);
                let band = bands.partition_point(|band| band.last < size);
                let filling = &mut bands[band].filling;
                filling.push(doc, vector);
                if filling.bytes() >= flush_at {
                    let full = std::mem::take(filling);
                    bands[band].blocks.push(store.push(full)?);
                }
            }
            Ok(())
        },
    )?;
    for band in &mut bands {
        let rest = std::mem::take(&mut band.filling);
        if !rest.is_empty() {
            band.blocks.push(store.push(rest)?);
        }
    }
    Ok(Ranked { store, bands })
}

/// Counts the features that are left, each slot up to [`FULL`].
fn count(job: &Job<'_>, store: &Store) -> Result<Counters> {
    let mut features = 0;
    for at in 0..store.len() {
        features += store.load(at)?.values.len();
    }
    let slots = features.min(job.budget.counters() / 2).max(1);
    let mut list = Vec::new();
    list.resize_with(slots, AtomicU16::default);
    let counters = Counters(list);
    parallel::look_at_blocks(store, |block| counters.add(&block.values))?;
    Ok(counters)
}

struct Counters(Vec<AtomicU16>);

impl Counters {
    #[inline]
    fn slot(&self, value: u64) -> &AtomicU16 {
        &self.0[(u128::from(value) * self.0.len() as u128 >> 64) as usize]
    }

    fn add(&self, values: &[u64]) {
        for group in values.chunks(TOGETHER) {
            let mut before = [0; TOGETHER];
            for (before, &value) in before.iter_mut().zip(group) {
                *before = self.slot(value).load(Relaxed);
            }
            for (&before, &value) in before.iter().zip(group) {
                if before < FULL && self.slot(value).load(Relaxed) < FULL {
                    self.slot(value).fetch_add(1, Relaxed);
                }
            }
        }
    }

    /// The class of a value's count: 0 for one that occurs once, then rising
    /// with its frequency, in steps of about a quarter.
    #[inline]
    fn class(&self, value: u64) -> u16 {
        let count = self.slot(value).load(Relaxed).min(FULL);
        match count {
            0..=8 => count.saturating_sub(1),
            _ => {
                let power = count.ilog2() as u16;
                let quarter = (count >> (power - 2)) & 3;
                8 + (power - 3) * 4 + quarter
            }
        }
    }
}

/// Cuts the documents into bands by size, each small enough for the budget.
fn plan(job: &Job<'_>, thinned: &Store) -> Result<Vec<BandPlan>> {
    let mut sizes: Vec<(f64, u32, u32)> = Vec::new();
    for at in 0..thinned.len() {
        let block = thinned.load(at)?;
        let per_feature = if block.weights.is_empty() { 8 } else { 12 };
        sizes.extend((0..block.len()).map(|at| {
            let bytes = block.range(at).len() * per_feature + 16;
            (block.totals[at], block.docs[at], bytes as u32)
        }));
    }
    sizes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let limit = job.budget.band();
    let mut bands: Vec<BandPlan> = Vec::new();
    let mut bytes = 0usize;
    for (total, doc, size) in sizes {
        bytes = bytes.saturating_add(size as usize);
        if bands.is_empty() || bytes > limit {
            bands.push(BandPlan {
                last: (total, doc),
                smallest_total: total,
                blocks: Vec::new(),
                filling: Block::default(),
            });
            bytes = size as usize;
        }
        if let Some(band) = bands.last_mut() {
            band.last = (total, doc);
        }
    }
    Ok(bands)
}

/// Buffers for ordering one document after another.
#[derive(Default)]
struct Order {
    features: Vec<(u64, f32)>,
}

impl Order {
    fn document(
        &mut self,
        block: &Block,
        at: usize,
        similarity: Similarity,
        reach: f64,
        counters: &Counters,
        out: &mut Block,
    ) {
        let Vector {
            total,
            values,
            weights,
        } = block.vector(at);
        self.features.clear();
        let mut left = 0.0;
        for group_at in (0..values.len()).step_by(TOGETHER) {
            let group = &values[group_at..values.len().min(group_at + TOGETHER)];
            let mut classes = [0; TOGETHER];
            for (class, &value) in classes.iter_mut().zip(group) {
                *class = counters.class(value);
            }
            for (at, (&class, &value)) in classes.iter().zip(group).enumerate() {
                if class > 0 {
                    let weight = weights.get(group_at + at).copied().unwrap_or(1.0);
                    left += similarity.mass(f64::from(weight));
                    let key = u64::from(class) << KEY_SHIFT | value >> (64 - KEY_SHIFT);
                    self.features.push((key, weight));
                }
            }
        }
        if left == 0.0 || left < reach * total {
            return;
        }
        self.features.sort_unstable_by_key(|&(key, _)| key);
        out.values.extend(self.features.iter().map(|&(key, _)| key));
        if !weights.is_empty() {
            let sorted = self.features.iter().map(|&(_, weight)| weight);
            out.weights.extend(sorted);
        }
        out.end_document(block.docs[at], total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_rise_with_counts_and_fit_their_bits() {
        let counters = Counters(vec![AtomicU16::new(0)]);
        let mut last = 0;
        for count in 0..=FULL {
            counters.0[0].store(count, Relaxed);
            let class = counters.class(7);
            assert!(class >= last && class < 1 << (64 - KEY_SHIFT));
            assert_eq!(class == 0, count < 2);
            last = class;
        }
    }
}
