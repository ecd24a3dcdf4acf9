//! Reading: from files, folders and standard input to documents.
//!
//! Two halves. [`Inputs::batches`] runs on one thread at a time and does what
//! cannot be split: reading, decompressing, finding where records end.
//! [`Inputs::expand`] runs on any number of threads and does the rest. Between
//! them go [`Batch`]es of a mebibyte, so memory stays bounded whatever the size
//! of the input; only a single record must fit, and one that is longer than
//! [`ReadOptions::max_document`] is passed over without being held.

mod batch;
mod charsets;
mod csv;
mod decompress;
mod expand;
mod feed;
mod fields;
mod http;
mod json;
mod kind;
mod lengths;
mod lines;
mod mbox;
mod members;
mod mirror;
mod open;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod record;
mod rewind;
#[cfg(feature = "parquet")]
mod row_groups;
mod rows;
mod sniff;
mod source;
mod split;
mod walk;
mod warc;
mod wide;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use twinsift::Place;

pub use batch::{Batch, Batches};
pub use fields::Value;
pub use kind::DocumentKind;
pub use options::{Body, CharsetName, FieldNames, MAX_DOCUMENT, ReadOptions};
pub use rows::RowReader;
pub use source::Source;

pub(crate) use csv::row_end;
pub(crate) use feed::{Feed, Spelling};
#[cfg(feature = "parquet")]
pub(crate) use row_groups::RowGroups;
pub(crate) use split::{NextRecord, Split};

use crate::error::ReadError;
use crate::extract::Content;
use crate::format::Format;
use charsets::Charset;
use fields::Fields;

/// The inputs of a run.
pub struct Inputs {
    sources: Vec<Source>,
    /// The charset of each source, where it is a table.
    charsets: Vec<Arc<Charset>>,
    options: ReadOptions,
    fields: Fields,
    /// Streams that can be read only once, by source.
    streams: Mutex<HashMap<usize, Feed>>,
    /// Sources that were there, and could not be opened when their turn came.
    lost: Mutex<HashSet<usize>>,
    /// Temporary files, removed with the inputs.
    _spooled: Vec<open::Spooled>,
    bytes_read: Arc<AtomicU64>,
}

/// A source that is ready to be read.
pub(crate) enum Opened {
    Stream(Feed, Format),
    #[cfg(feature = "parquet")]
    Rows(parquet::RowBatches),
}

impl std::fmt::Debug for Inputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Inputs");
        shown
            .field("sources", &self.sources)
            .finish_non_exhaustive()
    }
}

impl Inputs {
    /// Expands files, folders and `-` to sources, and finds out their formats.
    ///
    /// A folder stands for the files in it, however deep, in the order of
    /// their paths. What is missing or of no known format is an error if it
    /// was named, and a skipped item if it was found in a folder. Folders
    /// without any file are an error.
    pub fn open(args: &[PathBuf], options: ReadOptions) -> Result<Self, ReadError> {
        open::open(args, options)
    }

    /// The same inputs, with another part of their pages.
    #[must_use]
    pub fn with_content(mut self, content: Content) -> Self {
        self.options.content = content;
        self.fields = Fields::new(&self.options.fields, content, self.options.body);
        self
    }

    /// The sources, in order.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Whether a source is skipped because the system does not let it be read, rather
    /// than for what is in it.
    pub fn is_unreadable(&self, source: u32) -> bool {
        let index = source as usize;
        let lost = self.lost.lock().unwrap_or_else(|held| held.into_inner());
        self.sources[index].is_unreadable || lost.contains(&index)
    }

    /// How many bytes the sources take on disk; `None` if one of them is a
    /// stream.
    pub fn total_bytes(&self) -> Option<u64> {
        self.sources.iter().map(|source| source.size).sum()
    }

    /// How many bytes on disk have been read so far, over all readers.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// How many pages so far were too large, or too intricate, to look for their main
    /// content, so that all of their text counts.
    pub fn whole_pages(&self) -> u64 {
        self.fields.whole_pages()
    }

    /// The sources that hold records which are not UTF-8, as far as they have been read, and
    /// the charset that was guessed for these.
    pub fn guessed_charsets(&self) -> impl Iterator<Item = (&Source, &'static str)> {
        let guesses = self.charsets.iter().map(|charset| charset.guessed());
        let both = self.sources.iter().zip(guesses);
        both.filter_map(|(source, guess)| Some((source, guess?)))
    }

    /// What finds the records of a source.
    pub(crate) fn splitter(&self, index: usize, format: Format) -> Box<dyn Split> {
        split::splitter(format, &self.charsets[index], self.options.delimiter)
    }

    /// All records, in order, for one thread at a time to read.
    pub fn batches(&self) -> Batches<'_> {
        Batches::new(self)
    }

    /// The first record by itself, for a look at what kind of records there are. A file
    /// gives it again with all others; what a stream has given is gone.
    pub fn first_record(&self) -> Option<Batch> {
        self.batches().first_record()
    }

    /// A record's place in words, such as `data.jsonl:7`.
    pub fn place_name(&self, place: Place) -> String {
        let Some(source) = self.sources.get(place.source as usize) else {
            return format!("record {}", place.record);
        };
        let (name, record) = (&source.name, place.record);
        if record == 0 {
            return name.clone();
        }
        match source.format {
            Some(Format::Jsonl) => format!("{name}:{record}"),
            Some(Format::Json) => format!("{name}: element {record}"),
            Some(Format::Csv | Format::Tsv | Format::Parquet) => format!("{name}: row {record}"),
            Some(Format::Warc) => format!("{name}: record {record}"),
            Some(Format::Mbox) => format!("{name}: message {record}"),
            Some(Format::Eml | Format::Html | Format::Text) | None => name.clone(),
        }
    }
}
