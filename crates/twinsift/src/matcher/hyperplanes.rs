//! Bits that say on which side of random hyperplanes a learned vector lies.

use super::ranges::check_bits;
use super::{
    BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind, chances, check_similarity,
};
use crate::error::{Result, refuse};
use crate::hash::Stream;
use crate::matching::{MatcherReport, hyperplanes};
use crate::similarity::Similarity;
use crate::sketch::Sketcher;
use crate::sketch::simhash::SimHasher;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most keys that are made of bits.
const MOST_SAMPLES: usize = 128;

/// Bits that say on which side of random hyperplanes a vector lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hyperplanes {
    /// Bits of a signature.
    pub bits: u32,
    /// The least cosine.
    pub threshold: f64,
    /// Whether the vectors themselves decide in the end.
    pub verify: bool,
}

impl PairMatcher for Hyperplanes {
    fn find(&self, search: Search<'_>) -> Result<MatcherReport> {
        let vectors = self.verify.then_some(&search.store);
        let found = hyperplanes::within(
            search.job,
            self.threshold,
            vectors,
            search.rows,
            search.sink,
        )?;
        Ok(MatcherReport::compared(found))
    }

    fn keys(&self, vectors: &VectorKind) -> BlockingKeys {
        if self.verify {
            return BlockingKeys::certain(KeyRule::Prefix {
                similarity: Similarity::Cosine,
                threshold: self.threshold,
                weighted: vectors.is_weighted(),
            });
        }
        let most = hyperplanes::farthest(self.bits, self.threshold, false);
        let stream = &mut Stream::new(vectors.seed);
        let (samples, chance) = hyperplanes::few_samples(self.bits, most, MOST_SAMPLES, stream);
        BlockingKeys {
            rule: KeyRule::BitSamples(samples),
            recall: Some(chance),
        }
    }

    fn measure(&self) -> Measure {
        Measure::Angle {
            most: hyperplanes::farthest(self.bits, self.threshold, self.verify),
            cosine: self.verify.then_some(self.threshold),
        }
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        if vectors.trained_for != Some(Similarity::Cosine) {
            return refuse("such bits are made by a model that was trained for the cosine");
        }
        check_bits(self.bits)?;
        check_similarity("threshold", self.threshold)
    }

    fn sketcher(&self, seed: u64) -> Option<Box<dyn Sketcher>> {
        Some(Box::new(SimHasher::new(self.bits, seed)))
    }

    fn row_width(&self) -> usize {
        self.bits as usize / 64
    }

    fn keeps_features(&self) -> bool {
        self.verify
    }

    fn similarity(&self) -> Similarity {
        Similarity::Cosine
    }

    fn threshold_mut(&mut self) -> Option<&mut f64> {
        Some(&mut self.threshold)
    }

    fn forget_comparison(&mut self) {
        (self.threshold, self.verify) = (1.0, false);
    }

    fn expected_recall(&self) -> Vec<(f64, f64)> {
        chances(&[self.threshold], |s| {
            hyperplanes::recall(s, self.bits, self.threshold, self.verify)
        })
    }
}

impl fmt::Display for Hyperplanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            bits, threshold, ..
        } = self;
        let how = if self.verify { "verified" } else { "estimated" };
        write!(f, "{bits}-bit signatures, {how} cosine ≥ {threshold}")
    }
}
