//! The index of prefixes: from a feature to the documents that must be met at it.
//!
//! Postings are grouped by a hash of their key with a counting sort; there is no
//! dictionary. A group may hold postings of several keys, so each carries some
//! bits of its own; where even these agree by chance, a pair is compared for
//! nothing and no harm is done. Within a group postings stand in the band's order,
//! by size.

use super::prefix::Prefixes;

/// One prefix feature of one document.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Posting {
    /// Bits of the key.
    pub(super) tag: u32,
    /// The document's position in the band.
    pub(super) at: u32,
}

pub(super) struct Index {
    ends: Vec<u32>,
    postings: Vec<Posting>,
    shift: u32,
}

impl Index {
    pub(super) fn new(prefixes: &Prefixes) -> Self {
        let count = (0..prefixes.len())
            .map(|at| prefixes.upwards(at).len())
            .sum::<usize>();
        let bits = count.max(2).ilog2().min(31);
        let mut index = Self {
            ends: vec![0; (1 << bits) + 1],
            postings: vec![Posting::default(); count],
            shift: 64 - bits,
        };
        for at in 0..prefixes.len() {
            for &key in prefixes.upwards(at) {
                let (group, _) = index.place(key);
                index.ends[group + 1] += 1;
            }
        }
        let mut total = 0;
        for end in &mut index.ends {
            total += *end;
            *end = total;
        }
        // Each group's start moves to its end while it is filled, and becomes
        // the start of the next group.
        for at in 0..prefixes.len() {
            for &key in prefixes.upwards(at) {
                let (group, tag) = index.place(key);
                let next = &mut index.ends[group];
                let at = at as u32;
                index.postings[*next as usize] = Posting { tag, at };
                *next += 1;
            }
        }
        index
    }

    /// The group and the tag of a key.
    #[inline]
    fn place(&self, key: u64) -> (usize, u32) {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed >> self.shift) as usize, mixed as u32 ^ key as u32)
    }

    /// The postings among which those of `key` are, in the band's order, and the
    /// tag that tells them.
    #[inline]
    pub(super) fn group(&self, key: u64) -> (&[Posting], u32) {
        let (group, tag) = self.place(key);
        let start = match group {
            0 => 0,
            _ => self.ends[group - 1],
        };
        (
            &self.postings[start as usize..self.ends[group] as usize],
            tag,
        )
    }
}
