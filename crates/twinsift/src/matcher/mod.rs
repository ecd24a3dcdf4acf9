//! How are two documents compared? By a matcher, and its parameters.
//!
//! | variant of [`Matching`] | file | two documents match if |
//! |---|---|---|
//! | `Exact` | [`exact_join`] | their similarity reaches a threshold: every such pair is found |
//! | `Lsh` | [`min_hash_bands`] | they share a band of min-hashes, and their similarity reaches a threshold |
//! | `MinHashes` | [`min_hashes`] | enough of their min-hashes are equal |
//! | `Hash` | [`equality`] | their features are equal |
//! | `SuperShingles` | [`super_shingles`] | enough of their super-shingles are equal |
//! | `IMatch` | [`imatch`] | enough of their I-Match signatures are equal |
//! | `Hyperplanes` | [`hyperplanes`] | enough bits of learned vectors agree |
//! | `WeightedMinHash` | [`weighted_min_hash`] | as `Lsh` or `MinHashes`, for learned vectors |
//! | `Hamming` | [`hamming`] | their similarity hashes differ in few bits |
//! | `Detector` | [`detection`] | a detector takes them for the same |
//!
//! A file holds all that is particular to one matcher, as a [`PairMatcher`]: the search in a
//! collection, the blocking keys, the measure, the sketch, the words of a summary. The searches
//! themselves are algorithms that several matchers share, in [`matching`](crate::matching).

mod detection;
mod equality;
mod exact_join;
mod hamming;
mod hyperplanes;
mod imatch;
mod key_rule;
mod measure;
mod min_hash_bands;
mod min_hashes;
mod ranges;
mod super_shingles;
mod verify;
mod weighted_min_hash;

use crate::collection::store::Store;
use crate::detector::Detector;
use crate::error::{Result, misplaced, refuse};
use crate::features::{FeatureKind, Weights};
use crate::matching::edges::EdgeSink;
use crate::matching::{Job, MatcherReport};
use crate::similarity::Similarity;
use crate::sketch::{Rows, Sketcher};
use serde::{Deserialize, Serialize};
use std::fmt;

pub use equality::Equality;
pub use exact_join::ExactJoin;
pub use hamming::Hamming;
pub use hyperplanes::Hyperplanes;
pub use imatch::IMatch;
pub(crate) use key_rule::{BlockingKeys, KeyRule};
pub(crate) use measure::Measure;
pub use min_hash_bands::MinHashBands;
pub use min_hashes::MinHashes;
pub(crate) use ranges::{check_idf, check_similarity};
pub use super_shingles::SuperShingles;
pub use verify::Verify;
pub use weighted_min_hash::WeightedMinHash;

