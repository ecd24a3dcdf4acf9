//! How common is each word?
//!
//! A [`Lexicon`] holds the statistics of a collection: how many documents there
//! are, and how many of them have each word. I-Match takes its lexicons from it
//! ([`sketch::imatch`](crate::sketch::imatch)). It may come from another
//! collection than the one that is searched; a large and clean one is often better.
//!
//! A lexicon is counted by a [`Counter`], kept in a small file (`format`
//! has its layout) and mapped into memory from there, so that opening one costs a
//! single look at its bytes and processes share them. Words are found by their
//! hash. Two words of one hash would count as one; among a million words the odds
//! of that are one in forty million.
//!
//! Every lexicon has an [`id`](Lexicon::id), a hash of all that it holds. What was
//! made with one lexicon is never compared with what was made with another.

mod count;
mod format;
mod merge;

use crate::error::{Error, Result, refuse};
use crate::hash;
use format::Mapped;
use sha2::{Digest, Sha256};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

pub use count::Counter;

/// Words longer than this many bytes are not counted: they are encoded data, not
/// language.
pub const LONGEST_WORD: usize = 64;

/// The statistics of a collection.
pub struct Lexicon {
    documents: u64,
    least: u32,
    left_out: u64,
    is_folded: bool,
    id: String,
    terms: Terms,
}

/// Words by ascending hash.
enum Terms {
    Mapped(Mapped),
    Owned {
        hashes: Vec<u64>,
        frequencies: Vec<u32>,
        /// Where each word ends in `text`; empty if words are known by hash alone.
        ends: Vec<u32>,
        text: String,
    },
}

/// Which words a lexicon keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Words that fewer documents have are left out.
    pub min_documents: u32,
    /// At most this many words. If there are more, the rarest go; words that
    /// equally many documents have stay or go together.
    pub max_terms: usize,
}

impl Default for Limits {
    /// Words of at least two documents, five million of them.
    fn default() -> Self {
        Self {
            min_documents: 2,
            max_terms: 5_000_000,
        }
    }
}

impl Lexicon {
    /// Opens a lexicon file.
    pub fn open(path: &Path) -> Result<Self> {
        let (mapped, header) = format::open(path)?;
        Ok(Self {
            documents: header.documents,
            least: header.least,
            left_out: header.left_out,
            is_folded: header.is_folded(),
            id: id_of(&header.content_hash),
            terms: Terms::Mapped(mapped),
        })
    }

    /// Whether a file begins like a lexicon; errors count as no.
    pub fn is_one(path: &Path) -> bool {
        format::begins_like_one(path)
    }

