//! A run over a collection: from sources to matches.

mod job;

use crate::index::OpenIndex;
use crate::matches::{Matches, group_of, keep_rule};
use crate::read;
use crate::recipe::Recipe;
use crate::settings::Machine;
use crate::source::Source;
use crate::worker::work;
use job::Job;
use pyo3::prelude::*;
use twinsift::Purpose;

/// Finds the near duplicates of `new`, among themselves or in `old` or `index`.
///
/// With `copies`, records of files are going to be copied. `tick` is called with the name of a stage, the steps that are done and their number.
#[pyfunction]
#[pyo3(signature = (new, old, index, recipe, machine, purpose, keep, strict, copies, tick))]
#[allow(
    clippy::too_many_arguments,
    reason = "all are named by the only caller"
)]
pub(crate) fn run<'py>(
    py: Python<'py>,
    new: &Bound<'py, Source>,
    old: Option<&Bound<'py, Source>>,
    index: Option<&Bound<'py, OpenIndex>>,
    recipe: &Bound<'py, Recipe>,
    machine: Machine,
    purpose: &str,
    keep: &str,
    strict: bool,
    copies: bool,
    tick: Option<Bound<'py, PyAny>>,
) -> PyResult<Matches> {
    let settings = machine.settings(py)?;
    let keep = keep_rule(py, keep)?;
    let purpose = match purpose {
        "dedup" => Purpose::Dedup(keep),
        "representative" | "connected" => Purpose::Groups(group_of(purpose)),
        _ => Purpose::Pairs,
    };
    let recipe = recipe.get();
    let sources: Vec<_> = [Some(new), old].into_iter().flatten().collect();
    let (parts, feeds) = read::open(py, &sources, &recipe.recipe, &settings.tmp, copies)?;
    let job = Job {
        recipe: recipe.recipe.clone(),
        classifier: recipe.classifier.clone(),
        settings: settings.clone(),
        purpose,
        keep,
        strict,
        parts,
        index: index.map(|index| index.get().searcher(py)).transpose()?,
    };
    let observer = settings.observer.clone();
    let outcome = work(py, observer, tick, feeds, move || job.run())?;
    Ok(Matches::new(outcome, recipe.clone(), settings))
}
