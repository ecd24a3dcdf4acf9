//! Super-shingles (Broder; Fetterly, Manasse and Najork): 84 min-hashes, cut
//! into 6 groups of 14, each group hashed into one value. Two documents that
//! agree in at least 2 of the 6 are taken for near duplicates.

use super::{Sketcher, at_least};
use crate::hash::{self, Stream};
use crate::vector::Vector;

/// Min-hashes of a document.
pub const MIN_HASHES: usize = 84;
/// Super-shingles of a document.
pub const SUPER_SHINGLES: usize = 6;
/// How many must agree unless told otherwise.
pub const REQUIRED: u32 = 2;

/// The chance that two documents of Jaccard similarity `s` agree in at least `require`
/// super-shingles.
pub fn recall(s: f64, require: u32) -> f64 {
    let one = s.powi((MIN_HASHES / SUPER_SHINGLES) as i32);
    at_least(require, one, SUPER_SHINGLES as u32)
}

/// Makes super-shingles with 84 independent hash functions.
#[derive(Clone, Debug)]
pub struct SuperShingler {
    multiply: [u32; MIN_HASHES],
    add: [u32; MIN_HASHES],
}

impl SuperShingler {
    /// The hash functions of `seed`.
    pub fn new(seed: u64) -> Self {
        let mut stream = Stream::new(seed);
        Self {
            multiply: std::array::from_fn(|_| stream.next_value() as u32 | 1),
            add: std::array::from_fn(|_| stream.next_value() as u32),
        }
    }

    /// The 84 min-hashes of a set of features.
    pub fn min_hashes(&self, features: &[u64]) -> [u32; MIN_HASHES] {
        let mut least = [u32::MAX; MIN_HASHES];
        for &feature in features {
            let feature = (feature >> 32) as u32;
            let functions = self.multiply.iter().zip(&self.add);
            for (least, (&multiply, &add)) in least.iter_mut().zip(functions) {
                *least = (*least).min(feature.wrapping_mul(multiply).wrapping_add(add));
            }
        }
        least
    }

    /// The 6 super-shingles of a set of features.
    pub fn super_shingles(&self, features: &[u64]) -> [u64; SUPER_SHINGLES] {
        let values = self.min_hashes(features);
        std::array::from_fn(|group| {
            let size = MIN_HASHES / SUPER_SHINGLES;
            values[group * size..][..size]
                .iter()
                .fold(group as u64, |key, &value| {
                    hash::pair(key, u64::from(value))
                })
        })
    }
}

impl Sketcher for SuperShingler {
    fn sketch(&mut self, vector: Vector<'_>, row: &mut Vec<u64>) {
        row.clear();
        row.extend(self.super_shingles(vector.values));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recall_rises_from_nothing_to_certainty() {
        for require in 1..=6 {
            assert_eq!((recall(0.0, require), recall(1.0, require)), (0.0, 1.0));
        }
        assert!((recall(0.95, 2) - 0.879).abs() < 0.001);
        assert!(recall(0.95, 1) > recall(0.95, 2) && recall(0.95, 2) > recall(0.95, 6));
    }

    #[test]
    fn min_hashes_estimate_jaccard() {
        let (mut sum, rounds) = (0.0, 100u64);
        for round in 0..rounds {
            let shingler = SuperShingler::new(round);
            let feature = |at: u64| hash::pair(round, at);
            let x: Vec<u64> = (0..300).map(feature).collect();
            let y: Vec<u64> = (100..400).map(feature).collect();
            let (x, y) = (shingler.min_hashes(&x), shingler.min_hashes(&y));
            let equal = x.iter().zip(&y).filter(|(a, b)| a == b).count();
            sum += equal as f64 / MIN_HASHES as f64;
        }
        assert!((sum / rounds as f64 - 0.5).abs() < 0.03);
    }
}
