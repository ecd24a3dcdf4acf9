//! Web archives.
//!
//! Our own small parser, because what is needed is not what the crates give:
//! the raw span of every record, so that survivors can be copied byte for
//! byte; a way on after a broken record; and no copy of bodies that are no
//! documents. The format is a header of lines, a length, and so many bytes.

use std::borrow::Cow;

use memchr::memmem;
use twinsift::{ContentKey, Document, Id, Place};

use super::feed::Feed;
use super::fields::Fields;
use super::http;
use super::split::{NextRecord, Split, in_sight};
use crate::extract::media::TextKind;
use crate::extract::{self, charset};

/// A header is not longer than this.
const LONGEST_HEADER: usize = 1 << 20;

/// So much of a long record's body tells whether it could have been a document.
const HEAD_OF_BODY: usize = 64 * 1024;

/// Finds records.
#[derive(Default)]
pub(super) struct Records {
    /// Bytes to come of a record that is too long, and whether what follows has been
    /// looked at.
    left: u64,
    is_passed: bool,
}

impl Split for Records {
    fn next(&mut self, feed: &mut Feed) -> NextRecord {
        loop {
            let window = feed.window();
            let blank = window
                .iter()
                .take_while(|b| matches!(b, b'\r' | b'\n'))
                .count();
            feed.consume(blank);
            if feed.window().is_empty() && !feed.fill() {
                return NextRecord::End;
            }
            if !matches!(feed.window().first(), Some(b'\r' | b'\n')) {
                break;
            }
        }
        let header_len = loop {
            let window = feed.window();
            if window.len() >= 5 && !window.starts_with(b"WARC/") {
                return resume(feed, "not a WARC record");
            }
            if let Some(len) = header_len(window) {
                break len;
            }
            if window.len() > LONGEST_HEADER {
                return resume(feed, "the record's header has no end");
            }
            if !feed.fill() {
                return cut_short(feed);
            }
        };
        let header = Header::parse(&feed.window()[..header_len]);
        let length = header
            .get("content-length")
            .and_then(|v| v.parse::<u64>().ok());
        let Some(length) = length else {
            return resume(feed, "the record's length is missing or no number");
        };
        if length > feed.longest() as u64 {
            self.left = length.saturating_add(header_len as u64);
            self.is_passed = false;
            let head = feed.want(header_len + HEAD_OF_BODY);
            let is_document = may_be_document(&head[..head.len().min(header_len + HEAD_OF_BODY)]);
            return NextRecord::TooLong { is_document };
        }
        let len = header_len + length as usize;
        if feed.want(len + 4).len() < len {
            return cut_short(feed);
        }
        let len = len + blank(&feed.window()[len..]);
        NextRecord::Record { lead: 0, len }
    }

    fn more(&mut self, feed: &mut Feed) -> Option<usize> {
        if self.left > 0 {
            let count = in_sight(feed)?.min(usize::try_from(self.left).unwrap_or(usize::MAX));
            self.left -= count as u64;
            return Some(count);
        }
        if std::mem::replace(&mut self.is_passed, true) {
            return None;
        }
        match blank(feed.want(4)) {
            0 => None,
            count => Some(count),
        }
    }

    fn resume(&mut self) -> bool {
        true
    }
}

/// How many bytes of the blank lines that end a record are in sight.
fn blank(tail: &[u8]) -> usize {
    let is_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    tail.iter().take(4).take_while(is_end).count()
}

fn cut_short(feed: &mut Feed) -> NextRecord {
    if feed.problem().is_some() {
        return NextRecord::End;
    }
    NextRecord::Broken {
        len: feed.window().len(),
        reason: "the file ends in the middle of a record".to_owned(),
    }
}

/// Passes over what is no record, up to the next line that begins one.
fn resume(feed: &mut Feed, reason: &str) -> NextRecord {
    let reason = reason.to_owned();
    let mut passed = 1;
    loop {
        let window = feed.window();
        if let Some(at) = memmem::find(&window[passed - 1..], b"\nWARC/") {
            let len = passed + at;
            return NextRecord::Broken { len, reason };
        }
        // The mark may straddle what is in sight and what is not.
        passed = window.len().saturating_sub(6).max(1);
        if window.len() > feed.longest() {
            let len = passed;
            return NextRecord::Broken { len, reason };
        }
        if !feed.fill() {
            let len = feed.window().len();
            return NextRecord::Broken { len, reason };
        }
    }
}

fn header_len(window: &[u8]) -> Option<usize> {
    let strict = memmem::find(window, b"\r\n\r\n").map(|at| at + 4);
    let lax = memmem::find(&window[..strict.unwrap_or(window.len())], b"\n\n").map(|at| at + 2);
    lax.or(strict)
}

/// The named fields at a record's head.
struct Header<'a> {
    fields: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> Header<'a> {
    fn parse(bytes: &'a [u8]) -> Self {
        let fields = bytes
            .split(|&byte| byte == b'\n')
            .skip(1)
            .filter_map(|line| {
                let colon = memchr::memchr(b':', line)?;
                let name = String::from_utf8_lossy(line[..colon].trim_ascii());
                Some((
                    name,
                    String::from_utf8_lossy(line[colon + 1..].trim_ascii()),
                ))
            })
            .collect();
        Self { fields }
    }

    fn get(&self, name: &str) -> Option<&str> {
        let field = self
            .fields
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name));
        field.map(|(_, value)| value.as_ref())
    }
}

