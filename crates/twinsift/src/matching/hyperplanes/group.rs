//! Bit signatures that are compared with each other, one with many at a time.
//!
//! They stand in columns, the first words of all of them and then the second ones, so
//! that the processor compares several at once. Where it is known that strangers differ
//! in far more bits than pairs, half of the words are enough to sort out nearly all
//! of them ([`Sieve::quick`]).

use crate::sketch::Rows;
use statrs::distribution::{DiscreteCDF, Hypergeometric};

/// Which signatures are near each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sieve {
    /// The most bits that differ.
    most: u32,
    /// The words that are looked at first, and the most bits of these that differ.
    words: usize,
    most_of_words: u32,
}

/// The chance that a pair with as many differing bits as there may be at most passes the
/// quick sieve. Nearer ones pass all the more.
pub(super) const PASSES: f64 = 0.995;

impl Sieve {
    /// All signatures of `words` words that differ in at most `most` bits.
    pub fn exact(words: usize, most: u32) -> Self {
        Self {
            most,
            words,
            most_of_words: most,
        }
    }

    /// As [`exact`](Self::exact), but a few are lost, at most 1 - [`PASSES`] of them.
    pub fn quick(words: usize, most: u32) -> Self {
        let first = (words / 2).max(1);
        let bits = |words: usize| words as u64 * 64;
        let most_of_words = Hypergeometric::new(bits(words), u64::from(most), bits(first))
            .ok()
            .and_then(|differing| {
                (0..most).find(|&apart| differing.cdf(u64::from(apart)) >= PASSES)
            });
        Self {
            most,
            words: first,
            most_of_words: most_of_words.unwrap_or(most),
        }
    }
}

/// Signatures in columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    len: usize,
    columns: Vec<u64>,
}

/// Distances that are looked at together.
const CHUNK: usize = 16;

impl Group {
    /// Replaces the group by the signatures of `docs`.
    pub fn gather(&mut self, rows: &Rows, docs: &[u32]) {
        self.len = docs.len();
        self.columns.clear();
        self.columns.resize(docs.len() * rows.width(), 0);
        for (at, &doc) in docs.iter().enumerate() {
            for (word, &bits) in rows.row(doc).iter().enumerate() {
                self.columns[word * self.len + at] = bits;
            }
        }
    }

    /// Tells the later members that are near one of them, and how many bits differ.
    pub fn near(
        &self,
        at: usize,
        sieve: Sieve,
        apart: &mut Vec<u32>,
        mut told: impl FnMut(usize, u32),
    ) {
        let later = at + 1..self.len;
        apart.clear();
        apart.resize(later.len(), 0);
        let mut columns = self.columns.chunks_exact(self.len);
        for column in columns.by_ref().take(sieve.words) {
            add_differing(column[at], &column[later.clone()], apart);
        }
        for (chunk, apart) in apart.chunks(CHUNK).enumerate() {
            let is_near = |apart: u32| apart <= sieve.most_of_words;
            // Without a branch for each: nearly always there is none.
            if !apart.iter().fold(false, |any, &apart| any | is_near(apart)) {
                continue;
            }
            for (within, &apart) in apart
                .iter()
                .enumerate()
                .filter(|(_, apart)| is_near(**apart))
            {
                let other = later.start + chunk * CHUNK + within;
                let rest = columns.clone();
                let rest: u32 = rest
                    .map(|column| (column[at] ^ column[other]).count_ones())
                    .sum();
                if apart + rest <= sieve.most {
                    told(other, apart + rest);
                }
            }
        }
    }
}

/// Adds to `apart` in how many bits `word` and each of `others` differ.
fn add_differing(word: u64, others: &[u64], apart: &mut [u32]) {
    #[inline(always)]
    fn add(word: u64, others: &[u64], apart: &mut [u32]) {
        for (&other, apart) in others.iter().zip(apart) {
            *apart += (word ^ other).count_ones();
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,popcnt")]
        fn add_by_avx2(word: u64, others: &[u64], apart: &mut [u32]) {
            add(word, others, apart);
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { add_by_avx2(word, others, apart) };
        }
    }
    add(word, others, apart);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Stream;
    use crate::matching::hamming::differing;
    use proptest::prelude::*;

    fn random_rows(words: usize, documents: u32, seed: u64) -> Rows {
        let mut stream = Stream::new(seed);
        let mut rows = Rows::new(words);
        for doc in 0..documents {
            // Few bits that differ, so that there are some near ones.
            let row: Vec<u64> = (0..words)
                .map(|_| stream.next_value() & stream.next_value())
                .collect();
            rows.set(doc, &row);
        }
        rows
    }

    proptest! {
        #[test]
        fn exactly_the_near_ones_are_told(words in 1usize..8, documents in 1u32..60, share in 0.1f64..0.6, seed: u64) {
            let rows = random_rows(words, documents, seed);
            let docs: Vec<u32> = (0..documents).collect();
            let mut group = Group::default();
            group.gather(&rows, &docs);
            let most = (words as f64 * 64.0 * share) as u32;
            for at in 0..docs.len() {
                let mut found = Vec::new();
                group.near(at, Sieve::exact(words, most), &mut Vec::new(), |other, apart| found.push((other, apart)));
                let all = (at + 1..docs.len()).map(|other| (other, differing(rows.row(at as u32), rows.row(other as u32))));
                prop_assert_eq!(found, all.filter(|&(_, apart)| apart <= most).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_quick_sieve_loses_few() {
        let mut stream = Stream::new(5);
        let (words, most, pairs) = (6usize, 140u32, 4000);
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
            group.gather(&rows, &[0, 1]);
            group.near(0, Sieve::quick(words, most), &mut Vec::new(), |_, apart| {
                assert_eq!(apart, most);
                kept += 1;
            });
        }
        let share = f64::from(kept) / f64::from(pairs);
        assert!((PASSES - 0.005..1.0).contains(&share), "{share}");
    }
}
