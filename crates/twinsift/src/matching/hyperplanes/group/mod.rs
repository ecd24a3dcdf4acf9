//! Bit signatures that are compared with each other, one with many at a time.
//!
//! They stand in columns, the first words of all of them and then the second ones, so
//! that the processor compares several at once. Each word is in two columns, with four of its
//! bits to a byte: so many can be counted at once. Only a few words are here: they are enough
//! to reject nearly all unrelated ones, which differ in about half of their bits.

#[cfg(target_arch = "x86_64")]
mod avx2;

use super::bit_samples::Places;
use super::plan::Subpass;
use crate::matching::hamming::count_differing;
use std::ops::Range;

/// Which signatures are near each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sieve {
    /// The most bits that differ.
    pub most: u32,
    /// How many half words are counted first, and the most bits of these that differ.
    pub halves: usize,
    pub most_of_halves: u32,
}

/// The most half words that are counted first.
pub(super) const MOST_HALVES: usize = 8;

impl Sieve {
    /// All signatures of `width` words that differ in at most `most` bits.
    pub(super) fn exact(width: usize, most: u32) -> Self {
        Self {
            most,
            halves: (2 * width).min(MOST_HALVES),
            most_of_halves: most,
        }
    }

    /// Whether a pair differs in few enough of the half words that are counted from `from` on.
    pub(super) fn passes(self, x: &[u64], y: &[u64], from: usize) -> bool {
        let apart = |at| {
            let word = word_of(from, at, x.len());
            half(x[word] ^ y[word], at).count_ones()
        };
        (0..self.halves).map(apart).sum::<u32>() <= self.most_of_halves
    }
}

/// The word that half word `at` is of, if counting begins at word `from`: two halves of each, and
/// after the last word comes the first.
fn word_of(from: usize, at: usize, width: usize) -> usize {
    (from + at / 2) % width
}

/// Half of the bits of a word, four to a byte: the lower halves of its bytes, or the higher ones if
/// `at` is odd.
#[inline(always)]
fn half(word: u64, at: usize) -> u64 {
    word >> (at % 2 * 4) & 0x0f0f_0f0f_0f0f_0f0f
}

/// Half words of signatures, in columns, grouped by a bit sample.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    places: Places,
    /// The number of the signature at each place.
    numbers: Vec<u32>,
    columns: Vec<u64>,
}

/// A place, and a chunk of later ones in which some may be near it.
#[derive(Clone, Copy, Debug, Default)]
struct Hit {
    at: u32,
    from: u32,
    end: u32,
    /// Two bits for each of the chunk; see [`bits_of`].
    mask: u32,
}

/// The two bits of a member of a chunk. The four times four of a chunk are in columns, as the
/// processor gives them.
const fn bits_of(member: usize) -> u32 {
    0b11 << (2 * (member % 4 * 4 + member / 4))
}

impl Hit {
    /// The later places that may be near.
    #[inline(always)]
    fn others(self) -> impl Iterator<Item = usize> {
        let mut mask = self.mask;
        let others = std::iter::from_fn(move || {
            let bit = (mask != 0).then(|| mask.trailing_zeros())?;
            mask &= !(0b11 << bit);
            let lane = bit / 2;
            Some(self.from + lane % 4 * 4 + lane / 4)
        });
        others
            .filter(move |&other| other < self.end)
            .map(|other| other as usize)
    }
}

/// Chunks with members that may be near another.
#[derive(Clone, Debug, Default)]
pub(super) struct Hits {
    /// Those before `len`; the others are room.
    chunks: Vec<Hit>,
    len: usize,
    /// The pairs of these, by their numbers.
    pairs: Vec<(u32, u32)>,
}

/// Chunks that may wait for verification.
const MANY: usize = 1 << 14;

impl Hits {
    /// Whether there are so many that they should be verified now.
    pub(super) fn are_many(&self) -> bool {
        self.len > MANY
    }

    /// Makes room for so many more chunks.
    #[inline]
    fn make_room(&mut self, chunks: usize) {
        if self.chunks.len() < self.len + chunks {
            self.chunks.resize(2 * (self.len + chunks), Hit::default());
        }
    }

    /// Keeps a chunk if its mask is not empty. Without a branch, because it could not be predicted.
    #[inline]
    fn note(&mut self, at: usize, from: usize, end: usize, mask: u32) {
        self.chunks[self.len] = Hit {
            at: at as u32,
            from: from as u32,
            end: end as u32,
            mask,
        };
        self.len += usize::from(mask != 0);
    }
}

