//! Weighted features as plain ones, so that min-hashes can be taken of them (section 3.2
//! of the ANDD paper, after Gionis, Indyk and Motwani).
//!
//! A feature of some mass becomes as many elements as the mass has quanta. Two documents
//! then share as many elements as they share mass, and the Jaccard similarity of the
//! elements is Σ min / Σ max of the masses. Where a feature weighs the same in both
//! documents, that is their extended Jaccard similarity; else it is a little less.
//!
//! What is left over of a mass becomes one more element with a chance of that size.
//! The feature alone decides: so it is the same in every document, and light features
//! count for what they weigh on average.

use super::Sketcher;
use super::minhash::MinHasher;
use crate::hash;
use crate::vector::Vector;

/// Elements to a feature of mass 1. Learned weights are at most a few, most of them well
/// below 1.
const QUANTA: f64 = 32.0;

/// No feature becomes more elements than these.
const MOST: f64 = 4096.0;

/// Replaces `out` by the elements of the features, each of the mass w². There is at least
/// one, if there is a feature.
pub fn elements(features: &[u64], weights: impl Iterator<Item = f64>, out: &mut Vec<u64>) {
    out.clear();
    for (&feature, weight) in features.iter().zip(weights) {
        let left_over = (hash::mix(feature) >> 11) as f64 / (1u64 << 53) as f64;
        let count = (weight * weight * QUANTA + left_over).min(MOST) as u64;
        out.extend((0..count).map(|number| hash::pair(feature, number)));
    }
    if out.is_empty() {
        out.extend_from_slice(features);
    }
}

/// Min-hashes of weighted features.
#[derive(Debug)]
pub(crate) struct QuantisedSketcher {
    hasher: MinHasher,
    is_banded: bool,
    elements: Vec<u64>,
}

impl QuantisedSketcher {
    /// Sketches of the hasher's bands, or of all its min-hashes.
    pub(crate) fn new(hasher: MinHasher, is_banded: bool) -> Self {
        Self {
            hasher,
            is_banded,
            elements: Vec::new(),
        }
    }
}

impl Sketcher for QuantisedSketcher {
    fn sketch(&mut self, vector: Vector<'_>, row: &mut Vec<u64>) {
        let weights = vector.weights.iter().map(|&weight| f64::from(weight));
        elements(vector.values, weights, &mut self.elements);
        match self.is_banded {
            true => self.hasher.bands(&self.elements, row),
            false => self.hasher.all(&self.elements, row),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn of(features: &[u64], weights: &[f64]) -> BTreeSet<u64> {
        let mut out = Vec::new();
        elements(features, weights.iter().copied(), &mut out);
        out.into_iter().collect()
    }

    #[test]
    fn shared_elements_are_shared_mass() {
        let features: Vec<u64> = (0..2000).map(hash::mix).collect();
        let light: Vec<f64> = (0..2000).map(|at| f64::from(at % 7) / 9.0).collect();
        let heavy: Vec<f64> = (0..2000).map(|at| f64::from(at % 5) / 6.0).collect();
        let (x, y) = (of(&features, &light), of(&features, &heavy));
        let masses = |by: fn(f64, f64) -> f64| -> f64 {
            let pairs = light.iter().zip(&heavy);
            pairs.map(|(x, y)| by(x * x, y * y)).sum()
        };
        let expected = masses(f64::min) / masses(f64::max);
        let measured = x.intersection(&y).count() as f64 / x.union(&y).count() as f64;
        assert!(
            (measured - expected).abs() < 0.01,
            "{measured} for {expected}"
        );
    }

    #[test]
    fn a_document_has_elements_however_light_it_is() {
        assert_eq!(of(&[5, 6], &[0.0, 0.0]).len(), 2);
        assert!(of(&[], &[]).is_empty());
        assert_eq!(of(&[7], &[1e9]).len(), MOST as usize);
    }
}
