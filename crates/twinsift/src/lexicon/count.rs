//! Counting the words of a collection, in bounded memory.
//!
//! Each batch of documents is counted on its own thread; the counts are added to
//! one table in the order of the input. When the table outgrows its share of the
//! memory it goes to disk, sorted, and a new one begins. At the end the parts are
//! merged. Nothing is estimated: counts are exact whatever the memory, and the
//! rarest words go by the stated [`Limits`] alone.

use super::merge::{self, Term};
use super::{LONGEST_WORD, Lexicon, Limits};
use crate::document::{Document, Item, Skipped};
use crate::error::{Error, Result};
use crate::hash;
use crate::observer::Stage;
use crate::parallel::{self, Load};
use crate::settings::{Budget, Settings};
use crate::tokenise::Tokens;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

/// Counts in how many documents each word occurs.
///
/// ```
/// use twinsift::lexicon::{Counter, Limits};
/// use twinsift::{Document, Settings};
///
/// let mut counter = Counter::new(&Settings::default());
/// counter.add(&Document::new("a", "the river and the bridge"))?;
/// counter.add(&Document::new("b", "the council"))?;
/// let lexicon = counter.finish(Limits { min_documents: 1, ..Limits::default() })?;
/// assert_eq!(lexicon.documents(), 2);
/// assert_eq!(lexicon.frequency("the"), 2);
/// assert_eq!(lexicon.frequency("river"), 1);
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Debug)]
pub struct Counter {
    settings: Settings,
    documents: u64,
    words: u64,
    skipped: u64,
    table: Table,
    /// Bytes of the table beyond which it goes to disk.
    limit: usize,
    /// Whether disguises of words are undone.
    fold: bool,
    spilled: Vec<File>,
    /// For documents that are added one by one.
    scratch: Scratch,
}

/// Words with their counts; each word once.
#[derive(Debug, Default)]
struct Table {
    places: HashMap<u64, u32, hash::OfHashes>,
    hashes: Vec<u64>,
    frequencies: Vec<u32>,
    ends: Vec<u32>,
    text: String,
}

/// Bytes of a word in a [`Table`], besides its letters.
const TABLE_BYTES: usize = 40;

impl Table {
    fn add(&mut self, hash: u64, frequency: u32, word: &str) {
        let next = self.hashes.len() as u32;
        let at = *self.places.entry(hash).or_insert(next);
        if at == next {
            self.hashes.push(hash);
            self.frequencies.push(0);
            self.text.push_str(word);
            self.ends.push(self.text.len() as u32);
        }
        let count = &mut self.frequencies[at as usize];
        *count = count.saturating_add(frequency);
    }

    fn word(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start as usize..self.ends[at] as usize]
    }

    fn bytes(&self) -> usize {
        self.hashes.len() * TABLE_BYTES + self.text.len()
    }

    /// Places in the order of the hashes.
    fn sorted(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.hashes.len() as u32).collect();
        order.sort_unstable_by_key(|&at| self.hashes[at as usize]);
        order
    }

    fn clear(&mut self) {
        self.places.clear();
        self.hashes.clear();
        self.frequencies.clear();
        self.ends.clear();
        self.text.clear();
    }
}

/// The counts of a batch of documents.
#[derive(Debug, Default)]
struct BatchCounts {
    documents: u64,
    words: u64,
    table: Table,
    skipped: Vec<Skipped>,
}

/// A thread's own buffers.
#[derive(Debug, Default)]
struct Scratch {
    tokens: Tokens,
    /// The words of the document: hash, and place in the tokens.
    words: Vec<(u64, u32)>,
}

impl BatchCounts {
    fn document(&mut self, document: &Document<'_>, fold: bool, scratch: &mut Scratch) {
        let Scratch { tokens, words } = scratch;
        tokens.read_as(&document.text, fold);
        self.documents += 1;
        self.words += tokens.len() as u64;
        words.clear();
        let hashes = tokens.bytes().map(hash::bytes).zip(0..);
        words.extend(hashes);
        words.sort_unstable();
        words.dedup_by_key(|&mut (hash, _)| hash);
        for &(hash, at) in &*words {
            let word = tokens.word(at as usize);
            if word.len() <= LONGEST_WORD {
                self.table.add(hash, 1, word);
            }
        }
    }
}

