//! How frequent is each feature of a band, roughly?
//!
//! Small counters, which features may share: that makes the order of features a
//! little worse and changes nothing else.

use super::band::Band;
use super::ranges::{Deal, Hand, by_range, spread};
use crate::collection::block::Vector;
use rayon::prelude::*;

/// Counters for each feature.
const PLACES: usize = 2;

/// Counters in a slice, a byte each: an eighth of a mebibyte.
const SLICE: usize = 1 << 17;

/// A class has so many bits.
pub(super) const CLASS_BITS: u32 = 6;

/// Classes of counts.
pub(super) const CLASSES: usize = 1 << CLASS_BITS;

/// Counts of the features of a band.
pub(super) struct Tally {
    deal: Deal,
    counts: Vec<Vec<u8>>,
}

impl Tally {
    /// Counts the features of a band, and says for each the class of its count. The
    /// counts themselves are kept if other bands will be held against them.
    pub(super) fn new(band: &Band, for_others: bool) -> (Self, Classified) {
        let deal = Deal::new(band.features() * PLACES, SLICE);
        let mut hands = hands(band, deal);
        let streams = by_range(hands.iter_mut(), deal.ranges());
        let counts = streams
            .into_par_iter()
            .map(|streams| {
                let mut counts = vec![0u8; deal.slots()];
                for &slot in streams.iter().flat_map(|stream| stream.iter()) {
                    let count = &mut counts[slot as usize];
                    *count = count.saturating_add(1);
                }
                look_up(&counts, streams);
                if for_others { counts } else { Vec::new() }
            })
            .collect();
        (Self { deal, counts }, Classified::new(deal, hands))
    }

    /// Says for each feature of another band the class of its count in this one.
    pub(super) fn of(&self, other: &Band) -> Classified {
        let mut hands = hands(other, self.deal);
        let streams = by_range(hands.iter_mut(), self.deal.ranges()).into_par_iter();
        let counted = streams.zip(&self.counts);
        counted.for_each(|(streams, counts)| look_up(counts, streams));
        Classified::new(self.deal, hands)
    }
}

/// The slots of a band's features, by chunk of documents.
fn hands(band: &Band, deal: Deal) -> Vec<Hand> {
    let ranges = 0..deal.ranges();
    (0..band.chunks())
        .into_par_iter()
        .map_init(Vec::new, |values, chunk| {
            values.clear();
            for at in band.chunk(chunk) {
                values.extend(band.region(at).values.iter().map(|&value| spread(value)));
            }
            Hand::new(values, deal, &ranges, |_, slot, _| slot)
        })
        .collect()
}

/// Replaces slots by the classes of their counts.
fn look_up(counts: &[u8], mut streams: Vec<&mut [u32]>) {
    for slot in streams.iter_mut().flat_map(|stream| stream.iter_mut()) {
        *slot = class(counts[*slot as usize]).into();
    }
}

/// The classes of the features of a band.
pub(super) struct Classified {
    deal: Deal,
    /// By chunk of documents.
    hands: Vec<Hand>,
}

impl Classified {
    fn new(deal: Deal, hands: Vec<Hand>) -> Self {
        Self { deal, hands }
    }

    /// Shows the documents of a chunk, each with the classes of its features.
    pub(super) fn replay(
        &self,
        band: &Band,
        chunk: usize,
        mut show: impl FnMut(Vector<'_>, &[u8]),
    ) {
        let Hand { items, ends } = &self.hands[chunk];
        // In each range, the items are in the order of the features.
        let mut next: Vec<u32> = [0].into_iter().chain(ends.iter().copied()).collect();
        let mut classes = Vec::new();
        for at in band.chunk(chunk) {
            let vector = band.region(at);
            classes.clear();
            classes.extend(vector.values.iter().map(|&value| {
                let next = &mut next[self.deal.range(spread(value))];
                *next += 1;
                items[*next as usize - 1] as u8
            }));
            show(vector, &classes);
        }
    }
}

/// The class of a count: rising with it, in steps of about a quarter; 0 for none.
#[inline]
fn class(count: u8) -> u8 {
    match count {
        0..=8 => count,
        _ => {
            let power = count.ilog2() as u8;
            9 + (power - 3) * 4 + ((count >> (power - 2)) & 3)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_rise_with_counts_and_fit_their_bits() {
        let mut last = 0;
        for count in 0..=u8::MAX {
            let class = class(count);
            assert!(class >= last && (class as usize) < CLASSES);
            assert_eq!(class == 0, count == 0);
            assert_eq!(class == 1, count == 1);
            last = class;
        }
    }
}
