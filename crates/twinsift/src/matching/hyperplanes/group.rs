//! Bit signatures that are compared with each other, one with many at a time.
//!
//! They stand in columns, the first words of all of them and then the second ones, so
//! that the processor compares several at once. Only the first few words are here: they are
//! enough to sort out nearly all strangers, which differ in about half of their bits.

use crate::matching::hamming::differing;
use crate::sketch::Rows;
use statrs::distribution::{Binomial, DiscreteCDF, Hypergeometric};
use std::ops::Range;

/// Which signatures are near each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sieve {
    /// The most bits that differ.
    most: u32,
    /// The words that are looked at first, and the most bits of these that differ.
    first: usize,
    most_of_first: u32,
}

/// The most words that are looked at first.
const MOST_FIRST: usize = 4;

/// The chance that a pair with as many differing bits as there may be at most passes the
/// quick sieve. Nearer ones pass all the more.
pub(super) const PASSES: f64 = 0.995;

/// What a pair that passes the first words costs, in words: the rest of both signatures is
/// somewhere in memory.
const SECOND_LOOK: f64 = 300.0;

impl Sieve {
    /// All signatures of `words` words that differ in at most `most` bits.
    pub fn exact(words: usize, most: u32) -> Self {
        Self {
            most,
            first: words.min(MOST_FIRST),
            most_of_first: most,
        }
    }

    /// As [`exact`](Self::exact), but a few are lost, at most 1 - [`PASSES`] of them.
    pub fn quick(words: usize, most: u32) -> Self {
        let bits = |words: usize| words as u64 * 64;
        let chances = |first: usize| {
            let pair = Hypergeometric::new(bits(words), u64::from(most), bits(first)).ok()?;
            let most_of_first = (0..most).find(|&apart| pair.cdf(u64::from(apart)) >= PASSES)?;
            let strangers = Binomial::new(0.5, bits(first)).ok()?;
            Some((most_of_first, strangers.cdf(u64::from(most_of_first))))
        };
        let candidates = (1..=words.min(MOST_FIRST)).filter_map(|first| {
            let (most_of_first, strangers) = chances(first)?;
            let cost = first as f64 + strangers * SECOND_LOOK;
            Some((cost, first, most_of_first))
        });
        match candidates.min_by(|x, y| x.0.total_cmp(&y.0)) {
            None => Self::exact(words, most),
            Some((_, first, most_of_first)) => Self {
                most,
                first,
                most_of_first,
            },
        }
    }

    /// In how many bits two signatures differ, if they are near each other.
    pub fn distance(self, x: &[u64], y: &[u64]) -> Option<u32> {
        Some(differing(x, y)).filter(|&apart| apart <= self.most)
    }
}

/// First words of signatures, in columns of whole chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    len: usize,
    columns: Vec<u64>,
}

/// Signatures that are compared together.
const CHUNK: usize = 16;

/// Told of two members that may be near each other.
type Told<'a> = &'a mut dyn FnMut(usize, usize);

impl Group {
    /// Replaces the group by the signatures of `docs`.
    pub fn gather(&mut self, rows: &Rows, docs: &[u32], sieve: Sieve) {
        self.len = docs.len();
        self.columns.clear();
        let stride = self.len.next_multiple_of(CHUNK);
        self.columns.resize(stride * sieve.first, 0);
        for (at, &doc) in docs.iter().enumerate() {
            for (word, &bits) in rows.row(doc)[..sieve.first].iter().enumerate() {
                self.columns[word * stride + at] = bits;
            }
        }
    }

