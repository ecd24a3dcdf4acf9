//! What the engine's thread reads, and whatever takes the documents.

use super::feed::Batch;
use crossbeam_channel::Receiver;
use std::path::PathBuf;
use std::sync::Arc;
use twinsift::lexicon::Counter;
use twinsift::{Error, Item, Place, Sifter, Skipped};
use twinsift_cli::CandidatePages;
use twinsift_io::{Body, Content, Inputs, ReadError, ReadOptions, RowReader};

/// A collection.
pub(crate) enum Part {
    /// Batches of the calling thread.
    Memory {
        reader: Arc<RowReader>,
        /// Reads pages as such, for a classifier.
        page_reader: Box<RowReader>,
        batches: Receiver<Arc<Batch>>,
    },
    /// Files, which are read here.
    Files(Vec<PathBuf>, Box<ReadOptions>),
}

/// Why there is no outcome.
pub(crate) enum Failure {
    Engine(Error),
    Index(twinsift_index::Error),
    Read(ReadError),
    Input(String),
    Usage(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

impl From<twinsift_index::Error> for Failure {
    fn from(error: twinsift_index::Error) -> Self {
        Self::Index(error)
    }
}

/// What takes documents in batches.
pub(crate) trait Take {
    fn take<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        bytes_of: impl Fn(&B) -> usize + Sync,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        on_skipped: impl FnMut(Skipped) -> Result<(), Error> + Send,
    ) -> Result<(), Error>;

    /// How many documents it has taken.
    fn taken(&self) -> u64;
}

impl Take for Sifter {
    fn take<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        bytes_of: impl Fn(&B) -> usize + Sync,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        on_skipped: impl FnMut(Skipped) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        self.add_sized_batches(batches, bytes_of, expand, on_skipped)
    }

    fn taken(&self) -> u64 {
        self.documents().len() as u64
    }
}

impl Take for Counter {
    fn take<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        bytes_of: impl Fn(&B) -> usize + Sync,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        on_skipped: impl FnMut(Skipped) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        self.add_batches(batches, bytes_of, expand, on_skipped)
    }

    fn taken(&self) -> u64 {
        self.documents()
    }
}

/// A collection that can be read once more.
pub(crate) enum Reread {
    Memory(Box<RowReader>, Vec<Arc<Batch>>, u32),
    Files(Vec<PathBuf>, Box<ReadOptions>, u32),
}

impl Reread {
    /// Offers all documents as pages.
    pub(crate) fn read(self, pages: &mut CandidatePages<'_>) -> Result<(), Failure> {
        let offer = |item: Item<'_>, offset, pages: &mut CandidatePages<'_>| {
            if let Item::Document(document) = moved(item, offset) {
                pages.offer(document);
            }
        };
        match self {
            Self::Memory(reader, batches, offset) => {
                for batch in batches {
                    batch.expand(&reader, &mut |item| offer(item, offset, pages));
                    pages.prepare();
                }
            }
            Self::Files(paths, mut options, offset) => {
                (options.content, options.body) = (Content::Html, Body::Both);
                let inputs = Inputs::open(&paths, *options).map_err(Failure::Read)?;
                for batch in inputs.batches() {
                    inputs.expand(&batch, &mut |item| offer(item, offset, pages));
                    pages.prepare();
                }
            }
        }
        Ok(())
    }
}

/// Collections as far as they have been read.
pub(crate) struct ReadParts<T> {
    /// What has taken the documents.
    pub(crate) taker: T,
    /// The files of each collection, where it is files.
    pub(crate) inputs: Vec<Option<Inputs>>,
    /// The records that were skipped: where each stands, and why.
    pub(crate) skipped: Vec<(String, String)>,
    /// The places of those of the first collection.
    pub(crate) places: Vec<Place>,
    /// The collections, where they are to be read again.
    pub(crate) again: Vec<Reread>,
    /// How many sources came before.
    sources: u32,
    strict: bool,
    rereads: bool,
}

impl<T: Take> ReadParts<T> {
    /// Nothing read yet. `strict` ends at the first broken record; with `rereads`, what is read
    /// is kept to be read again.
    pub(crate) fn new(taker: T, strict: bool, rereads: bool) -> Self {
        Self {
            taker,
            inputs: Vec::new(),
            skipped: Vec::new(),
            places: Vec::new(),
            again: Vec::new(),
            sources: 0,
            strict,
            rereads,
        }
    }

