//! Broken records, files that cannot be read, and ids that occur twice.

use crate::complaints::Complaints;
use crate::exit::{bad_input, could_not_read};
use indicatif::ProgressBar;
use twinsift::{Error, Place, Skipped};
use twinsift_io::Inputs;

/// Reports broken records as they come, and remembers where they were.
pub struct Problems {
    complaints: Complaints,
    pub places: Vec<Place>,
    /// Files that were skipped as a whole.
    pub files: u64,
    stopped: Option<anyhow::Error>,
}

impl Problems {
    pub fn new(strict: bool) -> Self {
        Self {
            complaints: Complaints::new(strict, "broken records"),
            places: Vec::new(),
            files: 0,
            stopped: None,
        }
    }

    pub fn take(
        &mut self,
        skipped: Skipped,
        inputs: &Inputs,
        bar: &ProgressBar,
    ) -> Result<(), Error> {
        let place = inputs.place_name(skipped.place);
        let described = format!("{place}: {}", skipped.reason);
        if let Err(stopped) = bar.suspend(|| self.complaints.take(&described)) {
            self.stopped = Some(stopped);
            return Err(Error::Cancelled);
        }
        note_unreadable(inputs, &skipped);
        let Place { source, record } = skipped.place;
        self.files += u64::from(record == 0);
        let records = record..record + skipped.records;
        let places = records.map(|record| Place { source, record });
        self.places.extend(places);
        Ok(())
    }

    /// If nothing of a collection could be read, there is no use in going on. `before` are
    /// the broken records of those that were read before it.
    pub fn refuse_nothing(
        &self,
        what: &str,
        documents: usize,
        before: usize,
    ) -> anyhow::Result<()> {
        if documents > 0 || self.places.len() == before {
            return Ok(());
        }
        self.close();
        Err(nothing_read(what))
    }

    pub fn close(&self) {
        self.complaints.close();
    }

    /// Names the places in an error by file and line.
    pub fn explain(
        &mut self,
        error: Error,
        inputs: &Inputs,
        against: Option<&Inputs>,
    ) -> anyhow::Error {
        if let Some(stopped) = self.stopped.take() {
            return stopped;
        }
        let Error::DuplicateId { id, first, second } = error else {
            return error.into();
        };
        let count = inputs.sources().len() as u32;
        let name = |place: Place| match against {
            Some(old) if place.source >= count => old.place_name(Place {
                source: place.source - count,
                ..place
            }),
            _ => inputs.place_name(place),
        };
        let per_file = match first.source == second.source {
            true => "",
            false => ", or the file before each id with --id-per-file",
        };
        bad_input(format!(
            "the id \"{id}\" occurs twice, at {} and at {}: name another field with --id-field, or documents by their place with --id-field none{per_file}",
            name(first),
            name(second)
        ))
    }
}

/// Takes note of an input that the system does not let us read: the run goes on without it,
/// and its exit code tells.
pub fn note_unreadable(inputs: &Inputs, skipped: &Skipped) {
    let Place { source, record } = skipped.place;
    if record == 0 && inputs.is_unreadable(source) {
        could_not_read(inputs.place_name(skipped.place));
    }
}

pub fn nothing_read(what: &str) -> anyhow::Error {
    bad_input(format!(
        "{what} could be read: see above why, and name other fields with --text-field or --html-field, or the format with --format"
    ))
}