/// The table of matchers.
macro_rules! matchers {
    ($($(#[$meta:meta])+ $variant:ident($type:ident),)+) => {
        /// A matcher with its parameters.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase", tag = "by")]
        #[non_exhaustive]
        pub enum Matching {
            $($(#[$meta])+ $variant($type),)+
        }

        impl Matching {
            pub(crate) fn matcher(&self) -> &dyn PairMatcher {
                match self {
                    $(Self::$variant(matcher) => matcher,)+
                }
            }

            pub(crate) fn matcher_mut(&mut self) -> &mut dyn PairMatcher {
                match self {
                    $(Self::$variant(matcher) => matcher,)+
                }
            }
        }
    };
}

matchers! {
    /// Every pair at or above a threshold.
    Exact(ExactJoin),
    /// Min-hash bands, then compared in full by Jaccard.
    Lsh(MinHashBands),
    /// Min-hashes alone: the share of those that are equal estimates Jaccard.
    MinHashes(MinHashes),
    /// Equal features.
    Hash(Equality),
    /// Some of 6 super-shingles equal.
    SuperShingles(SuperShingles),
    /// Some of several I-Match signatures equal.
    IMatch(IMatch),
    /// Bits that say on which side of random hyperplanes a vector lies.
    Hyperplanes(Hyperplanes),
    /// Min-hashes of features that count as many times as they weigh.
    WeightedMinHash(WeightedMinHash),
    /// Similarity hashes within some bits.
    Hamming(Hamming),
    /// A detector's score.
    Detector(Detector),
}

/// What a matcher has to know of the vectors that it compares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VectorKind {
    pub(crate) features: FeatureKind,
    pub(crate) weights: Weights,
    /// The measure that their model was trained for, where they are learned.
    pub(crate) trained_for: Option<Similarity>,
    /// Seed of everything random.
    pub(crate) seed: u64,
}

impl VectorKind {
    pub(crate) fn is_weighted(&self) -> bool {
        self.weights != Weights::Binary
    }

    /// Refuses learned vectors, for matchers that cannot compare them.
    fn refuse_learned(&self) -> Result<()> {
        match self.features {
            FeatureKind::Learned => refuse("learned k-grams are compared by ‹match› join or lsh"),
            _ => Ok(()),
        }
    }
}

/// A search for the pairs of a collection.
pub(crate) struct Search<'a> {
    pub(crate) job: &'a Job<'a>,
    /// Features; empty where sketches alone are compared.
    pub(crate) store: Store,
    /// Sketches.
    pub(crate) rows: &'a Rows,
    pub(crate) is_weighted: bool,
    /// Where pairs go.
    pub(crate) sink: &'a EdgeSink,
}

/// All that is particular to one matcher. It is shown as it stands in a summary, such as
/// `exact join, Jaccard ≥ 0.8`.
pub(crate) trait PairMatcher: fmt::Display {
    /// Finds the pairs of a collection.
    fn find(&self, search: Search<'_>) -> Result<MatcherReport>;

    /// The blocking keys of a signature.
    fn keys(&self, vectors: &VectorKind) -> BlockingKeys;

    /// How two signatures are compared.
    fn measure(&self) -> Measure;

    /// Refuses parameters out of their range, and vectors that it cannot compare.
    fn check(&self, vectors: &VectorKind) -> Result<()>;

    /// Refuses weights that it would ignore. It is asked for counts and tf-idf only.
    fn check_weights(&self, _: &VectorKind) -> Result<()> {
        misplaced("‹weights› has no meaning here: it belongs to ‹match› join and hamming")
    }

    /// Makes the sketch that it compares; `None` if it compares none, or one of another making.
    fn sketcher(&self, _seed: u64) -> Option<Box<dyn Sketcher>> {
        None
    }

    /// Whether the sketch can be made while documents are read: not if weights are still to
    /// come from the collection.
    fn sketches_while_reading(&self) -> bool {
        true
    }

    /// Numbers in the row of a sketch.
    fn row_width(&self) -> usize {
        0
    }

    /// Values in a signature that is stored.
    fn signature_width(&self) -> usize {
        self.row_width().max(1)
    }

    /// Whether documents are compared by their features in the end, rather than by a sketch or a
    /// digest alone.
    fn keeps_features(&self) -> bool {
        true
    }

    /// The measure that features are kept for.
    fn similarity(&self) -> Similarity {
        Similarity::Jaccard
    }

    /// The least similarity, if it has one.
    fn threshold_mut(&mut self) -> Option<&mut f64> {
        None
    }

    /// Lowers the threshold to `floor`, if it has one.
    fn widen(&mut self, floor: f64) {
        if let Some(threshold) = self.threshold_mut() {
            *threshold = threshold.min(floor);
        }
    }

    /// Takes usual values for all parameters that signatures do not depend on.
    fn forget_comparison(&mut self) {}

    /// The lowest score that it reports, if that is not the threshold.
    fn lowest_score(&self) -> Option<f64> {
        None
    }

    /// Where it goes by chance: how likely it is that pairs of some similarities are found, as
    /// (similarity, chance).
    fn expected_recall(&self) -> Vec<(f64, f64)> {
        Vec::new()
    }
}

/// The chance of pairs of these similarities.
fn chances(similarities: &[f64], chance: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    similarities.iter().map(|&s| (s, chance(s))).collect()
}
