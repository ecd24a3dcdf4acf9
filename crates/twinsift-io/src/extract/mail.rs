//! The subject and the body of a mail.

use std::borrow::Cow;

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};

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
    let subject = message.subject().map(str::trim).unwrap_or_default();
    let mut text = body(message, message.text_bodies());
    if text.trim().is_empty() {
        text = body(message, message.html_bodies());
    }
    let text = match subject {
        "" => text,
        _ => format!("{subject}\n\n{text}"),
    };
    Page {
        title: (!subject.is_empty()).then(|| subject.to_owned()),
        text,
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
            PartType::Text(plain) => match undeclared(message, part) {
                Some(bytes) => charset::decode(bytes, None).into_owned(),
                None => plain.to_string(),
            },
            PartType::Html(page) => match undeclared(message, part) {
                Some(bytes) => html::extract(&charset::decode_page(bytes, None)).text,
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

/// The raw bytes of an unencoded part that has bytes beyond ASCII and does not
/// say in which charset; the parser would take them for UTF-8.
fn undeclared<'m>(message: &'m Message<'_>, part: &MessagePart<'_>) -> Option<&'m [u8]> {
    let declared = part
        .content_type()
        .and_then(|value| value.attribute("charset"))
        .is_some();
    let is_raw = part.encoding == mail_parser::Encoding::None;
    if declared || !is_raw {
        return None;
    }
    let bytes = message
        .raw_message
        .get(part.offset_body as usize..part.offset_end as usize)?;
    (!bytes.is_ascii()).then_some(bytes)
}
