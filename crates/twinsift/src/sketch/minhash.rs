//! Min-hashes by one permutation.
//!
//! The classic scheme hashes every feature once for each value of the signature.
//! Here each feature is hashed once and falls into one of the bins, and each bin
//! keeps its smallest hash: the same chance of agreement for the cost of a single
//! hash (Li, Owen and Zhang, *One permutation hashing*). A bin that stays empty
//! borrows from another one, chosen by a hash of the bins' numbers alone, so that
//! two documents borrow alike (Shrivastava, *Optimal densification*).

use super::{Sketcher, at_least};
use crate::hash;
use crate::vector::Vector;

/// How many of so many min-hashes make a share of `threshold`; rounding must not ask for
/// one more.
pub(crate) fn share(threshold: f64, values: u32) -> u32 {
    (threshold * f64::from(values) - 1e-9).ceil() as u32
}

/// The chance that the min-hashes of two documents of Jaccard similarity `s` agree in a
/// share of `threshold`.
pub fn recall(s: f64, values: u32, threshold: f64) -> f64 {
    at_least(share(threshold, values), s, values)
}

/// Makes min-hash signatures, banded.
#[derive(Clone, Debug)]
pub struct MinHasher {
    rows: usize,
    seed: u64,
    /// Whom each bin borrows from, should it be empty: a few to try, in turn.
    lenders: Vec<u32>,
    /// The smallest hash of each bin, …
    bins: Vec<u32>,
    /// … and what is left once those that have none have borrowed.
    dense: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

/// Lenders of a bin that are worked out beforehand.
const KNOWN: usize = 16;

/// Bins that are looked at together, whether they are empty.
const READ_TOGETHER: usize = 16;

/// The first of them are looked at together.
const READ_AT_ONCE: usize = 4;

/// Bins that are tried for an empty one before it stays empty.
const MOST_TRIED: usize = 1 << 20;

/// The bin that `bin` borrows from if that many others were empty, too.
fn lender(seed: u64, count: usize, bin: usize, step: usize) -> usize {
    (hash::pair(bin as u64 ^ seed, step as u64) % count as u64) as usize
}

/// What an empty bin takes from another one.
fn borrowed(bins: &[u32], lenders: &[u32], seed: u64, bin: usize) -> u32 {
    let known = &lenders[bin * KNOWN..][..KNOWN];
    // One of the first few mostly has a value, so these are all read at once.
    let (first, others) = known.split_at(READ_AT_ONCE);
    let first = first.iter().rev().fold(EMPTY, |found, &from| {
        let value = bins[from as usize];
        if value == EMPTY { found } else { value }
    });
    if first != EMPTY {
        return first;
    }
    let unknown = KNOWN + 1..=MOST_TRIED;
    others
        .iter()
        .map(|&from| from as usize)
        .chain(unknown.map(|step| lender(seed, bins.len(), bin, step)))
        .map(|from| bins[from])
        .find(|&value| value != EMPTY)
        .unwrap_or(EMPTY)
}

impl MinHasher {
    /// Signatures of `bands` x `rows` values.
    pub fn new(bands: u32, rows: u32, seed: u64) -> Self {
        let count = bands as usize * rows as usize;
        let seed = hash::mix(seed);
        let lenders = (0..count).flat_map(|bin| (1..=KNOWN).map(move |step| (bin, step)));
        let lenders = lenders.map(|(bin, step)| lender(seed, count, bin, step) as u32);
        let lenders = lenders.collect();
        Self {
            rows: rows as usize,
            seed,
            lenders,
            bins: vec![EMPTY; count],
            dense: Vec::new(),
        }
    }

    /// The min-hashes of a set of features, which must not be empty.
    pub fn values(&mut self, features: &[u64]) -> &[u32] {
        let Self { bins, seed, .. } = self;
        bins.fill(EMPTY);
        let count = bins.len() as u64;
        for &feature in features {
            let mixed = hash::mix(feature ^ *seed);
            let bin = &mut bins[(((mixed >> 32) * count) >> 32) as usize];
            *bin = (*bin).min((mixed as u32).min(EMPTY - 1));
        }
        self.densified()
    }

    /// Min-hashes of a set of features in ascending order, which must not be empty and
    /// are hashes themselves. They take far less time than [`values`](Self::values), and
    /// are other ones.
    ///
    /// The permutation is the features' own order, turned by the seed. So the smallest
    /// of each bin is the first one to fall into it, or the last one going backwards.
    fn values_of_ascending(&mut self, features: &[u64]) -> &[u32] {
        let Self { bins, seed, .. } = self;
        bins.fill(EMPTY);
        let count = bins.len() as u64;
        let turn = features.partition_point(|&feature| feature < seed.wrapping_neg());
        let (unturned, turned) = features.split_at(turn);
        for part in [unturned, turned] {
            for &feature in part.iter().rev() {
                let key = feature.wrapping_add(*seed);
                bins[(((key >> 32) * count) >> 32) as usize] = (key as u32).min(EMPTY - 1);
            }
        }
        self.densified()
    }

    /// What is left once empty bins have borrowed.
    fn densified(&mut self) -> &[u32] {
        let Self {
            bins,
            dense,
            lenders,
            seed,
            ..
        } = self;
        dense.clone_from(bins);
        // Which bins are empty is unpredictable, so many are read before a branch.
        for (part, values) in bins.chunks(READ_TOGETHER).enumerate() {
            let values = values.iter().enumerate();
            let mut empty = values.fold(0u32, |empty, (at, &value)| {
                empty | u32::from(value == EMPTY) << at
            });
            while empty != 0 {
                let bin = part * READ_TOGETHER + empty.trailing_zeros() as usize;
                dense[bin] = borrowed(bins, lenders, *seed, bin);
                empty &= empty - 1;
            }
        }
        dense
    }

