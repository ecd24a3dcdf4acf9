//! Segments: files with documents and their keys, which are written once and never changed.
//!
//! ```text
//! magic │ document, document, … │ lengths │ keys │ ids │ footer
//! ```
//!
//! A document is its [record](crate::Record) with a checksum. `lengths` are the bytes of each, and
//! when it expires. `keys` lead from blocking keys to documents, `ids` from hashes of ids. The
//! footer says where each part begins. Whatever is read is checked against a checksum first.

use crate::codec::{Reader, checksum};
use crate::error::Result;
use crate::postings::{self, Extent, Posting, Table};
use crate::record::{Record, Time};
use crate::storage::{Source, Storage, Target};
use std::collections::HashMap;
use twinsift::{Keys, hash};

/// The beginning of a segment, with the version of its format.
const MAGIC: [u8; 8] = *b"twseg\x00\x00\x01";

/// Bytes of the footer.
const FOOTER: usize = 8 * (2 + 2 * Extent::NUMBERS) + 16;

/// A segment takes no more documents, since their numbers must fit.
const MOST_DOCUMENTS: usize = u32::MAX as usize - 1;

/// A document that never expires.
const NEVER: u64 = u64::MAX;

/// The name of a segment's file.
pub(crate) fn file_name(number: u64) -> String {
    format!("segment-{number:08}")
}

/// Writes a segment.
#[derive(Debug)]
pub(crate) struct SegmentWriter {
    number: u64,
    target: Target,
    lengths: Vec<u32>,
    expires: Vec<u64>,
    keys: Vec<Posting>,
    ids: Vec<Posting>,
    record: Vec<u8>,
}

impl SegmentWriter {
    pub(crate) fn create(storage: &dyn Storage, number: u64) -> Result<Self> {
        let mut target = Target::create(storage, &file_name(number))?;
        target.write(&MAGIC)?;
        Ok(Self {
            number,
            target,
            lengths: Vec::new(),
            expires: Vec::new(),
            keys: Vec::new(),
            ids: Vec::new(),
            record: Vec::new(),
        })
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn documents(&self) -> usize {
        self.lengths.len()
    }

    /// Memory that it holds until it is finished, in bytes.
    pub(crate) fn memory(&self) -> usize {
        size_of::<Posting>() * (self.keys.len() + self.ids.len()) + 12 * self.lengths.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.documents() >= MOST_DOCUMENTS
    }

    /// Adds a document, which is known until `expires`.
    pub(crate) fn push(
        &mut self,
        record: &Record,
        expires: Option<Time>,
        keys: &[u64],
    ) -> Result<()> {
        let document = self.lengths.len() as u32;
        self.record.clear();
        self.record.extend([0; 8]);
        record.write(&mut self.record);
        let sum = checksum(&self.record[8..], seed_of(self.number, document));
        self.record[..8].copy_from_slice(&sum.to_le_bytes());
        let length = u32::try_from(self.record.len());
        let length = length.map_err(|_| crate::Error::Document {
            id: record.id.to_string(),
            why: "it has more than 500 million words",
        })?;
        self.target.write(&self.record)?;
        self.lengths.push(length);
        self.expires.push(expires.map_or(NEVER, |time| time.0));
        let keys = keys.iter().map(|&key| Posting::new(key, document));
        self.keys.extend(keys);
        self.ids
            .push(Posting::new(id_key(&record.id.text), document));
        Ok(())
    }

    /// Writes the tables, and makes the segment last. Returns its size.
    pub(crate) fn finish(mut self) -> Result<u64> {
        let target = &mut self.target;
        let lengths_at = target.written();
        let mut lengths = Vec::with_capacity(12 * self.lengths.len() + 8);
        lengths.extend(self.lengths.iter().flat_map(|length| length.to_le_bytes()));
        lengths.extend(
            self.expires
                .iter()
                .flat_map(|expires| expires.to_le_bytes()),
        );
        lengths.extend(checksum(&lengths, self.number).to_le_bytes());
        target.write(&lengths)?;
        drop(lengths);
        let keys = postings::write(target, &mut self.keys, self.number)?;
        drop(self.keys);
        let ids = postings::write(target, &mut self.ids, !self.number)?;
        let mut footer = Vec::with_capacity(FOOTER);
        let head = [self.lengths.len() as u64, lengths_at];
        let numbers = head.into_iter().chain(keys.numbers()).chain(ids.numbers());
        footer.extend(numbers.flat_map(u64::to_le_bytes));
        footer.extend(checksum(&footer, self.number).to_le_bytes());
        footer.extend(MAGIC);
        target.write(&footer)?;
        target.sync()?;
        Ok(target.written())
    }
}

/// By what an id is found.
fn id_key(id: &str) -> u64 {
    hash::bytes(id.as_bytes())
}

/// The seed of a document's checksum.
fn seed_of(segment: u64, document: u32) -> u64 {
    hash::pair(segment, document.into())
}

/// A segment that is read.
#[derive(Debug)]
pub(crate) struct Segment {
    number: u64,
    source: Source,
    /// Where each document begins, and where the last one ends.
    starts: Vec<u64>,
    /// When documents expire; empty if none ever does.
    expires: Vec<u64>,
    keys: Table,
    ids: Table,
}

/// Buffers of a search.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    bytes: Vec<u8>,
    documents: Vec<u32>,
}

