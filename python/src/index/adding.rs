//! Documents that are added to an index: all of them, or none.

use super::shared::Shared;
use crate::read::parts::{Failure, Part, ReadParts, Take};
use std::sync::Arc;
use twinsift::{Error, Item, Settings, Skipped};
use twinsift_index::{Batch, Import, Index, Record, Searcher, Time};
use twinsift_io::RowReader;

/// So many documents are added by one entry of the log; more of them become a segment.
const FEW: usize = 4096;

/// What is said of all documents of a call.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) label: Option<String>,
    /// In milliseconds.
    pub(super) ttl: Option<u64>,
}

/// A call that adds documents.
pub(super) struct Adding {
    pub(super) shared: Arc<Shared>,
    pub(super) settings: Settings,
    pub(super) said: Said,
    /// Whether a broken record of a file ends it.
    pub(super) strict: bool,
    /// Whether rows may be named by their position.
    pub(super) by_position: bool,
    pub(super) parts: Vec<Part>,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Added {
    pub(super) documents: u64,
    pub(super) replaced: u64,
    pub(super) unjudged: u64,
    pub(super) skipped: Vec<(String, String)>,
}

impl Adding {
    pub(super) fn run(self) -> Result<Added, Failure> {
        let searcher = self.shared.searcher()?;
        let observer = self.settings.observer.clone();
        let shared = Arc::clone(&self.shared);
        shared.change(&observer, |index| {
            let readers: Vec<Arc<RowReader>> = self.parts.iter().filter_map(reader).collect();
            let taker = Taker {
                searcher,
                settings: self.settings,
                said: self.said,
                destination: Destination::Log(index, Vec::new()),
                documents: 0,
                unjudged: 0,
                failed: None,
            };
            let mut read = ReadParts::new(taker, self.strict, false);
            let outcome = self.parts.into_iter().try_for_each(|part| read.add(part));
            if let Some(error) = read.taker.failed.take() {
                return Err(error.into());
            }
            outcome?;
            if !self.by_position && readers.iter().any(|reader| reader.numbered() > 0) {
                return Err(Failure::Input(
                    "an index knows documents by their ids, and these have none: name their column with id=, hand them over with ids=, or take the positions of rows for ids with id=False"
                        .to_owned(),
                ));
            }
            observer.check()?;
            let skipped = read.skipped;
            read.taker.finish(skipped)
        })
    }
}

fn reader(part: &Part) -> Option<Arc<RowReader>> {
    match part {
        Part::Memory { reader, .. } => Some(Arc::clone(reader)),
        Part::Files(..) => None,
    }
}

/// Gives documents their signatures and adds them.
struct Taker<'a> {
    searcher: Searcher,
    settings: Settings,
    said: Said,
    destination: Destination<'a>,
    documents: u64,
    unjudged: u64,
    failed: Option<twinsift_index::Error>,
}

/// Where documents go.
enum Destination<'a> {
    /// The first ones wait.
    Log(&'a mut Index, Vec<Record>),
    /// There are many of them.
    Segments(Box<Import<'a>>),
    /// Nowhere, after an error.
    Nowhere,
}

impl Destination<'_> {
    fn push(&mut self, record: Record, memory: Option<u64>) -> twinsift_index::Result<()> {
        match std::mem::replace(self, Self::Nowhere) {
            Self::Log(index, mut few) if few.len() < FEW => {
                few.push(record);
                *self = Self::Log(index, few);
            }
            Self::Log(index, few) => {
                let mut import = index.import()?;
                if let Some(memory) = memory {
                    import.set_memory(usize::try_from(memory / 4).unwrap_or(usize::MAX));
                }
                few.iter().try_for_each(|record| import.push(record))?;
                import.push(&record)?;
                *self = Self::Segments(Box::new(import));
            }
            Self::Segments(mut import) => {
                import.push(&record)?;
                *self = Self::Segments(import);
            }
            Self::Nowhere => {}
        }
        Ok(())
    }
}

impl Taker<'_> {
    fn finish(self, skipped: Vec<(String, String)>) -> Result<Added, Failure> {
        let replaced = match self.destination {
            Destination::Log(index, few) => {
                let mut batch = Batch::default();
                few.into_iter().for_each(|record| batch.add(record));
                let known = index.commit(batch)?.into_iter();
                known.filter(|&is_known| is_known).count() as u64
            }
            Destination::Segments(import) => import.finish()?.1,
            Destination::Nowhere => 0,
        };
        Ok(Added {
            documents: self.documents,
            replaced,
            unjudged: self.unjudged,
            skipped,
        })
    }
}

impl Take for Taker<'_> {
    fn take<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        bytes_of: impl Fn(&B) -> usize + Sync,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        on_skipped: impl FnMut(Skipped) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        let Self {
            searcher,
            settings,
            said,
            destination,
            documents,
            unjudged,
            failed,
        } = self;
        searcher.extractor().extract_batches(
            settings,
            batches,
            bytes_of,
            expand,
            on_skipped,
            |entry, signature| {
                *documents += 1;
                *unjudged += u64::from(!signature.is_judged());
                let record = Record {
                    label: said.label.clone(),
                    time_to_live: said.ttl,
                    ..Record::new(entry.id, signature, Time::now())
                };
                destination.push(record, settings.memory).map_err(|error| {
                    *failed = Some(error);
                    Error::Cancelled
                })
            },
        )
    }

    fn taken(&self) -> u64 {
        self.documents
    }
}
