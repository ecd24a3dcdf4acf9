//! Min-hash bands, then compared in full by Jaccard.

use super::ranges::check_bands;
use super::{
    BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind, chances, check_similarity,
};
use crate::error::Result;
use crate::features::{FeatureKind, Weights};
use crate::matching::MatcherReport;
use crate::matching::lsh::{self, Check};
use crate::parallel;
use crate::similarity::Similarity;
use crate::sketch::Sketcher;
use crate::sketch::minhash::{BandSketcher, MinHasher};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Min-hash bands, then compared in full by Jaccard.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinHashBands {
    /// The least similarity.
    pub threshold: f64,
    /// Bands.
    pub bands: u32,
    /// Min-hashes to a band.
    pub rows: u32,
}

impl PairMatcher for MinHashBands {
    fn find(&self, search: Search<'_>) -> Result<MatcherReport> {
        let check = Check::of_bands(Similarity::Jaccard, self.threshold);
        let found = lsh::lsh(search.job, check, &search.store, search.rows, search.sink)?;
        parallel::drop_aside(search.store);
        Ok(MatcherReport::compared(found))
    }

    fn keys(&self, _: &VectorKind) -> BlockingKeys {
        BlockingKeys {
            rule: KeyRule::places(self.bands as usize, 1, 1),
            recall: Some(lsh::recall(self.threshold, self.bands, self.rows)),
        }
    }

    fn measure(&self) -> Measure {
        Measure::similarity_of(Similarity::Jaccard, self.threshold)
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        vectors.refuse_learned()?;
        check_bands(self.bands, self.rows)?;
        check_similarity("threshold", self.threshold)
    }

    /// Bands of spots bring documents together as sets; they are compared as multisets, like the
    /// exact join does.
    fn check_weights(&self, vectors: &VectorKind) -> Result<()> {
        match (vectors.features, vectors.weights) {
            (FeatureKind::Spots, Weights::Counts) => Ok(()),
            _ => super::min_hashes::refuse_weights(),
        }
    }

    fn sketcher(&self, seed: u64) -> Option<Box<dyn Sketcher>> {
        let hasher = MinHasher::new(self.bands, self.rows, seed);
        Some(Box::new(BandSketcher(hasher)))
    }

    fn row_width(&self) -> usize {
        self.bands as usize
    }

    fn threshold_mut(&mut self) -> Option<&mut f64> {
        Some(&mut self.threshold)
    }

    fn expected_recall(&self) -> Vec<(f64, f64)> {
        chances(&[self.threshold], |s| lsh::recall(s, self.bands, self.rows))
    }
}

impl fmt::Display for MinHashBands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            threshold,
            bands,
            rows,
        } = self;
        write!(
            f,
            "min-hash {bands} bands x {rows} rows, verified Jaccard ≥ {threshold}"
        )
    }
}
