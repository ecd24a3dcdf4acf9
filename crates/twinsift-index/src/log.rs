//! The log: changes that are on disk but in no segment yet.
//!
//! ```text
//! magic, number, checksum │ batch, batch, …
//! batch: mark │ its number │ bytes │ checksum │ changes
//! ```
//!
//! A batch is written and synced before any of its changes is acknowledged, and before the next
//! batch is written. So after a crash only the last batch can be incomplete: it was never
//! acknowledged, and is dropped. A batch that is not as it was written and has others behind it was
//! complete once: that is damage. [`seal`](LogWriter::seal) writes an empty batch behind the last
//! one when an index is closed, so that damage to that one is noticed too.

use crate::codec::{Reader, checksum, put_bytes, put_number};
use crate::error::Result;
use crate::record::{Record, Time};
use crate::storage::{Source, Storage, Target};
use twinsift::hash;

/// The beginning of a log, with the version of its format.
const MAGIC: [u8; 8] = *b"twlog\x00\x00\x01";

/// The beginning of a batch.
const MARK: [u8; 8] = *b"twbatch\x01";

/// Bytes before the first batch, and before the changes of each.
const HEADER: usize = 24;
const BATCH_HEADER: usize = 32;

/// The name of a log's file.
pub(crate) fn file_name(number: u64) -> String {
    format!("log-{number:08}")
}

/// One change of an index.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// A document is known from now on, in place of another one with its id.
    Add(Box<Record>),
    /// The document with an id is known no more.
    Remove(String),
    /// The document with an id is known until then.
    Renew(String, Time),
}