/// Is called with two signatures that are near each other, by their numbers, and in how many
/// bits they differ.
type OnPair<'a> = &'a mut dyn FnMut(u32, u32, u32);

/// Signatures that are compared together.
const CHUNK: usize = 16;

/// Calls a function with the number of half words as a constant.
macro_rules! by_halves {
    ($halves:expr, $group:ident.$function:ident($($argument:expr),*)) => {
        match $halves {
            0 | 1 => $group.$function::<1>($($argument),*),
            2 => $group.$function::<2>($($argument),*),
            3 => $group.$function::<3>($($argument),*),
            4 => $group.$function::<4>($($argument),*),
            5 => $group.$function::<5>($($argument),*),
            6 => $group.$function::<6>($($argument),*),
            7 => $group.$function::<7>($($argument),*),
            _ => $group.$function::<MOST_HALVES>($($argument),*),
        }
    };
}

impl Group {
    /// Takes `signatures` of `width` words for a subpass, in place of those before.
    pub(super) fn fill(
        &mut self,
        signatures: &[u64],
        width: usize,
        subpass: &Subpass,
        sieve: Sieve,
    ) {
        self.numbers.resize(signatures.len() / width, 0);
        by_halves!(sieve.halves, self.fill_halves(signatures, width, subpass));
    }

    fn fill_halves<const HALVES: usize>(
        &mut self,
        signatures: &[u64],
        width: usize,
        subpass: &Subpass,
    ) {
        let stride = self.stride();
        self.columns.resize(stride * HALVES, 0);
        let words: [usize; HALVES] = std::array::from_fn(|at| word_of(subpass.from, at, width));
        let mut columns = self.columns.chunks_exact_mut(stride);
        let mut columns: [&mut [u64]; HALVES] =
            std::array::from_fn(|_| columns.next().unwrap_or_default());
        let signatures = signatures.chunks_exact(width);
        self.places
            .assign(signatures, &subpass.sample, |signature, number, place| {
                self.numbers[place] = number as u32;
                for at in 0..HALVES {
                    columns[at][place] = half(signature[words[at]], at);
                }
            });
    }

    /// A whole chunk can be read from each place on. What is read beyond the last one is
    /// never reported.
    fn stride(&self) -> usize {
        self.numbers.len() + CHUNK
    }

    /// The places of those that are in a group of the subpass's bit sample.
    pub(super) fn places(&self, group: usize) -> Range<usize> {
        self.places.of(group)
    }

    /// Compares each place in `range` with the later ones before `end`, by the half words that are
    /// here.
    pub(super) fn compare(&self, range: Range<usize>, end: usize, sieve: Sieve, hits: &mut Hits) {
        let most = sieve.most_of_halves.min(sieve.halves as u32 * 32);
        by_halves!(sieve.halves, self.compare_halves(range, end, most, hits));
    }

    fn compare_halves<const HALVES: usize>(
        &self,
        range: Range<usize>,
        end: usize,
        most: u32,
        hits: &mut Hits,
    ) {
        let stride = self.stride();
        let columns: [&[u64]; HALVES] =
            std::array::from_fn(|at| &self.columns[at * stride..][..stride]);
        #[cfg(target_arch = "x86_64")]
        if avx2::are_there() {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { avx2::near(columns, range, end, most, hits) };
        }
        near(columns, range, end, most, hits);
    }

    /// Reports those hits that are near each other by all bits, and removes all hits.
    pub(super) fn verify_hits(
        &self,
        signatures: &[u64],
        width: usize,
        sieve: Sieve,
        hits: &mut Hits,
        on_pair: OnPair<'_>,
    ) {
        hits.pairs.clear();
        for hit in &hits.chunks[..hits.len] {
            let x = self.numbers[hit.at as usize];
            let pairs = hit.others().map(|other| (x, self.numbers[other]));
            hits.pairs.extend(pairs);
        }
        hits.len = 0;
        #[cfg(target_arch = "x86_64")]
        if avx2::are_there() {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe {
                avx2::report_near(signatures, width, &hits.pairs, sieve.most, on_pair)
            };
        }
        report_near(signatures, width, &hits.pairs, sieve.most, on_pair);
    }
}

