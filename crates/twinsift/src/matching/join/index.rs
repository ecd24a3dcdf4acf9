//! The index of prefixes: from a feature to the documents that have it near the
//! front.
//!
//! Postings are grouped by a hash of their key with a counting sort; there is no
//! dictionary. A group may hold postings of several keys, so each carries its own.
//! Within a group they stand in the band's order, by size.

use super::band::Band;
use crate::collection::block::Vector;
use crate::matching::similarity::Similarity;

/// One prefix feature of one document.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Posting {
    pub(super) key: u64,
    /// The document's position in the band.
    pub(super) at: u32,
    /// The mass from this feature to the document's last, rounded up.
    pub(super) rest: f32,
}

pub(super) struct Index {
    ends: Vec<u32>,
    postings: Vec<Posting>,
    shift: u32,
}

impl Index {
    pub(super) fn new(band: &Band, similarity: Similarity, threshold: f64) -> Self {
        let reach = similarity.reach_upwards(threshold);
        let each = |visit: &mut dyn FnMut(Posting)| {
            for at in 0..band.len() {
                prefix(band.vector(at), similarity, reach, |key, rest| {
                    visit(Posting {
                        key,
                        at: at as u32,
                        rest: round_up(rest),
                    });
                });
            }
        };
        let mut count = 0usize;
        each(&mut |_| count += 1);
        let bits = count.max(2).ilog2().min(31);
        let mut index = Self {
            ends: vec![0; (1 << bits) + 1],
            postings: vec![Posting::default(); count],
            shift: 64 - bits,
        };
        each(&mut |posting| index.ends[group(posting.key, index.shift) + 1] += 1);
        let mut total = 0;
        for end in &mut index.ends {
            total += *end;
            *end = total;
        }
        // Each group's start moves to its end while it is filled, and becomes
        // the start of the next group.
        each(&mut |posting| {
            let next = &mut index.ends[group(posting.key, index.shift)];
            index.postings[*next as usize] = posting;
            *next += 1;
        });
        index
    }

    /// The postings that may have `key`, in the band's order.
    #[inline]
    pub(super) fn group(&self, key: u64) -> &[Posting] {
        let group = group(key, self.shift);
        let start = match group {
            0 => 0,
            _ => self.ends[group - 1],
        };
        &self.postings[start as usize..self.ends[group] as usize]
    }
}

#[inline]
fn group(key: u64, shift: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize
}

/// Visits the features of a document's prefix, each with the mass from there to
/// the end. A document similar to this one shares mass of at least
/// `reach * total`, so the first feature they share has that much from it on.
pub(super) fn prefix(
    vector: Vector<'_>,
    similarity: Similarity,
    reach: f64,
    mut visit: impl FnMut(u64, f64),
) {
    let mut rest = similarity.total(vector.values.len(), vector.weights);
    let least = reach * vector.total;
    for (at, &key) in vector.values.iter().enumerate() {
        if rest < least {
            break;
        }
        visit(key, rest);
        rest -= similarity.mass(vector.weight(at));
    }
}

/// The smallest `f32` that is not below `value`.
fn round_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value {
        near.next_up()
    } else {
        near
    }
}
