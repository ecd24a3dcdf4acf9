//! Writing survivors in the input's own format.
//!
//! A second walk over the sources, with the splitters that the first one used,
//! so that the numbers agree. Records are copied as bytes: nothing is parsed
//! and written again, so no field can be lost or spelt anew. (Parquet has no
//! such bytes; its rows are filtered as arrays.)

mod folder;
#[cfg(feature = "parquet")]
mod parquet;
mod writer;

use thiserror::Error;

use crate::output::WriteError;
use crate::read::{Found, Inputs, Opened, splitter};

pub use writer::SurvivorWriter;

/// Why survivors cannot be written; one sentence each.
#[derive(Debug, Error)]
pub enum RewriteError {
    /// The output cannot be written. If that is because its reader has had
    /// enough, it is [`WriteError::ClosedPipe`].
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
    /// read belong in `drop` too; a 0 there drops the source as a whole. Says
    /// how many records were written.
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

    fn copy_records(
        &self,
        index: usize,
        drop: &[u64],
        out: &mut SurvivorWriter,
    ) -> Result<u64, RewriteError> {
        let name = &self.sources()[index].name;
        let unreadable = |reason: String| RewriteError::unreadable(name, reason);
        let mut dropped = Dropped::new(drop);
        let (mut feed, format) = match self.open_source(index).map_err(unreadable)? {
            Opened::Stream(feed, format) => (feed, format),
            #[cfg(feature = "parquet")]
            Opened::Rows(_) => return self.copy_rows(index, &mut dropped, out),
        };
        let mut split = splitter(format);
        let (mut record, mut written) = (0, 0);
        loop {
            record += 1;
            match split.next(&mut feed) {
                Found::Record { lead, len } => {
                    let bytes = &feed.window()[lead..lead + len];
                    if !dropped.contains(record) {
                        out.record(name, bytes, split.header().map(|h| h.raw.as_slice()))?;
                        written += u64::from(!bytes.trim_ascii().is_empty() || format.is_single());
                    }
                    feed.consume(lead + len);
                }
                Found::Broken { len, .. } => feed.consume(len),
                Found::End => {
                    // The first walk met the same problem, and told.
                    if let Some(reason) = feed.problem()
                        && !dropped.contains(record)
                    {
                        return Err(unreadable(reason.to_owned()));
                    }
                    if !(feed.go_on() && split.resume()) {
                        break;
                    }
                }
            }
        }
        if written == 0
            && let Some(header) = split.header()
        {
            // A table without rows still has its columns.
            out.header(name, &header.raw)?;
        }
        Ok(written)
    }
}
