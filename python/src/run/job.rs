//! What the engine does on its own thread.

use crate::matches::Outcome;
use crate::read::parts::{Failure, Part, ReadParts, Reread, Take};
use std::sync::Arc;
use std::time::Instant;
use twinsift::{
    Candidates, Error, Item, Keep, Matches, Purpose, Recipe, Settings, Sifter, Skipped,
};
use twinsift_cli::{CandidatePages, Known};
use twinsift_index::Searcher;
use twinsift_learn::classify::Model;
use twinsift_learn::signals::Signals;

/// All that a run needs.
pub(super) struct Job {
    pub(super) recipe: Recipe,
    /// The classifier of the recipe, if it has one.
    pub(super) classifier: Option<Arc<Model>>,
    pub(super) settings: Settings,
    pub(super) purpose: Purpose,
    pub(super) keep: Keep,
    /// Whether a broken record of a file ends the run.
    pub(super) strict: bool,
    /// The documents, and those to compare them with.
    pub(super) parts: Vec<Part>,
    /// The index to compare them with.
    pub(super) index: Option<Searcher>,
}

/// Takes documents; those that are compared with an index are looked up in it.
struct Taker<'a> {
    sifter: Sifter,
    known: Option<Known<'a>>,
}

impl Take for Taker<'_> {
    fn take<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        bytes_of: impl Fn(&B) -> usize + Sync,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        on_skipped: impl FnMut(Skipped) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        match &self.known {
            None => self.sifter.take(batches, bytes_of, expand, on_skipped),
            Some(known) => {
                let signed = known.sign(expand);
                self.sifter.take(batches, bytes_of, signed, on_skipped)
            }
        }
    }

    fn taken(&self) -> u64 {
        self.sifter.taken()
    }
}

impl Job {
    pub(super) fn run(self) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let (recipe, settings) = (self.recipe.clone(), self.settings.clone());
        let sifter = match &self.index {
            None => Sifter::new(recipe, settings)?,
            Some(_) => Sifter::of_signatures(recipe, settings)?,
        };
        let known = self.index.as_ref().map(Known::new);
        let taker = Taker { sifter, known };
        let mut read = ReadParts::new(taker, self.strict, self.classifier.is_some());
        for (number, part) in self.parts.into_iter().enumerate() {
            if number > 0 {
                read.taker.sifter.begin_old()?;
            }
            read.add(part)?;
        }
        let Taker { mut sifter, known } = read.taker;
        if let Some(known) = known {
            known.add_old(&mut sifter, false)?;
        }
        let reading = started.elapsed();
        check_ranks(&sifter, self.keep)?;
        let matches = match &self.classifier {
            Some(model) => {
                let candidates = sifter.candidates()?;
                decide(&self.settings, model, candidates, read.again)?
            }
            None => sifter.finish_for(self.purpose)?,
        };
        Ok(Outcome {
            matches,
            inputs: read.inputs.into_iter().next().flatten().map(Arc::new),
            skipped: read.skipped,
            skipped_places: read.places,
            reading,
            matching: started.elapsed() - reading,
        })
    }
}

/// The candidates that a classifier takes for near duplicates: their pages are read again.
fn decide(
    settings: &Settings,
    model: &Model,
    candidates: Candidates,
    again: Vec<Reread>,
) -> Result<Matches, Failure> {
    let signals = Signals::new(&model.signals, model.background.clone());
    settings.pool()?.install(|| {
        let mut pages = CandidatePages::new(&candidates, &signals)?;
        for part in again {
            part.read(&mut pages)?;
            settings.observer.check()?;
        }
        Ok(pages.decide(candidates, model)?)
    })
}

/// A keep rule by a column that no document has is a mistake in its name.
fn check_ranks(sifter: &Sifter, keep: Keep) -> Result<(), Failure> {
    let documents = sifter.documents();
    let is_ranked = matches!(keep, Keep::MaxRank | Keep::MinRank);
    let mut all = 0..documents.len() as u32;
    match is_ranked && !documents.is_empty() && all.all(|doc| documents.rank(doc).is_none()) {
        true => Err(Failure::Usage(
            "no document has a value in the column that keep= asks for".to_owned(),
        )),
        false => Ok(()),
    }
}
