//! An index on disk, open in Python.

mod adding;
mod asking;
mod shared;

use crate::errors::{index as refused, input, usage};
use crate::matches::id as py_id;
use crate::read;
use crate::read::few::documents;
use crate::read::parts::Failure;
use crate::recipe::Recipe;
use crate::rows::id_text;
use crate::settings::Machine;
use crate::source::Source;
use crate::verbs::Statistics;
use crate::worker::{raised, work};
use adding::{Adding, Said};
use asking::{Asking, renew};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use shared::{Entered, Shared};
use std::path::PathBuf;
use std::sync::Arc;
use twinsift::{Id, Observer};
use twinsift_index::{Batch, Index, Searcher, Time};

/// An index that is open.
#[pyclass(module = "twinsift._twinsift", frozen)]
#[derive(Debug)]
pub(crate) struct OpenIndex {
    pub(crate) shared: Arc<Shared>,
}

/// How many documents were added, how many of them took the place of others and have too little
/// to be matched, and the records that were skipped.
type Added = (u64, u64, u64, Vec<(String, String)>);

/// Ids, what they duplicate, scores, labels, and the records that were skipped.
type Answers<'py> = (
    Bound<'py, PyList>,
    Bound<'py, PyList>,
    Vec<Option<f64>>,
    Vec<Option<String>>,
    Vec<(String, String)>,
);

/// The id of a known document, a score, and the label of the known one.
type Match<'py> = (Bound<'py, PyAny>, f64, Option<String>);

/// Id, label, when it was added and expires in milliseconds since 1970, whether it is judged.
type Record<'py> = (Bound<'py, PyAny>, Option<String>, u64, Option<u64>, bool);

