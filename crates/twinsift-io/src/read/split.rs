//! Cutting a stream into records.
//!
//! The reader thread and the rewriter both walk a source record by record and
//! must agree on the numbers, so they share these splitters. A splitter only
//! finds where a record ends; what is in it is somebody else's work.

use std::sync::Arc;

use super::csv::{Header, Rows};
use super::feed::Feed;
use super::json::Values;
use super::lines::Lines;
use super::mbox::Messages;
use super::source::Format;
use super::warc::Records;

/// No record may be longer; a broken quote or length must not swallow all
/// there is.
pub const LONGEST_RECORD: usize = 2 << 30;

/// What stands at the head of the window.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
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
    /// Nothing more.
    End,
}

/// Finds the records of one source, in order.
pub trait Split: Send {
    /// The next record. The caller consumes it before it asks again.
    fn next(&mut self, feed: &mut Feed) -> Found;

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

/// The splitter for a format. Parquet has none: it is not read as a stream.
pub fn splitter(format: Format) -> Box<dyn Split> {
    match format {
        Format::Jsonl => Box::new(Lines::default()),
        Format::Json => Box::new(Values::default()),
        Format::Csv => Box::new(Rows::new(b',')),
        Format::Tsv => Box::new(Rows::new(b'\t')),
        Format::Warc => Box::new(Records),
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
    fn next(&mut self, feed: &mut Feed) -> Found {
        if self.done {
            return Found::End;
        }
        self.done = true;
        while feed.fill() {
            if feed.window().len() > LONGEST_RECORD {
                return too_long(feed);
            }
        }
        match feed.problem() {
            Some(_) => Found::End,
            None => Found::Record {
                lead: 0,
                len: feed.window().len(),
            },
        }
    }
}

/// Passes over white space before a record.
pub fn skip_space(feed: &mut Feed) {
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

/// Gives up on the source: no end of a record is in sight.
pub fn too_long(feed: &mut Feed) -> Found {
    let size = LONGEST_RECORD >> 30;
    feed.give_up(format!(
        "longer than {size} GiB; the rest of the file is not read"
    ));
    Found::End
}
