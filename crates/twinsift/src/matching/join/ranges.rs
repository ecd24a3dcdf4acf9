//! Looking many features up in a table without waiting for memory.
//!
//! A table with a place for every feature of a collection is far larger than a
//! cache, and each look at a random place of it costs a cache miss. So features
//! are first partitioned into *ranges*, each with a slice of the table that fits into
//! the cache; then each range is processed by one thread, which also makes locks
//! unnecessary. Both steps go through memory in sequence.
//!
//! Each partitioned item names the document that has the feature, so that the
//! documents need not be read again.

use crate::collection::pages;
use crate::similarity::Similarity;
use crate::vector::Vector;
use std::ops::Range;

/// Partitioning into more ranges than this costs more than larger slices do.
const MOST_RANGES: usize = 256;

/// Documents to a chunk.
pub(super) const CHUNK: usize = 1 << DOCUMENT_BITS;

/// An item has so many bits for which document of its chunk has the feature, …
pub(super) const DOCUMENT_BITS: u32 = 8;

/// … and above them so many of the feature's value.
const VALUE_BITS: u32 = u32::BITS - DOCUMENT_BITS;

/// How features are partitioned into ranges, and where they stand in a range's slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partitioning {
    ranges: u64,
    places: u64,
}

/// The size that a table should have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// Places for each feature, where there is room for them, and in any case.
    pub(super) most_places: usize,
    pub(super) fewest_places: usize,
    /// Places to a slice, and how many still fit into the cache.
    pub(super) slice: usize,
    pub(super) largest_slice: usize,
}

impl Partitioning {
    /// A partitioning for a table of so many features: in slices of the wanted size, as long as
    /// that does not make too many ranges; then in larger ones; and when these do not fit into the
    /// cache any more, with fewer places for each feature.
    pub(super) fn new(features: usize, table: Table) -> Self {
        let wanted = features * table.most_places;
        let ranges = wanted.div_ceil(table.slice).clamp(1, MOST_RANGES);
        let fewest = (features * table.fewest_places).div_ceil(ranges);
        let places = wanted.div_ceil(ranges).min(table.largest_slice).max(fewest);
        Self {
            ranges: ranges as u64,
            places: (places as u64).clamp(1, 1 << VALUE_BITS),
        }
    }

    pub(super) fn ranges(&self) -> usize {
        self.ranges as usize
    }

    /// Places in a range's slice of the table.
    pub(super) fn places(&self) -> usize {
        self.places as usize
    }

    /// The place of an item in its range's slice of the table.
    #[inline]
    pub(super) fn place(&self, item: u32) -> usize {
        ((u64::from(item >> DOCUMENT_BITS) * self.places) >> VALUE_BITS) as usize
    }

    /// The range of a feature, by the low half of its value: the high half is what
    /// decides which features of a document are looked at, so it is not even.
    #[inline]
    fn range(&self, value: u64) -> usize {
        ((value as u32 as u64 * self.ranges) >> 32) as usize
    }
}

/// Lines of the cache that are fetched while the document before is partitioned.
const FETCHED_LINES: usize = 32;

/// The features of a chunk of documents, grouped by range.
#[derive(Debug)]
pub(super) struct Chunk {
    /// A number for each feature: bits of its value, then the document that has it. By
    /// range; in a range, in the order of documents and values.
    pub(super) items: Vec<u32>,
    /// The mass of each; empty if all are 1.
    pub(super) masses: Vec<f32>,
    /// Where the items of each range end.
    ends: Vec<u32>,
}

