//! Every pair at or above a threshold.

use super::{BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind, check_similarity};
use crate::error::{Result, misplaced};
use crate::matching::join::{self, Rule};
use crate::matching::{MatcherReport, spotsigs};
use crate::settings::Join;
use crate::similarity::Similarity;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Every pair at or above a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactJoin {
    /// The measure.
    pub similarity: Similarity,
    /// The least similarity.
    pub threshold: f64,
}

impl PairMatcher for ExactJoin {
    fn find(&self, search: Search<'_>) -> Result<MatcherReport> {
        if search.job.settings.join.is_some_and(Join::is_spotsigs) {
            return spotsigs::join(search.job, self.threshold, &search.store, search.sink)
                .map(MatcherReport::compared);
        }
        let rule = Rule::new(self.similarity, self.threshold, search.is_weighted);
        join::join(search.job, &rule, search.store, search.sink)
    }

    fn keys(&self, vectors: &VectorKind) -> BlockingKeys {
        BlockingKeys::certain(KeyRule::Prefix {
            similarity: self.similarity,
            threshold: self.threshold,
            weighted: vectors.is_weighted(),
        })
    }

    fn measure(&self) -> Measure {
        Measure::similarity_of(self.similarity, self.threshold)
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        if (vectors.trained_for).is_some_and(|trained| trained != self.similarity) {
            return misplaced(
                "‹similarity› has no meaning here: the model has its own, from its training",
            );
        }
        check_similarity("threshold", self.threshold)
    }

    fn check_weights(&self, _: &VectorKind) -> Result<()> {
        Ok(())
    }

    fn similarity(&self) -> Similarity {
        self.similarity
    }

    fn threshold_mut(&mut self) -> Option<&mut f64> {
        Some(&mut self.threshold)
    }
}

impl fmt::Display for ExactJoin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, threshold) = (self.similarity.name(), self.threshold);
        write!(f, "exact join, {name} ≥ {threshold}")
    }
}
