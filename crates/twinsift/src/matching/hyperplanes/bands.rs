//! Bands: a few bits of a signature, drawn at random. Signatures that agree in all of
//! them are dealt to the same group.

use crate::hash::Stream;

/// Some neighbouring bits of a signature.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    word: usize,
    first: u32,
    bits: u32,
}

/// How often a run is drawn again that is not apart from the others.
const TRIES: u32 = 1000;

impl Run {
    /// `bits` bits of `width` words, at random and, as far as there is room, apart from some
    /// others.
    fn draw(width: usize, bits: u32, others: &[Self], stream: &mut Stream) -> Self {
        let mut run = || Self {
            word: stream.below(width),
            first: stream.below(65 - bits.max(1) as usize) as u32,
            bits,
        };
        let is_apart = |run: &Self| others.iter().all(|other| run.is_apart_from(other));
        let apart = (0..TRIES).map(|_| run()).find(is_apart);
        apart.unwrap_or_else(run)
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

/// Runs that a band is made of. Fewer would be quicker to read and less fair: where the bits in which
/// two signatures differ lie beside each other matters the more, the longer runs are.
const RUNS: usize = 3;

/// A few bits of a signature, in runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Band {
    runs: [Run; RUNS],
    size: u32,
}

impl Band {
    /// `size` bits of `width` words, drawn at random, and as far as there is room none that is
    /// taken.
    pub(super) fn draw(width: usize, size: u32, taken: &mut Vec<Run>, stream: &mut Stream) -> Self {
        let mut runs = [Run::default(); RUNS];
        for (at, run) in (0..).zip(&mut runs) {
            let before = |at: u32| size * at / RUNS as u32;
            *run = Run::draw(width, before(at + 1) - before(at), taken, stream);
            if run.bits > 0 {
                taken.push(*run);
            }
        }
        Self { runs, size }
    }

    /// No bits: all signatures agree.
    pub fn all() -> Self {
        Self {
            runs: [Run::default(); RUNS],
            size: 0,
        }
    }

    /// Groups that signatures are dealt to.
    pub fn groups(&self) -> usize {
        1 << self.size
    }

    /// The number of the group of a signature.
    #[inline]
    pub(crate) fn group(&self, signature: &[u64]) -> u32 {
        self.runs.iter().fold(0, |group, run| {
            let bits = (signature[run.word] >> run.first) as u32;
            group << run.bits | bits & ((1 << run.bits) - 1)
        })
    }
}

/// Where signatures go that are dealt out.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    groups: Vec<u32>,
    ends: Vec<u32>,
}

impl Places {
    /// Deals `signatures` out by a band: `put` is told the number of each and its place.
    pub fn deal<'a>(
        &mut self,
        signatures: impl Iterator<Item = &'a [u64]> + Clone,
        band: &Band,
        mut put: impl FnMut(&'a [u64], usize, usize),
    ) {
        self.ends.clear();
        self.ends.resize(band.groups(), 0);
        self.groups.clear();
        self.groups
            .extend(signatures.clone().map(|signature| band.group(signature)));
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
    pub fn of(&self, group: usize) -> std::ops::Range<usize> {
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
    fn bands_have_bits_of_their_own_and_as_many_as_asked() {
        let mut stream = Stream::new(1);
        for size in [0, 1, 4, 13, 20] {
            for width in [1, 2, 6] {
                let band = Band::draw(width, size, &mut Vec::new(), &mut stream);
                assert_eq!(band.runs.iter().map(|run| run.bits).sum::<u32>(), size);
                assert_eq!(band.group(&[u64::MAX; 6]) as usize, band.groups() - 1);
                assert_eq!(band.group(&[0; 6]), 0);
            }
        }
    }

    #[test]
    fn where_no_room_is_left_bits_are_drawn_twice() {
        let mut stream = Stream::new(1);
        let mut taken = Vec::new();
        for _ in 0..9 {
            let band = Band::draw(1, 20, &mut taken, &mut stream);
            assert_eq!(band.group(&[u64::MAX]) as usize, band.groups() - 1);
        }
    }

    #[test]
    fn groups_hold_all_that_agree_in_their_order() {
        let mut stream = Stream::new(2);
        let signatures: Vec<u64> = (0..300).map(|_| stream.next_value()).collect();
        let band = Band::draw(1, 6, &mut Vec::new(), &mut stream);
        let mut places = Places::default();
        let mut dealt = vec![usize::MAX; 300];
        places.deal(signatures.chunks(1), &band, |_, number, place| {
            assert_eq!(dealt[place], usize::MAX);
            dealt[place] = number;
        });
        let mut seen = 0;
        for group in 0..band.groups() {
            let members = &dealt[places.of(group)];
            assert!(members.is_sorted());
            let is_of_group = |&at: &usize| band.group(&signatures[at..=at]) == group as u32;
            assert!(members.iter().all(is_of_group));
            seen += members.len();
        }
        assert_eq!(seen, 300);
    }
}
