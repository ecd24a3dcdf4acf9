//! What a run found.

use crate::errors::{arguments, engine, input, usage};
use crate::recipe::Recipe;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use twinsift::{Group, Id, Keep, Place, Settings, Verdict};
use twinsift_io::Inputs;

/// Documents that are not alone, the first members of their groups, the groups' sizes, the
/// members that they were verified against, and the scores.
type Members = (
    Vec<u32>,
    Vec<u32>,
    Vec<u32>,
    Vec<Option<u32>>,
    Vec<Option<f64>>,
);

/// What came of a run.
pub(crate) struct Outcome {
    pub(crate) matches: twinsift::Matches,
    /// The files of the documents, where they come from files.
    pub(crate) inputs: Option<Arc<Inputs>>,
    /// The records that were skipped: where each stands, and why.
    pub(crate) skipped: Vec<(String, String)>,
    /// The places of those among the documents.
    pub(crate) skipped_places: Vec<Place>,
    pub(crate) reading: Duration,
    pub(crate) matching: Duration,
}

/// The near duplicates of a run, by the positions of documents.
#[pyclass(module = "twinsift._twinsift", frozen)]
pub(crate) struct Matches {
    outcome: Outcome,
    recipe: Recipe,
    settings: Settings,
}

/// Positions that stay, positions that go, what each of these duplicates, with which score.
type Verdicts = (Vec<u32>, Vec<u32>, Vec<u32>, Vec<f64>);

impl Matches {
    pub(crate) fn new(outcome: Outcome, recipe: Recipe, settings: Settings) -> Self {
        Self {
            outcome,
            recipe,
            settings,
        }
    }

    fn found(&self) -> &twinsift::Matches {
        &self.outcome.matches
    }
}

#[pymethods]
impl Matches {
    /// How many documents there are, those to compare with among them.
    fn __len__(&self) -> usize {
        self.found().documents().len()
    }

    /// The position of the first document to compare with, if there are such.
    #[getter]
    fn old_from(&self) -> Option<u32> {
        self.found().documents().old_from()
    }

    /// How they were found.
    #[getter]
    fn recipe(&self) -> Recipe {
        self.recipe.clone()
    }

