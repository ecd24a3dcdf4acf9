//! The similarity hash (Charikar): each bit says on which side of a random
//! hyperplane the document's vector lies. Two documents at an angle θ agree in a
//! bit with a chance of 1 - θ/π.
//!
//! **Coordinates.** That chance is only right if the coordinates of a hyperplane are
//! normally distributed. Coordinates of ±1 come close for documents of many features, but
//! two features of equal weight cancel every other time: short documents would then agree
//! far too often or too seldom, at any number of bits. So coordinates are drawn from a table
//! of quantiles of the normal distribution.
//!
//! A draw for each feature and bit would cost a look into the table each. Instead the
//! table is shuffled once and for all, and the 64 coordinates of a feature in a word of a
//! signature are 64 entries in a row, from a place and with a sign that the hash of the
//! feature, the word and the seed say. That costs as much as coordinates of ±1, and is as
//! good as 64 draws:
//!
//! - within a bit, features have places of their own, so that their coordinates are
//!   independent draws from the table. Two features have the same place, and so
//!   the same coordinates up to the sign, once in 65,536 words; as the sign is random, such
//!   a pair shifts no angle on average.
//! - within a feature, bits are different entries of a shuffled table. The bits of a document
//!   depend on each other only where the rows of two features overlap, which those of
//!   one pair in 500 do.
//!
//! **Ties.** A vector that lies in the hyperplane, because its features cancel each other, is
//! put on a side by the seed: on the same side in every document, and on either as often.

use super::Sketcher;
use crate::chance::{Binomial, normal_quantile};
use crate::hash::{self, Stream};
use crate::vector::Vector;
use std::sync::LazyLock;

/// Changes whenever vectors get other signatures.
pub const VERSION: u32 = 2;

/// The chance that two documents of cosine `s` differ in at most `distance` of
/// `bits` bits.
pub fn recall(s: f64, bits: u32, distance: u32) -> f64 {
    Binomial::new(differ(s), bits).at_most(distance)
}

/// The chance that two documents of cosine `s` differ in a bit.
pub(crate) fn differ(s: f64) -> f64 {
    s.clamp(-1.0, 1.0).acos() / std::f64::consts::PI
}

/// Makes signatures of a multiple of 64 bits.
#[derive(Clone, Debug)]
pub struct SimHasher {
    seed: u64,
    sums: Vec<f32>,
}

impl SimHasher {
    /// Signatures of `bits` bits, rounded up to whole words of 64.
    pub fn new(bits: u32, seed: u64) -> Self {
        let words = bits.div_ceil(64).max(1) as usize;
        Self {
            seed,
            sums: vec![0.0; words * 64],
        }
    }

    /// Replaces `out` by the signature of a vector.
    pub fn sign(&mut self, vector: Vector<'_>, out: &mut Vec<u64>) {
        let table: &[i16] = &COORDINATES;
        self.sums.fill(0.0);
        for (at, &value) in vector.values.iter().enumerate() {
            let weight = vector.weight(at) as f32;
            add(value ^ self.seed, weight, table, &mut self.sums);
        }
        out.clear();
        let words = self.sums.chunks_exact(64).enumerate();
        out.extend(words.map(|(word, sums)| {
            let (mut negative, mut ties) = (0, 0);
            for (bit, &sum) in sums.iter().enumerate() {
                negative |= u64::from(sum < 0.0) << bit;
                ties |= u64::from(sum == 0.0) << bit;
            }
            match ties {
                0 => negative,
                ties => negative | ties & hash::pair(self.seed, word as u64),
            }
        }));
    }
}

impl Sketcher for SimHasher {
    fn sketch(&mut self, vector: Vector<'_>, row: &mut Vec<u64>) {
        self.sign(vector, row);
    }
}

/// Places in the table of coordinates: as many as 16 bits of a hash tell apart.
const PLACES: usize = 1 << 16;

/// Different coordinates, each of which is as likely as another.
const LEVELS: usize = 1 << 12;

/// The coordinate that stands for a standard deviation. The outermost is below four.
const UNIT: f64 = 8000.0;

/// Quantiles of the normal distribution in random order; the first 63 follow once more
/// after the last.
static COORDINATES: LazyLock<Vec<i16>> = LazyLock::new(|| {
    let quantile = |level: usize| {
        let share = (level as f64 + 0.5) / LEVELS as f64;
        (normal_quantile(share) * UNIT).round() as i16
    };
    // The distribution is symmetric, and so is the table to the last bit.
    let upper: Vec<i16> = (LEVELS / 2..LEVELS).map(quantile).collect();
    let levels = upper.iter().copied().chain(upper.iter().map(|&c| -c));
    let mut table: Vec<i16> = levels.cycle().take(PLACES).collect();
    Stream::new(u64::from(VERSION)).shuffle(&mut table);
    table.extend_from_within(..63);
    table
});

