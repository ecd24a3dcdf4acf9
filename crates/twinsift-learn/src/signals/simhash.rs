//! The similarity hash (Charikar) of a page's weighted terms.
//!
//! The share of bits that differ is θ/π in expectation, where θ is the angle between
//! the term vectors. (The paper says that the share of agreeing bits is the cosine; it
//! is 1 - θ/π.)

use super::about::{About, Cost, Large};
use twinsift::matching::hamming::differing;
use twinsift::sketch::simhash::SimHasher;
use twinsift::vector::Vector;

/// The baseline of the paper.
pub const ABOUT: About = About {
    name: "simhash_distance",
    definition: "the share of the 64 bits of the similarity hashes (terms by tf-idf) that differ",
    cost: Cost::Terms,
    large: Large::Apart,
};

/// Bits of a similarity hash.
pub const BITS: u32 = 64;

/// A similarity hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimHash(u64);

impl SimHash {
    /// The hash of a vector.
    pub fn of(vector: Vector<'_>) -> Self {
        let mut bits = Vec::new();
        SimHasher::new(BITS, 0).sign(vector, &mut bits);
        Self(bits[0])
    }

    /// The share of bits that differ.
    pub fn distance(self, other: Self) -> f64 {
        f64::from(differing(&[self.0], &[other.0])) / f64::from(BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinsift::hash;

    /// The expected share of agreeing bits is 1 - θ/π, not the cosine.
    #[test]
    fn bits_agree_as_the_angle_says() {
        let rounds = 200;
        let mut stream = hash::Stream::new(7);
        for mix in [0.0, 0.5, 0.9] {
            let (mut differ, mut expected) = (0.0, 0.0);
            for _ in 0..rounds {
                let values: Vec<u64> = {
                    let mut values: Vec<u64> = (0..200).map(|_| stream.next_value()).collect();
                    values.sort_unstable();
                    values
                };
                let mut random =
                    || -> Vec<f64> { values.iter().map(|_| unit(&mut stream)).collect() };
                let (x, other) = (random(), random());
                let y: Vec<f64> = x
                    .iter()
                    .zip(&other)
                    .map(|(x, o)| mix * x + (1.0 - mix) * o)
                    .collect();
                let dot =
                    |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
                let cosine = dot(&x, &y) / (dot(&x, &x) * dot(&y, &y)).sqrt();
                expected += cosine.clamp(-1.0, 1.0).acos() / std::f64::consts::PI;
                let hash = |weights: &[f64]| {
                    let weights: Vec<f32> = weights.iter().map(|&weight| weight as f32).collect();
                    SimHash::of(Vector {
                        total: 0.0,
                        values: &values,
                        weights: &weights,
                    })
                };
                differ += hash(&x).distance(hash(&y));
            }
            let (measured, expected) = (differ / f64::from(rounds), expected / f64::from(rounds));
            assert!(
                (measured - expected).abs() < 0.02,
                "{measured} for {expected}"
            );
        }
    }

    /// Between -1 and 1.
    fn unit(stream: &mut hash::Stream) -> f64 {
        (stream.next_value() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