impl Change {
    /// The id of the document that it is about.
    pub(crate) fn id(&self) -> &str {
        match self {
            Change::Add(record) => &record.id.text,
            Change::Remove(id) | Change::Renew(id, _) => id,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Change::Add(record) => {
                out.push(1);
                let mut stored = Vec::new();
                record.write(&mut stored);
                put_bytes(out, &stored);
            }
            Change::Remove(id) => {
                out.push(2);
                put_bytes(out, id.as_bytes());
            }
            Change::Renew(id, expires) => {
                out.push(3);
                put_bytes(out, id.as_bytes());
                put_number(out, expires.0);
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(match reader.byte()? {
            1 => Change::Add(Box::new(Record::read(reader.bytes()?)?)),
            2 => Change::Remove(reader.text()?.to_owned()),
            3 => Change::Renew(reader.text()?.to_owned(), Time(reader.number()?)),
            _ => return None,
        })
    }
}

/// Writes a log.
#[derive(Debug)]
pub(crate) struct LogWriter {
    number: u64,
    target: Target,
    /// Batches so far.
    batches: u64,
    is_sealed: bool,
}

impl LogWriter {
    /// Makes an empty log, and makes it last.
    pub(crate) fn create(storage: &dyn Storage, number: u64) -> Result<Self> {
        let mut target = Target::create(storage, &file_name(number))?;
        let mut header = MAGIC.to_vec();
        header.extend(number.to_le_bytes());
        header.extend(checksum(&header, number).to_le_bytes());
        target.write(&header)?;
        target.sync()?;
        Ok(Self {
            number,
            target,
            batches: 0,
            is_sealed: true,
        })
    }

    /// Goes on behind what was read of a log.
    pub(crate) fn resume(storage: &dyn Storage, log: &Log) -> Result<Self> {
        Ok(Self {
            number: log.number,
            target: Target::append(storage, &file_name(log.number), log.length)?,
            batches: log.batches,
            is_sealed: false,
        })
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.target.written()
    }

    /// Writes changes, and makes them last.
    pub(crate) fn commit(&mut self, changes: &[Change]) -> Result<()> {
        let mut content = Vec::new();
        changes.iter().for_each(|change| change.write(&mut content));
        self.write_batch(&content)?;
        self.is_sealed = false;
        Ok(())
    }

    /// Writes that the batches so far are complete.
    pub(crate) fn seal(&mut self) -> Result<()> {
        match self.is_sealed {
            true => Ok(()),
            false => {
                self.is_sealed = true;
                self.write_batch(&[])
            }
        }
    }

    fn write_batch(&mut self, content: &[u8]) -> Result<()> {
        let header = batch_header(self.number, self.batches, content);
        self.target.write(&header)?;
        self.target.write(content)?;
        self.target.sync()?;
        self.batches += 1;
        Ok(())
    }
}

fn batch_header(log: u64, number: u64, content: &[u8]) -> [u8; BATCH_HEADER] {
    let mut header = [0; BATCH_HEADER];
    header[..8].copy_from_slice(&MARK);
    header[8..16].copy_from_slice(&number.to_le_bytes());
    header[16..24].copy_from_slice(&(content.len() as u64).to_le_bytes());
    let seed = hash::pair(hash::pair(log, number), content.len() as u64);
    header[24..].copy_from_slice(&checksum(content, seed).to_le_bytes());
    header
}

/// What was read of a log.
#[derive(Debug)]
pub(crate) struct Log {
    number: u64,
    /// Bytes up to the end of the last batch that is complete.
    length: u64,
    /// Batches up to there.
    batches: u64,
    /// Bytes behind it.
    pub(crate) incomplete: u64,
}

impl Log {
    /// Reads a log, and shows each change to `look`, in order.
    pub(crate) fn read(
        storage: &dyn Storage,
        number: u64,
        look: impl FnMut(Change) -> Result<()>,
    ) -> Result<Self> {
        let source = Source::open(storage, &file_name(number))?;
        let header = source.read(0, HEADER)?;
        let sum = checksum(&header[..16], number).to_le_bytes();
        if header[..8] != MAGIC || header[8..16] != number.to_le_bytes() || header[16..] != sum {
            return Err(source.damaged("it does not begin like a log"));
        }
        let mut log = Self {
            number,
            length: HEADER as u64,
            batches: 0,
            incomplete: 0,
        };
        log.read_on(storage, look)?;
        Ok(log)
    }

    /// Reads what has been written since.
    pub(crate) fn read_on(
        &mut self,
        storage: &dyn Storage,
        mut look: impl FnMut(Change) -> Result<()>,
    ) -> Result<()> {
        let source = Source::open(storage, &file_name(self.number))?;
        let length = source.size().saturating_sub(self.length) as usize;
        let bytes = source.read(self.length, length)?;
        let mut rest = &bytes[..];
        while let Some((content, behind)) = self.batch(rest, self.batches) {
            let mut reader = Reader(content);
            while !reader.0.is_empty() {
                let change = Change::read(&mut reader);
                let damaged = || source.damaged("a change in it is none that is known");
                look(change.ok_or_else(damaged)?)?;
            }
            self.batches += 1;
            self.length += (rest.len() - behind.len()) as u64;
            rest = behind;
        }
        self.incomplete = rest.len() as u64;
        let is_damaged = (1..rest.len())
            .any(|at| rest[at..].starts_with(&MARK) && self.later_batch(&rest[at..]));
        match is_damaged {
            true => Err(source.damaged(format!("the changes from byte {} on", self.length))),
            false => Ok(()),
        }
    }

    /// The content of the batch with which some bytes begin, and what is behind it.
    fn batch<'a>(&self, bytes: &'a [u8], number: u64) -> Option<(&'a [u8], &'a [u8])> {
        let (header, rest) = bytes.split_first_chunk::<BATCH_HEADER>()?;
        let length = Reader(&header[16..24]).whole()?;
        let (content, behind) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        (*header == batch_header(self.number, number, content)).then_some((content, behind))
    }

    /// Whether bytes are a complete batch that was written after the first one that is not.
    fn later_batch(&self, bytes: &[u8]) -> bool {
        let number = bytes.get(8..16).and_then(|bytes| Reader(bytes).whole());
        number.is_some_and(|number| number > self.batches && self.batch(bytes, number).is_some())
    }
}
