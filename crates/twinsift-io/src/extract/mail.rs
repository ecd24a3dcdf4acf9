//! The subject and the body of a mail.
//!
//! Mail as it is received is often not as it should be: cut off, with parts that are
//! not ended, of types that do not exist, with a footer behind an encoded body. What a person
//! could still read counts; only what is meant for programs does not.

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{
    Encoding, HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType,
};
use memchr::memmem;

use super::{ExtractedText, charset, encoded_words, html};

/// A mail.
#[derive(Debug)]
pub(crate) struct Mail {
    /// What it says.
    pub page: ExtractedText,
    /// Its Message-ID, without brackets.
    pub id: Option<String>,
}

/// The mail in `raw`; a mailbox's `From ` line before it is passed over. The
/// title is the subject, the text is the subject and the body: its plain
/// parts, or its HTML where those say nothing. `None` if it is no mail at all.
pub(crate) fn extract(raw: &[u8]) -> Option<Mail> {
    let raw = without_from_line(raw);
    let mut raw = Cow::Borrowed(raw);
    match header_end(&raw) {
        None => return None,
        // The parser does not see a last line that has no newline.
        Some(end) if end == raw.len() => raw.to_mut().push(b'\n'),
        Some(_) => {}
    }
    if let Some(whole) = with_ends(&raw) {
        raw = Cow::Owned(whole);
    }
    let message = MessageParser::default().parse(raw.as_ref())?;
    let mail = Mail {
        page: text_of(&message),
        id: message_id(&message),
    };
    dismantle(message);
    Some(mail)
}

/// The Message-ID, if it is one. Behind its `@` there is no colon, so that no sender can take
/// the name of a place such as `box.mbox:7`.
fn message_id(message: &Message<'_>) -> Option<String> {
    let id = message.message_id()?.trim();
    let (_, host) = id.rsplit_once('@')?;
    let is_one = !host.contains(':') && !id.contains(|c: char| c.is_whitespace() || c.is_control());
    is_one.then(|| id.to_owned())
}

/// Where the header ends: at the first blank line. `None` if no line of it
/// could be one of a header.
fn header_end(raw: &[u8]) -> Option<usize> {
    let mut end = 0;
    let mut colon = false;
    for line in raw.split_inclusive(|&byte| byte == b'\n') {
        if line.trim_ascii_end().is_empty() {
            break;
        }
        colon |= memchr::memchr(b':', line).is_some();
        end += line.len();
    }
    colon.then_some(end)
}

/// Boundaries of a mail that are looked at; for each the mail is gone through, and for those
/// that lack an end once more, in pieces.
const MOST_BOUNDARIES: usize = 32;

/// The mail with an end to each of its multiparts that has none: without it the
/// parser does not count the last part, or takes for its text what belongs to the next.
/// `None` if nothing is missing.
fn with_ends(raw: &[u8]) -> Option<Vec<u8>> {
    let marks = marks(raw);
    let mut ends = Vec::new();
    // The innermost first, as they stand in the mail.
    for (declared, (at, mark)) in marks.iter().enumerate() {
        let mut lines = mark_lines(raw, mark).peekable();
        if lines.peek().is_none() || lines.any(|line| raw[line + mark.len()..].starts_with(b"--")) {
            continue;
        }
        // A part is over where one around it goes on or ends.
        // How many blank lines follow a mail depends on what it lies in.
        let mut end = raw.trim_ascii_end().len();
        for (_, outer) in &marks[declared + 1..] {
            if let Some(line) = mark_lines(&raw[*at..end], outer).next() {
                end = at + line;
            }
        }
        ends.push((end, mark));
    }
    // Stable: of those at one place, the innermost stays the first.
    ends.sort_by_key(|&(end, _)| end);
    let last = ends.last()?.0;
    let mut whole = Vec::with_capacity(raw.len() + 64);
    let mut from = 0;
    for (end, mark) in ends {
        whole.extend_from_slice(&raw[from..end]);
        whole.extend_from_slice(mark);
        whole.extend_from_slice(b"--");
        from = end;
    }
    match raw[last..].trim_ascii().is_empty() {
        true => whole.push(b'\n'),
        false => whole.extend_from_slice(&raw[last..]),
    }
    Some(whole)
}

