//! What is kept of a document, and all that is needed to compare it.

use crate::hash;
use crate::vector::Vector;

/// What a recipe keeps of a document: weighted features, the values of a sketch, or a digest.
///
/// An [`Extractor`](crate::Extractor) makes signatures, [`Keys`](crate::Keys) say which of
/// them may match, and a [`Verifier`](crate::Verifier) compares two. Only signatures of one
/// recipe can be compared.
///
/// [`to_bytes`](Self::to_bytes) is a compact form that stays readable:
///
/// ```
/// use twinsift::{Document, Extractor, Recipe, Signature, Statistics};
///
/// let extractor = Extractor::new(&Recipe::default(), &Statistics::default())?;
/// let signature = extractor.extract(&Document::new("a", "six words make two five-grams"));
/// let stored = signature.to_bytes();
/// assert_eq!(Signature::from_bytes(&stored).as_ref(), Some(&signature));
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    /// Equal for documents that the recipe takes for equal; `None` for one that has too little
    /// to be compared.
    pub(crate) digest: Option<u128>,
    /// Whether it has too few spots, and is compared by shingles instead.
    pub(crate) is_fallback: bool,
    /// The values of a sketch, all 0 where one is missing; empty if there is none.
    pub(crate) row: Vec<u64>,
    /// Features, ascending; empty if they are not compared.
    pub(crate) values: Vec<u64>,
    /// Their weights; empty if all are 1.
    pub(crate) weights: Vec<f32>,
    /// The sum of their masses.
    pub(crate) total: f64,
}

/// The version of the stored form.
const VERSION: u8 = 1;

/// Flags of the stored form.
const JUDGED: u8 = 1;
const FALLBACK: u8 = 2;
/// Weights are whole numbers below 256, a byte each.
const COUNTED: u8 = 4;
/// Weights are numbers of four bytes.
const WEIGHTED: u8 = 8;

impl Signature {
    /// A signature of the values of a sketch, all 0 where one is missing; of nothing, if all are.
    pub fn of_sketch(row: Vec<u64>) -> Self {
        match row.iter().any(|&value| value != 0) {
            false => Self::default(),
            true => Self {
                digest: Some(hash::digest(row.iter().copied())),
                row,
                ..Self::default()
            },
        }
    }

    /// A signature of a digest alone.
    pub fn of_digest(digest: u128) -> Self {
        Self {
            digest: Some(digest),
            ..Self::default()
        }
    }

    /// Whether the document has enough to be compared: a text without words, or too short for
    /// a single feature, has not.
    pub fn is_judged(&self) -> bool {
        self.digest.is_some()
    }

    /// The features, ascending; empty for recipes that compare sketches alone.
    pub fn features(&self) -> &[u64] {
        &self.values
    }

    /// The weights of the features; empty if all are 1.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The values of the sketch, 0 where one is missing; empty for recipes without a sketch.
    pub fn sketch(&self) -> &[u64] {
        &self.row
    }

    /// Equal for documents that the recipe takes for equal, so that one can stand for all.
    pub fn digest(&self) -> Option<u128> {
        self.digest
    }

