//! A window that slides over a byte stream.
//!
//! Every splitter works on this one buffer: it looks at what is there, asks
//! for more until a whole record is in sight, takes it, and goes on. The
//! buffer doubles when a record does not fit, so that rescanning a long record
//! after each growth costs at most twice its length. It does not grow much beyond the
//! longest record that is wanted, and shrinks when a long one has passed.
//!
//! A failing read (a truncated gzip file, say) is an end with a reason: what
//! came before it is good and is used. It need not be the last word: where the reader
//! tells of a [`Gap`], the caller may go on behind that end, with an empty window,
//! so that nothing from before can be taken together with what comes after.

use std::io::{self, ErrorKind, Read};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::members::Gap;
use super::wide::{Narrowing, Wide};
use crate::error::plain_reason;
use crate::extract::charset;

/// Bytes to be decompressed or read, from any thread.
pub(super) type Bytes = Box<dyn Read + Send>;

/// The buffer is so much larger than the longest record, to see its end.
const SLACK: usize = 64 * 1024;

/// So many bytes tell whether a table is in UTF-16.
const HEAD: usize = 4096;

/// UTF-16 is read in pieces of this size.
const WIDE_BYTES: usize = 16 * 1024;

/// How the text of a stream was spelt that is read as plain UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spelling {
    /// The byte-order mark that it began with.
    pub mark: &'static [u8],
    /// Whether it was UTF-16.
    pub wide: Option<Wide>,
}

/// A sliding window over a stream.
pub(crate) struct Feed {
    reader: Bytes,
    buffer: Vec<u8>,
    /// The size of the buffer at first.
    capacity: usize,
    start: usize,
    end: usize,
    longest: usize,
    spelling: Spelling,
    narrowing: Option<Narrowing>,
    eager: bool,
    ended: bool,
    problem: Option<String>,
    /// Whether there is more behind the problem.
    is_gap: bool,
}

impl Feed {
    /// A window of `capacity` bytes at first, for records of at most `longest` bytes. An
    /// `eager` one hands over what has arrived, however little: for streams that are
    /// written while they are read.
    pub(crate) fn new(reader: Bytes, capacity: usize, longest: usize, eager: bool) -> Self {
        let capacity = capacity.max(64);
        Self {
            reader,
            buffer: vec![0; capacity],
            capacity,
            start: 0,
            end: 0,
            longest,
            spelling: Spelling::default(),
            narrowing: None,
            eager,
            ended: false,
            problem: None,
            is_gap: false,
        }
    }

    /// The bytes in sight.
    pub(crate) fn window(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Moves the window's start by `count` bytes.
    pub(crate) fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// How many bytes a record may have.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    /// How the text was spelt, as far as [`detect_utf16`](Self::detect_utf16) and
    /// [`skip_mark`](Self::skip_mark) were called.
    pub(crate) fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// Finds out whether this is text in UTF-16, by what was `told` or by its first bytes,
    /// and goes on with UTF-8 if so.
    pub(crate) fn detect_utf16(&mut self, told: Option<&'static Encoding>) {
        if self.narrowing.is_some() {
            return;
        }
        let eager = self.eager;
        let head = self.want(if eager { 4 } else { HEAD });
        let (mark, encoding) = match (told, head) {
            (_, [0xff, 0xfe, ..]) => (&b"\xff\xfe"[..], Some(UTF_16LE)),
            (_, [0xfe, 0xff, ..]) => (&b"\xfe\xff"[..], Some(UTF_16BE)),
            (Some(told), _) => (&[][..], Some(told)),
            (None, _) => (&[][..], charset::unmarked_utf16(head)),
        };
        let order = match encoding {
            Some(encoding) if encoding == UTF_16LE => Wide::Little,
            Some(encoding) if encoding == UTF_16BE => Wide::Big,
            _ => return,
        };
        self.consume(mark.len());
        let wide = Some(order);
        self.spelling = Spelling { mark, wide };
        let mut narrowing = Narrowing::new(order);
        let mut narrow = Vec::new();
        narrowing.push(self.window(), &mut narrow);
        if self.ended {
            narrowing.finish(&mut narrow);
        }
        self.narrowing = Some(narrowing);
        (self.start, self.end) = (0, narrow.len());
        narrow.resize(self.end.max(self.capacity), 0);
        self.buffer = narrow;
        // Where units begin cannot be told behind a gap.
        self.is_gap = false;
    }

    /// Passes over a byte-order mark of UTF-8.
    pub(crate) fn skip_mark(&mut self) {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        if self.want(MARK.len()).starts_with(MARK) {
            self.consume(MARK.len());
            if self.spelling.wide.is_none() {
                self.spelling.mark = MARK;
            }
        }
    }

    /// Whether what has arrived is handed over at once.
    pub(crate) fn is_eager(&self) -> bool {
        self.eager
    }

    /// Why the stream ended before its time, if it did.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Goes on behind the problem at which the stream ended, if there is more.
    pub(crate) fn go_on(&mut self) -> bool {
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
    pub(crate) fn fill(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        self.fit();
        let before = self.end;
        while self.end < self.buffer.len() {
            match self.read() {
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
                    self.is_gap = gap.is_some() && self.narrowing.is_none();
                    self.problem = Some(match gap {
                        None => stream_reason(&error),
                        Some(Gap { error, .. }) if !self.is_gap => stream_reason(error),
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

    /// Makes room for more, and gives back what a long record took.
    fn fit(&mut self) {
        let length = self.buffer.len();
        if self.end == length {
            let most = (self.longest.saturating_add(SLACK)).max(length + SLACK);
            self.buffer.resize((length * 2).min(most), 0);
        } else if length > self.capacity * 4 && self.end < self.capacity {
            self.buffer.truncate(self.capacity);
            self.buffer.shrink_to_fit();
        }
    }

    /// Reads to the end of the window, as UTF-8.
    fn read(&mut self) -> io::Result<usize> {
        let room = &mut self.buffer[self.end..];
        let Some(narrowing) = &mut self.narrowing else {
            return self.reader.read(room);
        };
        let mut narrow = Vec::new();
        while narrow.is_empty() {
            let mut raw = vec![0; WIDE_BYTES.min(room.len())];
            let count = self.reader.read(&mut raw)?;
            narrowing.push(&raw[..count], &mut narrow);
            if count == 0 {
                narrowing.finish(&mut narrow);
                break;
            }
        }
        if narrow.len() > room.len() {
            self.buffer.resize(self.end + narrow.len(), 0);
        }
        self.buffer[self.end..self.end + narrow.len()].copy_from_slice(&narrow);
        Ok(narrow.len())
    }

    /// What is in sight and all that follows, as a plain reader.
    pub(crate) fn into_reader(self) -> impl Read + Send + 'static {
        let mut seen = io::Cursor::new(self.buffer);
        seen.set_position(self.start as u64);
        seen.take((self.end - self.start) as u64).chain(self.reader)
    }

    /// Gets at least `count` bytes into sight, or all there are.
    pub(crate) fn want(&mut self, count: usize) -> &[u8] {
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
