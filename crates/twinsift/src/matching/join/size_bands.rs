//! Documents cut into *size bands*, each with documents of similar size, and one such band
//! in memory.

use super::ranges::CHUNK;
use super::region::Region;
use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use crate::vector::Vector;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Blocks in memory, and which of their documents count; `None`: all do.
pub(super) type Loaded<'a> = Vec<(Arc<Block>, Option<&'a [bool]>)>;

/// All size bands, smallest documents first.
pub(super) struct SizeBands {
    store: Store,
    plans: Vec<Plan>,
    /// Which documents of the store's blocks count; `None`: all do.
    kept: Option<Vec<Vec<bool>>>,
}

/// One size band: the documents up to some size.
struct Plan {
    /// The largest document of the band, by total and number.
    last: (f64, u32),
    smallest_total: f64,
    documents: usize,
    blocks: Vec<usize>,
    filling: Block,
}

impl SizeBands {
    /// Cuts the documents that were `kept` into size bands, each small enough for the
    /// budget. If one is enough and in memory it is used as it stands.
    pub(super) fn cut(job: &Job<'_>, mut store: Store, kept: Vec<Vec<bool>>) -> Result<Self> {
        let mut plans = plan(job, &store, &kept)?;
        if let ([only], 0) = (&mut plans[..], store.spilled_bytes()) {
            only.blocks = (0..store.len()).collect();
            let kept = Some(kept);
            return Ok(Self { store, plans, kept });
        }
        let mut bands = Store::new(job.budget.size_bands(), job.settings);
        let flush_at = job.budget.size_band_buffer(plans.len());
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

    /// Documents of all bands.
    pub(super) fn documents(&self) -> usize {
        self.plans.iter().map(|plan| plan.documents).sum()
    }

    /// The blocks of a band, in memory.
    pub(super) fn load(&self, band: usize) -> Result<Loaded<'_>> {
        let blocks = self.plans[band].blocks.iter();
        blocks
            .map(|&number| {
                let kept = self.kept.as_ref().map(|kept| &kept[number][..]);
                Ok((self.store.load(number)?, kept))
            })
            .collect()
    }

    /// The bands after `band` that have documents of at most this total.
    pub(super) fn within_reach(&self, band: usize, total: f64) -> Range<usize> {
        let later = &self.plans[band + 1..];
        band + 1..band + 1 + later.partition_point(|plan| plan.smallest_total <= total)
    }
}

impl Plan {
    /// Appends the documents gathered so far to `store`.
    fn flush(&mut self, store: &mut Store) -> Result<()> {
        let full = std::mem::take(&mut self.filling);
        if !full.is_empty() {
            self.blocks.push(store.push(full)?);
        }
        Ok(())
    }
}

/// Bytes that a document takes besides its features: in its block, and in its band.
const PER_DOCUMENT: usize = 16 + size_of::<(u32, Vector<'_>)>() + 2 * size_of::<f64>();

fn plan(job: &Job<'_>, store: &Store, kept: &[Vec<bool>]) -> Result<Vec<Plan>> {
    let mut sizes: Vec<(f64, u32, u32)> = Vec::new();
    for (number, kept) in kept.iter().enumerate() {
        let block = store.load(number)?;
        let per_feature = if block.weights.is_empty() { 8 } else { 12 };
        sizes.extend((0..block.len()).filter(|&at| kept[at]).map(|at| {
            let bytes = block.range(at).len() * per_feature + PER_DOCUMENT;
            (block.totals[at], block.docs[at], bytes as u32)
        }));
    }
    sizes.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let limit = job.budget.size_band();
    let mut plans: Vec<Plan> = Vec::new();
    let mut bytes = 0usize;
    for (total, doc, size) in sizes {
        bytes = bytes.saturating_add(size as usize);
        if plans.is_empty() || bytes > limit {
            plans.push(Plan {
                last: (total, doc),
                smallest_total: total,
                documents: 0,
                blocks: Vec::new(),
                filling: Block::default(),
            });
            bytes = size as usize;
        }
        if let Some(plan) = plans.last_mut() {
            plan.last = (total, doc);
            plan.documents += 1;
        }
    }
    Ok(plans)
}

/// The documents of one size band in ascending order of their totals.
pub(super) struct SizeBand<'a> {
    documents: Vec<(u32, Vector<'a>)>,
    sizes: Vec<Size>,
    region: Region,
}

/// The size of a document, for bounds. Both numbers stand together because both are read
/// for each candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) total: f64,
    /// How much of it lies outside its region.
    pub(super) outside: f64,
}

impl<'a> SizeBand<'a> {
    pub(super) fn new(loaded: &'a Loaded<'_>, region: Region) -> Self {
        let mut documents: Vec<(u32, Vector<'a>)> = Vec::new();
        for (block, kept) in loaded {
            let places = (0..block.len()).filter(|&at| kept.is_none_or(|kept| kept[at]));
            documents.extend(places.map(|at| (block.docs[at], block.vector(at))));
        }
        documents.par_sort_unstable_by(|(a, x), (b, y)| x.total.total_cmp(&y.total).then(a.cmp(b)));
        let sizes = documents.iter().map(|(_, vector)| Size {
            total: vector.total,
            outside: region.outside(vector.total),
        });
        Self {
            sizes: sizes.collect(),
            documents,
            region,
        }
    }

    pub(super) fn documents(&self) -> usize {
        self.documents.len()
    }

    /// The number of features in all regions, roughly.
    pub(super) fn features(&self) -> usize {
        let lengths = self.documents.iter().map(|(_, vector)| vector.values.len());
        self.region.length(lengths.sum())
    }

    /// A document and its features.
    pub(super) fn document(&self, at: usize) -> (u32, Vector<'a>) {
        self.documents[at]
    }

    pub(super) fn doc(&self, at: usize) -> u32 {
        self.documents[at].0
    }

    pub(super) fn vector(&self, at: usize) -> Vector<'a> {
        self.documents[at].1
    }

    /// The part of a document in which partners must meet.
    pub(super) fn region(&self, at: usize) -> Vector<'a> {
        self.region.of(self.vector(at))
    }

    /// The number of chunks of documents.
    pub(super) fn chunks(&self) -> usize {
        self.documents().div_ceil(CHUNK)
    }

    /// The documents of a chunk.
    pub(super) fn chunk(&self, chunk: usize) -> Range<usize> {
        let start = chunk * CHUNK;
        start..self.documents().min(start + CHUNK)
    }

    pub(super) fn size(&self, at: usize) -> Size {
        self.sizes[at]
    }

    pub(super) fn largest_total(&self) -> f64 {
        self.sizes.last().map_or(0.0, |size| size.total)
    }

    /// The documents whose totals are within reach of one of this `total`.
    pub(super) fn within_reach(&self, total: f64, smallest_partner: f64) -> Range<usize> {
        let largest = total / smallest_partner;
        let end = self.sizes.partition_point(|size| size.total <= largest);
        self.first_of_total(smallest_partner * total)..end
    }

    /// The first document whose total is at least `total`.
    pub(super) fn first_of_total(&self, total: f64) -> usize {
        self.sizes.partition_point(|size| size.total < total)
    }
}
