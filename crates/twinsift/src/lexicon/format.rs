//! The lexicon file.
//!
//! Little-endian, every array aligned to its items, so that the file can be used
//! where it lies:
//!
//! ```text
//! bytes  what
//!     8  "twinlex" and a line feed
//!     4  version: 1, or 2 where words were counted without their disguises
//!     4  the least document frequency that was kept
//!     8  documents
//!     8  words
//!     8  bytes of text
//!     8  words that were left out
//!    32  SHA-256 of everything else: the numbers above, then the arrays
//!     8n hashes of the words, ascending
//!     4n how many documents have each word
//!     4n where each word ends in the text
//!     m  the words, one after another, UTF-8
//! ```

use super::{Lexicon, broken, sha256};
use crate::error::Result;
use bytemuck::{Pod, Zeroable, bytes_of, cast_slice, pod_read_unaligned};
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

const MAGIC: [u8; 8] = *b"twinlex\n";

/// Words as they are; the only kind that early programs know.
const PLAIN: u32 = 1;
/// Words without their disguises.
const FOLDED: u32 = 2;

/// What stands before the arrays.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 8],
    version: u32,
    pub(super) least: u32,
    pub(super) documents: u64,
    terms: u64,
    text: u64,
    pub(super) left_out: u64,
    pub(super) content_hash: [u8; 32],
}

const HEADER: usize = size_of::<Header>();

impl Header {
    fn of(lexicon: &Lexicon) -> Self {
        Self {
            magic: MAGIC,
            version: if lexicon.is_folded { FOLDED } else { PLAIN },
            least: lexicon.least,
            documents: lexicon.documents,
            terms: lexicon.len() as u64,
            text: lexicon.text().len() as u64,
            left_out: lexicon.left_out,
            content_hash: [0; 32],
        }
    }

    pub(super) fn is_folded(&self) -> bool {
        self.version == FOLDED
    }

    /// What of the header goes into the hash of the content.
    fn numbers(&self) -> [u64; 4] {
        let Self {
            version,
            documents,
            terms,
            left_out,
            least,
            ..
        } = *self;
        let kind = u64::from(version - PLAIN) << 32;
        [documents, terms, left_out, kind | u64::from(least)]
    }
}

/// A file that has been checked and mapped into memory.
pub(super) struct Mapped {
    map: Mmap,
    terms: usize,
}

impl Mapped {
    pub(super) fn hashes(&self) -> &[u64] {
        cast_slice(&self.map[HEADER..][..8 * self.terms])
    }

    pub(super) fn frequencies(&self) -> &[u32] {
        cast_slice(&self.map[HEADER + 8 * self.terms..][..4 * self.terms])
    }

    pub(super) fn ends(&self) -> &[u32] {
        cast_slice(&self.map[HEADER + 12 * self.terms..][..4 * self.terms])
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.map[HEADER + 16 * self.terms..]
    }
}

pub(super) fn begins_like_one(path: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == MAGIC
}

pub(super) fn open(path: &Path) -> Result<(Mapped, Header)> {
    let unreadable = |error: io::Error| broken(path, format!("cannot be read: {}", plain(&error)));
    let file = File::open(path).map_err(unreadable)?;
    if !begins_like_one(path) {
        return Err(broken(
            path,
            "is not a lexicon: make one with twinsift lexicon IN -o FILE",
        ));
    }
    // SAFETY: lexicons are written to a new file that is then renamed, so the
    // bytes of one that is in use never change.
    let map = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
    let truncated = || broken(path, "is cut off: copy or make it again");
    let header: Header = pod_read_unaligned(map.get(..HEADER).ok_or_else(truncated)?);
    if ![PLAIN, FOLDED].contains(&header.version) {
        let found = header.version;
        return Err(broken(
            path,
            format!(
                "has version {found} of the format, and this program reads versions {PLAIN} and {FOLDED}: make it again"
            ),
        ));
    }
    let arrays = usize::try_from(header.terms)
        .ok()
        .and_then(|terms| terms.checked_mul(16));
    let length = usize::try_from(header.text)
        .ok()
        .and_then(|text| arrays?.checked_add(text)?.checked_add(HEADER));
    match length {
        Some(length) if length == map.len() => {}
        Some(length) if length < map.len() => {
            return Err(broken(path, "goes on after its end: copy or make it again"));
        }
        _ => return Err(truncated()),
    }
    let numbers = header.numbers();
    if sha256([cast_slice(&numbers), &map[HEADER..]]) != header.content_hash {
        return Err(broken(path, "is damaged: copy or make it again"));
    }
    let mapped = Mapped {
        map,
        terms: header.terms as usize,
    };
    let is_sound = std::str::from_utf8(mapped.text()).is_ok()
        && mapped.hashes().is_sorted()
        && mapped.ends().is_sorted();
    match is_sound {
        true => Ok((mapped, header)),
        false => Err(broken(path, "is damaged: copy or make it again")),
    }
}

