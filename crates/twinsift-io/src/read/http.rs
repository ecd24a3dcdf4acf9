//! Responses as they went over the wire, in web archives.

use std::borrow::Cow;
use std::io::{self, Read};

use super::lengths::{bomb_size, unpacked_too_long};
use crate::extract::media::TextKind;
use httparse::{EMPTY_HEADER, ParserConfig, Response, Status};

/// More header lines than any server sends.
const MOST_HEADERS: usize = 512;

/// What a response carries.
pub(super) struct Body<'a> {
    /// Its media type, if it says.
    pub media: Option<String>,
    /// The bytes, with transfer and content encodings undone.
    pub bytes: Cow<'a, [u8]>,
}

/// The body of a successful response of text; `None` for any other response.
/// It may have `longest` bytes when it is unpacked. The error is a phrase for people.
pub(super) fn body(bytes: &[u8], longest: usize) -> Result<Option<Body<'_>>, String> {
    let head = Head::parse(bytes)?;
    if !head.is_page_or_text() {
        return Ok(None);
    }
    let mut bytes = Cow::Borrowed(head.body);
    if head.chunked
        && let Some(whole) = unchunk(&bytes)
    {
        bytes = Cow::Owned(whole);
    }
    for encoding in head.encodings.iter().rev() {
        if let Some(plain) = unpack(&bytes, encoding, longest)? {
            bytes = Cow::Owned(plain);
        }
    }
    let media = head.media;
    Ok(Some(Body { media, bytes }))
}

/// Whether a response that begins so could be one of text.
pub(super) fn is_page_or_text(bytes: &[u8]) -> bool {
    Head::parse(bytes).map_or(true, |head| head.is_page_or_text())
}

/// Whether a revisit's response, if it kept its head, could be of text.
pub(super) fn may_be_text(bytes: &[u8]) -> bool {
    match Head::parse(bytes) {
        Ok(Head {
            media: Some(media), ..
        }) => TextKind::of(Some(&media), b"").is_some(),
        _ => true,
    }
}

/// A response's head.
struct Head<'a> {
    status: u16,
    media: Option<String>,
    chunked: bool,
    encodings: Vec<String>,
    body: &'a [u8],
}

impl<'a> Head<'a> {
    /// Whether the response is a successful one of text. Where no media type is given, the
    /// body itself must tell, once unpacked.
    fn is_page_or_text(&self) -> bool {
        let media = self.media.as_deref();
        let may_be_text = media.is_none() || TextKind::of(media, b"").is_some();
        (200..300).contains(&self.status) && may_be_text
    }

    fn parse(bytes: &'a [u8]) -> Result<Self, String> {
        let known = of_known_version(bytes);
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut response = Response::new(&mut headers);
        let mut config = ParserConfig::default();
        config
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .ignore_invalid_headers_in_responses(true);
        let end = match config.parse_response(&mut response, &known) {
            Ok(Status::Complete(end)) => end,
            Ok(Status::Partial) => return Err("the HTTP header has no end".to_owned()),
            Err(error) => return Err(format!("the HTTP header is broken ({error})")),
        };
        let get = |name: &str| {
            let header = response
                .headers
                .iter()
                .find(|h| h.name.eq_ignore_ascii_case(name))?;
            Some(String::from_utf8_lossy(header.value).into_owned())
        };
        let encodings = get("content-encoding")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let transfer = get("transfer-encoding")
            .unwrap_or_default()
            .to_ascii_lowercase();
        Ok(Self {
            status: response.code.unwrap_or(0),
            media: get("content-type").filter(|media| !media.trim().is_empty()),
            chunked: transfer.contains("chunked"),
            encodings: encodings
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect(),
            body: &bytes[bytes.len() - (known.len() - end)..],
        })
    }
}

/// A response as one of HTTP/1.1, which the parser asks for. Archives keep responses of later
/// versions in the same form.
fn of_known_version(bytes: &[u8]) -> Cow<'_, [u8]> {
    let rest = bytes.strip_prefix(b"HTTP/").unwrap_or_default();
    let is_version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let length = rest.iter().take_while(|byte| is_version(byte)).count();
    match &rest[..length] {
        b"" | b"1.0" | b"1.1" => Cow::Borrowed(bytes),
        _ => Cow::Owned([b"HTTP/1.1", &rest[length..]].concat()),
    }
}

/// A chunked body made whole; `None` if it is not chunked after all, as some
/// archives undo the chunks and leave the header. A body cut short gives what
/// there is.
fn unchunk(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let line_end = memchr::memchr(b'\n', rest);
        let line = line_end.map(|at| rest[..at].trim_ascii());
        let size = line.and_then(|line| {
            let digits = line.split(|&byte| byte == b';').next().unwrap_or(line);
            let digits = std::str::from_utf8(digits.trim_ascii()).ok()?;
            usize::from_str_radix(digits, 16).ok()
        });
        let (Some(line_end), Some(size)) = (line_end, size) else {
            return (!whole.is_empty()).then_some(whole);
        };
        rest = &rest[line_end + 1..];
        if size == 0 {
            return Some(whole);
        }
        let size = size.min(rest.len());
        whole.extend_from_slice(&rest[..size]);
        rest = &rest[size..];
        rest = rest
            .strip_prefix(b"\r\n")
            .or(rest.strip_prefix(b"\n"))
            .unwrap_or(rest);
    }
}

/// A body with one content encoding undone; `None` if it does not have it,
/// as some archives undo it and leave the header.
fn unpack(bytes: &[u8], encoding: &str, longest: usize) -> Result<Option<Vec<u8>>, String> {
    match encoding {
        "gzip" | "x-gzip" if bytes.starts_with(&[0x1f, 0x8b]) => {
            drain(flate2::read::MultiGzDecoder::new(bytes), bytes, longest)
        }
        "deflate" => match drain(flate2::read::ZlibDecoder::new(bytes), bytes, longest)? {
            None => drain(flate2::read::DeflateDecoder::new(bytes), bytes, longest),
            plain => Ok(plain),
        },
        "br" => drain(
            brotli_decompressor::Decompressor::new(bytes, 4096),
            bytes,
            longest,
        ),
        "zstd" if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => {
            match zstd::stream::read::Decoder::new(bytes) {
                Ok(decoder) => drain(decoder, bytes, longest),
                Err(_) => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// All that can be unpacked of `packed`, `None` if that is nothing. More than `longest`
/// bytes are an error, for only a part of the page would be compared.
fn drain(mut reader: impl Read, packed: &[u8], longest: usize) -> Result<Option<Vec<u8>>, String> {
    let mut out = Vec::new();
    // A damaged end does not spoil what came before it.
    let _ = (reader.by_ref())
        .take(longest as u64 + 1)
        .read_to_end(&mut out);
    match out.len() {
        0 => Ok(None),
        length if length <= longest => Ok(Some(out)),
        length => {
            drop(out);
            // Enough to tell whether it is a bomb.
            let mut rest = reader.take(bomb_size(packed.len() as u64));
            let more = io::copy(&mut rest, &mut io::sink()).unwrap_or(0);
            let length = length as u64 + more;
            Err(unpacked_too_long(packed.len(), length, longest))
        }
    }
}