impl Counter {
    /// Nothing counted yet. The settings say how many threads and how much memory
    /// may be used; they never change a count.
    pub fn new(settings: &Settings) -> Self {
        Self {
            documents: 0,
            words: 0,
            skipped: 0,
            table: Table::default(),
            // Places in the text are 32-bit numbers.
            limit: Budget::new(settings.memory)
                .features()
                .clamp(1 << 20, 1 << 31),
            fold: false,
            spilled: Vec::new(),
            scratch: Scratch::default(),
            settings: settings.clone(),
        }
    }

    /// Counts words without their disguises if `fold` is set, for recipes that
    /// [do the same](crate::Recipe::folds). To be said before the first document.
    pub fn folding(self, fold: bool) -> Self {
        Self { fold, ..self }
    }

    /// Counts a document.
    pub fn add(&mut self, document: &Document<'_>) -> Result<()> {
        let mut counts = BatchCounts::default();
        counts.document(document, self.fold, &mut self.scratch);
        self.append(counts, &mut |_| Ok(()))
    }

    /// Counts the documents of many batches, side by side; see
    /// [`Sifter::add_sized_batches`](crate::Sifter::add_sized_batches).
    pub fn add_batches<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        bytes_of: impl Fn(&B) -> usize + Sync,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        mut on_skipped: impl FnMut(Skipped) -> Result<()> + Send,
    ) -> Result<()> {
        let fold = self.fold;
        let settings = self.settings.clone();
        settings.observer.begin(Stage::Reading, 0)?;
        parallel::in_order(
            &settings,
            batches,
            Load {
                most: Budget::new(self.settings.memory).reading(),
                bytes_of,
            },
            Scratch::default,
            |scratch, batch| {
                let mut counts = BatchCounts::default();
                expand(&batch, &mut |item| match item {
                    Item::Document(document) => counts.document(&document, fold, scratch),
                    Item::Skipped(skipped) => counts.skipped.push(skipped),
                });
                counts
            },
            |counts| self.append(counts, &mut on_skipped),
        )
    }

    /// Documents counted so far.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Words read so far, each time that it occurs.
    pub fn words(&self) -> u64 {
        self.words
    }

    /// Records so far that could not be read.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    fn append(
        &mut self,
        counts: BatchCounts,
        on_skipped: &mut dyn FnMut(Skipped) -> Result<()>,
    ) -> Result<()> {
        self.documents += counts.documents;
        if self.documents > u64::from(u32::MAX) {
            return Err(Error::TooManyDocuments);
        }
        self.words += counts.words;
        let table = &counts.table;
        for (at, &hash) in table.hashes.iter().enumerate() {
            self.table.add(hash, table.frequencies[at], table.word(at));
        }
        if self.table.bytes() > self.limit {
            let file = self
                .spill()
                .map_err(|source| spill_error(&self.settings, source))?;
            self.spilled.push(file);
            self.table.clear();
        }
        for skipped in counts.skipped {
            self.skipped += skipped.records;
            on_skipped(skipped)?;
        }
        Ok(())
    }

    /// Writes the table to a nameless file.
    fn spill(&self) -> io::Result<File> {
        let mut out = BufWriter::new(tempfile::tempfile_in(&self.settings.tmp)?);
        for at in self.table.sorted() {
            let at = at as usize;
            let word = self.table.word(at);
            out.write_all(&self.table.hashes[at].to_le_bytes())?;
            out.write_all(&self.table.frequencies[at].to_le_bytes())?;
            out.write_all(&[word.len() as u8])?;
            out.write_all(word.as_bytes())?;
        }
        out.into_inner().map_err(io::IntoInnerError::into_error)
    }

    /// The lexicon of everything that was counted.
    pub fn finish(mut self, limits: Limits) -> Result<Lexicon> {
        let settings = self.settings.clone();
        let observer = &settings.observer;
        let failed = |source: io::Error| spill_error(&settings, source);
        let order = self.table.sorted();
        let mut parts = || -> io::Result<Vec<Box<dyn Iterator<Item = io::Result<Term>> + '_>>> {
            let mut parts: Vec<Box<dyn Iterator<Item = io::Result<Term>>>> = Vec::new();
            for file in &mut self.spilled {
                file.rewind()?;
                let terms = Spilled(BufReader::new(file.try_clone()?));
                parts.push(Box::new(terms.take_while(|_| !observer.is_cancelled())));
            }
            let table = &self.table;
            let rest = order.iter().map(|&at| {
                let at = at as usize;
                Ok(Term {
                    hash: table.hashes[at],
                    frequency: table.frequencies[at],
                    word: table.word(at).to_owned(),
                })
            });
            parts.push(Box::new(rest.take_while(|_| !observer.is_cancelled())));
            Ok(parts)
        };
        let mut histogram = merge::Histogram::default();
        merge::merged(parts().map_err(failed)?, |term| {
            histogram.add(term.frequency)
        })
        .map_err(failed)?;
        observer.check()?;
        let mut kept = merge::Kept::new(histogram.cut(limits));
        merge::merged(parts().map_err(failed)?, |term| kept.add(&term)).map_err(failed)?;
        observer.check()?;
        kept.finish(self.documents, self.fold)
    }
}