/// The marks that set parts apart, each with the newline before it and the place where it
/// is declared, the last first.
fn marks(raw: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut marks = Vec::new();
    let mut last = raw.len();
    while marks.len() < MOST_BOUNDARIES
        && let Some(at) = rfind_ignoring_case(&raw[..last], b"boundary=")
    {
        last = at;
        let value = &raw[at + b"boundary=".len()..];
        let (value, stops): (_, &[u8]) = match value {
            [b'"', quoted @ ..] => (quoted, b"\"\r\n"),
            _ => (value, b" \t;\r\n"),
        };
        let length = value.iter().position(|byte| stops.contains(byte));
        let mark = [b"\n--", &value[..length.unwrap_or(value.len())]].concat();
        marks.push((at, mark));
    }
    marks
}

/// The places of the lines that are a mark, or the mark of an end.
fn mark_lines<'a>(raw: &'a [u8], mark: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let is_whole = |rest: &[u8]| {
        let rest = rest.strip_prefix(b"--").unwrap_or(rest);
        rest.first().is_none_or(u8::is_ascii_whitespace)
    };
    memmem::find_iter(raw, mark)
        .filter(move |at| mark.len() > b"\n--".len() && is_whole(&raw[at + mark.len()..]))
}

/// Where the last `wanted`, which is in lower case, begins in `text`.
fn rfind_ignoring_case(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let [lower, upper] = [wanted[0], wanted[0].to_ascii_uppercase()];
    memchr::memrchr2_iter(lower, upper, text).find(|&at| {
        let found = text.get(at..at + wanted.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(wanted))
    })
}

/// Drops a message without recursion: mails within mails within mails would
/// overflow the stack.
fn dismantle(message: Message<'_>) {
    let mut open = vec![message];
    while let Some(message) = open.pop() {
        for part in message.parts {
            if let PartType::Message(inner) = part.body {
                open.push(inner);
            }
        }
    }
}

/// The subject and the text of a message.
fn text_of(message: &Message<'_>) -> ExtractedText {
    let subject = subject(message);
    let mut text = body(message, message.text_bodies());
    if text.trim().is_empty() {
        text = body(message, message.html_bodies());
    }
    if text.trim().is_empty() {
        text = body(
            message,
            message.parts.iter().filter(|part| is_for_people(part)),
        );
    }
    if subject.is_empty() {
        return ExtractedText { title: None, text };
    }
    ExtractedText {
        text: format!("{subject}\n\n{text}"),
        title: Some(subject),
    }
}

fn without_from_line(raw: &[u8]) -> &[u8] {
    if !raw.starts_with(b"From ") {
        return raw;
    }
    match memchr::memchr(b'\n', raw) {
        Some(at) => &raw[at + 1..],
        None => &[],
    }
}

/// Whether a part that the parser knows no use for can be read by a person.
fn is_for_people(part: &MessagePart<'_>) -> bool {
    const FOR_PROGRAMS: [&str; 7] = [
        "application",
        "audio",
        "font",
        "image",
        "message",
        "model",
        "video",
    ];
    let is_attached = part
        .content_disposition()
        .is_some_and(|disposition| disposition.is_attachment());
    let is_for_programs = part.content_type().is_some_and(|found| {
        let is = |kind: &&str| found.ctype().eq_ignore_ascii_case(kind);
        FOR_PROGRAMS.iter().any(is)
    });
    !is_attached && !is_for_programs
}

fn body<'a>(message: &Message<'_>, parts: impl Iterator<Item = &'a MessagePart<'a>>) -> String {
    let mut text = String::new();
    for part in parts {
        let said = match (half_encoded(message, part), &part.body) {
            (Some(bytes), _) => read(part, &bytes),
            (_, PartType::Binary(bytes)) => read(part, bytes),
            (_, PartType::Text(marked)) if is_markup(part) => html::extract(marked).text,
            (_, PartType::Text(plain)) => match undeclared(message, part, plain) {
                Some(bytes) => charset::decode(&bytes, None).into_owned(),
                None => plain.to_string(),
            },
            (_, PartType::Html(page)) => match undeclared(message, part, page) {
                Some(bytes) => html::extract(&charset::decode_page(&bytes, None)).text,
                None => html::extract(page).text,
            },
            _ => continue,
        };
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&said);
    }
    text
}

