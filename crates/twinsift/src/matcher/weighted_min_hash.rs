//! Min-hashes of features that count as many times as they weigh, for learned vectors.

use super::ranges::check_bands;
use super::{BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind, check_similarity};
use crate::error::{Result, refuse};
use crate::matching::lsh::{self, Check};
use crate::matching::{MatcherReport, agree};
use crate::parallel;
use crate::similarity::Similarity;
use crate::sketch::Sketcher;
use crate::sketch::minhash::{self, MinHasher};
use crate::sketch::quantised::QuantisedSketcher;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Min-hashes of features that count as many times as they weigh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightedMinHash {
    /// The least extended Jaccard similarity.
    pub threshold: f64,
    /// Bands.
    pub bands: u32,
    /// Min-hashes to a band.
    pub rows: u32,
    /// Whether the vectors themselves decide in the end. If not, the share of equal
    /// min-hashes does, whatever their bands.
    pub verify: bool,
}

impl WeightedMinHash {
    fn values(&self) -> u32 {
        self.bands * self.rows
    }

    /// How many min-hashes must be equal, where they decide.
    fn require(&self) -> u32 {
        minhash::share(self.threshold, self.values())
    }
}

impl PairMatcher for WeightedMinHash {
    fn find(&self, search: Search<'_>) -> Result<MatcherReport> {
        let Search {
            job,
            store,
            rows,
            sink,
            ..
        } = search;
        let found = match self.verify {
            false => agree::agree(job, rows, 1, self.require() as usize, sink)?,
            true => {
                let check = Check::of_bands(Similarity::ExtendedJaccard, self.threshold);
                let found = lsh::lsh(job, check, &store, rows, sink)?;
                parallel::drop_aside(store);
                found
            }
        };
        Ok(MatcherReport::compared(found))
    }

    fn keys(&self, _: &VectorKind) -> BlockingKeys {
        match self.verify {
            false => {
                BlockingKeys::certain(KeyRule::places(self.values() as usize, self.require(), 1))
            }
            // Its min-hashes are of another measure than the one that decides.
            true => BlockingKeys {
                rule: KeyRule::places(self.bands as usize, 1, 1),
                recall: None,
            },
        }
    }

    fn measure(&self) -> Measure {
        match self.verify {
            true => Measure::similarity_of(Similarity::ExtendedJaccard, self.threshold),
            false => Measure::equal_values(self.require()),
        }
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        if vectors.trained_for != Some(Similarity::ExtendedJaccard) {
            return refuse(
                "such min-hashes are made by a model that was trained for extended-jaccard",
            );
        }
        check_bands(self.bands, self.rows)?;
        check_similarity("threshold", self.threshold)
    }

    fn sketcher(&self, seed: u64) -> Option<Box<dyn Sketcher>> {
        let hasher = MinHasher::new(self.bands, self.rows, seed);
        Some(Box::new(QuantisedSketcher::new(hasher, self.verify)))
    }

    fn row_width(&self) -> usize {
        match self.verify {
            true => self.bands as usize,
            false => self.values() as usize,
        }
    }

    fn signature_width(&self) -> usize {
        self.values() as usize
    }

    fn keeps_features(&self) -> bool {
        self.verify
    }

    fn similarity(&self) -> Similarity {
        Similarity::ExtendedJaccard
    }

    fn threshold_mut(&mut self) -> Option<&mut f64> {
        Some(&mut self.threshold)
    }

    fn forget_comparison(&mut self) {
        (self.threshold, self.verify) = (1.0, false);
    }
}

impl fmt::Display for WeightedMinHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verify {
            true => write!(
                f,
                "min-hash {} bands x {} rows, verified",
                self.bands, self.rows
            )?,
            false => write!(f, "{} min-hashes, estimated", self.values())?,
        }
        write!(f, " extended Jaccard ≥ {}", self.threshold)
    }
}