    pub(crate) fn vector(&self) -> Vector<'_> {
        Vector {
            total: self.total,
            values: &self.values,
            weights: &self.weights,
        }
    }

    /// The stored form: a version, flags, the digest, the sketch, the features and their
    /// weights, numbers with their lowest byte first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let is_counted = |weight: &f32| (0.0..256.0).contains(weight) && weight.fract() == 0.0;
        let weights = match &self.weights[..] {
            [] => 0,
            weights if weights.iter().all(is_counted) => COUNTED,
            _ => WEIGHTED,
        };
        let judged = u8::from(self.is_judged()) * JUDGED;
        let fallback = u8::from(self.is_fallback) * FALLBACK;
        let mut out = vec![VERSION, judged | fallback | weights];
        let Some(digest) = self.digest else {
            return out;
        };
        out.reserve(40 + 8 * self.row.len() + 12 * self.values.len());
        out.extend(digest.to_le_bytes());
        for numbers in [&self.row, &self.values] {
            out.extend((numbers.len() as u32).to_le_bytes());
            out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        match weights {
            COUNTED => out.extend(self.weights.iter().map(|&weight| weight as u8)),
            _ => out.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes())),
        }
        if weights != 0 {
            out.extend(self.total.to_le_bytes());
        }
        out
    }

    /// A signature from its [stored form](Self::to_bytes); `None` if it is none, or one of a
    /// later version.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = Reader(bytes);
        let [version, flags] = rest.take()?;
        if version != VERSION || flags & !(JUDGED | FALLBACK | COUNTED | WEIGHTED) != 0 {
            return None;
        }
        if flags & JUDGED == 0 {
            return (flags == 0 && rest.0.is_empty()).then(Self::default);
        }
        let digest = u128::from_le_bytes(rest.take()?);
        let row = rest.numbers()?;
        let values = rest.numbers()?;
        let count = values.len();
        let weights = match flags & (COUNTED | WEIGHTED) {
            0 => Vec::new(),
            COUNTED => (0..count)
                .map(|_| Some(f32::from(rest.take::<1>()?[0])))
                .collect::<Option<_>>()?,
            WEIGHTED => (0..count)
                .map(|_| Some(f32::from_le_bytes(rest.take()?)))
                .collect::<Option<_>>()?,
            _ => return None,
        };
        let total = match weights.is_empty() {
            true => count as f64,
            false => f64::from_le_bytes(rest.take()?),
        };
        rest.0.is_empty().then_some(Self {
            digest: Some(digest),
            is_fallback: flags & FALLBACK != 0,
            row,
            values,
            weights,
            total,
        })
    }
}

/// Bytes that have not been read yet.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    /// A number of numbers, and these.
    fn numbers(&mut self) -> Option<Vec<u64>> {
        let count = u32::from_le_bytes(self.take()?) as usize;
        let (numbers, rest) = self.0.split_at_checked(count.checked_mul(8)?)?;
        self.0 = rest;
        let (numbers, _) = numbers.as_chunks();
        Some(numbers.iter().map(|n| u64::from_le_bytes(*n)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn signature() -> impl Strategy<Value = Signature> {
        let weight = prop_oneof![(0u8..=255).prop_map(f32::from), 0.0f32..1e6];
        let features = prop::collection::vec((any::<u64>(), weight), 0..20);
        let row = prop::collection::vec(any::<u64>(), 0..12);
        (features, row, any::<u128>(), any::<(bool, bool)>()).prop_map(
            |(features, row, digest, (weighted, is_fallback))| {
                let (values, mut weights): (Vec<u64>, Vec<f32>) = features.into_iter().unzip();
                if !weighted {
                    weights.clear();
                }
                Signature {
                    digest: Some(digest),
                    is_fallback,
                    row,
                    total: match weights.is_empty() {
                        true => values.len() as f64,
                        false => weights.iter().copied().map(f64::from).sum(),
                    },
                    values,
                    weights,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_stored_comes_back(signature in signature()) {
            let stored = signature.to_bytes();
            prop_assert_eq!(Signature::from_bytes(&stored), Some(signature));
            prop_assert_eq!(Signature::from_bytes(&stored[..stored.len() - 1]), None);
            let longer: Vec<u8> = stored.iter().copied().chain([0]).collect();
            prop_assert_eq!(Signature::from_bytes(&longer), None);
        }

        #[test]
        fn nonsense_is_refused_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Some(signature) = Signature::from_bytes(&bytes) {
                prop_assert_eq!(Signature::from_bytes(&signature.to_bytes()), Some(signature));
            }
        }
    }

    /// The form of version 1, byte by byte: stored signatures stay readable.
    #[test]
    fn the_first_version_stays_readable() {
        let counted = Signature {
            digest: Some(0x0102),
            row: vec![7],
            values: vec![3, 258],
            weights: vec![1.0, 2.0],
            total: 3.0,
            ..Signature::default()
        };
        let stored = [
            &[1, 5, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
            &[1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0],
            &[2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0],
            &[1, 2, 0, 0, 0, 0, 0, 0, 8, 64],
        ]
        .concat();
        assert_eq!(counted.to_bytes(), stored);
        assert_eq!(Signature::from_bytes(&stored), Some(counted));
        assert_eq!(Signature::default().to_bytes(), [1, 0]);
        assert_eq!(Signature::from_bytes(&[1, 0]), Some(Signature::default()));
        assert_eq!(Signature::from_bytes(&[2, 0]), None);
    }
}
