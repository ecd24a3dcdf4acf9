//! Words and features of collections, counted.

use crate::lexicon::Lexicon;
use crate::read;
use crate::read::parts::{Failure, ReadParts, Take};
use crate::recipe::Recipe;
use crate::settings::Machine;
use crate::source::Source;
use crate::verbs::Statistics;
use crate::worker::work;
use pyo3::prelude::*;
use std::sync::Arc;
use twinsift::lexicon::{Counter, Limits};
use twinsift::{Error, Item, Observer, Skipped, statistics};

/// Counts the words of a source, as a recipe reads it.
#[pyfunction]
#[pyo3(signature = (source, recipe, machine, fold, min_documents, max_terms, tick))]
#[allow(
    clippy::too_many_arguments,
    reason = "all are named by the only caller"
)]
pub(crate) fn count_lexicon<'py>(
    py: Python<'py>,
    source: &Bound<'py, Source>,
    recipe: &Bound<'py, Recipe>,
    machine: Machine,
    fold: bool,
    min_documents: u32,
    max_terms: usize,
    tick: Option<Bound<'py, PyAny>>,
) -> PyResult<Lexicon> {
    let settings = machine.settings(py)?;
    let (parts, feeds) = read::open(py, &[source], &recipe.get().recipe, &settings.tmp, false)?;
    let counter = Counter::new(&settings).folding(fold);
    let limits = Limits {
        min_documents,
        max_terms,
    };
    let lexicon = work(py, settings.observer.clone(), tick, feeds, move || {
        let mut read = ReadParts::new(counter, false, false);
        parts.into_iter().try_for_each(|part| read.add(part))?;
        read.taker.finish(limits).map_err(Failure::from)
    })?;
    Ok(Lexicon {
        lexicon: Arc::new(lexicon),
    })
}

/// A counter that looks at its observer.
struct Counting {
    counter: statistics::Counter,
    observer: Observer,
    taken: u64,
}

impl Take for Counting {
    fn take<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        _: impl Fn(&B) -> usize + Sync,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        mut on_skipped: impl FnMut(Skipped) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        for batch in batches {
            self.observer.check()?;
            let mut outcome = Ok(());
            expand(&batch, &mut |item| match item {
                Item::Document(document) => {
                    self.counter.add(&document);
                    self.taken += 1;
                }
                Item::Skipped(skipped) if outcome.is_ok() => outcome = on_skipped(skipped),
                Item::Skipped(_) => {}
            });
            outcome?;
        }
        Ok(())
    }

    fn taken(&self) -> u64 {
        self.taken
    }
}

/// Counts the features of a source.
#[pyfunction]
pub(crate) fn count_statistics<'py>(
    py: Python<'py>,
    source: &Bound<'py, Source>,
    recipe: &Bound<'py, Recipe>,
    machine: Machine,
) -> PyResult<Statistics> {
    let settings = machine.settings(py)?;
    let recipe = recipe.get().recipe.clone();
    let (parts, feeds) = read::open(py, &[source], &recipe, &settings.tmp, false)?;
    let observer = settings.observer.clone();
    let statistics = work(py, settings.observer, None, feeds, move || {
        let counter = twinsift::Statistics::counter(&recipe);
        let counting = Counting {
            counter,
            observer,
            taken: 0,
        };
        let mut read = ReadParts::new(counting, false, false);
        parts.into_iter().try_for_each(|part| read.add(part))?;
        Ok(read.taker.counter.finish())
    })?;
    Ok(Statistics { statistics })
}
