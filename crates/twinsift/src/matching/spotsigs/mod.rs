//! Algorithm 1 of the SpotSigs paper: every pair at or above a Jaccard similarity,
//! of sets or multisets, by length partitions and pruned inverted lists.
//!
//! It is kept beside the engine's own [`join`](super::join), which is the default,
//! for users who want the published algorithm; both give the same pairs. Comments
//! `line n` refer to the paper's listing. Where it must be read with care:
//!
//! - A document once compared is not compared again, similar or not; line 21 says so
//!   only for similar ones.
//! - Lines 17 and 18 add δ1 and δ2, which overlap. From the *longer* document's side
//!   this can prune a similar pair; the algorithm is exact only because the *shorter*
//!   document's own pass finds it. So here each pair is visited once, from the
//!   shorter side: a list is left as soon as it comes to documents that are not longer.
//! - Rounding must not decide: line 15 leaves a little room.
//!
//! It works in memory: all features, and the lists of two partitions. As in the
//! paper's Table 2 it can be run without partitions, and without pruning too, to see
//! what they are worth; the pairs are the same.

mod lists;
mod partitions;

use super::Job;
use super::edges::{Edge, EdgeSink};
use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::{Result, refuse};
use crate::parallel;
use crate::settings::Join;
use crate::similarity::Similarity;
use crate::vector::Vector;
use lists::Lists;
use partitions::Partitions;
use std::sync::Arc;

/// Documents that a thread takes at a time.
const CHUNK: usize = 64;

/// Finds every pair of representatives that reaches the threshold; returns how many
/// were compared.
pub(crate) fn join(job: &Job<'_>, threshold: f64, store: &Store, sink: &EdgeSink) -> Result<u64> {
    if store.spilled_bytes() > 0 {
        return refuse(
            "‹join› spotsigs works in memory, and the features do not fit: raise ‹memory›, or leave out ‹join›",
        );
    }
    let blocks = (0..store.len())
        .map(|at| store.load(at))
        .collect::<Result<Vec<_>>>()?;
    let join = job.settings.join;
    let mut matcher = Matcher::new(threshold, blocks, |doc| job.classes.is_representative(doc));
    if matches!(join, Some(Join::NoPart | Join::NoPrune)) {
        matcher.forget_partitions();
    }
    matcher.prunes = join != Some(Join::NoPrune);
    let mut compared = 0;
    job.begin(matcher.documents.len())?;
    let mut own = matcher.lists(0);
    for partition in 0..matcher.partition_starts.len() - 1 {
        job.check()?;
        let next = matcher.lists(partition + 1);
        if own.documents.is_empty() {
            own = next;
            continue;
        }
        let first = own.documents.start;
        compared += parallel::share_out(
            &job.settings.observer,
            own.documents.len(),
            CHUNK,
            || (Scratch::new(matcher.documents.len()), Vec::new(), 0),
            |(scratch, found, compared), range| {
                for at in range {
                    job.advance(1)?;
                    let at = first + at;
                    let may = |other: u32| job.may_pair(matcher.documents[at].doc, other);
                    *compared += matcher.partners(at, &own, &next, scratch, may, found);
                }
                sink.extend(found)
            },
            |(_, _, compared)| compared,
        )?;
        own = next;
    }
    Ok(compared)
}

/// The documents by ascending length, and where partitions begin among them.
struct Matcher {
    threshold: f64,
    blocks: Vec<Arc<Block>>,
    documents: Vec<Placed>,
    partitions: Partitions,
    /// The first document of each partition, and the end of the last one.
    partition_starts: Vec<usize>,
    /// Whether lists are left as soon as the bounds allow it.
    prunes: bool,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    length: f64,
    doc: u32,
    block: u32,
    at: u32,
}

/// A thread's own buffers.
struct Scratch {
    /// By position: the document for which it was compared last, counted from 1.
    checked: Vec<u32>,
    /// Features of the document at hand as (document frequency, place).
    order: Vec<(u32, u32)>,
}

impl Scratch {
    fn new(documents: usize) -> Self {
        Self {
            checked: vec![0; documents],
            order: Vec::new(),
        }
    }
}

impl Matcher {
    fn new(threshold: f64, blocks: Vec<Arc<Block>>, takes: impl Fn(u32) -> bool) -> Self {
        let mut documents = Vec::new();
        for (number, block) in (0u32..).zip(&blocks) {
            let placed = (0u32..).zip(block.docs.iter().zip(&block.totals));
            documents.extend(placed.filter(|(_, (doc, _))| takes(**doc)).map(
                |(at, (&doc, &length))| Placed {
                    length,
                    doc,
                    block: number,
                    at,
                },
            ));
        }
        documents.sort_unstable_by(|x, y| x.length.total_cmp(&y.length).then(x.doc.cmp(&y.doc)));
        let longest = documents.last().map_or(0.0, |document| document.length);
        let partitions = Partitions::new(threshold, longest);
        let mut partition_starts = vec![0];
        for (at, pair) in documents.windows(2).enumerate() {
            let [left, right] = [0, 1].map(|side| partitions.of(pair[side].length));
            partition_starts.extend(std::iter::repeat_n(at + 1, right - left));
        }
        // Partitions before the first document are left out; they hold nothing.
        partition_starts.push(documents.len());
        Self {
            threshold,
            blocks,
            documents,
            partitions,
            partition_starts,
            prunes: true,
        }
    }

    /// Puts all documents into one partition.
    fn forget_partitions(&mut self) {
        self.partition_starts = vec![0, self.documents.len()];
    }

