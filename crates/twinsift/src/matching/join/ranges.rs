//! Looking many features up in a table without waiting for memory.
//!
//! A table with a place for every feature of a collection is far larger than a
//! cache, and each look at a random place of it costs a cache miss. So features
//! are first dealt out to *ranges*, each with a slice of the table that fits into
//! the cache; then the ranges are worked through, each by one thread, which also
//! makes locks unnecessary; then the answers are handed back in the order in which
//! the features were dealt out. All three steps go through memory in sequence.

use crate::collection::block::Vector;
use crate::error::Result;
use rayon::prelude::*;
use std::ops::Range;

/// Documents in chunks, each of which can be gone through again and again with
/// the same outcome.
pub(super) trait Chunks: Sync {
    /// Number of chunks.
    fn len(&self) -> usize;

    /// How many features a chunk has, roughly.
    fn features(&self, chunk: usize) -> usize;

    /// Shows every document of a chunk.
    fn visit(&self, chunk: usize, show: &mut dyn FnMut(Vector<'_>)) -> Result<()>;
}

/// Dealing out to more ranges than this costs more than larger slices do.
const MOST_RANGES: usize = 128;

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

    pub(super) fn ranges(&self) -> usize {
        self.ranges as usize
    }

    /// Places in a range's slice of the table.
    pub(super) fn slots(&self) -> usize {
        self.slots as usize
    }

    /// The range of a value, and its place in the range's slice.
    #[inline]
    fn place(&self, value: u64) -> (usize, u32) {
        let spread = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let range = ((spread >> 32) * self.ranges) >> 32;
        let slot = ((spread & 0xffff_ffff) * self.slots) >> 32;
        (range as usize, slot as u32)
    }
}

/// The features of some documents, dealt out.
pub(super) struct Dealt {
    deal: Deal,
    ranges: Range<usize>,
    /// By range, then by chunk: places in the slice, then the answers.
    streams: Vec<Vec<Vec<u32>>>,
}

impl Dealt {
    /// Deals out the features that fall into `ranges`.
    pub(super) fn new(chunks: &impl Chunks, deal: Deal, ranges: Range<usize>) -> Result<Self> {
        let dealt: Vec<Vec<Vec<u32>>> = (0..chunks.len())
            .into_par_iter()
            .map(|chunk| {
                let even = chunks.features(chunk) / deal.ranges();
                let mut streams: Vec<Vec<u32>> = ranges
                    .clone()
                    .map(|_| Vec::with_capacity(even + even / 8 + 16))
                    .collect();
                chunks.visit(chunk, &mut |vector| {
                    for &value in vector.values {
                        let (range, slot) = deal.place(value);
                        if let Some(stream) = streams.get_mut(range.wrapping_sub(ranges.start)) {
                            stream.push(slot);
                        }
                    }
                })?;
                Ok(streams)
            })
            .collect::<Result<_>>()?;
        let mut streams: Vec<Vec<Vec<u32>>> = ranges.clone().map(|_| Vec::new()).collect();
        for chunk in dealt {
            for (range, stream) in streams.iter_mut().zip(chunk) {
                range.push(stream);
            }
        }
        Ok(Self {
            deal,
            ranges,
            streams,
        })
    }

    /// Replaces the places in each range by answers, a range to a thread. What
    /// `answer` returns is collected in the order of the ranges.
    pub(super) fn answer<T: Send>(
        &mut self,
        answer: impl Fn(usize, &mut [Vec<u32>]) -> T + Sync,
    ) -> Vec<T> {
        let first = self.ranges.start;
        let streams = self.streams.par_iter_mut().enumerate();
        streams
            .map(|(at, range)| answer(first + at, range))
            .collect()
    }

    /// Shows the documents of a chunk again, each with the answers for its
    /// features; 0 for a feature that was not dealt out.
    pub(super) fn replay(
        &self,
        chunks: &impl Chunks,
        chunk: usize,
        mut show: impl FnMut(Vector<'_>, &[u32]),
    ) -> Result<()> {
        let mut rest: Vec<_> = self
            .streams
            .iter()
            .map(|range| range[chunk].iter())
            .collect();
        let mut answers = Vec::new();
        chunks.visit(chunk, &mut |vector| {
            answers.clear();
            answers.extend(vector.values.iter().map(|&value| {
                let (range, _) = self.deal.place(value);
                let stream = rest.get_mut(range.wrapping_sub(self.ranges.start));
                stream.and_then(Iterator::next).copied().unwrap_or(0)
            }));
            show(vector, &answers);
        })
    }
}