impl Chunk {
    /// Partitions the features of up to [`CHUNK`] documents that fall into `ranges`.
    pub(super) fn new<'a>(
        documents: impl Iterator<Item = Vector<'a>> + Clone,
        similarity: Similarity,
        partitioning: Partitioning,
        ranges: &Range<usize>,
    ) -> Self {
        let count = ranges.len();
        match count == partitioning.ranges() {
            true => Self::partition(documents, similarity, count, |value| {
                (partitioning.range(value) as u8, 1)
            }),
            // Features of no range in `ranges` are all written to one place behind the
            // others: that is faster than to leave them out.
            false => Self::partition(documents, similarity, count, |value| {
                let range = partitioning.range(value).wrapping_sub(ranges.start);
                (range.min(count) as u8, u32::from(range < count))
            }),
        }
    }

    /// Partitions into `count` ranges: `range_of` returns the range of a feature, and by how
    /// much the feature makes that range longer.
    #[inline]
    fn partition<'a>(
        documents: impl Iterator<Item = Vector<'a>> + Clone,
        similarity: Similarity,
        count: usize,
        range_of: impl Fn(u64) -> (u8, u32),
    ) -> Self {
        let mut places = [0u32; MOST_RANGES];
        let mut ahead = documents.clone().skip(1);
        let mut weighted = false;
        for vector in documents.clone() {
            if let Some(next) = ahead.next() {
                pages::fetch_vector(next, FETCHED_LINES);
            }
            weighted |= !vector.weights.is_empty();
            for &value in vector.values {
                let (range, longer) = range_of(value);
                places[usize::from(range)] += longer;
            }
        }
        let mut gathered = 0;
        for place in &mut places[..count] {
            gathered += std::mem::replace(place, gathered);
        }
        if let Some(none) = places.get_mut(count) {
            *none = gathered;
        }
        // Each range's start moves to its end while it is filled.
        let mut items = vec![0; gathered as usize + 1];
        let mut masses = vec![0.0; if weighted { items.len() } else { 0 }];
        for (owner, vector) in (0..=u8::MAX).zip(documents) {
            for (at, &value) in vector.values.iter().enumerate() {
                let (range, longer) = range_of(value);
                let place = &mut places[usize::from(range)];
                items[*place as usize] = item(value, owner);
                if let Some(mass) = masses.get_mut(*place as usize) {
                    *mass = similarity.mass(vector.weight(at)) as f32;
                }
                *place += longer;
            }
        }
        items.pop();
        masses.pop();
        Self {
            items,
            masses,
            ends: places[..count].to_vec(),
        }
    }

    /// The items of a range.
    pub(super) fn of_range(&self, range: usize) -> &[u32] {
        let start = match range {
            0 => 0,
            _ => self.ends[range - 1],
        };
        &self.items[start as usize..self.ends[range] as usize]
    }

    /// The items, mutable, and where those of each range end.
    pub(super) fn items_mut(&mut self) -> (&mut [u32], &[u32]) {
        (&mut self.items, &self.ends)
    }

    /// Where the items of each range end.
    pub(super) fn ends(&self) -> &[u32] {
        &self.ends
    }
}

/// The item of a feature: bits of its value that do not depend on its range, and the
/// document that has it, by its number in the chunk.
#[inline]
fn item(value: u64, owner: u8) -> u32 {
    ((value >> 32) as u32) << DOCUMENT_BITS | u32::from(owner)
}

/// The document, by its number in the chunk, that has an item's feature.
#[inline]
pub(super) fn owner(item: u32) -> usize {
    item as usize % CHUNK
}

/// The prefix key of an item's feature: its range and the bits of its value.
#[inline]
pub(super) fn key(range: usize, item: u32) -> u32 {
    (range as u32) << VALUE_BITS | item >> DOCUMENT_BITS
}

/// Returns for each range its slices of all arrays. Each array comes with where its ranges
/// end.
pub(super) fn by_range<'a, T>(
    arrays: impl Iterator<Item = (&'a mut [T], &'a [u32])>,
    ranges: usize,
) -> Vec<Vec<&'a mut [T]>> {
    let mut streams: Vec<Vec<&mut [T]>> = (0..ranges).map(|_| Vec::new()).collect();
    for (mut rest, ends) in arrays {
        let mut start = 0;
        for (range, &end) in streams.iter_mut().zip(ends) {
            let (stream, others) = rest.split_at_mut((end - start) as usize);
            range.push(stream);
            (rest, start) = (others, end);
        }
    }
    streams
}