pub(super) fn content_hash(lexicon: &Lexicon) -> [u8; 32] {
    sha256([
        cast_slice(&Header::of(lexicon).numbers()),
        cast_slice(lexicon.hashes()),
        cast_slice(lexicon.frequencies()),
        cast_slice(lexicon.ends()),
        lexicon.text(),
    ])
}

pub(super) fn write(lexicon: &Lexicon, out: &mut impl Write) -> io::Result<()> {
    let header = Header {
        content_hash: lexicon.content_hash(),
        ..Header::of(lexicon)
    };
    out.write_all(bytes_of(&header))?;
    out.write_all(cast_slice(lexicon.hashes()))?;
    out.write_all(cast_slice(lexicon.frequencies()))?;
    out.write_all(cast_slice(lexicon.ends()))?;
    out.write_all(lexicon.text())
}

/// What the system said, without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_lowercase(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Counter, Limits};
    use super::*;
    use crate::{Document, Settings};

    fn sample() -> Lexicon {
        let mut counter = Counter::new(&Settings::default());
        for (id, text) in [("a", "one two three"), ("b", "two three"), ("c", "THREE é")] {
            counter.add(&Document::new(id, text)).expect("counted");
        }
        let limits = Limits {
            min_documents: 1,
            ..Limits::default()
        };
        counter.finish(limits).expect("counted")
    }

    fn bytes(lexicon: &Lexicon) -> Vec<u8> {
        let mut bytes = Vec::new();
        lexicon.write(&mut bytes).expect("written");
        bytes
    }

    fn opened(bytes: &[u8]) -> Result<Lexicon> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        Lexicon::open(file.path())
    }

    #[test]
    fn a_file_gives_back_what_was_written() {
        let lexicon = sample();
        let again = opened(&bytes(&lexicon)).expect("sound");
        assert_eq!(again.id(), lexicon.id());
        assert_eq!(again.documents(), 3);
        assert_eq!(again.frequency("three"), 3);
        assert_eq!(again.frequency("é"), 1);
        assert_eq!(again.frequency("four"), 0);
        let mut words: Vec<&str> = (0..again.len()).map(|at| again.word(at)).collect();
        words.sort_unstable();
        assert_eq!(words, ["one", "three", "two", "é"]);
    }

    /// Stored lexicons depend on this: a change here is a change of the format.
    #[test]
    fn the_id_of_a_collection_never_changes() {
        assert_eq!(sample().id(), "fb9f1b0e0de994c19d071dc7a6df9ccb");
    }

    #[test]
    fn every_damage_is_noticed() {
        let whole = bytes(&sample());
        let why = |bytes: &[u8]| opened(bytes).expect_err("damaged").to_string();
        for length in 0..whole.len() {
            let text = why(&whole[..length]);
            assert!(
                text.contains("cut off") || text.contains("not a lexicon"),
                "{text}"
            );
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            why(&changed);
        }
        assert!(why(&[&whole[..], b"x"].concat()).contains("after its end"));
        let mut newer = whole.clone();
        newer[8] = 3;
        assert!(why(&newer).contains("version 3"));
        // Plain words that pretend to be without disguises.
        newer[8] = 2;
        assert!(why(&newer).contains("damaged"));
    }

    #[test]
    fn a_file_says_whether_disguises_were_undone() {
        let count = |fold: bool| {
            let mut counter = Counter::new(&Settings::default()).folding(fold);
            let document = Document::new("a", "t0ner is in");
            counter.add(&document).expect("counted");
            let limits = Limits {
                min_documents: 1,
                ..Limits::default()
            };
            counter.finish(limits).expect("counted")
        };
        for fold in [false, true] {
            let lexicon = count(fold);
            let again = opened(&bytes(&lexicon)).expect("sound");
            assert_eq!((again.is_folded(), again.id()), (fold, lexicon.id()));
        }
        assert_ne!(count(true).id(), count(false).id());
    }
}
