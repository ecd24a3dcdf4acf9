//! How frequent is each feature of a band, roughly?
//!
//! Small counters, which features may share: that makes the order of features a
//! little worse and changes nothing else.

use super::band::Band;
use super::ranges::{Deal, Dealt};
use crate::error::Result;

/// Counters for each feature.
const PLACES: usize = 2;

/// Counters in a slice, a byte each: half a mebibyte.
const SLICE: usize = 1 << 19;

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
    /// Counts the features of a band, and says for each the class of its count.
    pub(super) fn new(band: &Band) -> Result<(Self, Dealt)> {
        let deal = Deal::new(band.features() * PLACES, SLICE);
        let mut dealt = Dealt::new(band, deal, 0..deal.ranges())?;
        let counts = dealt.answer(|_, streams| {
            let mut counts = vec![0u8; deal.slots()];
            for &slot in streams.iter().flat_map(|stream| stream.iter()) {
                let count = &mut counts[slot as usize];
                *count = count.saturating_add(1);
            }
            look_up(&counts, streams);
            counts
        });
        Ok((Self { deal, counts }, dealt))
    }

    /// Says for each feature of another band the class of its count in this one.
    pub(super) fn of(&self, other: &Band) -> Result<Dealt> {
        let mut dealt = Dealt::new(other, self.deal, 0..self.deal.ranges())?;
        dealt.answer(|range, streams| look_up(&self.counts[range], streams));
        Ok(dealt)
    }
}

fn look_up(counts: &[u8], streams: &mut [&mut [u32]]) {
    for slot in streams.iter_mut().flat_map(|stream| stream.iter_mut()) {
        *slot = class(counts[*slot as usize]);
    }
}

/// The class of a count: rising with it, in steps of about a quarter; 0 for none.
#[inline]
fn class(count: u8) -> u32 {
    let count = u32::from(count);
    match count {
        0..=8 => count,
        _ => {
            let power = count.ilog2();
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