/// Notes the places in `range`, and later ones before `end`, whose half words differ in at most
/// `most` bits.
fn near<const HALVES: usize>(
    columns: [&[u64]; HALVES],
    range: Range<usize>,
    end: usize,
    most: u32,
    hits: &mut Hits,
) {
    for_each_chunk(range, end, hits, |at, from| {
        let is_near = |other: usize| {
            let apart = columns.map(|column| (column[at] ^ column[other]).count_ones());
            apart.iter().sum::<u32>() <= most
        };
        let members = (0..CHUNK).filter(|member| is_near(from + member));
        members.fold(0, |mask, member| mask | bits_of(member))
    });
}

/// Compares each place in `range` with the chunks of later ones before `end`, and notes the masks
/// that `compare` gives for a place and the chunk from another on.
#[inline(always)]
fn for_each_chunk(
    range: Range<usize>,
    end: usize,
    hits: &mut Hits,
    compare: impl Fn(usize, usize) -> u32,
) {
    for at in range {
        hits.make_room((end - at) / CHUNK + 1);
        for from in (at + 1..end).step_by(CHUNK) {
            hits.note(at, from, end, compare(at, from));
        }
    }
}

/// Reports those of `pairs` that differ in at most `most` bits.
#[inline(always)]
fn report_near(
    signatures: &[u64],
    width: usize,
    pairs: &[(u32, u32)],
    most: u32,
    on_pair: OnPair<'_>,
) {
    let signature = |number: u32| &signatures[number as usize * width..][..width];
    for &(x, y) in pairs {
        let apart = count_differing(signature(x), signature(y));
        if apart <= most {
            on_pair(x, y, apart);
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
    fn signatures(width: usize, documents: usize, seed: u64) -> Vec<u64> {
        let mut stream = Stream::new(seed);
        let mut word = || stream.next_value() & stream.next_value();
        (0..width * documents).map(|_| word()).collect()
    }

    proptest! {
        #[test]
        fn exactly_the_near_ones_are_reported(
            width in 1usize..8,
            documents in 1usize..60,
            share in 0.1f64..0.6,
            seed: u64,
        ) {
            let signatures = signatures(width, documents, seed);
            let most = (width as f64 * 64.0 * share) as u32;
            let sieve = Sieve::exact(width, most);
            let (mut group, mut hits) = (Group::default(), Hits::default());
            group.fill(&signatures, width, &Subpass::over_all(), sieve);
            group.compare(0..documents, documents, sieve, &mut hits);
            let mut found = Vec::new();
            let on_pair = &mut |x, y, apart| found.push((x, y, apart));
            group.verify_hits(&signatures, width, sieve, &mut hits, on_pair);
            found.sort_unstable();
            let row = |at: u32| &signatures[at as usize * width..][..width];
            let all = 0..documents as u32;
            let pairs = all.clone().flat_map(|x| (x + 1..all.end).map(move |y| (x, y)));
            let near = pairs.map(|(x, y)| (x, y, differing(row(x), row(y))));
            let near: Vec<_> = near.filter(|&(.., apart)| apart <= most).collect();
            prop_assert_eq!(found, near);
        }

        #[cfg(target_arch = "x86_64")]
        #[test]
        fn both_ways_to_compare_note_the_same(
            halves in 1usize..=MOST_HALVES,
            documents in 2usize..70,
            share in 0.1f64..0.6,
            seed: u64,
        ) {
            let width = halves.div_ceil(2);
            let signatures = signatures(width, documents, seed);
            let most = (halves as f64 * 32.0 * share) as u32;
            let sieve = Sieve { most, halves, most_of_halves: most };
            let mut group = Group::default();
            group.fill(&signatures, width, &Subpass::over_all(), sieve);
            let mut by_processor = Hits::default();
            group.compare(0..documents, documents, sieve, &mut by_processor);
            let mut portable = Hits::default();
            by_halves!(halves, group.compare_portably(documents, most, &mut portable));
            let noted = |hits: Hits| -> Vec<(u32, Vec<usize>)> {
                let hits = hits.chunks.into_iter().take(hits.len);
                hits.map(|hit| (hit.at, hit.others().collect())).collect()
            };
            prop_assert_eq!(noted(by_processor), noted(portable));
        }
    }

    impl Group {
        fn compare_portably<const HALVES: usize>(&self, end: usize, most: u32, hits: &mut Hits) {
            let column = |at: usize| &self.columns[at * self.stride()..][..self.stride()];
            let columns: [&[u64]; HALVES] = std::array::from_fn(column);
            near(columns, 0..end, end, most, hits);
        }
    }
}