impl Segment {
    pub(crate) fn open(storage: &dyn Storage, number: u64, size: u64) -> Result<Self> {
        let source = Source::open(storage, &file_name(number))?;
        if source.size() != size || size < (MAGIC.len() + FOOTER) as u64 {
            let actual = source.size();
            return Err(source.damaged(format!("it has {actual} bytes in place of {size}")));
        }
        let damaged = |what: &str| source.damaged(what);
        if source.read(0, MAGIC.len())? != MAGIC {
            return Err(damaged("it does not begin like a segment"));
        }
        let footer = source.read(size - FOOTER as u64, FOOTER)?;
        let (content, rest) = footer.split_at(FOOTER - 16);
        let sum = checksum(content, number).to_le_bytes();
        if rest[..8] != sum || rest[8..] != MAGIC {
            return Err(damaged("its last bytes are not what was written"));
        }
        let mut reader = Reader(content);
        let mut next = || reader.whole().unwrap_or_default();
        let (documents, lengths_at) = (next(), next());
        let [keys, ids] = [(); 2].map(|()| Extent::of([(); Extent::NUMBERS].map(|()| next())));
        let (starts, expires) = Self::lengths(&source, number, documents as usize, lengths_at)?;
        Ok(Self {
            number,
            starts,
            expires,
            keys: Table::open(&source, keys, number)?,
            ids: Table::open(&source, ids, !number)?,
            source,
        })
    }

    /// Where documents begin, and when they expire.
    fn lengths(
        source: &Source,
        number: u64,
        documents: usize,
        at: u64,
    ) -> Result<(Vec<u64>, Vec<u64>)> {
        let bytes = source.read(at, 12 * documents + 8)?;
        let (content, sum) = bytes.split_at(12 * documents);
        if checksum(content, number).to_le_bytes() != *sum {
            return Err(source.damaged("the list of its documents is not what was written"));
        }
        let (lengths, expires) = content.split_at(4 * documents);
        let mut start = MAGIC.len() as u64;
        let mut starts = Vec::with_capacity(documents + 1);
        starts.push(start);
        for length in lengths.as_chunks().0 {
            start += u64::from(u32::from_le_bytes(*length));
            starts.push(start);
        }
        let expires = expires.as_chunks().0.iter();
        let mut expires: Vec<u64> = expires.map(|time| u64::from_le_bytes(*time)).collect();
        if expires.iter().all(|&time| time == NEVER) {
            expires = Vec::new();
        }
        Ok((starts, expires))
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.source.size()
    }

    pub(crate) fn documents(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    pub(crate) fn postings(&self) -> u64 {
        self.keys.postings()
    }

    /// Memory that it takes, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let lists = 8 * (self.starts.len() + self.expires.len()) as u64;
        lists + self.keys.memory() + self.ids.memory()
    }

    /// Whether any document expires, as it was written.
    pub(crate) fn may_expire(&self) -> bool {
        !self.expires.is_empty()
    }

