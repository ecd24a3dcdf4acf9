//! Fewer and larger segments: documents of several are written to a new one.
//!
//! Only neighbours are merged, so that documents stay in order. [`Index::plan_merge`] chooses
//! some, [`MergePlan::run`] does the work, which may take long and needs the index for nothing, and
//! [`Index::install`] puts the result in their place, with what has changed meanwhile.

use crate::changes::Changes;
use crate::definition::Definition;
use crate::error::Result;
use crate::index::Index;
use crate::record::Time;
use crate::searcher::Searcher;
use crate::segment::{Scratch, SegmentWriter};
use crate::state::{View, is_unexpired};
use std::ops::Range;

/// Fewer segments are not merged.
const NEIGHBOURS: usize = 4;

/// The most keys of a segment that is made of others: a gigabyte of them while it is written.
const MOST_KEYS: u64 = 1 << 26;

/// Segments that are to be merged, as they are now.
#[derive(Debug)]
pub struct MergePlan {
    searcher: Searcher,
    views: Vec<View>,
    number: u64,
}

/// A segment that is to take the place of others.
#[derive(Debug)]
pub struct Merged {
    plan: MergePlan,
    /// The new segment; `None` if no document is left.
    view: Option<View>,
    /// The documents of each old segment that are in the new one, in order.
    kept: Vec<Vec<u32>>,
}

impl Index {
    /// Chooses segments that should be one; `None` if there are none.
    pub fn plan_merge(&mut self) -> Option<MergePlan> {
        let chosen = self.neighbours()?;
        Some(self.plan(chosen))
    }

    /// The newest segments, if there are some and the first of them is smaller than the others
    /// together; or a segment of which most was removed.
    ///
    /// So each segment but the last few is at least as large as all behind it, and there are
    /// no more of them than the logarithm of their sizes.
    fn neighbours(&self) -> Option<Range<usize>> {
        let searcher = self.searcher();
        let state = searcher.state();
        let segments = &state.segments;
        let (mut bytes, mut keys, mut newest) = (0, 0, None);
        for (at, view) in segments.iter().enumerate().rev() {
            keys += view.segment.postings();
            if keys > MOST_KEYS {
                break;
            }
            if segments.len() - at >= NEIGHBOURS && view.segment.bytes() < bytes {
                newest = Some(at..segments.len());
            }
            bytes += view.segment.bytes();
        }
        let is_mostly_removed = |view: &View| view.changes.removed() > view.segment.documents() / 2;
        let removed = || segments.iter().position(is_mostly_removed);
        newest.or_else(|| removed().map(|at| at..at + 1))
    }

    fn plan(&mut self, chosen: Range<usize>) -> MergePlan {
        let searcher = self.searcher();
        let views = searcher.state().segments[chosen].to_vec();
        MergePlan {
            views,
            number: self.new_file(),
            searcher,
        }
    }

    /// Puts a merged segment in the place of those that it is made of.
    pub fn install(&mut self, merged: Merged) -> Result<()> {
        self.check_usable()?;
        let Merged { plan, view, kept } = merged;
        let mut views = self.searcher().state().segments.clone();
        let first = plan.views.first().map(|view| view.segment.number());
        let Some(at) = views
            .iter()
            .position(|view| Some(view.segment.number()) == first)
        else {
            return Ok(());
        };
        let old: Vec<View> = views.drain(at..at + plan.views.len()).collect();
        if let Some(mut view) = view {
            let mut number = 0u32;
            for ((before, after), kept) in plan.views.iter().zip(&old).zip(&kept) {
                for &document in kept {
                    carry_over(&before.changes, &after.changes, document, &mut view, number);
                    number += 1;
                }
            }
            self.write_changes(&mut view)?;
            views.insert(at, view);
        }
        self.publish_segments(views)
    }

    /// Merges as long as segments should be one.
    pub(crate) fn merge_as_needed(&mut self) -> Result<()> {
        while let Some(plan) = self.plan_merge().filter(|_| self.merges()) {
            let merged = plan.run(Time::now())?;
            self.install(merged)?;
        }
        Ok(())
    }

    /// Merges everything, as far as the keys of a segment fit into memory, and gives back the
    /// space of removed and expired documents.
    pub fn compact(&mut self) -> Result<()> {
        self.expire(Time::now())?;
        self.flush()?;
        let ranges = {
            let searcher = self.searcher();
            let state = searcher.state();
            let keys = state.segments.iter().map(|view| view.segment.postings());
            group(&keys.collect::<Vec<_>>())
        };
        // From the last one, so that the places of those before stay as they are.
        for range in ranges.into_iter().rev() {
            let plan = self.plan(range);
            let is_whole = plan.views.len() == 1 && plan.views[0].changes.is_empty();
            if !is_whole {
                let merged = plan.run(Time::now())?;
                self.install(merged)?;
            }
        }
        Ok(())
    }
}

/// Neighbours whose keys fit into memory together.
fn group(keys: &[u64]) -> Vec<Range<usize>> {
    let (mut ranges, mut sum): (Vec<Range<usize>>, u64) = (Vec::new(), 0);
    for (at, &keys) in keys.iter().enumerate() {
        match ranges.last_mut().filter(|_| sum + keys <= MOST_KEYS) {
            Some(range) => {
                range.end = at + 1;
                sum += keys;
            }
            None => {
                ranges.push(at..at + 1);
                sum = keys;
            }
        }
    }
    ranges
}

/// Makes a change of an old segment's document that came after the merge had begun.
fn carry_over(before: &Changes, after: &Changes, old: u32, view: &mut View, new: u32) {
    if after.is_removed(old) {
        view.remove(new);
    } else if let Some(expires) = after
        .renewed(old)
        .filter(|_| after.renewed(old) != before.renewed(old))
    {
        view.changes.renew(new, expires);
        view.is_dirty = true;
    }
}

impl MergePlan {
    /// Writes the new segment, without documents that were removed or have expired.
    pub fn run(self, now: Time) -> Result<Merged> {
        let storage = self.searcher.storage();
        let Definition { keys, .. } = self.searcher.definition();
        let mut writer = SegmentWriter::create(&**storage, self.number)?;
        let (mut scratch, mut kept) = (Scratch::default(), Vec::new());
        for view in &self.views {
            let mut documents = Vec::new();
            for document in 0..view.segment.documents() {
                let expires = view.expires(document);
                if view.changes.is_removed(document) || !is_unexpired(expires, now) {
                    continue;
                }
                let record = view.segment.record(document, &mut scratch)?;
                writer.push(&record, expires, &keys.of(&record.signature))?;
                documents.push(document);
            }
            kept.push(documents);
        }
        let view = View::finish(&**storage, writer)?;
        Ok(Merged {
            plan: self,
            view,
            kept,
        })
    }
}
