//! JSON lines: a record ends where the line does.

use super::feed::Feed;
use super::split::{Found, LONGEST_RECORD, Split, too_long};

/// Finds lines.
#[derive(Default)]
pub struct Lines {
    scanned: usize,
}

impl Split for Lines {
    fn next(&mut self, feed: &mut Feed) -> Found {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &feed.window()[self.scanned..]) {
                let len = self.scanned + at + 1;
                self.scanned = 0;
                return Found::Record { lead: 0, len };
            }
            self.scanned = feed.window().len();
            if self.scanned > LONGEST_RECORD {
                return too_long(feed);
            }
            if !feed.fill() {
                self.scanned = 0;
                return last_line(feed);
            }
        }
    }

    fn resume(&mut self) -> bool {
        true
    }
}

fn last_line(feed: &Feed) -> Found {
    match feed.window().len() {
        0 => Found::End,
        // What a broken stream leaves behind is no line.
        _ if feed.problem().is_some() => Found::End,
        len => Found::Record { lead: 0, len },
    }
}

/// All whole lines in sight at once: their bytes, and how many they are. This
/// is the reader thread's way, where looking at single lines would cost.
pub fn run(feed: &mut Feed) -> Option<(usize, u64)> {
    let mut scanned = 0;
    loop {
        let window = feed.window();
        if let Some(at) = memchr::memrchr(b'\n', &window[scanned..]) {
            let len = scanned + at + 1;
            let lines = memchr::memchr_iter(b'\n', &window[..len]).count() as u64;
            return Some((len, lines));
        }
        scanned = window.len();
        if scanned > LONGEST_RECORD {
            too_long(feed);
            return None;
        }
        if !feed.fill() {
            return match last_line(feed) {
                Found::Record { len, .. } => Some((len, 1)),
                _ => None,
            };
        }
    }
}