    /// When a document expires, as it was written.
    pub(crate) fn expires(&self, document: u32) -> Option<Time> {
        let time = self.expires.get(document as usize).copied();
        time.filter(|&time| time != NEVER).map(Time)
    }

    /// A document.
    pub(crate) fn record(&self, document: u32, scratch: &mut Scratch) -> Result<Record> {
        let at = document as usize;
        let damaged = || {
            let message = format!("its document {document} is not what was written");
            self.source.damaged(message)
        };
        let &[start, end] = self.starts.get(at..at + 2).ok_or_else(damaged)? else {
            return Err(damaged());
        };
        let bytes = &mut scratch.bytes;
        self.source.fill(bytes, start, end - start)?;
        let (sum, content) = bytes.split_first_chunk().ok_or_else(damaged)?;
        match checksum(content, seed_of(self.number, document)) == u64::from_le_bytes(*sum) {
            true => Record::read(content).ok_or_else(damaged),
            false => Err(damaged()),
        }
    }

    /// The documents that have one of some keys, ascending and each once.
    pub(crate) fn candidates<'a>(
        &self,
        keys: &[u64],
        scratch: &'a mut Scratch,
    ) -> Result<&'a [u32]> {
        let Scratch { bytes, documents } = scratch;
        documents.clear();
        keys.iter()
            .try_for_each(|&key| self.keys.find(key, bytes, documents))?;
        documents.sort_unstable();
        documents.dedup();
        Ok(documents)
    }

    /// The last document with an id for which `is_live` holds.
    pub(crate) fn find_id(
        &self,
        id: &str,
        is_live: impl Fn(u32) -> bool,
        scratch: &mut Scratch,
    ) -> Result<Option<u32>> {
        let mut found = Vec::new();
        self.ids.find(id_key(id), &mut scratch.bytes, &mut found)?;
        for document in found
            .into_iter()
            .rev()
            .filter(|&document| is_live(document))
        {
            if self.record(document, scratch)?.id.text == id {
                return Ok(Some(document));
            }
        }
        Ok(None)
    }

    /// Shows hashes of all ids, ascending.
    pub(crate) fn visit_ids(&self, look: impl FnMut(Posting)) -> Result<()> {
        self.ids.visit_all(look)
    }

    /// Documents that were added again later within the segment.
    pub(crate) fn replaced(&self) -> Result<Vec<u32>> {
        let (mut groups, mut before): (Vec<Vec<u32>>, Option<Posting>) = (Vec::new(), None);
        let mut is_open = false;
        self.ids.visit_all(|posting| {
            match before.filter(|earlier| posting.has_key_of(*earlier)) {
                None => is_open = false,
                Some(earlier) => {
                    if !is_open {
                        groups.push(vec![earlier.document()]);
                        is_open = true;
                    }
                    if let Some(group) = groups.last_mut() {
                        group.push(posting.document());
                    }
                }
            }
            before = Some(posting);
        })?;
        let (mut scratch, mut replaced) = (Scratch::default(), Vec::new());
        for group in groups {
            let mut last = HashMap::new();
            for document in group {
                let id = self.record(document, &mut scratch)?.id.text;
                replaced.extend(last.insert(id, document));
            }
        }
        Ok(replaced)
    }

    /// Reads everything, and says what is not as it was written.
    pub(crate) fn check(&self, keys: &Keys) -> Result<()> {
        let mut scratch = Scratch::default();
        let mut expected = Vec::new();
        let mut ids = Vec::new();
        for document in 0..self.documents() {
            let record = self.record(document, &mut scratch)?;
            let of_record = keys.of(&record.signature).into_iter();
            expected.extend(of_record.map(|key| Posting::new(key, document)));
            ids.push(Posting::new(id_key(&record.id.text), document));
        }
        for (table, mut expected, what) in [(&self.keys, expected, "keys"), (&self.ids, ids, "ids")]
        {
            expected.sort_unstable();
            let mut at = expected.iter();
            let mut is_equal = true;
            table.visit_all(|posting| is_equal &= at.next() == Some(&posting))?;
            if !is_equal || at.next().is_some() {
                let message = format!("its {what} are not those of its documents");
                return Err(self.source.damaged(message));
            }
        }
        Ok(())
    }
}
