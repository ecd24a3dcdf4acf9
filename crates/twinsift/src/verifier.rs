//! The score of two signatures, by the recipe's own measure.

use crate::error::Result;
use crate::matching::agree::Agreement;
use crate::matching::hamming::differing;
use crate::matching::hyperplanes;
use crate::recipe::{Matching, Recipe, THRESHOLD, Verify};
use crate::signature::Signature;
use crate::similarity::Similarity;
use crate::sketch::minhash;

/// Compares two signatures: the very arithmetic that a [`Sifter`](crate::Sifter) ends with, to
/// the last bit of the score.
///
/// ```
/// use twinsift::{Document, Extractor, Recipe, Statistics, Verifier};
///
/// let recipe = Recipe::default();
/// let extractor = Extractor::new(&recipe, &Statistics::default())?;
/// let signature = |text| extractor.extract(&Document::new("", text));
/// let verifier = Verifier::new(&recipe)?;
/// let monday = signature("The council approved the new bridge over the river.");
/// let tuesday = signature("A storm is expected to reach the coast by tomorrow.");
/// assert_eq!(verifier.score(&monday, &tuesday), None);
/// assert_eq!(verifier.score(&monday, &monday), Some(1.0));
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    measure: Measure,
}

#[derive(Clone, Copy, Debug)]
enum Measure {
    /// Equal documents only.
    Equality,
    Similarity(Verify),
    /// Equal values of a sketch, and what such pairs must reach besides.
    Agreement {
        require: usize,
        lanes: usize,
        verify: Option<Verify>,
    },
    /// Bits of a sketch in which the two differ, at most.
    Hamming {
        distance: u32,
    },
    /// The same, where the bits estimate an angle; and the cosine of the vectors, where it
    /// decides.
    Angle {
        most: u32,
        cosine: Option<f64>,
    },
}

impl Verifier {
    /// The verifier of a recipe.
    pub fn new(recipe: &Recipe) -> Result<Self> {
        recipe.refuse_classifier()?;
        let similarity = |threshold| {
            Measure::Similarity(Verify {
                similarity: recipe.similarity(),
                threshold,
            })
        };
        let agreement = |require: u32, verify| Measure::Agreement {
            require: require as usize,
            lanes: match recipe.matching {
                Matching::IMatch { .. } => recipe.signature_lanes(),
                _ => 1,
            },
            verify,
        };
        let measure = match recipe.matching {
            Matching::Hash => Measure::Equality,
            Matching::Exact { threshold, .. }
            | Matching::Lsh { threshold, .. }
            | Matching::WeightedMinHash {
                threshold,
                verify: true,
                ..
            } => similarity(threshold),
            Matching::MinHashes { threshold, values } => {
                agreement(minhash::share(threshold, values), None)
            }
            Matching::WeightedMinHash {
                threshold,
                bands,
                rows,
                ..
            } => agreement(minhash::share(threshold, bands * rows), None),
            Matching::SuperShingles { require } => agreement(require, None),
            Matching::IMatch { require, verify } => agreement(require, verify),
            Matching::Hamming { distance, .. } => Measure::Hamming { distance },
            Matching::Hyperplanes {
                bits,
                threshold,
                verify,
            } => Measure::Angle {
                most: hyperplanes::farthest(bits, threshold, verify),
                cosine: verify.then_some(threshold),
            },
        };
        Ok(Self { measure })
    }

    /// How alike two documents are by the recipe's own measure, whether or not that is enough;
    /// `None` if one of them has nothing to be compared by, or something else than the other.
    pub fn similarity(&self, a: &Signature, b: &Signature) -> Option<f64> {
        let (x, y) = (a.digest?, b.digest?);
        if a.is_fallback != b.is_fallback {
            return None;
        }
        let of = |similarity: Similarity| similarity.of(a.vector(), b.vector());
        let (apart, bits) = (differing(&a.row, &b.row), a.row.len() as u32 * 64);
        Some(match self.measure {
            _ if x == y => 1.0,
            _ if a.is_fallback => of(Similarity::Jaccard),
            Measure::Equality => 0.0,
            Measure::Similarity(verify) => of(verify.similarity),
            Measure::Agreement {
                verify: Some(verify),
                ..
            } => of(verify.similarity),
            Measure::Agreement { lanes, .. } => Agreement::of(&a.row, &b.row, lanes).score(),
            Measure::Hamming { .. } => 1.0 - f64::from(apart) / f64::from(bits),
            Measure::Angle { cosine: None, .. } => hyperplanes::estimate(apart, bits),
            Measure::Angle { .. } => of(Similarity::Cosine),
        })
    }

    /// The score of two documents, if they are near duplicates. Whether they share a
    /// [key](crate::Keys) does not matter here.
    pub fn score(&self, a: &Signature, b: &Signature) -> Option<f64> {
        let (Some(x), Some(y)) = (a.digest, b.digest) else {
            return None;
        };
        if a.is_fallback != b.is_fallback {
            return None;
        }
        if x == y {
            return Some(1.0);
        }
        let reaching = |similarity: Similarity, threshold| {
            similarity.reaching(threshold, a.vector(), b.vector())
        };
        let apart = || differing(&a.row, &b.row);
        let bits = a.row.len() as u32 * 64;
        match self.measure {
            _ if a.is_fallback => reaching(Similarity::Jaccard, THRESHOLD),
            Measure::Equality => None,
            Measure::Similarity(verify) => reaching(verify.similarity, verify.threshold),
            Measure::Agreement {
                require,
                lanes,
                verify,
            } => {
                let agreement = Agreement::of(&a.row, &b.row, lanes);
                match verify {
                    _ if agreement.equal < require => None,
                    None => Some(agreement.score()),
                    Some(verify) => reaching(verify.similarity, verify.threshold),
                }
            }
            Measure::Hamming { distance } => {
                let apart = apart();
                (apart <= distance).then(|| 1.0 - f64::from(apart) / f64::from(bits))
            }
            Measure::Angle { most, cosine } => {
                let apart = apart();
                match cosine {
                    _ if apart > most => None,
                    None => Some(hyperplanes::estimate(apart, bits)),
                    Some(threshold) => reaching(Similarity::Cosine, threshold),
                }
            }
        }
    }
}
