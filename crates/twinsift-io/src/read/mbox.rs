//! Mailbox files: a message starts at a `From ` line after a blank one.
//!
//! People begin paragraphs with that word, too. So the line must be dated, as it is in
//! nearly every mailbox, or a line of a header must follow. Where mailboxes were put
//! together without a blank line between, a line starts a message if both hold.

use memchr::memmem;

use super::feed::Feed;
use super::split::{NextRecord, Split, skip_space};

/// Finds messages.
#[derive(Default)]
pub(super) struct Messages {
    /// Whether the beginning of the next one may be missing.
    is_cut: bool,
    /// Whether the end of a message that was too long has been seen.
    is_passed: bool,
}

/// Of longer lines, so much is looked at.
const LONGEST_LINE: usize = 1024;

impl Split for Messages {
    fn next(&mut self, feed: &mut Feed) -> NextRecord {
        // Blank lines before the first message are not part of it.
        skip_space(feed);
        let mut scanned = 0;
        let mut is_whole = false;
        loop {
            match next_start(feed.window(), scanned, is_whole) {
                Ok(len) => return self.found(feed, len),
                Err(undecided) => scanned = undecided,
            }
            if feed.window().len() > feed.longest() {
                return NextRecord::TooLong { is_document: true };
            }
            if is_whole {
                break;
            }
            is_whole = !feed.fill();
        }
        let window = feed.window();
        if feed.problem().is_some() || window.is_empty() {
            return NextRecord::End;
        }
        let len = window.len();
        self.found(feed, len)
    }

    fn more(&mut self, feed: &mut Feed) -> Option<usize> {
        if std::mem::take(&mut self.is_passed) {
            return None;
        }
        let mut is_whole = false;
        loop {
            let count = feed.window().len();
            match next_start(feed.window(), 0, is_whole) {
                Ok(len) => {
                    self.is_passed = true;
                    return Some(len);
                }
                Err(_) if is_whole => {
                    self.is_passed = true;
                    return (count > 0).then_some(count);
                }
                // Whether a line before is blank must stay in sight.
                Err(undecided) if undecided > 2 => return Some(undecided - 2),
                Err(_) => is_whole = !feed.fill(),
            }
        }
    }

    fn resume(&mut self) -> bool {
        self.is_cut = true;
        true
    }
}

impl Messages {
    fn found(&mut self, feed: &Feed, len: usize) -> NextRecord {
        match std::mem::take(&mut self.is_cut) && !feed.window().starts_with(b"From ") {
            false => NextRecord::Record { lead: 0, len },
            true => NextRecord::Broken {
                len,
                reason: "the beginning of the message is missing".to_owned(),
            },
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
        match starts_message(&window[line_end + 1..], blank, is_whole) {
            Some(true) => return Ok(line_end + 1),
            Some(false) => {}
            None => return Err(line_end),
        }
    }
    // The mark may straddle what is in sight and what is not.
    Err(window.len().saturating_sub(8).max(from))
}

/// Whether a `From ` line, perhaps after a blank one, starts a message; `None` if not
/// enough is in sight.
pub(super) fn starts_message(text: &[u8], after_blank: bool, is_whole: bool) -> Option<bool> {
    let (line, rest) = first_line(text, is_whole)?;
    match (is_dated(line), after_blank) {
        (true, true) => return Some(true),
        (false, false) => return Some(false),
        _ => {}
    }
    let (header, _) = first_line(rest, is_whole)?;
    let name = header.split(|&byte| byte == b':').next()?;
    Some(!name.is_empty() && name.len() < header.len() && name.iter().all(u8::is_ascii_graphic))
}

/// Whether a `From ` line tells a day, a time and a year, as `asctime` writes them. There
/// may be a time zone on either side of the year.
fn is_dated(line: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    const MONTHS: [&[u8]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec",
    ];
    let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let is_time =
        |word: &[u8]| word.contains(&b':') && word.split(|&byte| byte == b':').all(is_number);
    let words = line.split(u8::is_ascii_whitespace);
    let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
    (1..words.len()).any(|at| match &words[at..] {
        [weekday, month, day, time, rest @ ..] => {
            DAYS.contains(weekday)
                && MONTHS.contains(month)
                && is_number(day)
                && is_time(time)
                && rest
                    .iter()
                    .take(2)
                    .any(|year| year.len() == 4 && is_number(year))
        }
        _ => false,
    })
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