    /// The min-hashes themselves, spread over 64 bits; none is 0.
    pub fn all(&mut self, features: &[u64], out: &mut Vec<u64>) {
        spread(self.values(features), out);
    }

    /// The min-hashes of features in ascending order, which are hashes: others than
    /// [`all`](Self::all) gives, and quicker.
    pub fn all_of_ascending(&mut self, features: &[u64], out: &mut Vec<u64>) {
        spread(self.values_of_ascending(features), out);
    }

    /// One value for each band of the signature.
    pub fn bands(&mut self, features: &[u64], out: &mut Vec<u64>) {
        let rows = self.rows;
        banded(self.values(features), rows, out);
    }

    /// One value for each band of a signature of features in ascending order, which are
    /// hashes: others than [`bands`](Self::bands) gives, and quicker.
    pub fn bands_of_ascending(&mut self, features: &[u64], out: &mut Vec<u64>) {
        let rows = self.rows;
        banded(self.values_of_ascending(features), rows, out);
    }
}

/// Sketches of one value for each band of the hasher.
#[derive(Debug)]
pub(crate) struct BandSketcher(pub(crate) MinHasher);

impl Sketcher for BandSketcher {
    fn sketch(&mut self, vector: Vector<'_>, row: &mut Vec<u64>) {
        self.0.bands_of_ascending(vector.values, row);
    }
}

/// Sketches of all min-hashes of the hasher.
#[derive(Debug)]
pub(crate) struct ValueSketcher(pub(crate) MinHasher);

impl Sketcher for ValueSketcher {
    fn sketch(&mut self, vector: Vector<'_>, row: &mut Vec<u64>) {
        self.0.all_of_ascending(vector.values, row);
    }
}

/// Replaces `out` by the values, spread over 64 bits; none is 0.
fn spread(values: &[u32], out: &mut Vec<u64>) {
    out.clear();
    let values = values.iter().map(|&value| u64::from(value));
    out.extend(values.map(|value| hash::mix(value).max(1)));
}

/// Replaces `out` by one value for each band of so many `rows`.
fn banded(values: &[u32], rows: usize, out: &mut Vec<u64>) {
    out.clear();
    out.extend(values.chunks_exact(rows).map(|band| {
        // Two at a time: half as many multiplications.
        let (pairs, last) = band.as_chunks::<2>();
        let pairs = pairs
            .iter()
            .map(|&[a, b]| u64::from(a) << 32 | u64::from(b));
        let last = last.iter().map(|&value| u64::from(value));
        pairs.chain(last).fold(0, hash::pair)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ascending(mut features: Vec<u64>) -> Vec<u64> {
        features.sort_unstable();
        features
    }

    /// By the definition: of the features of each bin, the first from the seed on.
    #[test]
    fn each_bin_has_the_first_that_falls_into_it() {
        for (seed, size) in [(1u64, 1u64), (2, 7), (3, 90), (4, 2000), (5, 300)] {
            let features = ascending((0..size).map(|at| hash::pair(seed, at)).collect());
            let mut hasher = MinHasher::new(18, 7, seed);
            hasher.values_of_ascending(&features);
            let turned = features
                .iter()
                .map(|feature| feature.wrapping_add(hash::mix(seed)));
            let mut expected = [EMPTY; 126];
            for key in ascending(turned.collect()).into_iter().rev() {
                expected[((u128::from(key >> 32) * 126) >> 32) as usize] = key as u32;
            }
            assert_eq!(hasher.bins, expected);
        }
    }

    #[test]
    fn the_share_of_equal_values_estimates_jaccard() {
        for (size, shared) in [(20u64, 10u64), (200, 160), (2000, 1000)] {
            let truth = shared as f64 / (2 * size - shared) as f64;
            let mut sum = [0.0; 2];
            let rounds = 200u64;
            for round in 0..rounds {
                let mut hasher = MinHasher::new(16, 8, round);
                let feature = |at: u64| hash::pair(round, at);
                let x: Vec<u64> = (0..size).map(feature).collect();
                let y: Vec<u64> = (size - shared..2 * size - shared).map(feature).collect();
                let left = hasher.values(&x).to_vec();
                let right = hasher.values(&y);
                let equal = left.iter().zip(right).filter(|(a, b)| a == b).count();
                sum[0] += equal as f64 / 128.0;
                let [x, y] = [x, y].map(ascending);
                let left = hasher.values_of_ascending(&x).to_vec();
                let right = hasher.values_of_ascending(&y);
                let equal = left.iter().zip(right).filter(|(a, b)| a == b).count();
                sum[1] += equal as f64 / 128.0;
            }
            for estimate in sum.map(|sum| sum / rounds as f64) {
                assert!((estimate - truth).abs() < 0.03, "{estimate} for {truth}");
            }
        }
    }

    #[test]
    fn equal_sets_have_equal_signatures_whatever_their_size() {
        for size in [1u64, 2, 5, 1000] {
            let features = ascending((0..size).map(hash::mix).collect());
            for bands in [MinHasher::bands, MinHasher::bands_of_ascending] {
                let (mut first, mut second) = (Vec::new(), Vec::new());
                bands(&mut MinHasher::new(18, 7, 3), &features, &mut first);
                bands(&mut MinHasher::new(18, 7, 3), &features, &mut second);
                assert_eq!(first, second);
                bands(&mut MinHasher::new(18, 7, 4), &features, &mut second);
                assert_ne!(first, second);
            }
        }
    }
}
