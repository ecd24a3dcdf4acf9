//! Equal features.

use super::{BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind};
use crate::error::Result;
use crate::matching::MatcherReport;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Equal features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Equality {}

impl PairMatcher for Equality {
    /// Finds nothing: equal documents have been taken together before.
    fn find(&self, _: Search<'_>) -> Result<MatcherReport> {
        Ok(MatcherReport::default())
    }

    fn keys(&self, _: &VectorKind) -> BlockingKeys {
        BlockingKeys::certain(KeyRule::Digest)
    }

    fn measure(&self) -> Measure {
        Measure::Equality
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        vectors.refuse_learned()
    }

    fn check_weights(&self, _: &VectorKind) -> Result<()> {
        Ok(())
    }

    fn keeps_features(&self) -> bool {
        false
    }
}

impl fmt::Display for Equality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("equality")
    }
}
