//! Copying the records of a stream, byte for byte.

use super::{Dropped, RewriteError, SurvivorWriter};
use crate::format::Format;
use crate::read::{Feed, NextRecord, Split};

/// Copies the records of one source that are not dropped.
pub(super) struct RecordCopier<'a> {
    pub name: &'a str,
    pub format: Format,
    pub feed: Feed,
    pub split: Box<dyn Split>,
    pub dropped: Dropped<'a>,
    pub out: &'a mut SurvivorWriter,
}

impl RecordCopier<'_> {
    /// Copies all of them, and returns how many were written.
    pub(super) fn copy(mut self) -> Result<u64, RewriteError> {
        let mut written = 0;
        for record in 1.. {
            let is_kept = !self.dropped.contains(record);
            match self.split.next(&mut self.feed) {
                NextRecord::Record { lead, len } => {
                    written += u64::from(is_kept && self.copy_record(lead, len)?);
                    self.feed.consume(lead + len);
                }
                NextRecord::Broken { len, reason } => {
                    if is_kept {
                        self.copy_broken(len, reason)?;
                    }
                    self.feed.consume(len);
                }
                NextRecord::TooLong { .. } => {
                    self.copy_long(is_kept)?;
                    written += u64::from(is_kept);
                }
                NextRecord::End => {
                    // The first walk met the same problem, and reported it.
                    if let Some(reason) = self.feed.problem()
                        && is_kept
                    {
                        return Err(self.lost(reason.to_owned()));
                    }
                    if !(self.feed.go_on() && self.split.resume()) {
                        break;
                    }
                }
            }
        }
        if written == 0
            && let Some(header) = self.split.header()
        {
            // A table without rows still has its columns.
            self.out.header(self.name, &header.raw)?;
        }
        Ok(written)
    }

    /// Returns whether there was anything in the record.
    fn copy_record(&mut self, lead: usize, len: usize) -> Result<bool, RewriteError> {
        self.put(lead, len)?;
        let bytes = &self.feed.window()[lead..lead + len];
        Ok(!bytes.trim_ascii().is_empty() || self.format.is_single())
    }

    /// Copies what should be a record and is not, where the format has a place for it.
    fn copy_broken(&mut self, len: usize, reason: String) -> Result<(), RewriteError> {
        let has_place = match self.format {
            Format::Json => false,
            Format::Csv | Format::Tsv => self.split.header().is_some(),
            _ => true,
        };
        match has_place {
            true => self.put(0, len),
            false => Err(self.lost(reason)),
        }
    }

    /// Passes a record that is too long piece by piece, and copies it if it is kept.
    fn copy_long(&mut self, is_kept: bool) -> Result<(), RewriteError> {
        let mut is_begun = false;
        while let Some(len) = self.split.more(&mut self.feed) {
            match (is_kept, is_begun) {
                (false, _) => {}
                (true, true) => self.out.piece(&self.feed.window()[..len])?,
                (true, false) => self.put(0, len)?,
            }
            is_begun = true;
            self.feed.consume(len);
        }
        Ok(())
    }

    fn put(&mut self, lead: usize, len: usize) -> Result<(), RewriteError> {
        let header = self.split.header().map(|header| header.raw.as_slice());
        let bytes = &self.feed.window()[lead..lead + len];
        self.out.record(self.name, bytes, header)
    }

    fn lost(&self, reason: String) -> RewriteError {
        RewriteError::Lost {
            name: self.name.to_owned(),
            reason,
        }
    }
}
