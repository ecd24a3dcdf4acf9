//! The inverted lists of one partition.

use crate::vector::Vector;
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// For each feature of a partition, the documents that have it, the longest first.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Positions of the partition's documents among all documents by length.
    pub(super) documents: Range<usize>,
    ranges: HashMap<u64, (u32, u32), BuildHasherDefault<Identity>>,
    entries: Vec<u32>,
}

impl Lists {
    /// The lists of the documents at these positions.
    pub(super) fn new<'v>(
        documents: Range<usize>,
        vector: impl Fn(usize) -> Vector<'v> + Sync,
    ) -> Self {
        let mut pairs: Vec<(u64, u32)> = documents
            .clone()
            .into_par_iter()
            .flat_map_iter(|at| {
                vector(at)
                    .values
                    .iter()
                    .map(move |&value| (value, at as u32))
            })
            .collect();
        pairs.par_sort_unstable_by_key(|&(value, at)| (value, std::cmp::Reverse(at)));
        let mut ranges = HashMap::default();
        let mut start = 0;
        for list in pairs.chunk_by(|x, y| x.0 == y.0) {
            let end = start + list.len() as u32;
            ranges.insert(list[0].0, (start, end));
            start = end;
        }
        Self {
            documents,
            ranges,
            entries: pairs.iter().map(|&(_, at)| at).collect(),
        }
    }

    /// The documents with a feature, by descending position and so by descending
    /// length.
    pub(super) fn of(&self, feature: u64) -> &[u32] {
        match self.ranges.get(&feature) {
            Some(&(start, end)) => &self.entries[start as usize..end as usize],
            None => &[],
        }
    }
}

/// Features are hashes already.
#[derive(Default)]
pub(super) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}
