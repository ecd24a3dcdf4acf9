//! How two signatures are compared.

use super::Verify;
use crate::detector::Detector;
use crate::matching::agree::Agreement;
use crate::matching::hamming::differing;
use crate::matching::hyperplanes;
use crate::signature::Signature;
use crate::similarity::Similarity;

/// What the score of two signatures is, and when it is enough.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Measure {
    /// Equal documents only.
    Equality,
    /// The similarity of features.
    Similarity(Verify),
    /// Equal values of a sketch, and what such pairs must reach besides.
    Agreement {
        require: usize,
        lanes: usize,
        verify: Option<Verify>,
    },
    /// The score of a detector.
    Detector(Detector),
    /// Bits of a sketch in which the two differ, at most.
    Hamming { distance: u32 },
    /// The same, where the bits estimate an angle; and the cosine of the vectors, where it
    /// decides.
    Angle { most: u32, cosine: Option<f64> },
}

impl Measure {
    pub(super) fn similarity_of(similarity: Similarity, threshold: f64) -> Self {
        Measure::Similarity(Verify {
            similarity,
            threshold,
        })
    }

    /// So many equal values of one number each.
    pub(super) fn equal_values(require: u32) -> Self {
        Measure::Agreement {
            require: require as usize,
            lanes: 1,
            verify: None,
        }
    }

    /// How alike two signatures of different digests are, whether or not that is enough.
    pub(crate) fn similarity(self, a: &Signature, b: &Signature) -> f64 {
        let of = |similarity: Similarity| similarity.of(a.vector(), b.vector());
        match self {
            Measure::Equality => 0.0,
            Measure::Similarity(verify)
            | Measure::Agreement {
                verify: Some(verify),
                ..
            } => of(verify.similarity),
            Measure::Agreement { lanes, .. } => Agreement::of(&a.row, &b.row, lanes).score(),
            Measure::Detector(detector) => detector.score(a.vector(), b.vector()),
            Measure::Hamming { .. } => share_of_equal_bits(differing(&a.row, &b.row), a),
            Measure::Angle { cosine: None, .. } => {
                hyperplanes::estimate(differing(&a.row, &b.row), bits(a))
            }
            Measure::Angle { .. } => of(Similarity::Cosine),
        }
    }

    /// The score of two signatures of different digests, if it is enough.
    pub(crate) fn score(self, a: &Signature, b: &Signature) -> Option<f64> {
        let reaching = |verify: Verify| {
            verify
                .similarity
                .reaching(verify.threshold, a.vector(), b.vector())
        };
        match self {
            Measure::Equality => None,
            Measure::Similarity(verify) => reaching(verify),
            Measure::Detector(detector) => detector.reaching(a.vector(), b.vector()),
            Measure::Agreement {
                require,
                lanes,
                verify,
            } => {
                let agreement = Agreement::of(&a.row, &b.row, lanes);
                match verify {
                    _ if agreement.equal < require => None,
                    None => Some(agreement.score()),
                    Some(verify) => reaching(verify),
                }
            }
            Measure::Hamming { distance } => {
                let apart = differing(&a.row, &b.row);
                (apart <= distance).then(|| share_of_equal_bits(apart, a))
            }
            Measure::Angle { most, cosine } => {
                let apart = differing(&a.row, &b.row);
                match cosine {
                    _ if apart > most => None,
                    None => Some(hyperplanes::estimate(apart, bits(a))),
                    Some(threshold) => reaching(Verify {
                        similarity: Similarity::Cosine,
                        threshold,
                    }),
                }
            }
        }
    }
}

fn bits(signature: &Signature) -> u32 {
    signature.row.len() as u32 * 64
}

fn share_of_equal_bits(apart: u32, signature: &Signature) -> f64 {
    1.0 - f64::from(apart) / f64::from(bits(signature))
}
