//! What an index holds at a moment: segments, and the documents of its log.

use crate::changes::Changes;
use crate::definition::Definition;
use crate::error::Result;
use crate::log::Change;
use crate::manifest::SegmentEntry;
use crate::memtable::Memtable;
use crate::record::{Record, Time};
use crate::segment::{self, Scratch, Segment, SegmentWriter};
use crate::storage::Storage;
use std::cmp::Ordering;
use std::sync::Arc;
use twinsift::{Id, Signature};

/// A known document that another one is a near duplicate of.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The known document.
    pub id: Id<'static>,
    /// Its label.
    pub label: Option<String>,
    /// How alike the two are, by the recipe's own measure.
    pub score: f64,
    /// The place of the document among those of the index: documents that were added earlier
    /// have lower ones.
    pub position: u64,
}

impl Match {
    fn new(record: &Record, score: f64, position: u64) -> Self {
        Self {
            id: record.id.clone(),
            label: record.label.clone(),
            score,
            position,
        }
    }
}

/// A segment, and what has changed about its documents.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) segment: Arc<Segment>,
    pub(crate) changes: Changes,
    /// The number of the file with the changes.
    pub(crate) stored: Option<u64>,
    /// Whether there are changes that are in no such file, but in the log.
    pub(crate) is_dirty: bool,
}

impl View {
    pub(crate) fn new(segment: Segment) -> Self {
        Self {
            segment: Arc::new(segment),
            changes: Changes::default(),
            stored: None,
            is_dirty: false,
        }
    }

    /// A segment that has all its documents, written to its end and opened; `None` if it has
    /// none.
    pub(crate) fn finish(storage: &dyn Storage, writer: SegmentWriter) -> Result<Option<Self>> {
        let number = writer.number();
        if writer.documents() == 0 {
            drop(writer);
            // It is removed later if it cannot be now.
            let _ = storage.remove(&segment::file_name(number));
            return Ok(None);
        }
        let bytes = writer.finish()?;
        Segment::open(storage, number, bytes).map(|segment| Some(Self::new(segment)))
    }

    pub(crate) fn entry(&self) -> SegmentEntry {
        SegmentEntry {
            number: self.segment.number(),
            bytes: self.segment.bytes(),
            changes: self.stored,
        }
    }

    pub(crate) fn expires(&self, document: u32) -> Option<Time> {
        let renewed = self.changes.renewed(document);
        renewed.or_else(|| self.segment.expires(document))
    }

    /// Whether a document is known at a moment.
    pub(crate) fn is_live(&self, document: u32, now: Time) -> bool {
        !self.changes.is_removed(document) && is_unexpired(self.expires(document), now)
    }

    /// Documents that have expired and were not removed.
    pub(crate) fn expired(&self, now: Time) -> impl Iterator<Item = u32> {
        let may_expire = self.segment.may_expire() || self.changes.has_renewed();
        let documents = if may_expire {
            self.segment.documents()
        } else {
            0
        };
        (0..documents).filter(move |&document| {
            !self.changes.is_removed(document) && !is_unexpired(self.expires(document), now)
        })
    }

    pub(crate) fn remove(&mut self, document: u32) -> bool {
        self.is_dirty = true;
        self.changes.remove(document)
    }
}

pub(crate) fn is_unexpired(expires: Option<Time>, now: Time) -> bool {
    expires.is_none_or(|expires| expires > now)
}

/// Where a document stands in the segments.
type Location = (usize, u32);

/// The place of a document among all.
fn position(segment: usize, document: u32) -> u64 {
    (segment as u64) << 32 | u64::from(document)
}

/// What an index holds at a moment.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The generation of the manifest.
    pub(crate) generation: u64,
    /// In the order in which their documents were added.
    pub(crate) segments: Vec<View>,
    /// Documents that were added after those of the segments.
    pub(crate) memtable: Memtable,
}

impl State {
    /// Where in the segments the document with an id is, if it was not removed.
    pub(crate) fn locate(&self, id: &str, scratch: &mut Scratch) -> Result<Option<Location>> {
        for (at, view) in self.segments.iter().enumerate().rev() {
            let is_there = |document: u32| !view.changes.is_removed(document);
            if let Some(document) = view.segment.find_id(id, is_there, scratch)? {
                return Ok(Some((at, document)));
            }
        }
        Ok(None)
    }

