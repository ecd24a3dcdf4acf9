//! JSON values: the elements of one list, or objects one after another.
//!
//! The list itself is never held: a small state machine finds where each
//! element ends by brackets and quotes alone. Whether an element is sound JSON
//! is checked when it is read.

use super::feed::Feed;
use super::split::{NextRecord, Split, in_sight, skip_space};

/// Finds elements.
#[derive(Default)]
pub(super) struct Values {
    list: bool,
    started: bool,
    ended: bool,
    /// The element that is too long, while it lasts.
    long: Option<Scan>,
}

impl Split for Values {
    fn next(&mut self, feed: &mut Feed) -> NextRecord {
        if !self.started {
            self.started = true;
            skip_space(feed);
            if feed.window().first() == Some(&b'[') {
                feed.consume(1);
                self.list = true;
            }
        }
        if self.ended {
            return NextRecord::End;
        }
        skip_space(feed);
        if self.list && feed.window().first() == Some(&b',') {
            feed.consume(1);
            skip_space(feed);
        }
        match feed.window().first() {
            None if self.list && feed.problem().is_none() => {
                self.ended = true;
                NextRecord::Broken {
                    len: 0,
                    reason: "the list has no end; the file may be cut short".to_owned(),
                }
            }
            None => NextRecord::End,
            Some(b']') if self.list => self.after_list(feed),
            Some(_) => self.element(feed),
        }
    }

    fn more(&mut self, feed: &mut Feed) -> Option<usize> {
        let mut scan = self.long.take()?;
        loop {
            if let Some(len) = scan.end(feed.window()) {
                return (len > 0).then_some(len);
            }
            if scan.at > 0 {
                let passed = scan.forget();
                self.long = Some(scan);
                return Some(passed);
            }
            if !feed.fill() {
                self.ended = true;
                return in_sight(feed);
            }
        }
    }
}

impl Values {
    fn after_list(&mut self, feed: &mut Feed) -> NextRecord {
        feed.consume(1);
        self.ended = true;
        skip_space(feed);
        if feed.window().is_empty() {
            return NextRecord::End;
        }
        NextRecord::Broken {
            len: feed.window().len(),
            reason: "there is more after the end of the list".to_owned(),
        }
    }

    fn element(&mut self, feed: &mut Feed) -> NextRecord {
        let mut scan = Scan::default();
        loop {
            if let Some(len) = scan.end(feed.window()) {
                return NextRecord::Record { lead: 0, len };
            }
            if feed.window().len() > feed.longest() {
                self.long = Some(Scan::default());
                return NextRecord::TooLong { is_document: true };
            }
            if !feed.fill() {
                self.ended = true;
                let len = feed.window().len();
                return if feed.problem().is_some() {
                    NextRecord::End
                } else if scan.is_scalar() && !self.list {
                    NextRecord::Record { lead: 0, len }
                } else {
                    NextRecord::Broken {
                        len,
                        reason: "the file ends in the middle of a value".to_owned(),
                    }
                };
            }
        }
    }
}

/// Where a value ends, found in as many goes as it takes.
#[derive(Default)]
pub(super) struct Scan {
    /// Bytes of the value that are no longer in sight.
    passed: usize,
    at: usize,
    depth: usize,
    in_string: bool,
}

impl Scan {
    /// The length of the value that `window` starts with, once it is known.
    /// Each call sees all of the earlier bytes and perhaps more.
    pub(super) fn end(&mut self, window: &[u8]) -> Option<usize> {
        while self.at < window.len() {
            if self.in_string {
                let found = memchr::memchr2(b'"', b'\\', &window[self.at..]);
                let Some(offset) = found else {
                    self.at = window.len();
                    return None;
                };
                if window[self.at + offset] == b'\\' {
                    // The escaped byte must be in sight to be passed over.
                    if self.at + offset + 1 >= window.len() {
                        self.at += offset;
                        return None;
                    }
                    self.at += offset + 2;
                } else {
                    self.at += offset + 1;
                    self.in_string = false;
                    if self.depth == 0 {
                        return Some(self.at);
                    }
                }
                continue;
            }
            match window[self.at] {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.at += 1;
                        return Some(self.at);
                    }
                }
                b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t'
                    if self.depth == 0 && self.passed + self.at > 0 =>
                {
                    return Some(self.at);
                }
                _ => {}
            }
            self.at += 1;
        }
        None
    }

    /// Forgets what has been scanned, and says how much the caller should consume.
    fn forget(&mut self) -> usize {
        let count = std::mem::take(&mut self.at);
        self.passed += count;
        count
    }

    /// Whether no bracket or quote is open.
    fn is_scalar(&self) -> bool {
        self.depth == 0 && !self.in_string
    }
}
