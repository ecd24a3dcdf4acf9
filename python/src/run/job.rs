//! What the engine does on its own thread.

use super::feed::Batch;
use crate::reading::Reading;
use crate::source::{Kind, Source};
use crossbeam_channel::Receiver;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use twinsift::{Error, Item, Matches, Place, Purpose, Recipe, Settings, Sifter, Skipped};
use twinsift_io::{Inputs, ReadError, ReadOptions, RowReader};

/// All that a run needs.
pub(super) struct Job {
    pub(super) recipe: Recipe,
    pub(super) settings: Settings,
    pub(super) purpose: Purpose,
    /// Whether a broken record of a file ends the run.
    pub(super) strict: bool,
    /// The documents, and those to compare them with.
    pub(super) parts: Vec<Part>,
}

/// A collection.
pub(super) enum Part {
    /// Batches of the calling thread.
    Memory(Arc<RowReader>, Receiver<Batch>),
    /// Files, which are read here.
    Files(Vec<PathBuf>, Box<ReadOptions>),
}

impl Part {
    pub(super) fn files(
        py: Python<'_>,
        source: &Source,
        recipe: &Recipe,
        tmp: &Path,
    ) -> PyResult<Self> {
        let reading: &Reading = &source.reading;
        let options = Box::new(reading.options(py, recipe, tmp)?);
        let paths = match &source.kind {
            Kind::Files(paths) => paths.clone(),
            _ => Vec::new(),
        };
        Ok(Self::Files(paths, options))
    }
}

/// What came of a run.
pub(crate) struct Outcome {
    pub(crate) matches: Matches,
    /// The files of each collection, where it is files.
    pub(crate) inputs: Vec<Option<Inputs>>,
    /// The records that were skipped: where each stands, and why.
    pub(crate) skipped: Vec<(String, String)>,
    /// Their places among the first files.
    pub(crate) skipped_places: Vec<Place>,
    pub(crate) reading: Duration,
    pub(crate) matching: Duration,
}

/// Why there is no outcome.
pub(super) enum Failure {
    Engine(Error),
    Read(ReadError),
    Input(String),
    Usage(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

impl Job {
    pub(super) fn run(self) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let mut read = ReadParts {
            sifter: Sifter::new(self.recipe.clone(), self.settings.clone())?,
            inputs: Vec::new(),
            skipped: Vec::new(),
            places: Vec::new(),
            sources: 0,
            strict: self.strict,
        };
        for (number, part) in self.parts.into_iter().enumerate() {
            if number > 0 {
                read.sifter.begin_old()?;
            }
            read.add(part)?;
        }
        let reading = started.elapsed();
        if let Purpose::Dedup(keep) = self.purpose {
            check_ranks(&read.sifter, keep)?;
        }
        let matches = read.sifter.finish_for(self.purpose)?;
        Ok(Outcome {
            matches,
            inputs: read.inputs,
            skipped: read.skipped,
            skipped_places: read.places,
            reading,
            matching: started.elapsed() - reading,
        })
    }
}

/// A keep rule by a column that no document has is a mistake in its name.
fn check_ranks(sifter: &Sifter, keep: twinsift::Keep) -> Result<(), Failure> {
    let documents = sifter.documents();
    let is_ranked = matches!(keep, twinsift::Keep::MaxRank | twinsift::Keep::MinRank);
    let mut all = 0..documents.len() as u32;
    match is_ranked && !documents.is_empty() && all.all(|doc| documents.rank(doc).is_none()) {
        true => Err(Failure::Usage(
            "no document has a value in the column that keep= asks for".to_owned(),
        )),
        false => Ok(()),
    }
}

/// The collections as far as they have been read.
struct ReadParts {
    sifter: Sifter,
    inputs: Vec<Option<Inputs>>,
    skipped: Vec<(String, String)>,
    places: Vec<Place>,
    /// How many sources came before.
    sources: u32,
    strict: bool,
}

impl ReadParts {
    fn add(&mut self, part: Part) -> Result<(), Failure> {
        match part {
            Part::Memory(reader, batches) => {
                let added = self.add_rows(&reader, batches);
                self.inputs.push(None);
                added?;
                self.sources += 1;
            }
            Part::Files(paths, options) => {
                let inputs = Inputs::open(&paths, *options).map_err(Failure::Read)?;
                let sources = inputs.sources().len() as u32;
                let added = self.add_files(&inputs);
                self.inputs.push(Some(inputs));
                added?;
                self.sources += sources;
            }
        }
        Ok(())
    }

    fn add_rows(&mut self, reader: &RowReader, batches: Receiver<Batch>) -> Result<(), Failure> {
        let offset = self.sources;
        let mut wrong = None;
        let added = self.sifter.add_sized_batches(
            batches.into_iter(),
            Batch::bytes,
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
            (None, added) => added.map_err(|error| self.explained(error, None)),
        }
    }

    fn add_files(&mut self, inputs: &Inputs) -> Result<(), Failure> {
        let (offset, strict) = (self.sources, self.strict);
        let is_first = self.inputs.is_empty();
        let (skipped_before, mut stopped) = (&mut self.skipped, None);
        let places = &mut self.places;
        let added = self.sifter.add_sized_batches(
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
                skipped_before.push((place, skipped.reason));
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
