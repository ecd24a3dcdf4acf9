//! The signatures of some documents, as they lie on disk between the steps of a join.
//!
//! A task writes what it reads as a few *segments* of bounded size. Of documents that are equal
//! only the first of a segment has its signature stored; the others say which one that is.

use super::codec::{Input, damaged, put};
use super::number::{MOST_ROWS, first_of_segment};
use super::sample::Sampler;
use crate::error::Result;
use crate::signature::Signature;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A segment with more bytes of signatures is full: engines copy rows several times, and large ones
/// cost them memory.
const FULL_BYTES: usize = 1 << 20;

/// A segment with more documents is full.
const FULL_ROWS: usize = 1 << 16;

const NOT_JUDGED: u8 = 0;
const FIRST: u8 = 1;
const COPY: u8 = 2;

/// Some documents of one partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// The number of its first document.
    pub number: u64,
    /// How many documents it has.
    pub rows: u32,
    /// What each document is.
    pub documents: Vec<u8>,
    /// The signatures of those that are no copies.
    pub signatures: Vec<u8>,
}

/// What a segment says of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    NotJudged,
    /// The first of its digest.
    First(u128),
    /// A copy of the document in this row.
    Copy(u32),
}

/// A document of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) state: State,
    /// A hash of its id.
    pub(super) id: u64,
}

/// Writes the segments of one partition.
#[derive(Debug)]
pub struct SegmentWriter {
    old: bool,
    partition: u64,
    written: u64,
    rows: u32,
    first_of: HashMap<u128, u32>,
    last_first: u32,
    documents: Vec<u8>,
    signatures: Vec<u8>,
    sampler: Sampler,
}

impl SegmentWriter {
    /// A writer for a partition of the new collection, or of the old one, that keeps a sample of
    /// at most so many documents.
    pub fn new(old: bool, partition: u64, sample: usize) -> Self {
        Self {
            old,
            partition,
            written: 0,
            rows: 0,
            first_of: HashMap::new(),
            last_first: 0,
            documents: Vec::new(),
            signatures: Vec::new(),
            sampler: Sampler::new(sample),
        }
    }

    /// Adds a document; `id` is a hash of its id.
    pub fn add(&mut self, id: u64, signature: &Signature) {
        let row = self.rows;
        self.rows += 1;
        match signature.digest() {
            None => self.documents.push(NOT_JUDGED),
            Some(digest) => match self.first_of.entry(digest) {
                Entry::Occupied(first) => {
                    self.documents.push(COPY);
                    put(&mut self.documents, u64::from(row - first.get()));
                }
                Entry::Vacant(entry) => {
                    entry.insert(row);
                    self.documents.push(FIRST);
                    self.documents.extend(digest.to_le_bytes());
                    let stored = signature.to_bytes();
                    put(&mut self.signatures, u64::from(row - self.last_first));
                    self.last_first = row;
                    put(&mut self.signatures, stored.len() as u64);
                    self.signatures.extend(&stored);
                    self.sampler.offer(digest, stored);
                }
            },
        }
        self.documents.extend(id.to_le_bytes());
    }

    /// Whether it is time for [`cut`](Self::cut).
    pub fn is_full(&self) -> bool {
        self.signatures.len() >= FULL_BYTES || self.rows as usize >= FULL_ROWS
    }

    /// The documents since the last call as a segment, if there are any.
    pub fn cut(&mut self) -> Result<Option<Segment>> {
        if self.rows == 0 {
            return Ok(None);
        }
        let number = first_of_segment(self.old, self.partition, self.written)?;
        self.written += 1;
        self.first_of.clear();
        self.last_first = 0;
        Ok(Some(Segment {
            number,
            rows: std::mem::take(&mut self.rows),
            documents: std::mem::take(&mut self.documents),
            signatures: std::mem::take(&mut self.signatures),
        }))
    }

    /// A sample of what was added, for a [`Plan`](super::plan::Plan).
    pub fn finish(self) -> Vec<u8> {
        self.sampler.finish()
    }
}

/// The documents of a segment.
pub(super) fn documents(bytes: &[u8]) -> Result<Vec<Stored>> {
    let mut input = Input(bytes);
    let mut documents = Vec::new();
    while !input.is_empty() {
        let state = match input.array()? {
            [NOT_JUDGED] => State::NotJudged,
            [FIRST] => State::First(u128::from_le_bytes(input.array()?)),
            [COPY] => {
                let back = input.number()?;
                match (documents.len() as u64).checked_sub(back) {
                    Some(row) if back > 0 => State::Copy(row as u32),
                    _ => return damaged(),
                }
            }
            _ => return damaged(),
        };
        let id = u64::from_le_bytes(input.array()?);
        documents.push(Stored { state, id });
        if documents.len() > MOST_ROWS {
            return damaged();
        }
    }
    Ok(documents)
}

/// Calls `show` with the row and the stored form of each signature of a segment.
pub(super) fn signatures(
    bytes: &[u8],
    mut show: impl FnMut(u32, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut input = Input(bytes);
    let mut row = 0;
    while !input.is_empty() {
        row += input.number()?;
        let length = input.number()? as usize;
        if row >= MOST_ROWS as u64 {
            return damaged();
        }
        show(row as u32, input.bytes(length)?)?;
    }
    Ok(())
}

/// A signature from its stored form.
pub(super) fn parsed(bytes: &[u8]) -> Result<Signature> {
    match Signature::from_bytes(bytes) {
        Some(signature) => Ok(signature),
        None => damaged(),
    }
}
