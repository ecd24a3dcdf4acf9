//! How documents are compared: a matcher with its parameters.

use super::Verify;
use crate::similarity::Similarity;
use crate::sketch::supershingles;
use serde::{Deserialize, Serialize};

/// A matcher with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "by")]
#[non_exhaustive]
pub enum Matching {
    /// Every pair at or above a threshold.
    Exact {
        /// The measure.
        similarity: Similarity,
        /// The least similarity.
        threshold: f64,
    },
    /// Min-hash bands, then compared in full by Jaccard.
    Lsh {
        /// The least similarity.
        threshold: f64,
        /// Bands.
        bands: u32,
        /// Min-hashes to a band.
        rows: u32,
    },
    /// Min-hashes alone: the share of those that are equal estimates Jaccard.
    MinHashes {
        /// The least share.
        threshold: f64,
        /// Min-hashes of a document.
        values: u32,
    },
    /// Equal features.
    Hash,
    /// Some of 6 super-shingles equal.
    SuperShingles {
        /// How many.
        #[serde(default = "usual", skip_serializing_if = "is_usual")]
        require: u32,
    },
    /// Some of several I-Match signatures equal.
    IMatch {
        /// How many.
        require: u32,
        /// What such pairs must reach besides.
        verify: Option<Verify>,
    },
    /// Bits that say on which side of random hyperplanes a vector lies.
    Hyperplanes {
        /// Bits of a signature.
        bits: u32,
        /// The least cosine.
        threshold: f64,
        /// Whether the vectors themselves decide in the end.
        verify: bool,
    },
    /// Min-hashes of features that count as many times as they weigh.
    WeightedMinHash {
        /// The least extended Jaccard similarity.
        threshold: f64,
        /// Bands.
        bands: u32,
        /// Min-hashes to a band.
        rows: u32,
        /// Whether the vectors themselves decide in the end. If not, the share of equal
        /// min-hashes does, whatever their bands.
        verify: bool,
    },
    /// Similarity hashes within some bits.
    Hamming {
        /// Bits of a hash.
        bits: u32,
        /// Most bits that differ.
        distance: u32,
    },
}

fn usual() -> u32 {
    supershingles::REQUIRED
}

fn is_usual(require: &u32) -> bool {
    *require == usual()
}
