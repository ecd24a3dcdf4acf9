//! Min-hash bands: likely pairs, each then compared in full.
//!
//! Documents that agree in all rows of some band become candidates. A pair is a
//! candidate only at the first band in which it agrees; so no list of pairs seen
//! is kept. Candidates wait in a bounded list and are verified block by block,
//! in memory or on disk. What is reported is exact; a pair may be missed by
//! chance, and [`recall`] returns the chance to find it.

use super::Job;
use super::agree::Agreement;
use super::edges::{Edge, EdgeSink};
use crate::collection::pages;
use crate::collection::store::{BlockReader, Store};
use crate::error::Result;
use crate::features::uniform_sort::Sorter;
use crate::parallel;
use crate::similarity::{FETCHED_LINES, Similarity};
use crate::sketch::Rows;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The chance that a pair of similarity `s` becomes a candidate.
pub fn recall(s: f64, bands: u32, rows: u32) -> f64 {
    1.0 - (1.0 - s.powf(f64::from(rows))).powf(f64::from(bands))
}

/// The chance that [`bands_for`] asks of a pair right at the threshold.
pub const RECALL_AT_THRESHOLD: f64 = 0.98;

/// Bands and rows out of `values` min-hashes: the longest rows (the fewest
/// candidates) with which a pair right at the threshold is found with a chance
/// of at least [`RECALL_AT_THRESHOLD`].
pub fn bands_for(threshold: f64, values: u32) -> (u32, u32) {
    let rows = (1..=values)
        .rev()
        .find(|&rows| recall(threshold, values / rows, rows) >= RECALL_AT_THRESHOLD)
        .unwrap_or(1);
    (values / rows, rows)
}

/// The conditions for a candidate and for a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    /// The least places in which the rows agree.
    pub(crate) require: usize,
    /// 64-bit numbers to a place.
    pub(crate) lanes: usize,
    pub(crate) similarity: Similarity,
    pub(crate) threshold: f64,
}

impl Check {
    /// Candidates share a band of min-hashes.
    pub(crate) fn of_bands(similarity: Similarity, threshold: f64) -> Self {
        Self {
            require: 1,
            lanes: 1,
            similarity,
            threshold,
        }
    }
}

/// Compares the candidates of all bands; `rows` holds a value for each band, of which
/// 0 stands for none. Returns how many were compared.
pub(crate) fn lsh(
    job: &Job<'_>,
    check: Check,
    store: &Store,
    rows: &Rows,
    sink: &EdgeSink,
) -> Result<u64> {
    let docs: Vec<u32> = rows
        .docs()
        .filter(|&doc| job.classes.is_representative(doc))
        .collect();
    let positions = BlockPositions::new(store, job.classes.len())?;
    // Every thread may be busy with a full list while the next one fills.
    let lists = rayon::current_num_threads() + 1;
    let limit = (job.budget.candidates() / size_of::<(u32, u32)>() / lists).max(1);
    let waiting = Mutex::new(Vec::new());
    let bands = rows.width() / check.lanes;
    job.begin(bands)?;
    let compared = parallel::share_out(
        &job.settings.observer,
        bands,
        1,
        || (0, Vec::new(), Sorter::default()),
        |(compared, keyed, sorter), bands| {
            for band in bands {
                job.settings.observer.advance(1);
                let keyed = keyed_by(band, check, &docs, rows, keyed, sorter);
                emit_candidates(job, check, keyed, rows, band, |found| {
                    let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                    waiting.append(found);
                    if waiting.len() < limit {
                        return Ok(());
                    }
                    let full = std::mem::take(&mut *waiting);
                    drop(waiting);
                    *compared += full.len() as u64;
                    verify(check, store, &positions, full, sink)
                })?;
            }
            Ok(())
        },
        |(compared, ..)| compared,
    )?;
    let rest = waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
    let compared = compared + rest.len() as u64;
    verify(check, store, &positions, rest, sink)?;
    Ok(compared)
}

/// Candidates are handed on when there are this many.
const BATCH: usize = 1 << 12;

/// The leading bits of each document's value in a band, then the document, in order: few
/// differ that agree in these bits. Documents without a value are left out.
fn keyed_by<'a>(
    band: usize,
    check: Check,
    docs: &[u32],
    rows: &Rows,
    keyed: &'a mut Vec<u64>,
    sorter: &mut Sorter,
) -> &'a [u64] {
    let values = docs
        .iter()
        .map(|&doc| (rows.row(doc)[band * check.lanes], doc));
    let present = values.filter(|&(value, _)| value != 0);
    keyed.clear();
    keyed.reserve(docs.len());
    keyed.extend(present.map(|(value, doc)| value >> 32 << 32 | u64::from(doc)));
    sorter.sort(keyed);
    keyed
}