    /// Reads a collection.
    pub(crate) fn add(&mut self, part: Part) -> Result<(), Failure> {
        let before = self.sources;
        match part {
            Part::Memory {
                reader,
                page_reader,
                batches,
            } => {
                let kept = self.add_rows(&reader, batches)?;
                self.inputs.push(None);
                self.sources += 1;
                self.again.push(Reread::Memory(page_reader, kept, before));
            }
            Part::Files(paths, options) => {
                let inputs = Inputs::open(&paths, (*options).clone()).map_err(Failure::Read)?;
                let (taken, skipped) = (self.taker.taken(), self.skipped.len());
                self.add_files(&inputs)?;
                if self.taker.taken() == taken
                    && let Some((place, reason)) = self.skipped.get(skipped)
                {
                    return Err(Failure::Input(format!(
                        "not one document could be read, the first of them {place}: {reason}; name columns with text= or html=, or the format with format="
                    )));
                }
                self.sources += inputs.sources().len() as u32;
                self.inputs.push(Some(inputs));
                self.again.push(Reread::Files(paths, options, before));
            }
        }
        Ok(())
    }

    fn add_rows(
        &mut self,
        reader: &RowReader,
        batches: Receiver<Arc<Batch>>,
    ) -> Result<Vec<Arc<Batch>>, Failure> {
        let (offset, rereads) = (self.sources, self.rereads);
        let (mut wrong, mut kept) = (None, Vec::new());
        let added = self.taker.take(
            batches.into_iter().inspect(|batch| {
                if rereads {
                    kept.push(Arc::clone(batch));
                }
            }),
            |batch: &Arc<Batch>| batch.bytes(),
            |batch, sink| batch.expand(reader, &mut |item| sink(moved(item, offset))),
            |skipped| {
                wrong = Some(skipped);
                Err(Error::Cancelled)
            },
        );
        match (wrong, added) {
            (Some(Skipped { place, reason, .. }), _) => Err(Failure::Input(format!(
                "row {}: {reason}",
                place.record.saturating_sub(1)
            ))),
            (None, Err(error)) => Err(self.explained(error, None)),
            (None, Ok(())) => Ok(kept),
        }
    }

    fn add_files(&mut self, inputs: &Inputs) -> Result<(), Failure> {
        let (offset, strict) = (self.sources, self.strict);
        let is_first = self.inputs.is_empty();
        let (listed, places, mut stopped) = (&mut self.skipped, &mut self.places, None);
        let added = self.taker.take(
            inputs.batches(),
            twinsift_io::Batch::size,
            |batch, sink| inputs.expand(batch, &mut |item| sink(moved(item, offset))),
            |skipped| {
                let place = inputs.place_name(skipped.place);
                if strict {
                    stopped = Some(format!("{place}: {}", skipped.reason));
                    return Err(Error::Cancelled);
                }
                if is_first {
                    let records = skipped.place.record..skipped.place.record + skipped.records;
                    places.extend(records.map(|record| Place {
                        record,
                        ..skipped.place
                    }));
                }
                listed.push((place, skipped.reason));
                Ok(())
            },
        );
        match (stopped, added) {
            (Some(sentence), _) => Err(Failure::Input(sentence)),
            (None, added) => added.map_err(|error| self.explained(error, Some(inputs))),
        }
    }

    /// Names the places of an id that occurs twice.
    fn explained(&self, error: Error, inputs: Option<&Inputs>) -> Failure {
        let Error::DuplicateId { id, first, second } = error else {
            return Failure::Engine(error);
        };
        let name = |place: Place| match inputs {
            Some(inputs) => inputs.place_name(Place {
                source: place.source - self.sources,
                ..place
            }),
            None => format!("row {}", place.record.saturating_sub(1)),
        };
        Failure::Input(format!(
            "the id \"{id}\" occurs twice, at {} and at {}: name another column with id=, or documents by their place with id=False",
            name(first),
            name(second)
        ))
    }
}

/// An item of the sources behind others.
fn moved(mut item: Item<'_>, offset: u32) -> Item<'_> {
    if let Item::Document(document) = &mut item {
        document.place.source += offset;
    }
    item
}