/// What bytes say that are as a part declares.
fn read(part: &MessagePart<'_>, bytes: &[u8]) -> String {
    match is_markup(part) {
        true => html::extract(&charset::decode_page(bytes, declared(part))).text,
        false => charset::decode(bytes, declared(part)).into_owned(),
    }
}

fn is_markup(part: &MessagePart<'_>) -> bool {
    let subtype = part.content_type().and_then(|found| found.subtype());
    subtype.is_some_and(|subtype| {
        let is = |kind: &&str| subtype.eq_ignore_ascii_case(kind);
        ["html", "enriched", "richtext"].iter().any(is)
    })
}

/// The body of a part that is in base64 up to some line only: what is encoded, decoded,
/// and then the rest.
fn half_encoded(message: &Message<'_>, part: &MessagePart<'_>) -> Option<Vec<u8>> {
    let encoding = part.content_transfer_encoding()?;
    if !part.is_encoding_problem || !encoding.trim().eq_ignore_ascii_case("base64") {
        return None;
    }
    let bytes = as_sent(message, part)?;
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let (mut encoded, mut length) = (Vec::new(), 0);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let code = line.trim_ascii();
        if code.is_empty() || !code.iter().all(is_base64) {
            break;
        }
        encoded.extend_from_slice(code);
        length += line.len();
    }
    encoded.truncate(encoded.len() / 4 * 4);
    let mut decoded = base64_decode(&encoded).filter(|decoded| !decoded.is_empty())?;
    decoded.push(b'\n');
    decoded.extend_from_slice(&bytes[length..]);
    Some(decoded)
}

/// The body of a part as it was sent.
fn as_sent<'m>(message: &'m Message<'_>, part: &MessagePart<'_>) -> Option<&'m [u8]> {
    let span = part.offset_body as usize..part.offset_end as usize;
    message.raw_message.get(span)
}

/// The charset that a part declares. Plain ASCII does not count: it is
/// often declared without thought.
fn declared<'p>(part: &'p MessagePart<'_>) -> Option<&'p str> {
    charset_of(part).filter(|charset| !is_ascii(charset))
}

fn charset_of<'p>(part: &'p MessagePart<'_>) -> Option<&'p str> {
    part.content_type()?.attribute("charset")
}

fn is_ascii(charset: &str) -> bool {
    let is = |name: &&str| charset.trim().eq_ignore_ascii_case(name);
    ["us-ascii", "ascii", "us_ascii", "ansi_x3.4-1968"]
        .iter()
        .any(is)
}

/// The bytes of a part that does not say in which charset it is, if the parser was wrong
/// about that: it takes what is called ASCII for windows-1252, and all else for UTF-8.
fn undeclared<'m>(
    message: &'m Message<'_>,
    part: &MessagePart<'_>,
    text: &str,
) -> Option<Cow<'m, [u8]>> {
    let is_wrong = match charset_of(part) {
        Some(charset) if is_ascii(charset) => !text.is_ascii(),
        Some(_) => false,
        None => text.contains('\u{fffd}'),
    };
    if !is_wrong {
        return None;
    }
    let bytes = as_sent(message, part)?;
    Some(match part.encoding {
        Encoding::None => Cow::Borrowed(bytes),
        Encoding::Base64 => Cow::Owned(base64_decode(bytes)?),
        Encoding::QuotedPrintable => Cow::Owned(quoted_printable_decode(bytes)?),
    })
}

/// The subject. One that was sent as bare bytes is in the charset of the mail,
/// if it declares one.
fn subject(message: &Message<'_>) -> String {
    let parsed = message.subject().map(str::trim).unwrap_or_default();
    let raw = message
        .headers()
        .iter()
        .rfind(|header| header.name == HeaderName::Subject)
        .and_then(|header| {
            let span = header.offset_start as usize..header.offset_end as usize;
            message.raw_message.get(span)
        });
    match raw {
        Some(raw) if parsed.contains('\u{fffd}') => {
            let decoded = match memmem::find(raw, b"=?") {
                Some(_) => encoded_words::decode(raw).into(),
                None => charset::decode(raw, message.parts.iter().find_map(declared)),
            };
            decoded.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        _ => parsed.to_owned(),
    }
}
