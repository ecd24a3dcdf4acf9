//! Which documents are near duplicates of each other?
//!
//! | matcher | file | finds |
//! |---|---|---|
//! | `exact` | [`join`] | every pair at or above a similarity |
//! | | [`spotsigs`] | the same by the SpotSigs paper's algorithm |
//! | `lsh` | [`lsh`] | likely pairs by min-hash bands, each then compared in full |
//! | `hash` | [`agree`] | pairs whose signatures agree in enough places |
//! | | [`hyperplanes`] | the same by bit signatures of learned k-grams |
//! | `hamming` | [`hamming`] | every pair of signatures within some bits |
//!
//! All of them see representatives only: equal documents have been taken
//! together before. They hand edges to an [`edges::EdgeSink`].

pub mod agree;
pub(crate) mod confirm;
mod connections;
pub mod edges;
pub mod forest;
pub mod hamming;
pub mod hyperplanes;
pub mod join;
pub mod judged;
pub mod lsh;
pub mod score_buckets;
pub mod spotsigs;
pub(crate) mod wanted;

use crate::collection::classes::Classes;
use crate::error::Result;
use crate::observer::Stage;
use crate::settings::{Budget, Settings};
use wanted::Wanted;

/// What a matcher did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MatcherReport {
    /// Documents that may have a partner, for the exact join.
    pub(crate) indexed: u64,
    /// Pairs that were compared in full.
    pub(crate) compared: u64,
    /// Size bands that the exact join cut the documents into.
    pub(crate) size_bands: u64,
}

impl MatcherReport {
    /// So many pairs were compared; nothing else is known.
    pub(crate) fn compared(compared: u64) -> Self {
        Self {
            compared,
            ..Self::default()
        }
    }
}

/// What every matcher needs besides its own parameters.
pub(crate) struct Job<'a> {
    pub(crate) classes: &'a Classes,
    pub(crate) sides: Sides,
    /// The first old document, if there are any.
    pub(crate) old_from: Option<u32>,
    pub(crate) wanted: Wanted,
    pub(crate) settings: &'a Settings,
    pub(crate) budget: Budget,
}

impl Job<'_> {
    /// Begins to match, in so many steps.
    pub(crate) fn begin(&self, steps: usize) -> Result<()> {
        self.settings.observer.begin(Stage::Matching, steps as u64)
    }

    /// Counts steps as done; fails if the run was cancelled.
    pub(crate) fn advance(&self, steps: usize) -> Result<()> {
        self.settings.observer.advance(steps as u64);
        self.check()
    }

    /// Fails if the run was cancelled.
    pub(crate) fn check(&self) -> Result<()> {
        self.settings.observer.check()
    }

    /// Whether two representatives stand for any pair that is asked for.
    pub(crate) fn may_pair(&self, a: u32, b: u32) -> bool {
        self.sides.may_pair(a, b)
    }
}

/// Which side of a comparison each class of documents stands on.
#[derive(Debug)]
pub(crate) enum Sides {
    /// One collection, compared with itself.
    One,
    /// A new collection against an old one: by representative, whether its class
    /// has new members (bit 0) and old ones (bit 1).
    Two(Vec<u8>),
}

impl Sides {
    pub(crate) fn new(classes: &Classes, old_from: Option<u32>) -> Self {
        let Some(old_from) = old_from else {
            return Sides::One;
        };
        let mut sides = vec![0; classes.len()];
        for doc in 0..classes.len() as u32 {
            let side = if doc < old_from { 1 } else { 2 };
            sides[classes.representative(doc) as usize] |= side;
        }
        Sides::Two(sides)
    }

    fn may_pair(&self, a: u32, b: u32) -> bool {
        match self {
            Sides::One => true,
            Sides::Two(sides) => sides[a as usize] | sides[b as usize] == 3,
        }
    }
}
