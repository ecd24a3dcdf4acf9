//! Mailbox files: a message starts at a `From ` line after a blank one.
//!
//! People begin paragraphs with that word, too. So the line must tell a time of day, as it
//! does in every mailbox, or a line of a header must follow.

use memchr::memmem;

use super::feed::Feed;
use super::split::{Found, LONGEST_RECORD, Split, skip_space, too_long};

/// Finds messages.
pub struct Messages;

/// Of longer lines, so much is looked at.
const LONGEST_LINE: usize = 1024;

impl Split for Messages {
    fn next(&mut self, feed: &mut Feed) -> Found {
        // Blank lines before the first message are not part of it.
        skip_space(feed);
        let mut scanned = 0;
        let mut is_whole = false;
        loop {
            match next_start(feed.window(), scanned, is_whole) {
                Ok(len) => return Found::Record { lead: 0, len },
                Err(undecided) => scanned = undecided,
            }
            if feed.window().len() > LONGEST_RECORD {
                return too_long(feed);
            }
            if is_whole {
                break;
            }
            is_whole = !feed.fill();
        }
        let window = feed.window();
        if feed.problem().is_some() || window.is_empty() {
            return Found::End;
        }
        Found::Record {
            lead: 0,
            len: window.len(),
        }
    }
}

/// Where the next message starts, or from where on that cannot be told before more is in
/// sight, unless this `is_whole`.
fn next_start(window: &[u8], from: usize, is_whole: bool) -> Result<usize, usize> {
    for at in memmem::find_iter(&window[from..], b"\nFrom ") {
        let line_end = from + at;
        let blank = match window[..line_end].last() {
            Some(b'\n') => true,
            Some(b'\r') => line_end >= 2 && window[line_end - 2] == b'\n',
            _ => false,
        };
        if !blank {
            continue;
        }
        match starts_message(&window[line_end + 1..], is_whole) {
            Some(true) => return Ok(line_end + 1),
            Some(false) => {}
            None => return Err(line_end),
        }
    }
    // The mark may straddle what is in sight and what is not.
    Err(window.len().saturating_sub(8).max(from))
}

/// Whether a `From ` line starts a message; `None` if not enough of it is in sight.
fn starts_message(text: &[u8], is_whole: bool) -> Option<bool> {
    let (line, rest) = first_line(text, is_whole)?;
    let tells_time = |part: &[u8]| matches!(part, [hour, b':', minute, _] if hour.is_ascii_digit() && minute.is_ascii_digit());
    if line.windows(4).any(tells_time) {
        return Some(true);
    }
    let (header, _) = first_line(rest, is_whole)?;
    let name = header.split(|&byte| byte == b':').next()?;
    Some(!name.is_empty() && name.len() < header.len() && name.iter().all(u8::is_ascii_graphic))
}

/// The first line, and what follows it; `None` if its end is not in sight.
fn first_line(text: &[u8], is_whole: bool) -> Option<(&[u8], &[u8])> {
    let seen = &text[..text.len().min(LONGEST_LINE)];
    match memchr::memchr(b'\n', seen) {
        Some(end) => Some((&text[..end], &text[end + 1..])),
        None if is_whole || seen.len() < text.len() => Some((seen, &[])),
        None => None,
    }
}
