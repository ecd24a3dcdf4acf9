//! Documents cut into bands by size, and one band in memory.

use super::ranges;
use super::region::Region;
use crate::collection::block::{Block, Vector};
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Documents that are worked on together.
pub(super) const CHUNK: usize = ranges::SHEAF;

/// All bands, smallest documents first.
pub(super) struct Bands {
    store: Store,
    plans: Vec<Plan>,
    /// Which documents of the store's blocks count; `None`: all do.
    kept: Option<Vec<Vec<bool>>>,
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
    /// Cuts the documents that were `kept` into bands, each small enough for the
    /// budget. If one is enough and in memory it is used as it stands.
    pub(super) fn cut(job: &Job<'_>, mut store: Store, kept: Vec<Vec<bool>>) -> Result<Self> {
        let mut plans = plan(job, &store, &kept)?;
        if let ([only], 0) = (&mut plans[..], store.spilled_bytes()) {
            only.blocks = (0..store.len()).collect();
            let kept = Some(kept);
            return Ok(Self { store, plans, kept });
        }
        let mut bands = Store::new(job.budget.banded(), &job.settings.tmp);
        let flush_at = job.budget.band_buffer(plans.len());
        for (number, kept) in kept.iter().enumerate() {
            let block = store.take(number)?;
            for at in (0..block.len()).filter(|&at| kept[at]) {
                let size = (block.totals[at], block.docs[at]);
                let band = plans.partition_point(|plan| plan.last < size);
                let plan = &mut plans[band];
                plan.filling.push(block.docs[at], block.vector(at));
                if plan.filling.bytes() >= flush_at {
                    plan.flush(&mut bands)?;
                }
            }
        }
        for plan in &mut plans {
            plan.flush(&mut bands)?;
        }
        Ok(Self {
            store: bands,
            plans,
            kept: None,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.plans.len()
    }

    pub(super) fn load(&self, band: usize, region: Region) -> Result<Band> {
        let blocks = &self.plans[band].blocks;
        let loaded = blocks.iter().map(|&block| self.store.load(block));
        let counts = |block: u32, at: u32| match &self.kept {
            Some(kept) => kept[blocks[block as usize]][at as usize],
            None => true,
        };
        Ok(Band::new(loaded.collect::<Result<_>>()?, counts, region))
    }

    /// The bands after `band` that have documents of at most this total.
    pub(super) fn within_reach(&self, band: usize, total: f64) -> Range<usize> {
        let later = &self.plans[band + 1..];
        band + 1..band + 1 + later.partition_point(|plan| plan.smallest_total <= total)
    }
}

impl Plan {
    /// Hands over to `store` what has been gathered.
    fn flush(&mut self, store: &mut Store) -> Result<()> {
        let full = std::mem::take(&mut self.filling);
        if !full.is_empty() {
            self.blocks.push(store.push(full)?);
        }
        Ok(())
    }
}

fn plan(job: &Job<'_>, store: &Store, kept: &[Vec<bool>]) -> Result<Vec<Plan>> {
    let mut sizes: Vec<(f64, u32, u32)> = Vec::new();
    for (number, kept) in kept.iter().enumerate() {
        let block = store.load(number)?;
        let per_feature = if block.weights.is_empty() { 8 } else { 12 };
        sizes.extend((0..block.len()).filter(|&at| kept[at]).map(|at| {
            let bytes = block.range(at).len() * per_feature + 16;
            (block.totals[at], block.docs[at], bytes as u32)
        }));
    }
    sizes.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
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
    /// Their totals, and how much of them lies outside their regions.
    totals: Vec<f64>,
    outside: Vec<f64>,
    region: Region,
}

impl Band {
    /// The documents of which `counts` is true; it sees block and position.
    fn new(blocks: Vec<Arc<Block>>, counts: impl Fn(u32, u32) -> bool, region: Region) -> Self {
        let mut order: Vec<(f64, u32, u32, u32)> = Vec::new();
        for (number, block) in (0u32..).zip(&blocks) {
            let sizes = block.totals.iter().zip(&block.docs);
            let places = (0u32..).zip(sizes).filter(|&(at, _)| counts(number, at));
            order.extend(places.map(|(at, (&total, &doc))| (total, doc, number, at)));
        }
        order.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self {
            totals: order.iter().map(|place| place.0).collect(),
            outside: order.iter().map(|place| region.outside(place.0)).collect(),
            order: order.iter().map(|place| (place.2, place.3)).collect(),
            blocks,
            region,
        }
    }

    pub(super) fn documents(&self) -> usize {
        self.order.len()
    }

    /// The number of features in all regions, roughly.
    pub(super) fn features(&self) -> usize {
        let lengths = (0..self.documents()).map(|at| self.vector(at).values.len());
        self.region.length(lengths.sum())
    }

    pub(super) fn doc(&self, at: usize) -> u32 {
        let (block, place) = self.order[at];
        self.blocks[block as usize].docs[place as usize]
    }

    pub(super) fn vector(&self, at: usize) -> Vector<'_> {
        let (block, place) = self.order[at];
        self.blocks[block as usize].vector(place as usize)
    }

    /// The part of a document in which partners must meet.
    pub(super) fn region(&self, at: usize) -> Vector<'_> {
        self.region.of(self.vector(at))
    }

    /// Number of chunks that documents are worked on in.
    pub(super) fn chunks(&self) -> usize {
        self.documents().div_ceil(CHUNK)
    }

    /// The documents of a chunk.
    pub(super) fn chunk(&self, chunk: usize) -> Range<usize> {
        let start = chunk * CHUNK;
        start..self.documents().min(start + CHUNK)
    }

    pub(super) fn total(&self, at: usize) -> f64 {
        self.totals[at]
    }

    /// The mass of a document that lies outside its region.
    pub(super) fn outside(&self, at: usize) -> f64 {
        self.outside[at]
    }

    pub(super) fn largest_total(&self) -> f64 {
        self.totals.last().copied().unwrap_or(0.0)
    }

    /// The first document whose total is at least `total`.
    pub(super) fn first_of_total(&self, total: f64) -> usize {
        self.totals.partition_point(|&other| other < total)
    }
}
