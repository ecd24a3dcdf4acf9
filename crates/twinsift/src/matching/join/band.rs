//! Documents cut into bands by size, and one band in memory.

use super::ranges::Chunks;
use crate::collection::block::{Block, Vector};
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use std::sync::Arc;

/// Documents that are worked on together.
const CHUNK: usize = 1024;

/// All bands, smallest documents first.
pub(super) struct Bands {
    store: Store,
    plans: Vec<Plan>,
}

/// One band: the documents up to some size.
struct Plan {
    /// The largest document of the band, by total and number.
    last: (f64, u32),
    smallest_total: f64,
    blocks: Vec<usize>,
    filling: Block,
}

impl Bands {
    /// Cuts documents into bands, each small enough for the budget.
    pub(super) fn cut(job: &Job<'_>, thinned: Store) -> Result<Self> {
        let mut plans = plan(job, &thinned)?;
        if let [only] = &mut plans[..] {
            only.blocks = (0..thinned.len()).collect();
            return Ok(Self {
                store: thinned,
                plans,
            });
        }
        let mut thinned = thinned;
        let mut store = Store::new(job.budget.banded(), &job.settings.tmp);
        let flush_at = job.budget.band_buffer(plans.len());
        for number in 0..thinned.len() {
            let block = thinned.take(number)?;
            for at in 0..block.len() {
                let size = (block.totals[at], block.docs[at]);
                let band = plans.partition_point(|plan| plan.last < size);
                let plan = &mut plans[band];
                plan.filling.push(block.docs[at], block.vector(at));
                if plan.filling.bytes() >= flush_at {
                    let full = std::mem::take(&mut plan.filling);
                    plan.blocks.push(store.push(full)?);
                }
            }
        }
        for plan in &mut plans {
            let rest = std::mem::take(&mut plan.filling);
            if !rest.is_empty() {
                plan.blocks.push(store.push(rest)?);
            }
        }
        Ok(Self { store, plans })
    }

    pub(super) fn len(&self) -> usize {
        self.plans.len()
    }

    pub(super) fn load(&self, band: usize) -> Result<Band> {
        let blocks = self.plans[band]
            .blocks
            .iter()
            .map(|&block| self.store.load(block))
            .collect::<Result<Vec<_>>>()?;
        Ok(Band::new(blocks))
    }

    pub(super) fn smallest_total(&self, band: usize) -> f64 {
        self.plans[band].smallest_total
    }
}

fn plan(job: &Job<'_>, thinned: &Store) -> Result<Vec<Plan>> {
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
    let mut plans: Vec<Plan> = Vec::new();
    let mut bytes = 0usize;
    for (total, doc, size) in sizes {
        bytes = bytes.saturating_add(size as usize);
        if plans.is_empty() || bytes > limit {
            plans.push(Plan {
                last: (total, doc),
                smallest_total: total,
                blocks: Vec::new(),
                filling: Block::default(),
            });
            bytes = size as usize;
        }
        if let Some(plan) = plans.last_mut() {
            plan.last = (total, doc);
        }
    }
    Ok(plans)
}

/// The documents of one band in ascending order of their totals.
pub(super) struct Band {
    blocks: Vec<Arc<Block>>,
    /// Block and position of each document.
    order: Vec<(u32, u32)>,
    totals: Vec<f64>,
}

impl Band {
    fn new(blocks: Vec<Arc<Block>>) -> Self {
        let mut order: Vec<(f64, u32, u32, u32)> = Vec::new();
        for (number, block) in (0u32..).zip(&blocks) {
            let sizes = block.totals.iter().zip(&block.docs);
            let places = (0u32..).zip(sizes);
            order.extend(places.map(|(at, (&total, &doc))| (total, doc, number, at)));
        }
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self {
            totals: order.iter().map(|place| place.0).collect(),
            order: order.iter().map(|place| (place.2, place.3)).collect(),
            blocks,
        }
    }

    pub(super) fn documents(&self) -> usize {
        self.order.len()
    }

    pub(super) fn features(&self) -> usize {
        self.blocks.iter().map(|block| block.values.len()).sum()
    }

    pub(super) fn doc(&self, at: usize) -> u32 {
        let (block, place) = self.order[at];
        self.blocks[block as usize].docs[place as usize]
    }

    pub(super) fn vector(&self, at: usize) -> Vector<'_> {
        let (block, place) = self.order[at];
        self.blocks[block as usize].vector(place as usize)
    }

    pub(super) fn largest_total(&self) -> f64 {
        self.totals.last().copied().unwrap_or(0.0)
    }

    /// The first document whose total is at least `total`.
    pub(super) fn first_of_total(&self, total: f64) -> usize {
        self.totals.partition_point(|&other| other < total)
    }
}

impl Chunks for Band {
    fn len(&self) -> usize {
        self.documents().div_ceil(CHUNK)
    }

    fn features(&self, _: usize) -> usize {
        Band::features(self) / self.len()
    }

    fn visit(&self, chunk: usize, show: &mut dyn FnMut(Vector<'_>)) -> Result<()> {
        let start = chunk * CHUNK;
        (start..self.documents().min(start + CHUNK)).for_each(|at| show(self.vector(at)));
        Ok(())
    }
}
