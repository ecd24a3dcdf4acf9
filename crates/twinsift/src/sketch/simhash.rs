//! The similarity hash (Charikar): each bit says on which side of a random
//! hyperplane the document's vector lies. Two documents at an angle θ agree in a
//! bit with a chance of 1 - θ/π.
//!
//! The hyperplane of a bit has a coordinate of +1 or -1 for each feature: the
//! bit of that feature's own hash.

use crate::collection::block::Vector;
use crate::hash;

/// The chance that two documents of cosine `s` differ in at most `distance` of
/// `bits` bits.
pub fn recall(s: f64, bits: u32, distance: u32) -> f64 {
    let differ = s.clamp(-1.0, 1.0).acos() / std::f64::consts::PI;
    // Binomial terms one after another: (1 - p)^bits, then times the odds.
    let mut term = (1.0 - differ).powi(bits as i32);
    let mut sum = term;
    for k in 1..=distance.min(bits) {
        term *= f64::from(bits - k + 1) / f64::from(k) * differ / (1.0 - differ);
        sum += term;
    }
    sum.min(1.0)
}

/// Makes signatures of a multiple of 64 bits.
#[derive(Clone, Debug)]
pub struct SimHasher {
    words: usize,
    seed: u64,
    sums: Vec<f32>,
}

impl SimHasher {
    /// Signatures of `bits` bits, rounded up to whole words of 64.
    pub fn new(bits: u32, seed: u64) -> Self {
        let words = bits.div_ceil(64).max(1) as usize;
        Self {
            words,
            seed,
            sums: vec![0.0; words * 64],
        }
    }

    /// Replaces `out` by the signature of a vector.
    pub fn sign(&mut self, vector: Vector<'_>, out: &mut Vec<u64>) {
        self.sums.fill(0.0);
        for (at, &value) in vector.values.iter().enumerate() {
            let weight = vector.weight(at) as f32;
            add(value ^ self.seed, weight, &mut self.sums);
        }
        out.clear();
        out.extend(
            self.sums
                .chunks_exact(64)
                .map(|sums| (0..64).fold(0, |bits, bit| bits | u64::from(sums[bit] < 0.0) << bit)),
        );
        debug_assert_eq!(out.len(), self.words);
    }
}

/// Adds the weight of a feature to the sums of all bits, with the signs that the feature's
/// own hashes say.
fn add(feature: u64, weight: f32, sums: &mut [f32]) {
    #[inline(always)]
    fn add_to_all(feature: u64, weight: f32, sums: &mut [f32]) {
        for (word, sums) in sums.chunks_exact_mut(64).enumerate() {
            let bits = hash::pair(feature, word as u64);
            let (low, high) = sums.split_at_mut(32);
            for (bits, sums) in [(bits as u32, low), ((bits >> 32) as u32, high)] {
                for (bit, sum) in sums.iter_mut().enumerate() {
                    let sign = (bits >> bit) << 31;
                    *sum += f32::from_bits(weight.to_bits() ^ sign);
                }
            }
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn add_by_avx2(feature: u64, weight: f32, sums: &mut [f32]) {
            add_to_all(feature, weight, sums);
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { add_by_avx2(feature, weight, sums) };
        }
    }
    add_to_all(feature, weight, sums);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::hamming::differing;

    #[test]
    fn recall_adds_up_the_chances_of_few_differing_bits() {
        assert_eq!(recall(1.0, 64, 3), 1.0);
        assert!((recall(0.0, 64, 64) - 1.0).abs() < 1e-9);
        // θ/π = 0.5: the chance of no differing bit out of two is a quarter.
        assert!((recall(0.0, 2, 0) - 0.25).abs() < 1e-12);
        assert!((recall(0.0, 2, 1) - 0.75).abs() < 1e-12);
    }

    /// Pr[bit equal] = 1 - θ/π.
    #[test]
    fn bits_agree_as_the_angle_says() {
        for shared in [0u64, 100, 200, 290] {
            let size = 300u64;
            let cosine = shared as f64 / size as f64;
            let expected = 1.0 - cosine.acos() / std::f64::consts::PI;
            let (mut equal, rounds) = (0, 60u64);
            for round in 0..rounds {
                let mut hasher = SimHasher::new(128, round);
                let mut sign = |range: std::ops::Range<u64>| {
                    let values: Vec<u64> = range.map(|at| hash::pair(round, at)).collect();
                    let mut row = Vec::new();
                    let vector = Vector {
                        total: size as f64,
                        values: &values,
                        weights: &[],
                    };
                    hasher.sign(vector, &mut row);
                    row
                };
                let (x, y) = (sign(0..size), sign(size - shared..2 * size - shared));
                equal += 128 - differing(&x, &y);
            }
            let measured = f64::from(equal) / (128.0 * rounds as f64);
            assert!(
                (measured - expected).abs() < 0.02,
                "{measured} for {expected}"
            );
        }
    }
}
