//! Similarity hashes within some bits.

use super::ranges::check_bits;
use super::{BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind, chances};
use crate::error::{Result, out_of_range};
use crate::matching::{MatcherReport, hamming};
use crate::sketch::Sketcher;
use crate::sketch::simhash::{self, SimHasher};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Similarity hashes of unrelated documents differ in about half of their bits.
const WIDEST_DISTANCE: f64 = 0.4;

/// Similarity hashes within some bits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hamming {
    /// Bits of a hash.
    pub bits: u32,
    /// Most bits that differ.
    pub distance: u32,
}

impl PairMatcher for Hamming {
    fn find(&self, search: Search<'_>) -> Result<MatcherReport> {
        let found = hamming::within(search.job, search.rows, self.distance, search.sink)?;
        Ok(MatcherReport::compared(found))
    }

    fn keys(&self, _: &VectorKind) -> BlockingKeys {
        let blocks = hamming::blocks(self.bits, self.distance + 1);
        BlockingKeys::certain(KeyRule::Blocks(blocks))
    }

    fn measure(&self) -> Measure {
        Measure::Hamming {
            distance: self.distance,
        }
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        vectors.refuse_learned()?;
        check_bits(self.bits)?;
        match self.distance < self.bits {
            true => Ok(()),
            false => out_of_range(format!(
                "‹distance› must be below the {} bits of a hash",
                self.bits
            )),
        }
    }

    fn check_weights(&self, _: &VectorKind) -> Result<()> {
        Ok(())
    }

    fn sketcher(&self, seed: u64) -> Option<Box<dyn Sketcher>> {
        Some(Box::new(SimHasher::new(self.bits, seed)))
    }

    fn sketches_while_reading(&self) -> bool {
        false
    }

    fn row_width(&self) -> usize {
        self.bits as usize / 64
    }

    fn keeps_features(&self) -> bool {
        false
    }

    fn widen(&mut self, _floor: f64) {
        let widest = (f64::from(self.bits) * WIDEST_DISTANCE) as u32;
        self.distance = self.distance.max(widest);
    }

    fn lowest_score(&self) -> Option<f64> {
        Some(1.0 - f64::from(self.distance) / f64::from(self.bits))
    }

    fn expected_recall(&self) -> Vec<(f64, f64)> {
        chances(&[0.9, 0.95, 0.99], |s| {
            simhash::recall(s, self.bits, self.distance)
        })
    }
}

impl fmt::Display for Hamming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {} of {} bits differ", self.distance, self.bits)
    }
}
