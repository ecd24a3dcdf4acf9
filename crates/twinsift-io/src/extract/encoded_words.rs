//! Encoded words of a header, put together.
//!
//! Senders cut characters in two and put the halves into two words. The parser
//! decodes each word by itself, which loses such a character; so the bytes of
//! neighbours in one charset are joined first.

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use memchr::{memchr, memmem};

use super::charset;

/// A word is not longer than this. (The standard says 75 bytes; senders are not so strict.) So
/// words that nothing ends do not make a header be gone through for each of them.
const LONGEST: usize = 4096;

/// What a header's value says; what is in no encoded word stands as it is.
pub(super) fn decode(value: &[u8]) -> String {
    // Each with its charset, if it is made of words.
    let mut pieces: Vec<(Option<&str>, Vec<u8>)> = Vec::new();
    let mut from = 0;
    for at in memmem::find_iter(value, b"=?") {
        if at < from {
            continue;
        }
        let Some(word) = Word::parse(&value[at..]) else {
            continue;
        };
        // White space between two words does not count.
        let between = &value[from..at];
        if pieces.is_empty() || !between.trim_ascii().is_empty() {
            pieces.push((None, between.to_vec()));
        }
        match pieces.last_mut() {
            Some((Some(charset), bytes)) if charset.eq_ignore_ascii_case(word.charset) => {
                bytes.extend(word.bytes);
            }
            _ => pieces.push((Some(word.charset), word.bytes)),
        }
        from = at + word.length;
    }
    pieces.push((None, value[from..].to_vec()));
    let text = pieces
        .iter()
        .map(|(charset, bytes)| charset::decode(bytes, *charset));
    text.collect()
}

/// An encoded word: `=?charset?B?code?=`.
struct Word<'a> {
    charset: &'a str,
    bytes: Vec<u8>,
    length: usize,
}

impl<'a> Word<'a> {
    /// The word that `text` begins with.
    fn parse(text: &'a [u8]) -> Option<Self> {
        let text = &text[..text.len().min(LONGEST)];
        let rest = text.strip_prefix(b"=?")?;
        let (charset, rest) = rest.split_at(memchr(b'?', rest)?);
        let [b'?', encoding, b'?', code @ ..] = rest else {
            return None;
        };
        let end = memmem::find(code, b"?=")?;
        let length = text.len() - code.len() + end + b"?=".len();
        let code = &code[..end];
        let bytes = match encoding {
            b'B' | b'b' => base64_decode(code)?,
            b'Q' | b'q' => {
                let words: Vec<&[u8]> = code.split(|&byte| byte == b'_').collect();
                quoted_printable_decode(&words.join(b"=20".as_slice()))?
            }
            _ => return None,
        };
        // A language may follow the charset.
        let charset = std::str::from_utf8(charset).ok()?.split('*').next()?;
        Some(Self {
            charset,
            bytes,
            length,
        })
    }
}
