//! A table from keys to the numbers of documents, on disk.
//!
//! Keys are spread evenly, so that their leading bits name a block of about a hundred postings.
//! Within a block, keys are ascending and stored as differences, each with its documents. A block
//! ends with a checksum; where blocks begin is known in memory.

use crate::codec::{Reader, checksum, put_number};
use crate::error::Result;
use crate::storage::{Source, Target};
use rayon::slice::ParallelSliceMut;
use twinsift::hash;

/// Postings in a block, about.
const IN_BLOCK: usize = 96;

/// A key of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting {
    key: u64,
    document: u32,
}

impl Posting {
    /// Any numbers may be keys: they are spread here.
    pub(crate) fn new(key: u64, document: u32) -> Self {
        Self {
            key: hash::spread(key),
            document,
        }
    }

    pub(crate) fn document(self) -> u32 {
        self.document
    }

    pub(crate) fn has_key_of(self, other: Self) -> bool {
        self.key == other.key
    }

    pub(crate) fn is_before_key_of(self, other: Self) -> bool {
        self.key < other.key
    }
}

/// Where a table stands in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Where its blocks begin.
    pub(crate) start: u64,
    /// Where they end, and the places of blocks begin.
    pub(crate) directory: u64,
    /// How many leading bits of a key name its block.
    pub(crate) bits: u64,
    /// How many postings there are.
    pub(crate) postings: u64,
}

impl Extent {
    pub(crate) const NUMBERS: usize = 4;

    pub(crate) fn numbers(self) -> [u64; Self::NUMBERS] {
        [self.start, self.directory, self.bits, self.postings]
    }

    pub(crate) fn of([start, directory, bits, postings]: [u64; Self::NUMBERS]) -> Self {
        Self {
            start,
            directory,
            bits,
            postings,
        }
    }

    fn blocks(self) -> usize {
        1 << self.bits
    }
}

/// The block of a key.
fn block_of(key: u64, bits: u64) -> usize {
    match bits {
        0 => 0,
        bits => (key >> (64 - bits)) as usize,
    }
}

/// Sorts postings, and writes a table of them.
pub(crate) fn write(target: &mut Target, postings: &mut [Posting], seed: u64) -> Result<Extent> {
    postings.par_sort_unstable();
    let bits = u64::from((postings.len() / IN_BLOCK + 1).ilog2()).min(30);
    let start = target.written();
    let mut ends = Vec::with_capacity(8 << bits);
    let (mut rest, mut block) = (&*postings, Vec::new());
    for number in 0..1usize << bits {
        let is_here = |posting: &&Posting| block_of(posting.key, bits) == number;
        let count = rest.iter().take_while(is_here).count();
        let (here, later) = rest.split_at(count);
        rest = later;
        block.clear();
        encode(here, &mut block);
        if !block.is_empty() {
            block.extend(checksum(&block, seed ^ number as u64).to_le_bytes());
            target.write(&block)?;
        }
        ends.extend((target.written() - start).to_le_bytes());
    }
    let directory = target.written();
    target.write(&ends)?;
    target.write(&checksum(&ends, seed).to_le_bytes())?;
    Ok(Extent {
        start,
        directory,
        bits,
        postings: postings.len() as u64,
    })
}

/// Each key as its distance from the one before, then how many documents have it, then these.
fn encode(postings: &[Posting], out: &mut Vec<u8>) {
    let mut before = 0;
    for group in postings.chunk_by(|a, b| a.key == b.key) {
        put_number(out, group[0].key - before);
        before = group[0].key;
        put_number(out, group.len() as u64 - 1);
        let mut last = 0;
        for posting in group {
            put_number(out, u64::from(posting.document - last));
            last = posting.document;
        }
    }
}

/// Shows the postings of a block to `look`, in order, until that returns `false`; `None` if
/// the block is none.
fn decode(block: &[u8], mut look: impl FnMut(Posting) -> bool) -> Option<()> {
    let (mut reader, mut key) = (Reader(block), 0u64);
    while !reader.0.is_empty() {
        key = key.checked_add(reader.number()?)?;
        let mut document = 0u32;
        for _ in 0..=reader.number()? {
            document = document.checked_add(u32::try_from(reader.number()?).ok()?)?;
            if !look(Posting { key, document }) {
                return Some(());
            }
        }
    }
    Some(())
}

/// A table that is read.
#[derive(Debug)]
pub(crate) struct Table {
    source: Source,
    extent: Extent,
    /// Where each block ends, from the first one's start.
    ends: Vec<u64>,
    seed: u64,
}

impl Table {
    pub(crate) fn open(source: &Source, extent: Extent, seed: u64) -> Result<Self> {
        let damaged = || source.damaged("the list of its blocks of keys is not what was written");
        if extent.bits > 30 {
            return Err(damaged());
        }
        let bytes = source.read(extent.directory, 8 * extent.blocks() + 8)?;
        let mut reader = Reader(&bytes);
        let ends = (0..extent.blocks()).map_while(|_| reader.whole()).collect();
        let sum = checksum(&bytes[..8 * extent.blocks()], seed);
        match reader.whole() == Some(sum) {
            true => Ok(Self {
                source: source.clone(),
                extent,
                ends,
                seed,
            }),
            false => Err(damaged()),
        }
    }

    /// Memory that it takes, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        8 * self.ends.len() as u64
    }

    pub(crate) fn postings(&self) -> u64 {
        self.extent.postings
    }

    /// Appends the documents that have a key.
    pub(crate) fn find(&self, key: u64, buffer: &mut Vec<u8>, found: &mut Vec<u32>) -> Result<()> {
        let key = hash::spread(key);
        self.visit(block_of(key, self.extent.bits), buffer, |posting| {
            if posting.key == key {
                found.push(posting.document);
            }
            posting.key <= key
        })
    }

    /// Shows every posting, in ascending order.
    pub(crate) fn visit_all(&self, mut look: impl FnMut(Posting)) -> Result<()> {
        let mut buffer = Vec::new();
        (0..self.extent.blocks()).try_for_each(|block| {
            self.visit(block, &mut buffer, |posting| {
                look(posting);
                true
            })
        })
    }

    fn visit(
        &self,
        block: usize,
        buffer: &mut Vec<u8>,
        look: impl FnMut(Posting) -> bool,
    ) -> Result<()> {
        let start = block.checked_sub(1).map_or(0, |before| self.ends[before]);
        let damaged = || {
            let message = format!("its block {block} of keys is not what was written");
            self.source.damaged(message)
        };
        let length = self.ends[block].checked_sub(start).ok_or_else(damaged)?;
        if length == 0 {
            return Ok(());
        }
        self.source
            .fill(buffer, self.extent.start + start, length)?;
        let (content, sum) = buffer.split_last_chunk().ok_or_else(damaged)?;
        match checksum(content, self.seed ^ block as u64) == u64::from_le_bytes(*sum) {
            true => decode(content, look).ok_or_else(damaged),
            false => Err(damaged()),
        }
    }
}
