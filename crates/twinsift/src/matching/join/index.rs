//! The index of prefixes: from a key to the documents that have it in their prefixes.
//!
//! Postings are grouped by a hash of their key with a counting sort; there is no
//! dictionary. A group may hold postings of several keys, so each has a tag, some
//! bits of its key; where even these agree by chance, a pair is verified for nothing. Within a
//! group postings stand in the band's order, by size.

use super::prefix::{Partners, Prefixes};
use crate::collection::pages;
use crate::error::Result;
use crate::matching::Job;
use rayon::prelude::*;

/// One prefix feature of one document.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Posting {
    /// The document's position in the band.
    pub(super) at: u32,
    /// The mass of its repeated features from this one on.
    pub(super) rest: f32,
}

pub(super) struct Index {
    /// Where each group starts, and the last one ends.
    starts: Vec<u32>,
    /// Some bits of the key of each posting. They are by themselves because they are
    /// what is looked at most.
    tags: Vec<u16>,
    postings: Vec<Posting>,
    groups: Groups,
}

/// How keys are grouped.
#[derive(Clone, Copy)]
struct Groups {
    shift: u32,
}

impl Groups {
    /// The group and the tag of a key.
    #[inline]
    fn place(self, key: u32) -> (usize, u16) {
        let mixed = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed >> self.shift) as usize, (mixed >> 16) as u16)
    }
}

impl Index {
    /// The index in which such partners find every document.
    pub(super) fn new(job: &Job<'_>, prefixes: &Prefixes, partners: Partners) -> Result<Self> {
        let count = prefixes.count_shared_with(partners);
        let bits = usize::max(count, 2).ilog2().min(31);
        let groups = Groups { shift: 64 - bits };
        // Some groups to a thread. Each goes through all prefixes, and keeps what
        // belongs to its groups.
        let share = (1usize << bits).div_ceil(rayon::current_num_threads());
        let mut starts = vec![0; (1 << bits) + 1];
        let shares = starts[1..].par_chunks_mut(share).enumerate();
        shares.for_each(|(number, counts)| {
            prefixes.shared_with(job, partners, |_, key, _| {
                let (group, _) = groups.place(key);
                if let Some(count) = counts.get_mut(group.wrapping_sub(number * share)) {
                    *count += 1;
                }
            });
        });
        let mut total = 0;
        for count in &mut starts[1..] {
            let start = total;
            total += std::mem::replace(count, start);
        }
        let mut tags = vec![0; count];
        let mut postings = vec![Posting::default(); count];
        let mut rest = (&mut tags[..], &mut postings[..]);
        let mut shares = Vec::new();
        for (number, starts) in starts[1..].chunks_mut(share).enumerate().rev() {
            let (other_tags, tags) = rest.0.split_at_mut(starts[0] as usize);
            let (others, postings) = rest.1.split_at_mut(starts[0] as usize);
            shares.push((number * share, starts, tags, postings));
            rest = (other_tags, others);
        }
        // Each group's start moves to its end while it is filled: to the start of
        // the next one.
        let shares = shares.into_par_iter();
        shares.for_each(|(first, ends, tags, postings)| {
            let before = ends[0];
            prefixes.shared_with(job, partners, |at, key, rest| {
                let (group, tag) = groups.place(key);
                if let Some(next) = ends.get_mut(group.wrapping_sub(first)) {
                    let place = (*next - before) as usize;
                    tags[place] = tag;
                    postings[place] = Posting { at, rest };
                    *next += 1;
                }
            });
        });
        job.check()?;
        Ok(Self {
            starts,
            tags,
            postings,
            groups,
        })
    }

    /// Fetches the starts of the groups that hold the keys of a prefix.
    pub(super) fn fetch(&self, prefix: impl Iterator<Item = (u32, f32)>) {
        prefix.for_each(|(key, _)| pages::fetch(&self.starts[self.groups.place(key).0]));
    }

    /// Replaces `groups` by those of the keys of a prefix, each with the mass that came with
    /// the key, and fetches their postings.
    pub(super) fn find(&self, prefix: impl Iterator<Item = (u32, f32)>, groups: &mut Vec<Group>) {
        groups.clear();
        groups.extend(prefix.map(|(key, rest)| {
            let (group, tag) = self.groups.place(key);
            Group {
                start: self.starts[group],
                end: self.starts[group + 1],
                tag,
                rest,
            }
        }));
        groups.retain(|group| group.start < group.end);
        for group in groups {
            pages::fetch(&self.tags[group.start as usize]);
            pages::fetch(&self.postings[group.start as usize]);
        }
    }

    /// The tags and postings among which those of a key are, in the band's order.
    #[inline]
    pub(super) fn group(&self, group: &Group) -> (&[u16], &[Posting]) {
        let range = group.start as usize..group.end as usize;
        (&self.tags[range.clone()], &self.postings[range])
    }
}

/// Where the postings of a key are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    start: u32,
    end: u32,
    /// The tag of these postings; others in the group belong to other keys.
    pub(super) tag: u16,
    /// The mass that came with the key.
    pub(super) rest: f32,
}