/// The document in a record, if it is one. The error is a phrase for people.
pub(super) fn document(
    record: &[u8],
    place: Place,
    fields: &Fields,
    longest: usize,
) -> Result<Option<Document<'static>>, String> {
    let Some(header_len) = header_len(record) else {
        return Ok(None);
    };
    let header = Header::parse(&record[..header_len]);
    let length = header
        .get("content-length")
        .and_then(|v| v.parse::<usize>().ok());
    let body = &record[header_len..];
    let body = &body[..length.unwrap_or(body.len()).min(body.len())];
    let kind = header
        .get("warc-type")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let media = header.get("content-type").unwrap_or_default();
    let said = match kind.as_str() {
        "response" if is_http(media) => match http::body(body, longest)? {
            Some(body) => text_of(&body.bytes, body.media.as_deref(), fields),
            None => None,
        },
        "response" | "resource" | "conversion" => text_of(body, Some(media), fields),
        "revisit" if http::may_be_text(body) => Some(extract::ExtractedText::default()),
        _ => None,
    };
    Ok(said.map(|page| make(page, &header, kind == "revisit", place)))
}

/// Whether the record that begins so could be a document.
fn may_be_document(head: &[u8]) -> bool {
    let Some(header_len) = header_len(head) else {
        return true;
    };
    let (header, body) = head.split_at(header_len);
    let header = Header::parse(header);
    let media = header.get("content-type").unwrap_or_default();
    match header.get("warc-type").unwrap_or_default() {
        kind if kind.eq_ignore_ascii_case("response") && is_http(media) => {
            http::is_page_or_text(body)
        }
        kind if ["response", "resource", "conversion"]
            .iter()
            .any(|known| kind.eq_ignore_ascii_case(known)) =>
        {
            TextKind::of(Some(media), body).is_some()
        }
        _ => false,
    }
}

fn is_http(media: &str) -> bool {
    let media = media.trim_start().to_ascii_lowercase();
    media.starts_with("application/http")
}

fn make(
    page: extract::ExtractedText,
    header: &Header<'_>,
    is_revisit: bool,
    place: Place,
) -> Document<'static> {
    let url = header
        .get("warc-target-uri")
        .map(|uri| uri.trim_start_matches('<').trim_end_matches('>').to_owned());
    let date = header.get("warc-date").unwrap_or_default();
    let id = url
        .clone()
        .or_else(|| header.get("warc-record-id").map(str::to_owned))
        .unwrap_or_else(|| format!("record {}", place.record));
    Document {
        // The number keeps apart what was fetched twice within a second.
        second_id: Some(Cow::Owned(format!("{id}@{date}:{}", place.record))),
        id: Id::text(id),
        text: Cow::Owned(page.text),
        title: page.title.map(Cow::Owned),
        url: url.map(Cow::Owned),
        rendered: None,
        place,
        rank: None,
        content_keys: match is_revisit {
            true => keys(header, REPEATED).map(ContentKey::Repeats).collect(),
            false => keys(header, OWN).map(ContentKey::Holds).collect(),
        },
        extra: Vec::new(),
        signature: None,
    }
}

/// The fields that tell which record this is: its id, its address and its date.
const OWN: [&str; 3] = ["warc-record-id", "warc-target-uri", "warc-date"];

/// Those that tell which record a revisit repeats.
const REPEATED: [&str; 3] = [
    "warc-refers-to",
    "warc-refers-to-target-uri",
    "warc-refers-to-date",
];

/// Stable numbers for the content, as far as the header has them: of its digest, of the
/// record's id, and of the address and the date at which it was fetched.
fn keys(header: &Header<'_>, [id, uri, date]: [&str; 3]) -> impl Iterator<Item = u64> {
    let bare = |name| {
        let value = header.get(name)?;
        Some(value.trim_start_matches('<').trim_end_matches('>'))
    };
    let digest = header.get("warc-payload-digest").map(|digest| {
        let (method, value) = digest.split_once(':').unwrap_or_default();
        match method {
            "" => format!("digest {digest}"),
            _ => format!("digest {}:{value}", method.to_ascii_lowercase()),
        }
    });
    let id = bare(id).map(|id| format!("id {id}"));
    let fetched = bare(uri)
        .zip(header.get(date))
        .map(|(uri, date)| format!("fetched {uri} {date}"));
    [digest, id, fetched]
        .into_iter()
        .flatten()
        .map(|key| rapidhash::v3::rapidhash_v3(key.as_bytes()))
}

/// The title and text of a body of the given media type, if it is text.
fn text_of(bytes: &[u8], media: Option<&str>, fields: &Fields) -> Option<extract::ExtractedText> {
    let declared = media.and_then(charset::of_content_type);
    match TextKind::of(media, bytes)? {
        TextKind::Page => {
            let html = charset::decode_page(bytes, declared);
            Some(fields.page(&html))
        }
        TextKind::Plain => Some(extract::ExtractedText {
            title: None,
            text: fields.plain(charset::decode(bytes, declared)).into_owned(),
        }),
    }
}
