//! Min-hashes alone: the share of those that are equal estimates Jaccard.

use super::ranges::check_bands;
use super::{
    BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind, chances, check_similarity,
};
use crate::error::{Result, refuse};
use crate::matching::{MatcherReport, agree};
use crate::sketch::Sketcher;
use crate::sketch::minhash::{self, MinHasher, ValueSketcher};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Min-hashes alone: the share of those that are equal estimates Jaccard.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinHashes {
    /// The least share.
    pub threshold: f64,
    /// Min-hashes of a document.
    pub values: u32,
}

impl MinHashes {
    /// How many must be equal.
    fn require(&self) -> u32 {
        minhash::share(self.threshold, self.values)
    }
}

impl PairMatcher for MinHashes {
    fn find(&self, search: Search<'_>) -> Result<MatcherReport> {
        let found = agree::agree(
            search.job,
            search.rows,
            1,
            self.require() as usize,
            search.sink,
        )?;
        Ok(MatcherReport::compared(found))
    }

    fn keys(&self, _: &VectorKind) -> BlockingKeys {
        BlockingKeys::certain(KeyRule::places(self.values as usize, self.require(), 1))
    }

    fn measure(&self) -> Measure {
        Measure::equal_values(self.require())
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        vectors.refuse_learned()?;
        check_bands(self.values, 1)?;
        check_similarity("threshold", self.threshold)
    }

    fn check_weights(&self, _: &VectorKind) -> Result<()> {
        refuse_weights()
    }

    fn sketcher(&self, seed: u64) -> Option<Box<dyn Sketcher>> {
        let hasher = MinHasher::new(self.values, 1, seed);
        Some(Box::new(ValueSketcher(hasher)))
    }

    fn row_width(&self) -> usize {
        self.values as usize
    }

    fn keeps_features(&self) -> bool {
        false
    }

    fn threshold_mut(&mut self) -> Option<&mut f64> {
        Some(&mut self.threshold)
    }

    fn forget_comparison(&mut self) {
        self.threshold = 1.0;
    }

    fn expected_recall(&self) -> Vec<(f64, f64)> {
        chances(&[self.threshold], |s| {
            minhash::recall(s, self.values, self.threshold)
        })
    }
}

impl fmt::Display for MinHashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threshold, values } = self;
        write!(f, "{values} min-hashes, estimated Jaccard ≥ {threshold}")
    }
}

/// Refuses weights, which sets do not have.
pub(super) fn refuse_weights() -> Result<()> {
    refuse(
        "min-hashes compare sets, which have no weights: leave out ‹weights›, or use ‹match› join",
    )
}
