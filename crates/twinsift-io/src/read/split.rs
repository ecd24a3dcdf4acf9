//! Cutting a stream into records.
//!
//! The reader thread and the rewriter both walk a source record by record and
//! must agree on the numbers, so they share these splitters. A splitter only
//! finds where a record ends; it does not read what is in it.
//!
//! A record that is longer than records may be is told as soon as that is known, and
//! passed piece by piece, so that it is never held as a whole.

use std::sync::Arc;

use super::charsets::Charset;
use super::csv::{Header, Rows};
use super::feed::Feed;
use super::json::Values;
use super::lines::Lines;
use super::mbox::Messages;
use super::warc::Records;
use crate::format::Format;

/// What a splitter found at the head of the window.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextRecord {
    /// A record of `len` bytes after `lead` bytes that belong to none.
    Record {
        /// Bytes before the record.
        lead: usize,
        /// Bytes of the record.
        len: usize,
    },
    /// As many bytes that should be a record and are not.
    Broken {
        /// Bytes to pass over.
        len: usize,
        /// Why it is not a record.
        reason: String,
    },
    /// The beginning of a record that is longer than records may be. The caller asks
    /// for [`more`](Split::more) of it until there is none.
    TooLong {
        /// Whether it could have been a document.
        is_document: bool,
    },
    /// Nothing more.
    End,
}

/// Finds the records of one source, in order.
pub(crate) trait Split: Send {
    /// The next record. The caller consumes it before it asks again.
    fn next(&mut self, feed: &mut Feed) -> NextRecord;

    /// How many of the bytes in sight belong to the record that was too long; `None` when
    /// it is over. The caller consumes them before it asks again.
    fn more(&mut self, _feed: &mut Feed) -> Option<usize> {
        None
    }

    /// The names of the columns, where records are rows; known once the first
    /// row has been found.
    fn header(&self) -> Option<&Arc<Header>> {
        None
    }

    /// Makes ready to go on behind a gap; `false` if what follows would make no sense.
    fn resume(&mut self) -> bool {
        false
    }
}

/// The splitter for a format. Parquet has none: it is not read as a stream. Tables are in
/// a charset, and may have a delimiter that was given.
pub(super) fn splitter(
    format: Format,
    charset: &Arc<Charset>,
    delimiter: Option<u8>,
) -> Box<dyn Split> {
    match format {
        Format::Jsonl => Box::new(Lines::default()),
        Format::Json => Box::new(Values::default()),
        Format::Csv => Box::new(Rows::new(delimiter, None, Arc::clone(charset))),
        Format::Tsv => Box::new(Rows::new(delimiter, Some(b'\t'), Arc::clone(charset))),
        Format::Warc => Box::new(Records::default()),
        Format::Mbox => Box::new(Messages::default()),
        Format::Eml | Format::Html | Format::Text | Format::Parquet => Box::new(Whole::default()),
    }
}

/// The whole stream as one record.
#[derive(Default)]
struct Whole {
    done: bool,
}

impl Split for Whole {
    fn next(&mut self, feed: &mut Feed) -> NextRecord {
        if self.done {
            return NextRecord::End;
        }
        self.done = true;
        while feed.fill() {
            if feed.window().len() > feed.longest() {
                return NextRecord::TooLong { is_document: true };
            }
        }
        match feed.problem() {
            Some(_) => NextRecord::End,
            None => NextRecord::Record {
                lead: 0,
                len: feed.window().len(),
            },
        }
    }

    fn more(&mut self, feed: &mut Feed) -> Option<usize> {
        in_sight(feed)
    }
}

/// All that is in sight, if there is anything left.
pub(super) fn in_sight(feed: &mut Feed) -> Option<usize> {
    match feed.want(1).len() {
        0 => None,
        count => Some(count),
    }
}

/// Passes over white space before a record.
pub(super) fn skip_space(feed: &mut Feed) {
    loop {
        let window = feed.window();
        match window.iter().position(|byte| !byte.is_ascii_whitespace()) {
            Some(at) => return feed.consume(at),
            None => feed.consume(window.len()),
        }
        if !feed.fill() {
            return;
        }
    }
}
