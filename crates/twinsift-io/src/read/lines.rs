//! JSON lines: a record ends where the line does.

use super::feed::Feed;
use super::split::{NextRecord, Split, in_sight};

/// Finds lines.
#[derive(Default)]
pub(super) struct Lines {
    scanned: usize,
    /// Whether the end of a line that was too long has been seen.
    is_passed: bool,
}

impl Split for Lines {
    fn next(&mut self, feed: &mut Feed) -> NextRecord {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &feed.window()[self.scanned..]) {
                let len = self.scanned + at + 1;
                self.scanned = 0;
                return NextRecord::Record { lead: 0, len };
            }
            self.scanned = feed.window().len();
            if self.scanned > feed.longest() {
                self.scanned = 0;
                return NextRecord::TooLong { is_document: true };
            }
            if !feed.fill() {
                self.scanned = 0;
                return last_line(feed);
            }
        }
    }

    fn more(&mut self, feed: &mut Feed) -> Option<usize> {
        if std::mem::take(&mut self.is_passed) {
            return None;
        }
        let count = in_sight(feed)?;
        let end = memchr::memchr(b'\n', feed.window());
        self.is_passed = end.is_some();
        Some(end.map_or(count, |at| at + 1))
    }

    fn resume(&mut self) -> bool {
        true
    }
}

fn last_line(feed: &Feed) -> NextRecord {
    match feed.window().len() {
        0 => NextRecord::End,
        // What a broken stream leaves behind is no line.
        _ if feed.problem().is_some() => NextRecord::End,
        len => NextRecord::Record { lead: 0, len },
    }
}

/// All whole lines in sight at once, as one record, and how many they are. This
/// is the reader thread's way, where looking at single lines would cost.
pub(super) fn run(feed: &mut Feed) -> (NextRecord, u64) {
    let mut scanned = 0;
    loop {
        let window = feed.window();
        if let Some(at) = memchr::memrchr(b'\n', &window[scanned..]) {
            let len = scanned + at + 1;
            let lines = memchr::memchr_iter(b'\n', &window[..len]).count() as u64;
            return (NextRecord::Record { lead: 0, len }, lines);
        }
        scanned = window.len();
        if scanned > feed.longest() {
            return (NextRecord::TooLong { is_document: true }, 1);
        }
        if !feed.fill() {
            return (last_line(feed), 1);
        }
    }
}
