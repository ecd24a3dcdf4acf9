//! The format of a source, recognised by its first bytes.

use super::feed::Feed;
use super::json::Scan;
use super::mbox;
use crate::format::Format;

/// So many bytes are looked at.
const SNIFF_BYTES: usize = 64 * 1024;

/// Header lines that mails begin with.
const MAIL_HEADERS: &[&str] = &[
    "received",
    "return-path",
    "delivered-to",
    "message-id",
    "mime-version",
    "from",
    "to",
    "subject",
    "date",
    "x-original-to",
    "envelope-to",
    "dkim-signature",
    "reply-to",
    "sender",
];

/// Column names that make a first line a table's header.
const COLUMNS: &[&str] = &[
    "id", "doc_id", "url", "text", "content", "body", "article", "html", "title", "subject",
];

/// The format of what `feed` holds; nothing is consumed. The error is a phrase
/// for people.
pub(super) fn format(feed: &mut Feed) -> Result<Format, String> {
    let head = if feed.is_eager() { 1 } else { SNIFF_BYTES };
    feed.want(head);
    let is_mailbox = is_mailbox(feed);
    let window = feed.window();
    if let Some(problem) = refused(window) {
        return Err(problem);
    }
    let text = window.strip_prefix(b"\xef\xbb\xbf").unwrap_or(window);
    let text = text.trim_ascii_start();
    Ok(match text.first() {
        _ if window.starts_with(b"PAR1") => Format::Parquet,
        Some(b'{') => json_kind(feed),
        Some(b'[') if opens_list(text) => Format::Json,
        Some(b'<') if looks_like_html(text) => Format::Html,
        _ if window.starts_with(b"WARC/") => Format::Warc,
        _ if is_mailbox => Format::Mbox,
        _ if looks_like_mail(window) => Format::Eml,
        _ => match table_kind(text) {
            Some(format) => format,
            None => Format::Text,
        },
    })
}

/// Why bytes that begin so are not read at all.
pub(super) fn refused(window: &[u8]) -> Option<String> {
    let archive = |what: &str| Some(format!("{what} are not read; unpack it first"));
    match window {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => return archive("zip archives"),
        [b'7', b'z', 0xbc, 0xaf, ..] => return archive("7z archives"),
        [b'R', b'a', b'r', b'!', ..] => return archive("rar archives"),
        [b'%', b'P', b'D', b'F', ..] => {
            return Some("PDF is not read; turn it to text first".to_owned());
        }
        [b'P', b'A', b'R', b'1', ..] => return None,
        _ => {}
    }
    if window.get(257..262) == Some(b"ustar") {
        return archive("tar archives");
    }
    let utf16 = window.starts_with(b"\xff\xfe") || window.starts_with(b"\xfe\xff");
    let head = &window[..window.len().min(8192)];
    // WARC may hold anything in its bodies.
    if !utf16 && !window.starts_with(b"WARC/") && memchr::memchr(0, head).is_some() {
        return Some("not text, and of no format that is known".to_owned());
    }
    None
}

/// JSON lines if the first value ends on its first line and another follows.
pub(super) fn json_kind(feed: &mut Feed) -> Format {
    let mut scan = Scan::default();
    loop {
        let window = feed.window();
        let lead = window.len() - trim_start(window).len();
        if window.get(lead) == Some(&b'[') {
            return Format::Json;
        }
        if let Some(len) = scan.end(&window[lead..]) {
            let value = &window[lead..lead + len];
            if memchr::memchr(b'\n', value).is_some() {
                return Format::Json;
            }
            let end = lead + len;
            // A second value settles it; a lone one is the same either way,
            // but on a stream the next may be on its way.
            while trim_start(&feed.window()[end..]).is_empty() && !feed.is_eager() {
                if is_long(feed) || !feed.fill() {
                    return Format::Json;
                }
            }
            return Format::Jsonl;
        }
        if is_long(feed) || !feed.fill() {
            // No end in sight: lines, if there are any, can be saved singly.
            return match memchr::memchr(b'\n', trim_start(feed.window())) {
                Some(_) => broken_kind(feed.window()),
                None => Format::Json,
            };
        }
    }
}

/// Whether more is in sight than a record may have.
fn is_long(feed: &Feed) -> bool {
    feed.window().len() > feed.longest()
}

/// A first value without an end: lines if most lines look like objects.
fn broken_kind(window: &[u8]) -> Format {
    let lines = window.split(|&byte| byte == b'\n').take(16);
    let (objects, all) = lines.fold((0, 0), |(objects, all), line| {
        let line = line.trim_ascii();
        (
            objects + usize::from(line.starts_with(b"{\"")),
            all + usize::from(!line.is_empty()),
        )
    });
    match objects * 2 > all {
        true => Format::Jsonl,
        false => Format::Json,
    }
}

fn trim_start(window: &[u8]) -> &[u8] {
    window
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(window)
        .trim_ascii_start()
}

fn opens_list(text: &[u8]) -> bool {
    matches!(text[1..].trim_ascii_start().first(), Some(b'{' | b']'))
}

fn looks_like_html(text: &[u8]) -> bool {
    let head = text[..text.len().min(1024)].to_ascii_lowercase();
    let marks: &[&[u8]] = &[
        b"<!doctype html",
        b"<html",
        b"<head",
        b"<body",
        b"<title",
        b"<div",
        b"<p>",
    ];
    let starts = |mark: &&[u8]| head.starts_with(mark);
    let page = marks.iter().any(starts);
    // A declaration or a comment may come first.
    page || ((head.starts_with(b"<?xml") || head.starts_with(b"<!--"))
        && memchr::memmem::find(&head, b"<html").is_some())
}

/// Whether the first line is that of a mailbox. Texts may begin with the same word.
fn is_mailbox(feed: &mut Feed) -> bool {
    let mut is_whole = false;
    while trim_start(feed.window()).starts_with(b"From ") {
        match mbox::starts_message(trim_start(feed.window()), true, is_whole) {
            Some(starts) => return starts,
            None => is_whole = !feed.fill(),
        }
    }
    false
}

fn looks_like_mail(window: &[u8]) -> bool {
    let mut known = 0;
    for line in window.split(|&byte| byte == b'\n').take(20) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            continue;
        }
        let Some(colon) = memchr::memchr(b':', line) else {
            return false;
        };
        let Ok(name) = std::str::from_utf8(&line[..colon]) else {
            return false;
        };
        if name.is_empty() || name.contains(' ') {
            return false;
        }
        known += usize::from(MAIL_HEADERS.contains(&name.to_ascii_lowercase().as_str()));
    }
    known >= 2
}

/// Whether a table's column is likely to have this name.
pub(super) fn is_column(name: &str) -> bool {
    COLUMNS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn table_kind(text: &[u8]) -> Option<Format> {
    let line = text.split(|&byte| byte == b'\n' || byte == b'\r').next()?;
    let line = std::str::from_utf8(line).ok()?.trim_end();
    let is_header = |delimiter: char| {
        let names: Vec<_> = line
            .split(delimiter)
            .map(|name| name.trim_matches('"'))
            .collect();
        names.len() > 1 && names.iter().any(|name| is_column(name))
    };
    if is_header('\t') {
        Some(Format::Tsv)
    } else if is_header(',') || is_header(';') {
        Some(Format::Csv)
    } else {
        None
    }
}
