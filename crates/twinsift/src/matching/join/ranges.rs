//! Looking many features up in a table without waiting for memory.
//!
//! A table with a place for every feature of a collection is far larger than a
//! cache, and each look at a random place of it costs a cache miss. So features
//! are first dealt out to *ranges*, each with a slice of the table that fits into
//! the cache; then the ranges are worked through, each by one thread, which also
//! makes locks unnecessary. Both go through memory in sequence.

use std::ops::Range;

/// Dealing out to more ranges than this costs more than larger slices do.
const MOST_RANGES: usize = 256;

/// How features are dealt out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deal {
    ranges: u64,
    slots: u64,
}

impl Deal {
    /// At least `slots` places altogether, about `slice` of them to a range; more
    /// where that would make too many ranges.
    pub(super) fn new(slots: usize, slice: usize) -> Self {
        let ranges = slots.div_ceil(slice).clamp(1, MOST_RANGES);
        Self {
            ranges: ranges as u64,
            slots: slots.div_ceil(ranges).max(1) as u64,
        }
    }

    /// The same with at most so many places to a range.
    pub(super) fn limited(self, slots: u64) -> Self {
        Self {
            slots: self.slots.min(slots),
            ..self
        }
    }

    pub(super) fn ranges(&self) -> usize {
        self.ranges as usize
    }

    /// Places in a range's slice of the table.
    pub(super) fn slots(&self) -> usize {
        self.slots as usize
    }

    /// The range of a value that was spread.
    #[inline]
    pub(super) fn range(&self, spread: u64) -> usize {
        (((spread >> 32) * self.ranges) >> 32) as usize
    }

    /// The place in its range's slice of a value that was spread.
    #[inline]
    pub(super) fn slot(&self, spread: u64) -> u32 {
        (((spread & 0xffff_ffff) * self.slots) >> 32) as u32
    }
}

/// Spreads a feature's value, should it not be a hash.
#[inline]
pub(super) fn spread(value: u64) -> u64 {
    value.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What some documents have in each range: a number for each feature, by range,
/// otherwise in the order of the features.
#[derive(Debug, Default)]
pub(super) struct Hand {
    pub(super) items: Vec<u32>,
    /// Where the items of each range end.
    pub(super) ends: Vec<u32>,
}

impl Hand {
    /// Deals out values, already spread, of which those in some ranges count.
    /// `item` makes the number of each: it is told which of the values it is, its
    /// slot, and where among the items it comes to stand.
    pub(super) fn new(
        spread: &[u64],
        deal: Deal,
        ranges: &Range<usize>,
        mut item: impl FnMut(usize, u32, usize) -> u32,
    ) -> Self {
        let mut ends = vec![0u32; ranges.len()];
        for &value in spread {
            if let Some(count) = ends.get_mut(deal.range(value).wrapping_sub(ranges.start)) {
                *count += 1;
            }
        }
        let mut total = 0;
        for end in &mut ends {
            let count = std::mem::replace(end, total);
            total += count;
        }
        // Each range's start moves to its end while it is filled.
        let mut items = vec![0; total as usize];
        for (at, &value) in spread.iter().enumerate() {
            if let Some(next) = ends.get_mut(deal.range(value).wrapping_sub(ranges.start)) {
                let to = *next as usize;
                items[to] = item(at, deal.slot(value), to);
                *next += 1;
            }
        }
        Self { items, ends }
    }
}

/// The items of each range, of all hands.
pub(super) fn by_range<'a>(
    hands: impl Iterator<Item = &'a mut Hand>,
    ranges: usize,
) -> Vec<Vec<&'a mut [u32]>> {
    let mut streams: Vec<Vec<&mut [u32]>> = (0..ranges).map(|_| Vec::new()).collect();
    for hand in hands {
        let (mut rest, mut start) = (&mut hand.items[..], 0);
        for (range, &end) in streams.iter_mut().zip(&hand.ends) {
            let (stream, others) = rest.split_at_mut((end - start) as usize);
            range.push(stream);
            (rest, start) = (others, end);
        }
    }
    streams
}
