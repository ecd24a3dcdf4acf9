//! The manifest: which files are the index.
//!
//! It is replaced as a whole by a rename, which is the moment at which new segments, changes of
//! old ones and a new log count, all at once.

use crate::codec::checksum;
use crate::error::{Error, Result};
use crate::storage::{Source, Storage, sync_names, write_file};
use serde::{Deserialize, Serialize};

/// The manifest's file, and the one that takes its place.
pub(crate) const MANIFEST: &str = "manifest";
const NEXT: &str = "manifest.next";

/// The version of the format of an index.
pub(crate) const VERSION: u32 = 1;

/// Which files are the index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    /// How often it was replaced.
    pub(crate) generation: u64,
    /// No file has this number or a higher one.
    pub(crate) next_file: u64,
    pub(crate) segments: Vec<SegmentEntry>,
    /// The number of the log.
    pub(crate) log: u64,
}

/// A segment of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentEntry {
    pub(crate) number: u64,
    pub(crate) bytes: u64,
    /// The number of the file with what has changed about its documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<u64>,
}

impl Manifest {
    /// Makes this the manifest: what it names must last already.
    pub(crate) fn publish(&self, storage: &dyn Storage) -> Result<()> {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text += &format!("\n{:016x}\n", checksum(text.as_bytes(), 0));
        write_file(storage, NEXT, text.as_bytes())?;
        sync_names(storage)?;
        let renamed = storage.rename(NEXT, MANIFEST);
        renamed.map_err(|source| Error::Io {
            what: "write",
            path: storage.path(MANIFEST),
            source,
        })?;
        sync_names(storage)
    }

    /// The manifest of an index; `None` if there is none.
    pub(crate) fn read(storage: &dyn Storage) -> Result<Option<Self>> {
        let Some(source) = Source::find(storage, MANIFEST)? else {
            return Ok(None);
        };
        let bytes = source.read_all()?;
        let damaged = || source.damaged("it is not what was written");
        let text = std::str::from_utf8(&bytes).map_err(|_| damaged())?;
        let (content, sum) = text.split_once('\n').ok_or_else(damaged)?;
        if sum != format!("{:016x}\n", checksum(content.as_bytes(), 0)) {
            return Err(damaged());
        }
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let Versioned { version } = serde_json::from_str(content).map_err(|_| damaged())?;
        if version > VERSION {
            return Err(Error::Version {
                path: storage.path(MANIFEST),
                version,
            });
        }
        serde_json::from_str(content)
            .map(Some)
            .map_err(|_| damaged())
    }

    /// Whether a file is part of the index, by its name.
    pub(crate) fn names(&self, file: &str) -> bool {
        let of_segment = |entry: &SegmentEntry| {
            let changes = entry.changes.map(crate::changes::file_name);
            file == crate::segment::file_name(entry.number) || changes.as_deref() == Some(file)
        };
        file == crate::log::file_name(self.log) || self.segments.iter().any(of_segment)
    }
}
