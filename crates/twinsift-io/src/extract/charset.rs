//! From bytes to text, whatever the charset.
//!
//! In this order: a byte-order mark; what the sender declared; what the page
//! declares in a `<meta>` or an XML declaration; UTF-16 if every other byte is zero; UTF-8
//! if the bytes are valid, or all but; a guess from the bytes themselves. It never fails: what cannot
//! be decoded becomes U+FFFD.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// A page declares its charset within so many bytes. (The standard says 1024;
/// real pages are not so strict.)
const PRESCAN_BYTES: usize = 8192;

/// A guess looks at so many bytes.
const GUESS_BYTES: usize = 64 * 1024;

/// So many bytes tell UTF-16.
const UTF16_BYTES: usize = 4096;

/// UTF-8 has so many whole characters beyond ASCII for each broken one. In any
/// other charset hardly any of these happen to be whole, or most are broken.
const WHOLE_PER_BROKEN: usize = 4;

/// The text of a plain document.
pub(crate) fn decode<'a>(bytes: &'a [u8], declared: Option<&str>) -> Cow<'a, str> {
    decode_with(bytes, declared.and_then(label))
}

/// The text of a page.
pub(crate) fn decode_page<'a>(bytes: &'a [u8], declared: Option<&str>) -> Cow<'a, str> {
    let encoding = declared.and_then(label).or_else(|| prescan(bytes));
    decode_with(bytes, encoding)
}

fn label(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label(name.trim().as_bytes())
}

fn decode_with<'a>(bytes: &'a [u8], declared: Option<&'static Encoding>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    if let Some(encoding) = declared {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    if let Some(encoding) = unmarked_utf16(bytes) {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if is_damaged_utf8(bytes) => String::from_utf8_lossy(bytes),
        Err(_) => guess(bytes).decode_without_bom_handling(bytes).0,
    }
}

/// Whether bytes are UTF-8 but for a few that are damaged. A character
/// that is cut off at the very end is no sign against it.
pub(crate) fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut whole, mut broken) = (0, 0);
    let mut last: &[u8] = &[];
    for chunk in bytes.utf8_chunks() {
        let leads = chunk.valid().bytes().filter(|&byte| byte >= 0xc0);
        whole += leads.count();
        last = chunk.invalid();
        broken += usize::from(!last.is_empty());
    }
    let is_cut = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    broken -= usize::from(is_cut);
    whole > 0 && whole >= WHOLE_PER_BROKEN * broken
}

/// UTF-16 without a byte-order mark, if the bytes begin with text in it. Of what people
/// write at the head of a file, one byte in two is zero.
pub(crate) fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(UTF16_BYTES)];
    memchr::memchr(0, head)?;
    let (pairs, _) = head.as_chunks::<2>();
    let zeros = |at: usize| pairs.iter().filter(|pair| pair[at] == 0).count();
    let is_text = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    // A character whose number ends in zeros is rare, but not unheard of.
    let fits = |text: usize, zero: usize| {
        let begins = pairs.iter().take(2);
        let begins = begins.filter(|pair| is_text(pair[text]) && pair[zero] == 0);
        let count = zeros(zero);
        begins.count() == 2 && count * 8 >= pairs.len() && count >= zeros(text) * 4
    };
    match (fits(0, 1), fits(1, 0)) {
        (true, _) => Some(UTF_16LE),
        (_, true) => Some(UTF_16BE),
        _ => None,
    }
}

/// The most likely charset of lines of a table that are not UTF-8.
pub(crate) fn guess_table(lines: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(lines, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// The most likely charset of bytes that are not UTF-8.
fn guess(bytes: &[u8]) -> &'static Encoding {
    // Pages may begin with much that is plain ASCII and tells nothing.
    let start = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let start = start.saturating_sub(GUESS_BYTES / 2);
    let end = bytes.len().min(start + GUESS_BYTES);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[start..end], true);
    detector.guess(None, Utf8Detection::Deny)
}

/// The charset that a page declares for itself.
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(PRESCAN_BYTES)].to_ascii_lowercase();
    let found = xml_declaration(&head).or_else(|| meta(&head))?;
    // A page that can say so in ASCII is not UTF-16, whatever it says.
    let is_utf16 = found == UTF_16LE || found == UTF_16BE;
    Some(if is_utf16 { UTF_8 } else { found })
}

fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let head = head.trim_ascii_start();
    if !head.starts_with(b"<?xml") {
        return None;
    }
    let end = memchr::memchr(b'>', head)?;
    value_after(&head[..end], b"encoding")
}

fn meta(head: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while let Some(offset) = memchr::memchr(b'<', &head[at..]) {
        at += offset;
        let rest = &head[at..];
        if rest.starts_with(b"<!--") {
            at += memchr::memmem::find(rest, b"-->")? + 3;
            continue;
        }
        let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        if rest.starts_with(b"<meta")
            && let Some(found) = value_after(&rest[..end], b"charset")
        {
            return Some(found);
        }
        at += 1;
    }
    None
}

/// The charset named by `name = "…"`, with or without quotes.
fn value_after(tag: &[u8], name: &[u8]) -> Option<&'static Encoding> {
    for start in memchr::memmem::find_iter(tag, name) {
        let rest = tag[start + name.len()..].trim_ascii_start();
        let Some(rest) = rest.strip_prefix(b"=") else {
            continue;
        };
        let rest = rest.trim_ascii_start();
        let quotes = |byte: &u8| matches!(byte, b'"' | b'\'');
        let rest = match rest.first() {
            Some(first) if quotes(first) => &rest[1..],
            _ => rest,
        };
        let end = rest
            .iter()
            .position(|byte| quotes(byte) || matches!(byte, b';' | b'/' | b'>' | b' ' | b'\n'))
            .unwrap_or(rest.len());
        if let Some(found) = Encoding::for_label(&rest[..end]) {
            return Some(found);
        }
    }
    None
}

/// The charset parameter of a `Content-Type` value.
pub(crate) fn of_content_type(value: &str) -> Option<&str> {
    value.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches(['"', '\'']))
    })
}
