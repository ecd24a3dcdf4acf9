//! Bit samples: a few bits of a signature, drawn at random. Signatures that agree in all of
//! them are in the same group.

use crate::hash::Stream;

/// Neighbouring bits of a signature.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BitRange {
    word: usize,
    first: u32,
    bits: u32,
}

/// How often a range is drawn again that overlaps others.
const TRIES: u32 = 1000;

impl BitRange {
    /// Draws `bits` bits of `width` words that, as far as there is room, overlap no `others`.
    fn draw(width: usize, bits: u32, others: &[Self], stream: &mut Stream) -> Self {
        let mut range = || Self {
            word: stream.below(width),
            first: stream.below(65 - bits.max(1) as usize) as u32,
            bits,
        };
        let is_apart = |range: &Self| others.iter().all(|other| range.is_apart_from(other));
        let apart = (0..TRIES).map(|_| range()).find(is_apart);
        apart.unwrap_or_else(range)
    }

    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    fn is_apart_from(&self, other: &Self) -> bool {
        self.word != other.word
            || self.first + self.bits <= other.first
            || other.first + other.bits <= self.first
    }
}

/// Ranges in a bit sample. Fewer would be quicker to read, but if the bits in which two
/// signatures differ stand beside each other, that matters more the longer ranges are.
const RANGES: usize = 3;

/// A few bits of a signature, in ranges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitSample {
    ranges: [BitRange; RANGES],
    size: u32,
}

impl BitSample {
    /// Draws `size` bits of `width` words that, as far as there is room, are not taken.
    pub(super) fn draw(
        width: usize,
        size: u32,
        taken: &mut Vec<BitRange>,
        stream: &mut Stream,
    ) -> Self {
        let mut ranges = [BitRange::default(); RANGES];
        for (at, range) in (0..).zip(&mut ranges) {
            let before = |at: u32| size * at / RANGES as u32;
            *range = BitRange::draw(width, before(at + 1) - before(at), taken, stream);
            if range.bits > 0 {
                taken.push(*range);
            }
        }
        Self { ranges, size }
    }

    /// No bits: all signatures agree.
    pub(crate) fn all() -> Self {
        Self {
            ranges: [BitRange::default(); RANGES],
            size: 0,
        }
    }

    /// The number of groups.
    pub(crate) fn groups(&self) -> usize {
        1 << self.size
    }

    /// The number of the group of a signature.
    #[inline]
    pub(crate) fn group(&self, signature: &[u64]) -> u32 {
        self.ranges.iter().fold(0, |group, range| {
            let bits = (signature[range.word] >> range.first) as u32;
            group << range.bits | bits & ((1 << range.bits) - 1)
        })
    }
}

/// The places of signatures when they are sorted by group.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    groups: Vec<u32>,
    ends: Vec<u32>,
}

impl Places {
    /// Sorts `signatures` by their groups in a bit sample, and calls `put` with each one, its
    /// number and its place.
    pub(super) fn assign<'a>(
        &mut self,
        signatures: impl Iterator<Item = &'a [u64]> + Clone,
        sample: &BitSample,
        mut put: impl FnMut(&'a [u64], usize, usize),
    ) {
        self.ends.clear();
        self.ends.resize(sample.groups(), 0);
        self.groups.clear();
        self.groups
            .extend(signatures.clone().map(|signature| sample.group(signature)));
        for &group in &self.groups {
            self.ends[group as usize] += 1;
        }
        let mut from = 0;
        for end in &mut self.ends {
            from += std::mem::replace(end, from);
        }
        // The beginning of a group becomes its end, as it fills.
        for (number, (signature, &group)) in signatures.zip(&self.groups).enumerate() {
            let place = &mut self.ends[group as usize];
            put(signature, number, *place as usize);
            *place += 1;
        }
    }

    /// The places of group `group`.
    pub(super) fn of(&self, group: usize) -> std::ops::Range<usize> {
        let from = match group {
            0 => 0,
            _ => self.ends[group - 1],
        };
        from as usize..self.ends[group] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_bits_of_their_own_and_as_many_as_asked() {
        let mut stream = Stream::new(1);
        for size in [0, 1, 4, 13, 20] {
            for width in [1, 2, 6] {
                let sample = BitSample::draw(width, size, &mut Vec::new(), &mut stream);
                assert_eq!(
                    sample.ranges.iter().map(|range| range.bits).sum::<u32>(),
                    size
                );
                assert_eq!(sample.group(&[u64::MAX; 6]) as usize, sample.groups() - 1);
                assert_eq!(sample.group(&[0; 6]), 0);
            }
        }
    }

    #[test]
    fn where_no_room_is_left_bits_are_drawn_twice() {
        let mut stream = Stream::new(1);
        let mut taken = Vec::new();
        for _ in 0..9 {
            let sample = BitSample::draw(1, 20, &mut taken, &mut stream);
            assert_eq!(sample.group(&[u64::MAX]) as usize, sample.groups() - 1);
        }
    }

    #[test]
    fn groups_hold_all_that_agree_in_their_order() {
        let mut stream = Stream::new(2);
        let signatures: Vec<u64> = (0..300).map(|_| stream.next_value()).collect();
        let sample = BitSample::draw(1, 6, &mut Vec::new(), &mut stream);
        let mut places = Places::default();
        let mut numbers = vec![usize::MAX; 300];
        places.assign(signatures.chunks(1), &sample, |_, number, place| {
            assert_eq!(numbers[place], usize::MAX);
            numbers[place] = number;
        });
        let mut seen = 0;
        for group in 0..sample.groups() {
            let members = &numbers[places.of(group)];
            assert!(members.is_sorted());
            let is_of_group = |&at: &usize| sample.group(&signatures[at..=at]) == group as u32;
            assert!(members.iter().all(is_of_group));
            seen += members.len();
        }
        assert_eq!(seen, 300);
    }
}