    /// Tells the pairs of a member in `range` and a later one that are near each other by
    /// their first words.
    pub fn near(&self, range: Range<usize>, sieve: Sieve, told: Told<'_>) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,popcnt")]
            fn near_by_avx2(group: &Group, range: Range<usize>, sieve: Sieve, told: Told<'_>) {
                group.near_by_first(range, sieve, told);
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                // SAFETY: the processor has what the function is compiled for.
                return unsafe { near_by_avx2(self, range, sieve, told) };
            }
        }
        self.near_by_first(range, sieve, told);
    }

    #[inline(always)]
    fn near_by_first(&self, range: Range<usize>, sieve: Sieve, told: Told<'_>) {
        match sieve.first {
            0 | 1 => self.near_by::<1>(range, sieve, told),
            2 => self.near_by::<2>(range, sieve, told),
            3 => self.near_by::<3>(range, sieve, told),
            _ => self.near_by::<MOST_FIRST>(range, sieve, told),
        }
    }

    #[inline(always)]
    fn near_by<const FIRST: usize>(&self, range: Range<usize>, sieve: Sieve, told: Told<'_>) {
        let stride = self.len.next_multiple_of(CHUNK);
        let chunks: [&[[u64; CHUNK]]; FIRST] =
            std::array::from_fn(|word| self.columns[word * stride..][..stride].as_chunks().0);
        for at in range {
            let own: [u64; FIRST] =
                std::array::from_fn(|word| chunks[word][at / CHUNK][at % CHUNK]);
            for chunk in at / CHUNK..stride / CHUNK {
                let mut apart = [0; CHUNK];
                for (own, chunks) in own.iter().zip(&chunks) {
                    for (apart, other) in apart.iter_mut().zip(&chunks[chunk]) {
                        *apart += (own ^ other).count_ones();
                    }
                }
                let may_be_near = |apart: u32| apart <= sieve.most_of_first;
                // Without a branch for each: nearly always there is none.
                let any = |any, &apart: &u32| any | may_be_near(apart);
                if !apart.iter().fold(false, any) {
                    continue;
                }
                for (other, apart) in (chunk * CHUNK..self.len).zip(apart) {
                    if other > at && may_be_near(apart) {
                        told(at, other);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Stream;
    use crate::matching::hamming::differing;
    use proptest::prelude::*;

    /// Signatures with few bits set, so that some are near each other.
    fn random_rows(words: usize, documents: u32, seed: u64) -> Rows {
        let mut stream = Stream::new(seed);
        let mut rows = Rows::new(words);
        for doc in 0..documents {
            let mut word = || stream.next_value() & stream.next_value();
            let row: Vec<u64> = (0..words).map(|_| word()).collect();
            rows.set(doc, &row);
        }
        rows
    }

    proptest! {
        #[test]
        fn exactly_the_near_ones_are_told(
            words in 1usize..8,
            documents in 1u32..60,
            share in 0.1f64..0.6,
            seed: u64,
        ) {
            let rows = random_rows(words, documents, seed);
            let docs: Vec<u32> = (0..documents).collect();
            let mut group = Group::default();
            let most = (words as f64 * 64.0 * share) as u32;
            let sieve = Sieve::exact(words, most);
            group.gather(&rows, &docs, sieve);
            let mut found = Vec::new();
            group.near(0..docs.len(), sieve, &mut |at, other| {
                let (a, b) = (at as u32, other as u32);
                found.extend(sieve.distance(rows.row(a), rows.row(b)).map(|apart| (a, b, apart)));
            });
            let pairs = docs.iter().flat_map(|&a| (a + 1..documents).map(move |b| (a, b)));
            let all = pairs.map(|(a, b)| (a, b, differing(rows.row(a), rows.row(b))));
            let near: Vec<_> = all.filter(|&(_, _, apart)| apart <= most).collect();
            prop_assert_eq!(found, near);
        }
    }

    #[test]
    fn the_quick_sieve_loses_few() {
        let mut stream = Stream::new(5);
        let (words, most, pairs) = (6usize, 140u32, 4000);
        let sieve = Sieve::quick(words, most);
        assert!(sieve.first < words && sieve.most_of_first < most);
        let mut kept = 0;
        for _ in 0..pairs {
            let mut rows = Rows::new(words);
            let row: Vec<u64> = (0..words).map(|_| stream.next_value()).collect();
            let mut other = row.clone();
            let mut changed = 0;
            while changed < most {
                let bit = stream.below(words * 64);
                let is_new = (row[bit / 64] ^ other[bit / 64]) >> (bit % 64) & 1 == 0;
                other[bit / 64] ^= u64::from(is_new) << (bit % 64);
                changed += u32::from(is_new);
            }
            rows.set(0, &row);
            rows.set(1, &other);
            let mut group = Group::default();
            group.gather(&rows, &[0, 1], sieve);
            group.near(0..2, sieve, &mut |_, _| {
                assert_eq!(sieve.distance(&row, &other), Some(most));
                kept += 1;
            });
        }
        let share = f64::from(kept) / f64::from(pairs);
        assert!((PASSES - 0.005..1.0).contains(&share), "{share}");
    }
}
