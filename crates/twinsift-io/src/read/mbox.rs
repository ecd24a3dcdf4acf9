//! Mailbox files: a message starts at a `From ` line after a blank one.

use memchr::memmem;

use super::feed::Feed;
use super::split::{Found, LONGEST_RECORD, Split, too_long};

/// Finds messages.
pub struct Messages;

impl Split for Messages {
    fn next(&mut self, feed: &mut Feed) -> Found {
        let mut scanned = 0;
        loop {
            if let Some(len) = next_start(feed.window(), scanned) {
                return Found::Record { lead: 0, len };
            }
            // The mark may straddle what is in sight and what is not.
            scanned = feed.window().len().saturating_sub(8);
            if feed.window().len() > LONGEST_RECORD {
                return too_long(feed);
            }
            if !feed.fill() {
                break;
            }
        }
        let window = feed.window();
        if feed.problem().is_some() || window.iter().all(u8::is_ascii_whitespace) {
            return Found::End;
        }
        Found::Record {
            lead: 0,
            len: window.len(),
        }
    }
}

fn next_start(window: &[u8], from: usize) -> Option<usize> {
    memmem::find_iter(&window[from..], b"\nFrom ").find_map(|at| {
        let line_end = from + at;
        let blank = match window[..line_end].last() {
            Some(b'\n') => true,
            Some(b'\r') => line_end >= 2 && window[line_end - 2] == b'\n',
            _ => false,
        };
        blank.then_some(line_end + 1)
    })
}
