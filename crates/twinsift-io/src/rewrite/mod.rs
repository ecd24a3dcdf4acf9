//! Writing survivors in the input's own format.
//!
//! A second walk over the sources, with the splitters that the first one used,
//! so that the numbers agree. Records are copied as bytes: nothing is parsed
//! and written again, so no field can be lost or change its spelling. (Parquet has no
//! such bytes; its rows are filtered as arrays. Tables in UTF-16 are split as UTF-8, and
//! turned back without loss.) Broken records can be copied too, as far as they have bytes.

mod folder;
#[cfg(feature = "parquet")]
mod parquet;
mod records;
mod writer;

use thiserror::Error;

use crate::output::WriteError;
use crate::read::{Inputs, Opened};

use records::RecordCopier;
pub use writer::SurvivorWriter;

/// Why survivors cannot be written; one sentence each.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// The output cannot be written. If that is because its reader has closed
    /// it, it is [`WriteError::ClosedPipe`].
    #[error(transparent)]
    Write(#[from] WriteError),
    /// An input can no longer be read as it was the first time.
    #[error("cannot read {name} again: {reason}")]
    Read {
        /// The input.
        name: String,
        /// Why not.
        reason: String,
    },
    /// Something that is to be copied and has no bytes that could be.
    #[error(
        "what is broken in {name} cannot be copied ({reason}): leave it out with --broken drop"
    )]
    Lost {
        /// The input.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Inputs that do not fit into one file.
    #[error("cannot put {name} into {out}: {reason}")]
    Mismatch {
        /// The input.
        name: String,
        /// The output.
        out: String,
        /// Why not.
        reason: String,
    },
}

impl RewriteError {
    fn unreadable(name: &str, reason: String) -> Self {
        Self::Read {
            name: name.to_owned(),
            reason,
        }
    }
}

/// Tells which records go; they are asked about in order.
struct Dropped<'a> {
    rest: &'a [u64],
}

impl<'a> Dropped<'a> {
    fn new(sorted: &'a [u64]) -> Self {
        Self { rest: sorted }
    }

    fn contains(&mut self, record: u64) -> bool {
        while let [first, rest @ ..] = self.rest
            && *first < record
        {
            self.rest = rest;
        }
        self.rest.first() == Some(&record)
    }
}

impl Inputs {
    /// Copies a source to `out` without the records in `drop`, whose numbers
    /// must be sorted, and byte for byte otherwise. Records that could not be
    /// read are copied too, unless they are in `drop`; a 0 there drops the source as a
    /// whole. Says how many records were written.
    pub fn copy_without(
        &self,
        index: usize,
        drop: &[u64],
        out: &mut SurvivorWriter,
    ) -> Result<u64, RewriteError> {
        if drop.first() == Some(&0) {
            return Ok(0);
        }
        out.begin(&self.sources()[index])?;
        if let Some(written) = self.copy_whole(index, drop, out)? {
            return Ok(written);
        }
        let written = self.copy_records(index, drop, out)?;
        out.end()?;
        Ok(written)
    }

    /// Copies a source that cannot be read, byte for byte, into a folder.
    pub fn copy_unread(&self, index: usize, out: &mut SurvivorWriter) -> Result<(), RewriteError> {
        let source = &self.sources()[index];
        match out.as_folder() {
            Some(folder) => {
                folder.begin(source)?;
                folder.copy(source)
            }
            None => Err(RewriteError::Lost {
                name: source.name.clone(),
                reason: "it cannot be read".to_owned(),
            }),
        }
    }

    fn copy_records(
        &self,
        index: usize,
        drop: &[u64],
        out: &mut SurvivorWriter,
    ) -> Result<u64, RewriteError> {
        let name = &self.sources()[index].name;
        let unreadable = |reason: String| RewriteError::unreadable(name, reason);
        let (feed, format) = match self.open_source(index).map_err(unreadable)? {
            Opened::Stream(feed, format) => (feed, format),
            #[cfg(feature = "parquet")]
            Opened::Rows(_) => return self.copy_rows(index, &mut Dropped::new(drop), out),
        };
        out.spell(name, feed.spelling())?;
        let copier = RecordCopier {
            name,
            format,
            feed,
            split: self.splitter(index, format),
            dropped: Dropped::new(drop),
            out,
        };
        copier.copy()
    }
}