    fn vector(&self, at: usize) -> Vector<'_> {
        let Placed { block, at, .. } = self.documents[at];
        self.blocks[block as usize].vector(at as usize)
    }

    /// The lists of a partition; none beyond the last.
    fn lists(&self, partition: usize) -> Lists {
        match self.partition_starts.get(partition..partition + 2) {
            Some(&[start, end]) => Lists::new(start..end, |at| self.vector(at)),
            _ => Lists::default(),
        }
    }

    /// Finds the partners of the document at `at` (the paper's d_i) that stand after
    /// it by length; `own` are the lists of its partition, `next` those of the
    /// partition after. Returns how many were compared.
    fn partners(
        &self,
        at: usize,
        own: &Lists,
        next: &Lists,
        scratch: &mut Scratch,
        may_pair: impl Fn(u32) -> bool,
        found: &mut Vec<Edge>,
    ) -> u64 {
        let Scratch { checked, order } = scratch;
        let document = self.documents[at];
        let vector = self.vector(at);
        let different = 1.0 - self.threshold;
        // Line 5. The order is used for the next partition too.
        order.clear();
        order.extend(
            (0u32..)
                .zip(vector.values)
                .map(|(place, &value)| (own.of(value).len() as u32, place)),
        );
        order.sort_unstable();
        let mut compared = 0;
        let reaches_next = self.partitions.reaches_next(document.length);
        // Lines 29 to 32: on to the next partition, if any partner can be there.
        for lists in [Some(own), reaches_next.then_some(next)]
            .into_iter()
            .flatten()
        {
            // Lines 6 and 7; a partition's documents were not checked before.
            let mut delta1 = 0.0;
            let mut longest = lists.documents.end;
            for &(_, place) in order.iter() {
                let place = place as usize;
                // Lines 9 to 11.
                for &other in lists.of(vector.values[place]) {
                    // Lines 13, 17 and 18: itself, or shorter ones, which find it.
                    if other as usize <= at {
                        break;
                    }
                    if checked[other as usize] == at as u32 + 1 {
                        continue;
                    }
                    // Line 12.
                    let length = self.documents[other as usize].length;
                    let delta2 = document.length - length;
                    // Lines 15 and 16.
                    if self.prunes && delta1 - delta2 > different * length + 1e-9 * length {
                        continue;
                    }
                    // Lines 19 to 21.
                    checked[other as usize] = at as u32 + 1;
                    let doc = self.documents[other as usize].doc;
                    if !may_pair(doc) {
                        continue;
                    }
                    compared += 1;
                    let partner = self.vector(other as usize);
                    if let Some(score) =
                        Similarity::Jaccard.reaching(self.threshold, vector, partner)
                    {
                        found.push(Edge::new(document.doc, doc, score));
                    }
                }
                // Line 24.
                delta1 += vector.weight(place);
                // Lines 25 to 27, with the longest document that was not compared.
                while longest > lists.documents.start && checked[longest - 1] == at as u32 + 1 {
                    longest -= 1;
                }
                let none_left = longest <= lists.documents.start.max(at + 1);
                let enough = || delta1 >= different * self.documents[longest - 1].length;
                if self.prunes && (none_left || enough()) {
                    break;
                }
            }
        }
        compared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 4.3.2: one Jaccard computation for d1.
    #[test]
    fn worked_example_of_the_paper() {
        let signature = |at: u64| crate::hash::mix(at);
        let counts: [&[(u64, f32)]; 3] = [
            &[(1, 5.0), (2, 4.0), (3, 4.0)],
            &[(1, 8.0), (2, 4.0)],
            &[(1, 4.0), (2, 5.0), (3, 5.0)],
        ];
        let mut block = Block::default();
        for (doc, counts) in (1..).zip(counts) {
            let mut features: Vec<(u64, f32)> = counts.to_vec();
            features.iter_mut().for_each(|(at, _)| *at = signature(*at));
            features.sort_by_key(|&(value, _)| value);
            block
                .values
                .extend(features.iter().map(|&(value, _)| value));
            block
                .weights
                .extend(features.iter().map(|&(_, count)| count));
            let length = features.iter().map(|&(_, count)| f64::from(count)).sum();
            block.end_document(doc, length);
        }
        let matcher = Matcher::new(0.8, vec![Arc::new(block)], |_| true);
        let lengths: Vec<f64> = matcher.documents.iter().map(|d| d.length).collect();
        assert_eq!(lengths, [12.0, 13.0, 14.0]);
        // The paper puts all three into one partition.
        let (all, none) = (Lists::new(0..3, |at| matcher.vector(at)), Lists::default());
        let mut scratch = Scratch::new(3);
        let mut found = Vec::new();
        let compared = matcher.partners(1, &all, &none, &mut scratch, |_| true, &mut found);
        assert_eq!(compared, 1);
        assert_eq!(found, [Edge::new(1, 3, 0.8)]);
        for at in [0, 2] {
            matcher.partners(at, &all, &none, &mut scratch, |_| true, &mut found);
        }
        assert_eq!(found.len(), 1);
    }

    /// The erratum on line 17: a subset of 85 in a document of 100.
    #[test]
    fn a_short_subset_is_found() {
        let mut block = Block::default();
        for (doc, length) in [(0, 100u64), (1, 85)] {
            let mut values: Vec<u64> = (100 - length..100).map(crate::hash::mix).collect();
            values.sort_unstable();
            block.values.extend(values);
            block.end_document(doc, length as f64);
        }
        let matcher = Matcher::new(0.8, vec![Arc::new(block)], |_| true);
        let (own, next) = (matcher.lists(0), matcher.lists(1));
        let mut found = Vec::new();
        matcher.partners(0, &own, &next, &mut Scratch::new(2), |_| true, &mut found);
        assert_eq!(found, [Edge::new(0, 1, 0.85)]);
    }
}