    /// Makes a change of a document that is at `location`, unless it is in the memtable. Returns
    /// whether it was known.
    pub(crate) fn apply(
        &mut self,
        change: Change,
        location: Option<Location>,
        definition: &Definition,
        now: Time,
    ) -> bool {
        let is_known = self.is_known(change.id(), location, now);
        match change {
            Change::Add(record) => {
                self.remove_from_segments(location);
                let keys = definition.keys.of(&record.signature);
                let expires = record.expires();
                self.memtable.insert(*record, expires, keys);
            }
            Change::Remove(id) => {
                self.remove_from_segments(location);
                self.memtable.remove(&id);
            }
            Change::Renew(id, expires) => {
                if !self.memtable.renew(&id, expires)
                    && let Some((at, document)) = location
                {
                    self.segments[at].changes.renew(document, expires);
                    self.segments[at].is_dirty = true;
                }
            }
        }
        is_known
    }

    fn is_known(&self, id: &str, location: Option<Location>, now: Time) -> bool {
        match self.memtable.get(id) {
            Some((_, expires)) => is_unexpired(expires, now),
            None => location.is_some_and(|(at, document)| self.segments[at].is_live(document, now)),
        }
    }

    fn remove_from_segments(&mut self, location: Option<Location>) {
        if let Some((at, document)) = location {
            self.segments[at].remove(document);
        }
    }

    /// The document with an id, and when it expires.
    pub(crate) fn get(&self, id: &str, now: Time) -> Result<Option<(Record, Option<Time>)>> {
        let found = match self.memtable.get(id) {
            Some((record, expires)) => Some((record.clone(), expires)),
            None => {
                let mut scratch = Scratch::default();
                match self.locate(id, &mut scratch)? {
                    None => None,
                    Some((at, document)) => {
                        let view = &self.segments[at];
                        let record = view.segment.record(document, &mut scratch)?;
                        Some((record, view.expires(document)))
                    }
                }
            }
        };
        Ok(found.filter(|(_, expires)| is_unexpired(*expires, now)))
    }

    /// The near duplicates of a signature, the most alike first and of equally alike ones the
    /// one that was added first; at most `top`.
    pub(crate) fn search(
        &self,
        signature: &Signature,
        definition: &Definition,
        now: Time,
        top: usize,
    ) -> Result<Vec<Match>> {
        let keys = definition.keys.of(signature);
        let (mut scratch, mut found) = (Scratch::default(), Vec::new());
        let mut candidates = Vec::new();
        for (at, view) in self.segments.iter().enumerate() {
            candidates.clear();
            candidates.extend(view.segment.candidates(&keys, &mut scratch)?);
            candidates.retain(|&document| view.is_live(document, now));
            for &document in &candidates {
                let record = view.segment.record(document, &mut scratch)?;
                if let Some(score) = definition.verifier.score(signature, &record.signature) {
                    found.push(Match::new(&record, score, position(at, document)));
                }
            }
        }
        for (document, record, expires) in self.memtable.candidates(&keys) {
            if is_unexpired(expires, now)
                && let Some(score) = definition.verifier.score(signature, &record.signature)
            {
                let position = position(self.segments.len(), document);
                found.push(Match::new(record, score, position));
            }
        }
        let order = |a: &Match, b: &Match| match b.score.total_cmp(&a.score) {
            Ordering::Equal => a.position.cmp(&b.position),
            other => other,
        };
        found.sort_unstable_by(order);
        found.truncate(top);
        Ok(found)
    }

    /// The document at a place.
    pub(crate) fn record_at(&self, position: u64) -> Result<Option<Record>> {
        let (at, document) = ((position >> 32) as usize, position as u32);
        match self.segments.get(at) {
            None => Ok(self.memtable.at(document).cloned()),
            Some(view) => {
                let record = view.segment.record(document, &mut Scratch::default());
                record.map(Some)
            }
        }
    }

    /// Documents that are known at a moment.
    pub(crate) fn documents(&self, now: Time) -> u64 {
        let of_view = |view: &View| {
            let removed = view.changes.removed() as usize + view.expired(now).count();
            u64::from(view.segment.documents()) - removed as u64
        };
        let in_memory = self.memtable.iter();
        let in_memory = in_memory.filter(|(_, expires, _)| is_unexpired(*expires, now));
        self.segments.iter().map(of_view).sum::<u64>() + in_memory.count() as u64
    }

    /// Shows every document that is known at a moment, and when it expires, in order.
    pub(crate) fn visit(
        &self,
        now: Time,
        mut look: impl FnMut(Record, Option<Time>) -> Result<()>,
    ) -> Result<()> {
        let mut scratch = Scratch::default();
        for view in &self.segments {
            for document in 0..view.segment.documents() {
                if view.is_live(document, now) {
                    let record = view.segment.record(document, &mut scratch)?;
                    look(record, view.expires(document))?;
                }
            }
        }
        for (record, expires, _) in self.memtable.iter() {
            if is_unexpired(expires, now) {
                look(record.clone(), expires)?;
            }
        }
        Ok(())
    }
}
