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

    /// The range of a value that was spread.
    #[inline]
    fn range(&self, spread: u64) -> usize {
        (((spread >> 32) * self.ranges) >> 32) as usize
    }

    /// The place in its range's slice of a value that was spread.
    #[inline]
    fn slot(&self, spread: u64) -> u32 {
        (((spread & 0xffff_ffff) * self.slots) >> 32) as u32
    }
}

#[inline]
fn spread(value: u64) -> u64 {
    value.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The features of some documents, dealt out.
pub(super) struct Dealt {
    deal: Deal,
    ranges: Range<usize>,
    chunks: Vec<Hand>,
}

/// What one chunk has in each range.
struct Hand {
    /// Places in the slices of the ranges; empty once they are answered.
    slots: Vec<u32>,
    /// The answers, which take up less of the cache.
    answers: Vec<u8>,
    /// Where the items of each range end.
    ends: Vec<u32>,
}

impl Hand {
    /// Sorts values, already spread, by their ranges; only some ranges count.
    fn sort(spread: &[u64], deal: Deal, ranges: &Range<usize>) -> Self {
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
        let mut slots = vec![0; total as usize];
        for &value in spread {
            if let Some(next) = ends.get_mut(deal.range(value).wrapping_sub(ranges.start)) {
                slots[*next as usize] = deal.slot(value);
                *next += 1;
            }
        }
        Self {
            slots,
            answers: Vec::new(),
            ends,
        }
    }
}

impl Dealt {
    /// Deals out the features that fall into `ranges`.
    pub(super) fn new(chunks: &impl Chunks, deal: Deal, ranges: Range<usize>) -> Result<Self> {
        let hands = (0..chunks.len())
            .into_par_iter()
            .map_init(Vec::new, |values, chunk| {
                values.clear();
                chunks.visit(chunk, &mut |vector| {
                    values.extend(vector.values.iter().map(|&value| spread(value)));
                })?;
                Ok(Hand::sort(values, deal, &ranges))
            })
            .collect::<Result<_>>()?;
        Ok(Self {
            deal,
            ranges,
            chunks: hands,
        })
    }

    /// Replaces the places in each range by answers, a range to a thread; they must
    /// fit a byte. What `answer` returns is collected in the order of the ranges.
    pub(super) fn answer<T: Send>(
        &mut self,
        answer: impl Fn(usize, &mut [&mut [u32]]) -> T + Sync,
    ) -> Vec<T> {
        let mut streams: Vec<Vec<&mut [u32]>> = self.ranges.clone().map(|_| Vec::new()).collect();
        for hand in &mut self.chunks {
            let (mut rest, mut start) = (&mut hand.slots[..], 0);
            for (range, &end) in streams.iter_mut().zip(&hand.ends) {
                let (stream, others) = rest.split_at_mut((end - start) as usize);
                range.push(stream);
                (rest, start) = (others, end);
            }
        }
        let first = self.ranges.start;
        let streams = streams.par_iter_mut().enumerate();
        let returned = streams
            .map(|(at, range)| answer(first + at, range))
            .collect();
        self.chunks.par_iter_mut().for_each(|hand| {
            let slots = std::mem::take(&mut hand.slots);
            hand.answers = slots.iter().map(|&answer| answer as u8).collect();
        });
        returned
    }

    /// Shows the documents of a chunk again, each with the answers for its
    /// features; 0 for a feature that was not dealt out.
    pub(super) fn replay(
        &self,
        chunks: &impl Chunks,
        chunk: usize,
        mut show: impl FnMut(Vector<'_>, &[u8]),
    ) -> Result<()> {
        let hand = &self.chunks[chunk];
        let mut next: Vec<u32> = [0].into_iter().chain(hand.ends.iter().copied()).collect();
        next.pop();
        let mut answers = Vec::new();
        chunks.visit(chunk, &mut |vector| {
            answers.clear();
            answers.extend(vector.values.iter().map(|&value| {
                let range = self.deal.range(spread(value));
                match next.get_mut(range.wrapping_sub(self.ranges.start)) {
                    Some(next) => {
                        *next += 1;
                        hand.answers[*next as usize - 1]
                    }
                    None => 0,
                }
            }));
            show(vector, &answers);
        })
    }
}
