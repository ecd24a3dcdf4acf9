//! A window that slides over a byte stream.
//!
//! Every splitter works on this one buffer: it looks at what is there, asks
//! for more until a whole record is in sight, takes it, and goes on. The
//! buffer doubles when a record does not fit, so that rescanning a long record
//! after each growth costs at most twice its length.
//!
//! A failing read (a truncated gzip file, say) is an end with a reason: what
//! came before it is good and is used. It need not be the last word: where the reader
//! tells of a [`Gap`], whoever got to that end may go on behind it, with an empty window,
//! so that nothing from before can be taken together with what comes after.

use std::io::{self, ErrorKind, Read};

use super::members::Gap;
use crate::error::plain_reason;

/// Bytes to be decompressed or read, from any thread.
pub type Bytes = Box<dyn Read + Send>;

/// A sliding window over a stream.
pub struct Feed {
    reader: Bytes,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    eager: bool,
    ended: bool,
    problem: Option<String>,
    /// Whether there is more behind the problem.
    is_gap: bool,
}

impl Feed {
    /// A window of `capacity` bytes at first. An `eager` one hands over what
    /// has arrived, however little: for streams that somebody waits on.
    pub fn new(reader: Bytes, capacity: usize, eager: bool) -> Self {
        Self {
            reader,
            buffer: vec![0; capacity.max(16)],
            start: 0,
            end: 0,
            eager,
            ended: false,
            problem: None,
            is_gap: false,
        }
    }

    /// The bytes in sight.
    pub fn window(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Moves the window's start by `count` bytes.
    pub fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// Whether somebody waits on this stream.
    pub fn is_eager(&self) -> bool {
        self.eager
    }

    /// Why the stream ended before its time, if it did.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Ends the stream here, for a reason.
    pub fn give_up(&mut self, reason: String) {
        self.start = self.end;
        self.ended = true;
        self.problem = Some(reason);
        self.is_gap = false;
    }

    /// Goes on behind the problem at which the stream ended, if there is more.
    pub fn go_on(&mut self) -> bool {
        if !self.is_gap {
            return false;
        }
        self.start = self.end;
        self.ended = false;
        self.problem = None;
        self.is_gap = false;
        true
    }

    /// Gets more into sight; `false` when there is no more.
    pub fn fill(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let before = self.end;
        while self.end < self.buffer.len() {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(count) => {
                    self.end += count;
                    if self.eager {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    let gap = error
                        .get_ref()
                        .and_then(|inner| inner.downcast_ref::<Gap>());
                    self.is_gap = gap.is_some();
                    self.problem = Some(match gap {
                        None => stream_reason(&error),
                        Some(Gap { error, until }) => format!(
                            "{}; reading goes on at byte {until} of the file",
                            stream_reason(error)
                        ),
                    });
                    break;
                }
            }
        }
        self.end > before
    }

    /// What is in sight and all that follows, as a plain reader.
    pub fn into_reader(self) -> impl Read + Send + 'static {
        let mut seen = io::Cursor::new(self.buffer);
        seen.set_position(self.start as u64);
        seen.take((self.end - self.start) as u64).chain(self.reader)
    }

    /// Gets at least `count` bytes into sight, or all there are.
    pub fn want(&mut self, count: usize) -> &[u8] {
        while self.end - self.start < count && self.fill() {}
        self.window()
    }
}

fn stream_reason(error: &io::Error) -> String {
    let reason = plain_reason(error);
    match error.kind() {
        _ if error.raw_os_error().is_some() => format!("cannot read on: {reason}"),
        ErrorKind::UnexpectedEof => "the compressed data ends too early".to_owned(),
        _ => format!("the compressed data is damaged ({reason})"),
    }
}
