//! Some of 6 super-shingles equal.

use super::ranges::check_require;
use super::{BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind, chances};
use crate::error::{Result, refuse};
use crate::features::FeatureKind;
use crate::matching::{MatcherReport, agree};
use crate::sketch::Sketcher;
use crate::sketch::supershingles::{self, REQUIRED, SUPER_SHINGLES, SuperShingler};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Some of 6 super-shingles equal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuperShingles {
    /// How many.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub require: u32,
}

fn usual() -> u32 {
    REQUIRED
}

fn is_usual(require: &u32) -> bool {
    *require == REQUIRED
}

impl PairMatcher for SuperShingles {
    fn find(&self, search: Search<'_>) -> Result<MatcherReport> {
        let found = agree::agree(
            search.job,
            search.rows,
            1,
            self.require as usize,
            search.sink,
        )?;
        Ok(MatcherReport::compared(found))
    }

    fn keys(&self, _: &VectorKind) -> BlockingKeys {
        BlockingKeys::certain(KeyRule::places(SUPER_SHINGLES, self.require, 1))
    }

    fn measure(&self) -> Measure {
        Measure::equal_values(self.require)
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        vectors.refuse_learned()?;
        match vectors.features {
            FeatureKind::Shingles => check_require(self.require, SUPER_SHINGLES as u32),
            _ => refuse(
                "super-shingles are made of shingles, not of words or spots: leave out ‹features›",
            ),
        }
    }

    fn sketcher(&self, seed: u64) -> Option<Box<dyn Sketcher>> {
        Some(Box::new(SuperShingler::new(seed)))
    }

    fn row_width(&self) -> usize {
        SUPER_SHINGLES
    }

    fn keeps_features(&self) -> bool {
        false
    }

    fn forget_comparison(&mut self) {
        self.require = REQUIRED;
    }

    fn expected_recall(&self) -> Vec<(f64, f64)> {
        chances(&[0.8, 0.9, 0.95], |s| {
            supershingles::recall(s, self.require)
        })
    }
}

impl fmt::Display for SuperShingles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let require = self.require;
        write!(
            f,
            "at least {require} of {SUPER_SHINGLES} super-shingles equal"
        )
    }
}