/// The words of a table that went to disk.
struct Spilled(BufReader<File>);

impl Iterator for Spilled {
    type Item = io::Result<Term>;

    fn next(&mut self) -> Option<io::Result<Term>> {
        let mut head = [0; 13];
        match self.0.read_exact(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return None,
            Err(error) => return Some(Err(error)),
            Ok(()) => {}
        }
        let (hash, rest) = head.split_at(8);
        let mut word = vec![0; usize::from(rest[4])];
        if let Err(error) = self.0.read_exact(&mut word) {
            return Some(Err(error));
        }
        Some(Ok(Term {
            hash: u64::from_le_bytes(hash.try_into().unwrap_or_default()),
            frequency: u32::from_le_bytes(rest[..4].try_into().unwrap_or_default()),
            word: String::from_utf8_lossy(&word).into_owned(),
        }))
    }
}

fn spill_error(settings: &Settings, source: io::Error) -> Error {
    Error::Spill {
        folder: PathBuf::clone(&settings.tmp),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    const ALL: Limits = Limits {
        min_documents: 1,
        max_terms: usize::MAX,
    };

    proptest! {
        /// With any limit of the table, words are counted exactly.
        #[test]
        fn counts_agree_with_the_definition(
            texts in prop::collection::vec("[a-c]{1,2}( [a-c]{1,2}){0,8}", 1..40),
            limit in 1usize..400,
        ) {
            let mut counter = Counter::new(&Settings::default());
            counter.limit = limit;
            let mut expected = BTreeMap::new();
            for (at, text) in texts.iter().enumerate() {
                counter.add(&Document::new(at.to_string(), text.as_str())).expect("counted");
                for word in text.split(' ').collect::<BTreeSet<_>>() {
                    *expected.entry(word.to_owned()).or_insert(0) += 1;
                }
            }
            let lexicon = counter.finish(ALL).expect("counted");
            let found: BTreeMap<String, u32> = (0..lexicon.len())
                .map(|at| (lexicon.word(at).to_owned(), lexicon.frequencies()[at]))
                .collect();
            prop_assert_eq!(lexicon.documents(), texts.len() as u64);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn encoded_data_is_not_counted() {
        let mut counter = Counter::new(&Settings::default());
        let long = "x".repeat(LONGEST_WORD + 1);
        counter
            .add(&Document::new("a", format!("word {long}")))
            .expect("counted");
        assert_eq!(counter.finish(ALL).expect("counted").len(), 1);
    }
}