    /// The ids of all documents.
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let documents = self.found().documents();
        let ids = (0..documents.len() as u32).map(|doc| id(py, &documents.id(doc)));
        PyList::new(py, ids.collect::<PyResult<Vec<_>>>()?)
    }

    /// Every pair once: positions of the first, of the second, and scores.
    fn pairs(&self, py: Python<'_>) -> PyResult<(Vec<u32>, Vec<u32>, Vec<f64>)> {
        let listed = py.detach(|| {
            let (mut a, mut b, mut scores) = (Vec::new(), Vec::new(), Vec::new());
            for pair in self.found().pairs() {
                let pair = pair?;
                a.push(pair.a);
                b.push(pair.b);
                scores.push(pair.score);
            }
            Ok((a, b, scores))
        });
        listed.map_err(|error| engine(py, &error))
    }

    /// The documents that are not alone, group by group.
    fn clusters(&self, py: Python<'_>, group: &str) -> PyResult<Members> {
        let group = group_of(group);
        let clusters = py.detach(|| self.found().clusters(group));
        let clusters = clusters.map_err(|error| engine(py, &error))?;
        let mut grouped = clusters.grouped_order();
        grouped.retain(|&doc| clusters.size(doc) > 1);
        let verified = |doc: &u32| clusters.representative(*doc).unzip();
        let (representatives, scores) = grouped.iter().map(verified).unzip();
        let firsts = grouped.iter().map(|&doc| clusters.first(doc)).collect();
        let sizes = grouped.iter().map(|&doc| clusters.size(doc)).collect();
        Ok((grouped, firsts, sizes, representatives, scores))
    }

    /// Which documents stay, and what the others duplicate.
    fn verdicts(&self, py: Python<'_>, keep: &str) -> PyResult<Verdicts> {
        let keep = keep_rule(py, keep)?;
        let verdicts = py.detach(|| self.found().dedup(keep));
        let verdicts = verdicts.map_err(|error| engine(py, &error))?;
        let new = self.old_from().map_or(verdicts.len(), |from| from as usize);
        let mut sorted = Verdicts::default();
        for (doc, verdict) in (0..).zip(&verdicts[..new]) {
            match *verdict {
                Verdict::Kept => sorted.0.push(doc),
                Verdict::DuplicateOf { doc: other, score } => {
                    sorted.1.push(doc);
                    sorted.2.push(other);
                    sorted.3.push(score);
                }
            }
        }
        Ok(sorted)
    }

    /// Numbers about the run.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (report, documents) = (self.found().report(), self.found().documents());
        let new = documents.old_from().unwrap_or(documents.len() as u32);
        let told = PyDict::new(py);
        told.set_item("documents", new)?;
        told.set_item("against", documents.len() as u32 - new)?;
        told.set_item("words", report.words)?;
        told.set_item("skipped", report.skipped)?;
        told.set_item("unjudged", report.unjudged)?;
        told.set_item("short", report.short)?;
        told.set_item("unsigned", report.unsigned)?;
        told.set_item("emptied", report.emptied)?;
        told.set_item("compared", report.compared)?;
        told.set_item("spilled_bytes", report.spilled_bytes)?;
        told.set_item("reading_seconds", self.outcome.reading.as_secs_f64())?;
        told.set_item("matching_seconds", self.outcome.matching.as_secs_f64())?;
        Ok(told)
    }

    /// The matches with at least this score, without reading anything again.
    fn raised(&self, py: Python<'_>, threshold: f64) -> PyResult<Self> {
        let raised = py.detach(|| self.found().raised(threshold, &self.settings));
        let matches = raised.map_err(|error| engine(py, &error))?;
        let recipe = Recipe {
            recipe: matches.recipe().clone(),
            classifier: self.recipe.classifier.clone(),
        };
        let outcome = Outcome {
            matches,
            inputs: self.outcome.inputs.clone(),
            skipped: self.outcome.skipped.clone(),
            skipped_places: self.outcome.skipped_places.clone(),
            ..self.outcome
        };
        Ok(Self::new(outcome, recipe, self.settings.clone()))
    }

    /// Writes the survivors of files in their own format, and says how many documents these are.
    fn write(&self, py: Python<'_>, path: PathBuf, keep: &str) -> PyResult<u64> {
        let keep = keep_rule(py, keep)?;
        let Some(inputs) = &self.outcome.inputs else {
            let sentence = "these documents come from no files: write result.kept yourself";
            return Err(usage(py, sentence));
        };
        let verdicts = py.detach(|| self.found().dedup(keep));
        let verdicts = verdicts.map_err(|error| engine(py, &error))?;
        let (documents, skipped) = (self.found().documents(), &self.outcome.skipped_places);
        let written = py
            .detach(|| twinsift_cli::write_survivors(documents, &verdicts, inputs, skipped, &path));
        written.map_err(|why| input(py, arguments(&why)))
    }

    /// The records that were skipped: where each stands, and why.
    fn skipped(&self) -> Vec<(String, String)> {
        self.outcome.skipped.clone()
    }
}

/// An id as the input had it.
pub(crate) fn id<'py>(py: Python<'py>, id: &Id<'_>) -> PyResult<Bound<'py, PyAny>> {
    if !id.is_number {
        return Ok(id.text.as_ref().into_pyobject(py)?.into_any());
    }
    if let Ok(whole) = id.text.parse::<i64>() {
        return Ok(whole.into_pyobject(py)?.into_any());
    }
    let builtins = py.import("builtins")?;
    let text = id.text.as_ref();
    builtins
        .call_method1("int", (text,))
        .or_else(|_| builtins.call_method1("float", (text,)))
}

/// The kind of groups of a name.
pub(crate) fn group_of(name: &str) -> Group {
    match name {
        "connected" => Group::Connected,
        _ => Group::Representative,
    }
}

/// Which of several near duplicates stays.
pub(crate) fn keep_rule(py: Python<'_>, name: &str) -> PyResult<Keep> {
    match name {
        "first" => Ok(Keep::First),
        "longest" => Ok(Keep::Longest),
        "max" => Ok(Keep::MaxRank),
        "min" => Ok(Keep::MinRank),
        other => Err(usage(
            py,
            format!(
                "keep= \"{other}\" is unknown: use \"first\", \"longest\", \"max:FIELD\" or \"min:FIELD\""
            ),
        )),
    }
}
