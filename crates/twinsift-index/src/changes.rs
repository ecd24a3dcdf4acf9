//! What has changed about the documents of a segment since it was written.
//!
//! A segment is never changed itself. Which of its documents were removed, and when others expire
//! that have been seen again, stands in a file beside it, which is written anew under another
//! name whenever the log is.

use crate::codec::{Reader, checksum, put_number};
use crate::error::Result;
use crate::record::Time;
use crate::storage::{Source, Storage, write_file};
use std::collections::BTreeMap;

/// The beginning of such a file, with the version of its format.
const MAGIC: [u8; 8] = *b"twchg\x00\x00\x01";

/// The name of such a file.
pub(crate) fn file_name(number: u64) -> String {
    format!("changes-{number:08}")
}

/// Changes of a segment's documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// A bit for each document that was removed.
    removed: Vec<u64>,
    count: u32,
    renewed: BTreeMap<u32, Time>,
}

impl Changes {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0 && self.renewed.is_empty()
    }

    /// How many documents were removed.
    pub(crate) fn removed(&self) -> u32 {
        self.count
    }

    pub(crate) fn is_removed(&self, document: u32) -> bool {
        let bits = self.removed.get(document as usize / 64);
        bits.is_some_and(|bits| bits >> (document % 64) & 1 == 1)
    }

    /// Removes a document. Returns whether it was there.
    pub(crate) fn remove(&mut self, document: u32) -> bool {
        if self.is_removed(document) {
            return false;
        }
        let at = document as usize / 64;
        if at >= self.removed.len() {
            self.removed.resize(at + 1, 0);
        }
        self.removed[at] |= 1 << (document % 64);
        self.count += 1;
        self.renewed.remove(&document);
        true
    }

    /// When a document expires, if that has changed.
    pub(crate) fn renewed(&self, document: u32) -> Option<Time> {
        self.renewed.get(&document).copied()
    }

    pub(crate) fn has_renewed(&self) -> bool {
        !self.renewed.is_empty()
    }

    pub(crate) fn renew(&mut self, document: u32, expires: Time) {
        self.renewed.insert(document, expires);
    }

    /// Writes them, and makes them last.
    pub(crate) fn write(&self, storage: &dyn Storage, number: u64) -> Result<()> {
        let mut out = MAGIC.to_vec();
        put_number(&mut out, self.removed.len() as u64);
        out.extend(self.removed.iter().flat_map(|bits| bits.to_le_bytes()));
        put_number(&mut out, self.renewed.len() as u64);
        for (&document, time) in &self.renewed {
            put_number(&mut out, document.into());
            put_number(&mut out, time.0);
        }
        out.extend(checksum(&out, number).to_le_bytes());
        write_file(storage, &file_name(number), &out)
    }

    pub(crate) fn read(storage: &dyn Storage, number: u64) -> Result<Self> {
        let source = Source::open(storage, &file_name(number))?;
        let bytes = source.read_all()?;
        let damaged = || source.damaged("it is not what was written");
        let (content, sum) = bytes.split_last_chunk().ok_or_else(damaged)?;
        match checksum(content, number) == u64::from_le_bytes(*sum) {
            true => Self::parse(content).ok_or_else(damaged),
            false => Err(damaged()),
        }
    }

    fn parse(content: &[u8]) -> Option<Self> {
        let mut reader = Reader(content);
        if reader.take(MAGIC.len())? != MAGIC {
            return None;
        }
        let mut changes = Self::default();
        for _ in 0..reader.number()? {
            let bits = reader.whole()?;
            changes.count += bits.count_ones();
            changes.removed.push(bits);
        }
        for _ in 0..reader.number()? {
            let document = u32::try_from(reader.number()?).ok()?;
            changes.renewed.insert(document, Time(reader.number()?));
        }
        reader.0.is_empty().then_some(changes)
    }
}
