//! The charset of a table's records.
//!
//! Tables are UTF-8, or were turned into it as they were read (UTF-16). A record that is
//! not is in some older charset, which is guessed once for the whole source and from many
//! such records: the first of them may stand far behind the beginning, and is too short
//! to tell by itself. A stream cannot be looked through, so its first such record decides.
//! Either way it does not matter which thread asks first.

use std::borrow::Cow;
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::decompress;
use super::source::Source;
use crate::extract::charset;
use crate::format::Compression;

/// A guess looks at so many bytes of records that are not UTF-8.
const SAMPLE_BYTES: usize = 64 * 1024;

/// Lines are looked at in pieces of this size, where they are longer.
const PIECE_BYTES: usize = 256 * 1024;

/// The charset of a source.
#[derive(Debug, Default)]
pub(super) struct Charset {
    told: Option<&'static Encoding>,
    guessed: OnceLock<&'static Encoding>,
    /// Whether it was UTF-16, of which only halves of surrogate pairs are not UTF-8 now.
    was_utf16: AtomicBool,
    /// Where the source can be read again.
    file: Option<(PathBuf, Compression)>,
}

impl Charset {
    /// The charset of a source, if it was `told`, or to be found out.
    pub(super) fn of(source: &Source, told: Option<&'static Encoding>) -> Self {
        let can_be_read_again = source.size.is_some() || source.spooled.is_some();
        Self {
            told,
            guessed: OnceLock::new(),
            was_utf16: AtomicBool::new(false),
            file: can_be_read_again.then(|| (source.file().to_owned(), source.compression)),
        }
    }

    /// UTF-8, and nothing else.
    pub(super) fn utf8() -> Self {
        Self {
            told: Some(UTF_8),
            ..Self::default()
        }
    }

    /// Takes note that the source is read as UTF-8 and was UTF-16.
    pub(super) fn set_utf16(&self) {
        self.was_utf16.store(true, Ordering::Relaxed);
    }

    /// The text of a record, or of a part of one. If the charset was told to be UTF-8 and
    /// it is not, the error is the place of the first byte that is wrong.
    pub(super) fn text<'a>(&self, bytes: &'a [u8]) -> Result<Cow<'a, str>, usize> {
        let valid = std::str::from_utf8(bytes);
        match (self.told, valid) {
            (Some(told), _) if !is_unicode(told) && !bytes.is_ascii() => {
                Ok(told.decode_without_bom_handling(bytes).0)
            }
            (_, Ok(text)) => Ok(Cow::Borrowed(text)),
            (Some(told), Err(error)) if told == UTF_8 => Err(error.valid_up_to()),
            _ if self.told.is_some()
                || self.was_utf16.load(Ordering::Relaxed)
                || charset::is_damaged_utf8(bytes) =>
            {
                Ok(String::from_utf8_lossy(bytes))
            }
            _ => Ok(self.guess(bytes).decode_without_bom_handling(bytes).0),
        }
    }

    /// The charset of records that are not UTF-8, if there were any.
    pub(super) fn guessed(&self) -> Option<&'static str> {
        self.guessed.get().map(|encoding| encoding.name())
    }

    fn guess(&self, bytes: &[u8]) -> &'static Encoding {
        self.guessed.get_or_init(|| {
            let mut sample = Sample::default();
            if let Some((path, compression)) = &self.file
                && let Ok(reader) = decompress::open(path, *compression, Arc::default())
            {
                sample.read(reader);
            }
            if sample.taken.is_empty() {
                sample.taken.extend_from_slice(bytes);
            }
            charset::guess_table(&sample.taken)
        })
    }

    /// Takes a sample of records of a stream before they are read, in order.
    pub(super) fn watch(&self, bytes: &[u8]) {
        if self.was_utf16.load(Ordering::Relaxed) {
            return;
        }
        let is_open = self.told.is_none() && self.file.is_none() && self.guessed.get().is_none();
        if is_open && std::str::from_utf8(bytes).is_err() {
            let mut lines = bytes.split(|&byte| byte == b'\n');
            if let Some(line) = lines.find(|line| is_foreign(line)) {
                self.guess(line);
            }
        }
    }
}

fn is_unicode(encoding: &'static Encoding) -> bool {
    [UTF_8, UTF_16LE, UTF_16BE].contains(&encoding)
}

/// Whether a line is in some other charset than UTF-8.
fn is_foreign(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_err() && !charset::is_damaged_utf8(line)
}

/// The first lines of a source that are not UTF-8.
#[derive(Default)]
struct Sample {
    taken: Vec<u8>,
}

impl Sample {
    fn read(&mut self, mut reader: impl Read) {
        let mut piece = Vec::new();
        while self.taken.len() < SAMPLE_BYTES {
            let read = reader
                .by_ref()
                .take((PIECE_BYTES - piece.len()) as u64)
                .read_to_end(&mut piece);
            // What is behind damage may begin in the middle of a character.
            let is_over = !matches!(read, Ok(count) if count > 0);
            let end = match memchr::memrchr(b'\n', &piece) {
                Some(at) if !is_over => at + 1,
                _ => piece.len(),
            };
            for line in piece[..end].split_inclusive(|&byte| byte == b'\n') {
                if self.taken.len() < SAMPLE_BYTES && is_foreign(line) {
                    self.taken.extend_from_slice(line);
                }
            }
            piece.drain(..end);
            if is_over {
                return;
            }
        }
    }
}
