//! Bands: a few bits of a signature, drawn at random. Signatures that agree in all of
//! them meet.

use crate::hash::Stream;
use crate::sketch::Rows;

/// A few bits of a signature, as runs of neighbouring ones.
#[derive(Clone, Debug)]
pub(super) struct Band {
    /// (word, first bit, bits)
    runs: Vec<(u32, u32, u32)>,
    size: u32,
}

/// Runs that a band is made of.
const RUNS: u32 = 3;

impl Band {
    /// `size` bits of `words` words, drawn at random, none twice.
    fn draw(words: usize, size: u32, stream: &mut Stream) -> Self {
        let mut runs: Vec<(u32, u32, u32)> = Vec::new();
        for run in 0..RUNS {
            let bits = size * (run + 1) / RUNS - size * run / RUNS;
            loop {
                let word = stream.below(words) as u32;
                let first = stream.below((64 - bits + 1) as usize) as u32;
                let apart =
                    |&(w, f, b): &(u32, u32, u32)| w != word || f + b <= first || first + bits <= f;
                if runs.iter().all(apart) {
                    runs.push((word, first, bits));
                    break;
                }
            }
        }
        Self { runs, size }
    }

    #[inline]
    pub fn key(&self, row: &[u64]) -> u32 {
        self.runs.iter().fold(0, |key, &(word, first, bits)| {
            key << bits | (row[word as usize] >> first) as u32 & ((1 << bits) - 1)
        })
    }

    /// Hands on the documents that agree in this band, in groups of at least two.
    pub fn groups<E>(
        &self,
        rows: &Rows,
        docs: &[u32],
        buffers: &mut Buffers,
        mut then: impl FnMut(&[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Buffers { keys, ends, dealt } = buffers;
        keys.clear();
        keys.extend(docs.iter().map(|&doc| self.key(rows.row(doc))));
        ends.clear();
        ends.resize((1 << self.size) + 1, 0);
        for &key in &*keys {
            ends[key as usize + 1] += 1;
        }
        for key in 1..ends.len() {
            ends[key] += ends[key - 1];
        }
        dealt.clear();
        dealt.resize(docs.len(), 0);
        // What is a group's beginning becomes its end, as it fills.
        for (&key, &doc) in keys.iter().zip(docs) {
            let place = &mut ends[key as usize];
            dealt[*place as usize] = doc;
            *place += 1;
        }
        let mut from = 0;
        for &end in &ends[..1 << self.size] {
            let group = &dealt[from as usize..end as usize];
            from = end;
            if group.len() > 1 {
                then(group)?;
            }
        }
        Ok(())
    }
}

/// Buffers of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    keys: Vec<u32>,
    ends: Vec<u32>,
    dealt: Vec<u32>,
}

/// Which bands bring signatures together.
pub(super) struct Plan {
    pub bands: Vec<Band>,
}

/// What a look at one document for a band costs, in comparisons of two signatures: its
/// key, and its part of dealing out and gathering.
const KEYING: f64 = 35.0;

/// Bands beyond these would be in the way of each other: they share too many bits.
const MOST_BANDS: f64 = 20_000.0;

/// Longer bands would need more groups than there are documents.
const LONGEST: u32 = 20;

impl Plan {
    /// The cheapest plan with which a pair that differs in `most` bits meets with a chance
    /// of `recall`, or `None` if it is cheaper to compare all pairs.
    pub fn cheapest(bits: u32, most: u32, documents: usize, recall: f64) -> Option<Self> {
        let n = documents as f64;
        let pairs = n * (n - 1.0) / 2.0;
        let bands_for = |size: u32| {
            // The chance that none of the bits drawn is one of the differing ones.
            let meets: f64 = (0..size)
                .map(|drawn| 1.0 - f64::from(most) / f64::from(bits - drawn))
                .map(|chance| chance.max(0.0))
                .product();
            ((1.0 - recall).ln() / (-meets).ln_1p()).ceil().max(1.0)
        };
        let cost = |size: u32| {
            let groups = f64::from(size).exp2();
            bands_for(size) * (n * KEYING + groups + pairs / groups)
        };
        let size = (4..=LONGEST.min(bits / 2))
            .filter(|&size| bands_for(size) <= MOST_BANDS)
            .min_by(|&x, &y| cost(x).total_cmp(&cost(y)))
            .filter(|&size| cost(size) < pairs)?;
        let mut stream = Stream::new(u64::from(bits));
        let draw = |_| Band::draw(bits as usize / 64, size, &mut stream);
        Some(Self {
            bands: (0..bands_for(size) as u32).map(draw).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn bands_have_bits_of_their_own_and_as_many_as_asked() {
        let mut stream = Stream::new(1);
        for size in [4, 13, 20] {
            for words in [1, 2, 6] {
                let band = Band::draw(words, size, &mut stream);
                let bits = band.runs.iter().map(|run| run.2).sum::<u32>();
                assert_eq!(bits, size);
                assert_eq!(band.key(&[u64::MAX; 6]), (1 << size) - 1);
            }
        }
    }

    #[test]
    fn groups_hold_all_that_agree() {
        let mut stream = Stream::new(2);
        let mut rows = Rows::new(1);
        let docs: Vec<u32> = (0..300).collect();
        docs.iter()
            .for_each(|&doc| rows.set(doc, &[stream.next_value()]));
        let band = Band::draw(1, 6, &mut stream);
        let (mut met, mut buffers) = (0, Buffers::default());
        let groups = band.groups(&rows, &docs, &mut buffers, |group| {
            let key = band.key(rows.row(group[0]));
            assert!(group.iter().all(|&doc| band.key(rows.row(doc)) == key));
            assert!(group.is_sorted());
            met += group.len() * (group.len() - 1) / 2;
            Ok::<(), Infallible>(())
        });
        assert!(groups.is_ok());
        let agree = |&(a, b): &(u32, u32)| band.key(rows.row(a)) == band.key(rows.row(b));
        let pairs = docs.iter().flat_map(|&a| (a + 1..300).map(move |b| (a, b)));
        assert_eq!(met, pairs.filter(agree).count());
    }

    #[test]
    fn small_collections_are_compared_pair_by_pair() {
        assert!(Plan::cheapest(384, 60, 50, 0.98).is_none());
        assert!(Plan::cheapest(384, 60, 1_000_000, 0.98).is_some());
    }
}
