//! What blocking keys are made of.

use crate::features::profile::{self, Kind};
use crate::hash;
use crate::matching::hamming;
use crate::matching::hyperplanes::BitSample;
use crate::matching::join::prefix_length;
use crate::signature::Signature;
use crate::similarity::Similarity;
use std::ops::Range;

/// The keys of a matcher.
#[derive(Clone, Debug)]
pub(crate) struct BlockingKeys {
    pub(crate) rule: KeyRule,
    /// The least chance that two signatures share a key that the measure accepts; `None` where
    /// it is not known.
    pub(crate) recall: Option<f64>,
}

impl BlockingKeys {
    /// Keys that two signatures which the measure accepts always share.
    pub(super) fn certain(rule: KeyRule) -> Self {
        Self {
            rule,
            recall: Some(1.0),
        }
    }
}

/// How the keys of a signature are made.
#[derive(Clone, Debug)]
pub(crate) enum KeyRule {
    Digest,
    /// The features of a prefix.
    Prefix {
        similarity: Similarity,
        threshold: f64,
        weighted: bool,
    },
    /// The folded 3-grams of a profile, as far as a prefix by cosine goes.
    ProfilePrefix {
        threshold: f64,
    },
    /// The first places of a sketch, each of so many numbers.
    Places {
        first: usize,
        lanes: usize,
    },
    /// Blocks of the bits of a sketch.
    Blocks(Vec<Range<u32>>),
    /// Bits of a sketch, drawn at random.
    BitSamples(Vec<BitSample>),
}

impl KeyRule {
    /// Places of which `require` are equal: two rows then agree in one of the first ones.
    pub(super) fn places(width: usize, require: u32, lanes: usize) -> Self {
        KeyRule::Places {
            first: (width + 1).saturating_sub(require as usize),
            lanes,
        }
    }

    /// The keys of a signature with the digest `digest`, in any order and maybe repeated.
    pub(crate) fn keys(&self, signature: &Signature, digest: u128) -> Vec<u64> {
        match self {
            KeyRule::Digest => vec![(digest >> 64) as u64],
            &KeyRule::Prefix {
                similarity,
                threshold,
                weighted,
            } => {
                let length = prefix_length(signature.vector(), similarity, threshold, weighted);
                signature.values[..length].to_vec()
            }
            &KeyRule::ProfilePrefix { threshold } => {
                let grams = Kind::FoldedGrams.of(signature.vector());
                let length = prefix_length(grams, Similarity::Cosine, threshold, false);
                let keys = grams.values[..length].iter();
                keys.map(|&value| profile::spread(value)).collect()
            }
            &KeyRule::Places { first, lanes } => {
                let places = signature.row.chunks_exact(lanes).take(first);
                let present = (0..).zip(places).filter(|(_, value)| value[0] != 0);
                present
                    .map(|(place, value)| value.iter().copied().fold(place, hash::pair))
                    .collect()
            }
            KeyRule::Blocks(blocks) => (0..)
                .zip(blocks)
                .map(|(place, block)| hash::pair(place, hamming::slice(&signature.row, block)))
                .collect(),
            KeyRule::BitSamples(samples) => (0..)
                .zip(samples)
                .map(|(place, sample)| hash::pair(place, sample.group(&signature.row).into()))
                .collect(),
        }
    }
}
