//! The subject and the body of a mail.

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{
    Encoding, HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType,
};
use memchr::memmem;

use super::{Page, charset, html};

/// The mail in `raw`; a mailbox's `From ` line before it is passed over. The
/// title is the subject, the text is the subject and the body: its plain
/// parts, or its HTML where those say nothing. `None` if it is no mail at all.
pub fn extract(raw: &[u8]) -> Option<Page> {
    let raw = without_from_line(raw);
    let mut raw = Cow::Borrowed(raw);
    match header_end(&raw) {
        None => return None,
        // The parser does not see a last line that has no newline.
        Some(end) if end == raw.len() => raw.to_mut().push(b'\n'),
        Some(_) => {}
    }
    let message = MessageParser::default().parse(raw.as_ref())?;
    let page = said(&message);
    dismantle(message);
    Some(page)
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

fn said(message: &Message<'_>) -> Page {
    let subject = subject(message);
    let mut text = body(message, message.text_bodies());
    if text.trim().is_empty() {
        text = body(message, message.html_bodies());
    }
    if subject.is_empty() {
        return Page { title: None, text };
    }
    Page {
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

fn body<'a>(message: &Message<'_>, parts: impl Iterator<Item = &'a MessagePart<'a>>) -> String {
    let mut text = String::new();
    for part in parts {
        let said = match &part.body {
            PartType::Text(plain) => match undeclared(message, part, plain) {
                Some(bytes) => charset::decode(&bytes, None).into_owned(),
                None => plain.to_string(),
            },
            PartType::Html(page) => match undeclared(message, part, page) {
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

/// The charset that a part declares. Plain ASCII is what those declare who
/// never thought of it.
fn declared<'p>(part: &'p MessagePart<'_>) -> Option<&'p str> {
    let value = part.content_type()?.attribute("charset")?;
    (!value.eq_ignore_ascii_case("us-ascii")).then_some(value)
}

/// The bytes of a part that does not say in which charset it is, and that the
/// parser took for UTF-8 in vain.
fn undeclared<'m>(
    message: &'m Message<'_>,
    part: &MessagePart<'_>,
    text: &str,
) -> Option<Cow<'m, [u8]>> {
    if declared(part).is_some() || !text.contains('\u{fffd}') {
        return None;
    }
    let bytes = message
        .raw_message
        .get(part.offset_body as usize..part.offset_end as usize)?;
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
        Some(raw) if parsed.contains('\u{fffd}') && memmem::find(raw, b"=?").is_none() => {
            let declared = message.parts.iter().find_map(declared);
            let decoded = charset::decode(raw, declared);
            decoded.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        _ => parsed.to_owned(),
    }
}