/// Adds the weight of a feature to the sums of all bits, times its coordinates.
fn add(feature: u64, weight: f32, table: &[i16], sums: &mut [f32]) {
    #[inline(always)]
    fn add_to_all(feature: u64, weight: f32, table: &[i16], sums: &mut [f32]) {
        for (word, sums) in sums.chunks_exact_mut(64).enumerate() {
            let hash = hash::pair(feature, word as u64);
            let place = (hash >> 48) as usize;
            let signed = f32::from_bits(weight.to_bits() ^ (hash as u32) << 31);
            for (sum, &coordinate) in sums.iter_mut().zip(&table[place..place + 64]) {
                *sum += signed * f32::from(coordinate);
            }
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn add_by_avx2(feature: u64, weight: f32, table: &[i16], sums: &mut [f32]) {
            add_to_all(feature, weight, table, sums);
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { add_by_avx2(feature, weight, table, sums) };
        }
    }
    add_to_all(feature, weight, table, sums);
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
        // Many bits are no matter of rounding.
        assert!((recall(0.5, 4096, 4096 / 3) - 0.5).abs() < 0.02);
    }

    fn sign(hasher: &mut SimHasher, features: &[(u64, f64)]) -> Vec<u64> {
        let values: Vec<u64> = features.iter().map(|&(value, _)| value).collect();
        let weights: Vec<f32> = features.iter().map(|&(_, weight)| weight as f32).collect();
        let vector = Vector {
            total: 0.0,
            values: &values,
            weights: &weights,
        };
        let mut row = Vec::new();
        hasher.sign(vector, &mut row);
        row
    }

    /// Two vectors of `size` features each, of which `shared` are in both.
    fn pair(size: u64, shared: u64, weight: impl Fn(u64) -> f64) -> [Vec<(u64, f64)>; 2] {
        let feature = |at: u64| (hash::mix(at), weight(at));
        [0..size, size - shared..2 * size - shared].map(|range| range.map(feature).collect())
    }

    fn cosine([x, y]: &[Vec<(u64, f64)>; 2]) -> f64 {
        let squares = |v: &[(u64, f64)]| v.iter().map(|(_, weight)| weight * weight).sum::<f64>();
        let both = y.iter().filter(|feature| x.contains(feature));
        both.map(|(_, weight)| weight * weight).sum::<f64>() / (squares(x) * squares(y)).sqrt()
    }

    /// Pr[bit equal] = 1 - θ/π, from one feature on and whatever the weights, and the number of
    /// equal bits varies as if each were drawn by itself.
    #[test]
    fn bits_agree_as_the_angle_says() {
        for (size, shared) in [
            (1u64, 0u64),
            (2, 0),
            (2, 1),
            (3, 1),
            (3, 2),
            (5, 4),
            (20, 0),
            (20, 10),
            (20, 19),
            (100, 80),
            (500, 250),
            (500, 480),
        ] {
            for uneven in [false, true] {
                let weight = |at: u64| match uneven {
                    false => 1.0,
                    true => 0.2 + (hash::mix(at + 999) % 7) as f64 / 3.0,
                };
                let vectors = pair(size, shared, weight);
                let expected = 1.0 - differ(cosine(&vectors));
                let rounds = if size > 50 { 20 } else { 200u64 };
                let bits = 512;
                let mut shares = Vec::new();
                for round in 0..rounds {
                    let mut hasher = SimHasher::new(bits, hash::mix(round));
                    let [x, y] = vectors.each_ref().map(|v| sign(&mut hasher, v));
                    shares.push(1.0 - f64::from(differing(&x, &y)) / f64::from(bits));
                }
                let n = rounds as f64;
                let mean = shares.iter().sum::<f64>() / n;
                let of_bit = expected * (1.0 - expected) / f64::from(bits);
                let case = format!("{shared} shared of {size}: {mean} for {expected}");
                assert!(
                    (mean - expected).abs() < 4.0 * (of_bit / n).sqrt(),
                    "{case}"
                );
                let spread = shares
                    .iter()
                    .map(|share| (share - expected).powi(2))
                    .sum::<f64>()
                    / n;
                // Four standard deviations of a variance.
                let off = 4.0 * (2.0 / n).sqrt();
                assert!(
                    (spread / of_bit - 1.0).abs() < off,
                    "{case}, variance x {}",
                    spread / of_bit
                );
            }
        }
    }

    /// Features that cancel each other are put on either side as often, by the seed alone.
    #[test]
    fn ties_are_broken_by_the_seed() {
        let mut ones = 0;
        for seed in 0..50 {
            let mut hasher = SimHasher::new(128, seed);
            let nothing = sign(&mut hasher, &[(hash::mix(1), 0.0)]);
            assert_eq!(nothing, sign(&mut hasher, &[(hash::mix(2), 0.0)]));
            ones += nothing.iter().map(|word| word.count_ones()).sum::<u32>();
        }
        assert!((3000..3400).contains(&ones), "{ones}");
    }

    /// Stored signatures depend on the table, which every machine must make alike.
    #[test]
    fn the_table_never_changes() {
        let words = COORDINATES.iter().map(|&coordinate| coordinate as u64);
        let digest = hash::digest(words);
        assert_eq!(digest, 0xa9d7_9843_1c7e_d6c2_223f_ed65_dcf0_f820);
        assert_eq!(COORDINATES.len(), PLACES + 63);
        assert!(
            COORDINATES[..PLACES]
                .iter()
                .map(|&c| i32::from(c))
                .sum::<i32>()
                == 0
        );
    }
}
