//! The documents of one band, sorted by size, in memory.

use crate::collection::block::{Block, Vector};
use std::sync::Arc;

/// A key holds a feature's class above this bit and the leading bits of its
/// value below.
pub(super) const KEY_SHIFT: u32 = 58;

/// The part of a key that names the feature, whatever its class.
pub(super) const VALUE_MASK: u64 = (1 << KEY_SHIFT) - 1;

/// Documents in ascending order of their totals, features in common order.
pub(super) struct Band {
    block: Arc<Block>,
}

impl Band {
    pub(super) fn new(blocks: &[Arc<Block>]) -> Self {
        let mut order: Vec<(f64, u32, u32, u32)> = (0u32..)
            .zip(blocks)
            .flat_map(|(number, block)| {
                (0u32..)
                    .zip(&block.totals)
                    .zip(&block.docs)
                    .map(move |((at, &total), &doc)| (total, doc, number, at))
            })
            .collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let sum = |length: fn(&Block) -> usize| blocks.iter().map(|block| length(block)).sum();
        let mut sorted = Block {
            docs: Vec::with_capacity(order.len()),
            totals: Vec::with_capacity(order.len()),
            ends: Vec::with_capacity(order.len()),
            values: Vec::with_capacity(sum(|block| block.values.len())),
            weights: Vec::with_capacity(sum(|block| block.weights.len())),
        };
        for (_, doc, number, at) in order {
            sorted.push(doc, blocks[number as usize].vector(at as usize));
        }
        Self {
            block: Arc::new(sorted),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.block.len()
    }

    pub(super) fn doc(&self, at: usize) -> u32 {
        self.block.docs[at]
    }

    pub(super) fn total(&self, at: usize) -> f64 {
        self.block.totals[at]
    }

    pub(super) fn vector(&self, at: usize) -> Vector<'_> {
        self.block.vector(at)
    }

    pub(super) fn is_weighted(&self) -> bool {
        !self.block.weights.is_empty()
    }

    pub(super) fn largest_total(&self) -> f64 {
        self.block.totals.last().copied().unwrap_or(0.0)
    }

    /// The first document whose total is at least `total`.
    pub(super) fn first_of_total(&self, total: f64) -> usize {
        self.block.totals.partition_point(|&other| other < total)
    }
}