/// Hands on the pairs of which `band` is the first in which they agree.
fn emit_candidates(
    job: &Job<'_>,
    check: Check,
    keyed: &[u64],
    rows: &Rows,
    band: usize,
    mut hand_on: impl FnMut(&mut Vec<(u32, u32)>) -> Result<()>,
) -> Result<()> {
    let mut found = Vec::new();
    for group in keyed.chunk_by(|x, y| x >> 32 == y >> 32) {
        for (at, &a) in group.iter().enumerate() {
            job.check()?;
            for &b in &group[at + 1..] {
                let (a, b) = (a as u32, b as u32);
                let (x, y) = (rows.row(a), rows.row(b));
                let seen = ..band * check.lanes;
                if Agreement::is_any(&x[seen], &y[seen], check.lanes) {
                    continue;
                }
                let agreement = Agreement::of(x, y, check.lanes);
                if agreement.first == Some(band)
                    && agreement.equal >= check.require
                    && job.may_pair(a, b)
                {
                    found.push((a, b));
                }
            }
            if found.len() >= BATCH {
                hand_on(&mut found)?;
            }
        }
    }
    hand_on(&mut found)
}

/// Which block holds each document, and at which position.
#[derive(Debug)]
pub(super) struct BlockPositions(Vec<(u32, u32)>);

impl BlockPositions {
    pub(super) fn new(store: &Store, documents: usize) -> Result<Self> {
        let mut places = vec![(0, 0); documents];
        for number in 0..store.len() {
            let block = store.load(number)?;
            for (at, &doc) in (0u32..).zip(&block.docs) {
                places[doc as usize] = (number as u32, at);
            }
        }
        Ok(Self(places))
    }

    /// The block of a document, and its position there.
    pub(super) fn of(&self, doc: u32) -> (usize, usize) {
        let (number, at) = self.0[doc as usize];
        (number as usize, at as usize)
    }

    /// Fetches the features of a document, if they are in memory.
    #[inline]
    fn fetch(&self, store: &Store, doc: u32) {
        let (number, at) = self.0[doc as usize];
        if let Some(block) = store.resident(number as usize) {
            pages::fetch_vector(block.vector(at as usize), FETCHED_LINES);
        }
    }
}

/// Candidates that are compared before a look at whether the run was cancelled.
const CHECKED: usize = 1 << 8;

/// Documents are fetched from memory so many comparisons before their own.
const FETCHED_AHEAD: usize = 3;

/// Verifies candidates, and hands those that reach the threshold to the sink.
pub(super) fn verify(
    check: Check,
    store: &Store,
    positions: &BlockPositions,
    mut candidates: Vec<(u32, u32)>,
    sink: &EdgeSink,
) -> Result<()> {
    let block_of = |doc: u32| positions.0[doc as usize].0;
    // A block on disk is read once for all that is compared with it. In memory, pairs of
    // one document are verified one after another.
    match store.spilled_bytes() {
        0 => candidates.par_sort_unstable(),
        _ => candidates.par_sort_unstable_by_key(|&(a, b)| (block_of(a), block_of(b), a, b)),
    }
    let groups: Vec<&[(u32, u32)]> = candidates
        .chunk_by(|x, y| block_of(x.0) == block_of(y.0))
        .collect();
    parallel::share_out(
        sink.observer(),
        groups.len(),
        1,
        || (Vec::new(), BlockReader::new(store), BlockReader::new(store)),
        |(found, left, right), range| {
            for group in &groups[range] {
                let left = left.at(block_of(group[0].0) as usize)?;
                for (at, &(a, b)) in group.iter().enumerate() {
                    if let Some(&(_, soon)) = group.get(at + FETCHED_AHEAD) {
                        positions.fetch(store, soon);
                    }
                    if at % CHECKED == 0 {
                        sink.observer().check()?;
                    }
                    let x = left.vector(positions.0[a as usize].1 as usize);
                    let right = right.at(block_of(b) as usize)?;
                    let y = right.vector(positions.0[b as usize].1 as usize);
                    if let Some(score) = check.similarity.reaching(check.threshold, x, y) {
                        found.push(Edge::new(a, b, score));
                    }
                }
            }
            sink.extend(found)
        },
        |_| 0,
    )
    .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_bands_keep_their_promise() {
        for percent in 1..=100 {
            let threshold = f64::from(percent) / 100.0;
            let (bands, rows) = bands_for(threshold, 128);
            assert!(bands * rows <= 128 && bands >= 1 && rows >= 1);
            let kept = recall(threshold, bands, rows) >= RECALL_AT_THRESHOLD;
            assert!(kept || rows == 1);
        }
        assert_eq!(bands_for(0.8, 128), (18, 7));
        assert_eq!(bands_for(1.0, 128), (1, 128));
    }
}
