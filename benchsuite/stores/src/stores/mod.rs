//! What every store must do, and the list of them.
//!
//! The key-value stores keep the same three tables: documents (number -> id and
//! signature), postings ((key, number) -> nothing) and ids (id -> number).

mod fjall;
mod lmdb;
mod redb;
mod segments;
mod sqlite;
mod tantivy;

use crate::corpus::{Corpus, Document};
use anyhow::{Context, Result};
use std::path::Path;

/// Memory for pages, for stores that keep a cache of their own.
const CACHE: usize = 4 << 30;

/// What a store is opened for.
#[derive(Clone, Copy, PartialEq)]
pub enum Access {
    /// To read and write; made if it is not there.
    Write,
    /// To read while another process may write.
    Read,
}

/// Is handed the number, id and signature of each document found.
pub type Visit<'a> = &'a mut dyn FnMut(u32, &[u8], &[u8]);

pub trait Store {
    /// Fills an empty store with the first `count` documents as quickly as its
    /// documentation knows how; they are durable when this returns.
    fn load(&mut self, corpus: Corpus, count: u32) -> Result<()>;

    /// Compacts; false if the store offers nothing of the kind. The caller
    /// closes the store afterwards.
    fn compact(&mut self) -> Result<bool> {
        Ok(false)
    }

    /// Adds documents in one go; they are durable when this returns.
    fn add(&mut self, documents: &[Document]) -> Result<()>;

    /// Visits each document that has one of the keys, once.
    fn query(&mut self, keys: &[u64], visit: Visit) -> Result<()>;

    /// The number of the document with an id.
    fn number(&mut self, id: &str) -> Result<Option<u32>>;

    /// Takes notice of what other processes have written, where that does not
    /// happen by itself.
    fn refresh(&mut self) -> Result<()> {
        Ok(())
    }

    /// Checks all its files, if it offers that: whether they are sound.
    fn verify(&mut self) -> Result<Option<bool>> {
        Ok(None)
    }
}

/// A store that can be measured.
pub struct Kind {
    pub name: &'static str,
    /// The dependency, as it is called in `Cargo.toml`.
    pub dependency: &'static str,
    pub open: fn(&Path, Access) -> Result<Box<dyn Store>>,
    /// Whether several processes may read while one writes, as documented.
    pub documented: &'static str,
}

pub const KINDS: &[Kind] = &[
    Kind {
        name: "sqlite",
        dependency: "rusqlite",
        open: sqlite::open,
        documented: "yes, in WAL mode, on one host (sqlite.org/wal.html)",
    },
    Kind {
        name: "redb",
        dependency: "redb",
        open: |folder, access| redb::open(folder, access, false),
        documented: "no: a writer excludes all others (Builder::open_read_only); \
                     SingleWriter needs the feature experimental-multiprocess",
    },
    Kind {
        name: "redb-quick",
        dependency: "redb",
        open: |folder, access| redb::open(folder, access, true),
        documented: "as redb",
    },
    Kind {
        name: "lmdb",
        dependency: "heed",
        open: lmdb::open,
        documented: "yes, on one host (lmdb.h)",
    },
    Kind {
        name: "fjall",
        dependency: "fjall",
        open: fjall::open,
        documented: "no: one process only (README)",
    },
    Kind {
        name: "tantivy",
        dependency: "tantivy",
        open: tantivy::open,
        documented: "yes (META_LOCK); readers reload",
    },
    Kind {
        name: "segments",
        dependency: "xxhash-rust",
        open: segments::open,
        documented: "yes: segments never change, a torn end of the log is ignored; \
                     readers refresh",
    },
];

/// Puts a document's id and signature into one value.
fn encode(document: &Document) -> Vec<u8> {
    let mut value = vec![document.id.len() as u8];
    value.extend_from_slice(document.id.as_bytes());
    value.extend_from_slice(&document.signature);
    value
}

/// The id and the signature in a value.
fn decode(value: &[u8]) -> Result<(&[u8], &[u8])> {
    let (&length, rest) = value.split_first().context("an empty document")?;
    rest.split_at_checked(length.into())
        .context("a document shorter than its id")
}

/// The key of a posting, in an order that bytes keep.
fn posting(key: u64, number: u32) -> [u8; 12] {
    let mut bytes = [0; 12];
    bytes[..8].copy_from_slice(&key.to_be_bytes());
    bytes[8..].copy_from_slice(&number.to_be_bytes());
    bytes
}

/// The number in the key of a posting.
fn posted(bytes: &[u8]) -> Result<u32> {
    let number = bytes.get(8..).and_then(|number| number.try_into().ok());
    Ok(u32::from_be_bytes(number.context("a cut posting")?))
}

/// The number in a value of the table of ids.
fn number_from(bytes: &[u8]) -> Result<u32> {
    Ok(u32::from_be_bytes(
        bytes.try_into().context("a cut number")?,
    ))
}

/// What is said of a posting whose document is not there.
const DANGLING: &str = "a posting names a document that is not there";

/// Each number once.
fn once(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