#[pymethods]
impl OpenIndex {
    /// Opens the index in a folder.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, read_only: bool) -> PyResult<Self> {
        let opened = py.detach(|| Shared::open(path, read_only));
        let shared = Arc::new(opened.map_err(|error| refused(py, &error))?);
        Ok(Self { shared })
    }

    /// Makes an empty index in a folder.
    #[staticmethod]
    fn create(
        py: Python<'_>,
        path: PathBuf,
        recipe: &Bound<'_, Recipe>,
        statistics: Option<&Bound<'_, Statistics>>,
    ) -> PyResult<Self> {
        let (whole, recipe) = (recipe.get(), &recipe.get().recipe);
        if whole.classifier.is_some() {
            let why =
                "an index cannot go by a classifier of pairs: use twinsift.pairs(new, against=old)";
            return Err(usage(py, why));
        }
        if recipe
            .model()
            .is_some_and(|model| model.query_log.is_some())
        {
            let why = "an index cannot keep a model that was trained with a log of queries: train one without";
            return Err(usage(py, why));
        }
        let needed = twinsift::Statistics::are_needed_by(recipe);
        let why = match (needed, statistics.is_some()) {
            (true, false) => {
                "this method goes by how common words are in a collection, and an index begins without one: hand over documents to count them in with statistics=, or a lexicon= for method=\"imatch\""
            }
            (false, true) => {
                "statistics= has no meaning here: this method does not go by how common words are"
            }
            _ => "",
        };
        if !why.is_empty() {
            return Err(usage(py, why));
        }
        let statistics = statistics.map(|counted| counted.get().statistics.clone());
        let made = py.detach(|| Index::create(&path, recipe, &statistics.unwrap_or_default()));
        let index = made.map_err(|error| refused(py, &error))?;
        let shared = Arc::new(Shared::writing(path, index));
        Ok(Self { shared })
    }

    /// The folder.
    #[getter]
    fn path(&self) -> PathBuf {
        self.shared.path().to_owned()
    }

    #[getter]
    fn is_read_only(&self) -> bool {
        self.shared.is_read_only()
    }

    #[getter]
    fn is_closed(&self) -> bool {
        self.shared.is_closed()
    }

    /// How documents are compared.
    #[getter]
    fn recipe(&self, py: Python<'_>) -> PyResult<Recipe> {
        Ok(Recipe {
            recipe: self.searcher(py)?.recipe().clone(),
            classifier: None,
        })
    }

    /// Adds the documents of a source.
    #[allow(
        clippy::too_many_arguments,
        reason = "all are named by the only caller"
    )]
    fn add<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'py, Source>,
        machine: Machine,
        label: Option<String>,
        ttl: Option<u64>,
        strict: bool,
        tick: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Added> {
        let settings = machine.settings(py)?;
        let searcher = self.searcher(py)?;
        let (parts, feeds) = read::open(py, &[source], searcher.recipe(), &settings.tmp, false)?;
        let adding = Adding {
            shared: Arc::clone(&self.shared),
            settings: settings.clone(),
            said: Said { label, ttl },
            strict,
            by_position: source.get().reading.is_by_position(),
            parts,
        };
        let _entered = self.enter(py)?;
        let added = work(py, settings.observer, tick, feeds, move || adding.run())?;
        Ok((
            added.documents,
            added.replaced,
            added.unjudged,
            added.skipped,
        ))
    }

    /// Says what the documents of a source duplicate.
    #[allow(
        clippy::too_many_arguments,
        reason = "all are named by the only caller"
    )]
    fn query<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'py, Source>,
        machine: Machine,
        top: Option<usize>,
        all: bool,
        renew: bool,
        strict: bool,
        tick: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Answers<'py>> {
        let settings = machine.settings(py)?;
        let searcher = self.searcher(py)?;
        let (parts, feeds) = read::open(py, &[source], searcher.recipe(), &settings.tmp, false)?;
        let asking = Asking {
            shared: Arc::clone(&self.shared),
            settings: settings.clone(),
            top: top.unwrap_or(usize::MAX),
            all,
            renew,
            strict,
            parts,
        };
        let _entered = renew.then(|| self.enter(py)).transpose()?;
        let answers = work(py, settings.observer, tick, feeds, move || asking.run())?;
        let ids = answers.ids.iter().map(|id| py_id(py, id));
        let ids = PyList::new(py, ids.collect::<PyResult<Vec<_>>>()?)?;
        let others = answers.duplicate_of.iter();
        let others = others.map(|id| id.as_ref().map(|id| py_id(py, id)).transpose());
        let others = PyList::new(py, others.collect::<PyResult<Vec<_>>>()?)?;
        Ok((ids, others, answers.scores, answers.labels, answers.skipped))
    }

    /// What the only row of a source duplicates: ids, scores and labels.
    fn matches<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'py, Source>,
        top: Option<usize>,
        renewed: bool,
    ) -> PyResult<Vec<Match<'py>>> {
        let searcher = self.searcher(py)?;
        let (documents, wrong) = documents(py, source.get(), searcher.recipe())?;
        if let Some(skipped) = wrong {
            return Err(input(py, format!("the document: {}", skipped.reason)));
        }
        let top = top.unwrap_or(usize::MAX);
        let answers = py.detach(|| {
            let answers = documents.iter().map(|one| searcher.answer(one, top));
            answers.collect::<twinsift_index::Result<Vec<_>>>()
        });
        let answers = answers.map_err(|error| refused(py, &error))?;
        let found: Vec<_> = answers.into_iter().flat_map(|one| one.matches).collect();
        if renewed {
            let ids: Vec<Id<'static>> = found.iter().map(|found| found.id.clone()).collect();
            self.change(py, move |shared, observer| {
                renew(shared, observer, ids.iter())
            })?;
        }
        let found = found
            .into_iter()
            .map(|found| Ok((py_id(py, &found.id)?, found.score, found.label)));
        found.collect()
    }

    /// What is known of a document.
    fn get<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> PyResult<Option<Record<'py>>> {
        let (searcher, id) = (self.searcher(py)?, id_text(id)?);
        let found = py.detach(|| searcher.get(&id, Time::now()));
        let Some((record, expires)) = found.map_err(|error| refused(py, &error))? else {
            return Ok(None);
        };
        Ok(Some((
            py_id(py, &record.id)?,
            record.label,
            record.added.0,
            expires.map(|time| time.0),
            record.signature.is_judged(),
        )))
    }

    /// The ids of all documents, in the order in which they were added.
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let searcher = self.searcher(py)?;
        let mut ids = Vec::new();
        let visited = py.detach(|| {
            searcher.visit(Time::now(), |record, _| {
                ids.push(record.id);
                Ok(())
            })
        });
        visited.map_err(|error| refused(py, &error))?;
        let ids = ids.iter().map(|id| py_id(py, id));
        PyList::new(py, ids.collect::<PyResult<Vec<_>>>()?)
    }

    /// Figures of the index.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let searcher = self.searcher(py)?;
        let stats = py.detach(|| searcher.stats(Time::now()));
        let stats = stats.map_err(|error| refused(py, &error))?;
        let told = PyDict::new(py);
        told.set_item("documents", stats.documents)?;
        told.set_item("removed", stats.removed)?;
        told.set_item("segments", stats.segments)?;
        told.set_item("in_log", stats.in_log)?;
        told.set_item("keys", stats.keys)?;
        told.set_item("bytes", stats.bytes)?;
        told.set_item("memory", stats.memory)?;
        Ok(told)
    }

    /// Removes documents. Returns how many were known.
    fn remove(&self, py: Python<'_>, ids: Vec<Bound<'_, PyAny>>) -> PyResult<u64> {
        let ids = ids.iter().map(id_text).collect::<PyResult<Vec<_>>>()?;
        self.change(py, move |shared, observer| {
            let mut batch = Batch::default();
            ids.into_iter().for_each(|id| batch.remove(id));
            let known = shared.change(observer, |index| Ok(index.commit(batch)?))?;
            Ok(known.into_iter().filter(|&was_known| was_known).count() as u64)
        })
    }

    /// Removes documents that have expired. Returns how many.
    fn expire(&self, py: Python<'_>) -> PyResult<u64> {
        self.change(py, |shared, observer| {
            shared.change(observer, |index| Ok(index.expire(Time::now())?))
        })
    }

    /// Merges what was added bit by bit, and gives back the space of removed documents.
    fn compact(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |shared, observer| {
            shared.change(observer, |index| Ok(index.compact()?))
        })
    }

    /// Copies the index as it is to a folder.
    fn snapshot(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let searcher = self.searcher(py)?;
        work(py, Observer::default(), None, Vec::new(), move || {
            Ok(searcher.snapshot(path)?)
        })
    }

    /// Reads what another process has written. Returns whether there was a change.
    fn refresh(&self, py: Python<'_>) -> PyResult<bool> {
        let searcher = self.searcher(py)?;
        let refreshed = py.detach(|| searcher.refresh());
        refreshed.map_err(|error| refused(py, &error))
    }

    /// Ends all work with the index.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |shared, observer| shared.close(observer))
    }
}

impl OpenIndex {
    pub(crate) fn searcher(&self, py: Python<'_>) -> PyResult<Searcher> {
        self.shared
            .searcher()
            .map_err(|failure| raised(py, failure))
    }

    fn enter(&self, py: Python<'_>) -> PyResult<Entered> {
        self.shared.enter().map_err(|failure| raised(py, failure))
    }

    /// Changes the index, on a thread of its own.
    fn change<T: Send + 'static>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&Shared, &Observer) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let shared = Arc::clone(&self.shared);
        let _entered = self.enter(py)?;
        let observer = Observer::default();
        let observed = observer.clone();
        work(py, observer, None, Vec::new(), move || {
            change(&shared, &observed)
        })
    }
}

/// Reads everything that an index has on disk. Returns what is wrong.
#[pyfunction]
pub(crate) fn check_index(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    let checked = work(py, Observer::default(), None, Vec::new(), move || {
        Ok(twinsift_index::check(&path)?)
    })?;
    Ok(checked.problems)
}