    /// Writes the lexicon as a file.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        format::write(self, out)
    }

    /// Statistics of `documents` documents that are known by their words' hashes
    /// alone, which must be ascending.
    pub(crate) fn of_hashes(documents: u64, hashes: Vec<u64>, frequencies: Vec<u32>) -> Self {
        Self::owned(
            documents,
            1,
            0,
            false,
            hashes,
            frequencies,
            Vec::new(),
            String::new(),
        )
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "the parts of a lexicon, named at every call"
    )]
    fn owned(
        documents: u64,
        least: u32,
        left_out: u64,
        is_folded: bool,
        hashes: Vec<u64>,
        frequencies: Vec<u32>,
        ends: Vec<u32>,
        text: String,
    ) -> Self {
        let mut lexicon = Self {
            documents,
            least,
            left_out,
            is_folded,
            id: String::new(),
            terms: Terms::Owned {
                hashes,
                frequencies,
                ends,
                text,
            },
        };
        lexicon.id = id_of(&lexicon.content_hash());
        lexicon
    }

    /// The statistics of several collections taken together.
    ///
    /// Counts add up. A word that one of the lexicons left out as too rare adds
    /// nothing there, so that the rarest words may come out a little too rare. All of
    /// them must have been counted with, or all without, the disguises of words undone.
    pub fn merge(lexicons: &[Lexicon], limits: Limits) -> Result<Self> {
        merge::merge(lexicons, limits)
    }

    /// How many documents were counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.hashes().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Words that fewer documents have were left out.
    pub fn least(&self) -> u32 {
        self.least
    }

    /// How many words were left out as too rare.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Whether words were counted without their disguises
    /// ([`Recipe::folds`](crate::Recipe::folds)).
    pub fn is_folded(&self) -> bool {
        self.is_folded
    }

    /// Refuses a lexicon of words with their disguises for words without, and the reverse.
    pub fn check_folding(&self, fold: bool) -> Result<()> {
        let why = match (self.is_folded, fold) {
            (true, false) => {
                "the lexicon was counted with ‹fold›: say ‹fold› here too, or count it again without"
            }
            (false, true) => {
                "the lexicon was counted without ‹fold›: count it again with ‹fold›, or leave out ‹fold› here"
            }
            _ => return Ok(()),
        };
        refuse(why)
    }

    /// A hash of the content, as 32 hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The hashes of all words, ascending.
    pub fn hashes(&self) -> &[u64] {
        match &self.terms {
            Terms::Mapped(mapped) => mapped.hashes(),
            Terms::Owned { hashes, .. } => hashes,
        }
    }

    /// How many documents have each word, in the order of [`hashes`](Self::hashes).
    pub fn frequencies(&self) -> &[u32] {
        match &self.terms {
            Terms::Mapped(mapped) => mapped.frequencies(),
            Terms::Owned { frequencies, .. } => frequencies,
        }
    }

    fn ends(&self) -> &[u32] {
        match &self.terms {
            Terms::Mapped(mapped) => mapped.ends(),
            Terms::Owned { ends, .. } => ends,
        }
    }

    fn text(&self) -> &[u8] {
        match &self.terms {
            Terms::Mapped(mapped) => mapped.text(),
            Terms::Owned { text, .. } => text.as_bytes(),
        }
    }

    /// The word at `index` in the order of [`hashes`](Self::hashes); empty where
    /// words are known by their hashes alone.
    pub fn word(&self, index: usize) -> &str {
        let ends = self.ends();
        let start = match index {
            0 => 0,
            _ => ends.get(index - 1).copied().unwrap_or(0),
        };
        let end = ends.get(index).copied().unwrap_or(start);
        let word = self.text().get(start as usize..end as usize);
        std::str::from_utf8(word.unwrap_or_default()).unwrap_or_default()
    }

    /// How many documents have a word; 0 if it is unknown.
    pub fn frequency(&self, word: &str) -> u64 {
        self.frequency_of(hash::bytes(word.as_bytes()))
    }

    /// As [`frequency`](Self::frequency), for the word with this hash.
    pub fn frequency_of(&self, hash: u64) -> u64 {
        match self.hashes().binary_search(&hash) {
            Ok(at) => u64::from(self.frequencies()[at]),
            Err(_) => 0,
        }
    }

    /// The normalised idf of a word that `frequency` documents have,
    /// `ln(N / df) / ln(N)`: 0 for a word of all documents, 1 for a word of one.
    pub fn normalised_idf(&self, frequency: u32) -> f64 {
        normalised_idf(self.documents, frequency)
    }

    fn content_hash(&self) -> [u8; 32] {
        format::content_hash(self)
    }
}

impl fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lexicon({}, {} words)", self.id, self.len())
    }
}

impl PartialEq for Lexicon {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// `ln(N / df) / ln(N)`, from 0 to 1.
pub fn normalised_idf(documents: u64, frequency: u32) -> f64 {
    match documents {
        0 | 1 => 1.0,
        n => (n as f64 / f64::from(frequency)).ln() / (n as f64).ln(),
    }
}

/// The first half of a hash is plenty to tell lexicons apart.
fn id_of(content_hash: &[u8; 32]) -> String {
    content_hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn sha256<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// An error that names the file.
fn broken(path: &Path, why: impl Into<String>) -> Error {
    Error::Lexicon {
        name: path.display().to_string(),
        why: why.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idf_runs_from_zero_to_one() {
        assert_eq!(normalised_idf(100, 100), 0.0);
        assert_eq!(normalised_idf(100, 1), 1.0);
        assert!((normalised_idf(100, 10) - 0.5).abs() < 1e-12);
        assert_eq!(normalised_idf(1, 1), 1.0);
    }
}
