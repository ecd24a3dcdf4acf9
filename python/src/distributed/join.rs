//! From segments to edges.

use super::{Addressed, Blobs, addressed, column, signed};
use crate::columns::ArrowArray;
use crate::errors::{engine, input};
use crate::recipe::Recipe;
use arrow_array::{Float64Array, Int64Array};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use twinsift::distributed::candidates::{self, VerifyPlan};
use twinsift::distributed::fetch::fetch;
use twinsift::distributed::join;
use twinsift::distributed::plan::{Goal, Plan};
use twinsift::distributed::{route, verify};

/// Plans a join by the samples of all partitions: the plan, its tasks, and what is expected.
#[pyfunction]
pub(crate) fn plan_join<'py>(
    py: Python<'py>,
    recipe: &Bound<'py, Recipe>,
    samples: Vec<Vec<u8>>,
    tasks: usize,
    most_postings: usize,
    least_unit: u64,
) -> PyResult<(Bound<'py, PyBytes>, usize, Bound<'py, PyDict>)> {
    let goal = Goal {
        tasks,
        most_postings,
        least_unit,
    };
    let recipe = &recipe.get().recipe;
    let planned = py.detach(|| Plan::new(recipe, samples.iter().map(Vec::as_slice), goal));
    let (plan, estimate) = planned.map_err(|error| engine(py, &error))?;
    let told = PyDict::new(py);
    told.set_item("documents", estimate.documents)?;
    told.set_item("sampled", estimate.sampled)?;
    told.set_item("signature_bytes", estimate.signature_bytes)?;
    told.set_item("postings", estimate.postings)?;
    told.set_item("routed", estimate.routed)?;
    told.set_item("comparisons", estimate.comparisons)?;
    told.set_item("split_keys", plan.splits())?;
    Ok((PyBytes::new(py, &plan.to_bytes()), plan.tasks(), told))
}

/// Sends the postings of documents to the tasks that join them.
#[pyclass(module = "twinsift._twinsift")]
pub(crate) struct Router {
    router: route::Router,
}

#[pymethods]
impl Router {
    #[new]
    fn new(py: Python<'_>, recipe: &Bound<'_, Recipe>, plan: &[u8]) -> PyResult<Self> {
        let router =
            Plan::from_bytes(plan).and_then(|plan| route::Router::new(&recipe.get().recipe, plan));
        Ok(Self {
            router: router.map_err(|error| engine(py, &error))?,
        })
    }

    /// Adds a segment, with what it is to know of equal documents.
    fn add(
        &mut self,
        py: Python<'_>,
        segment: u64,
        signatures: &[u8],
        redirects: Vec<Vec<u8>>,
    ) -> PyResult<()> {
        let added = py.detach(|| {
            let redirects = redirects.iter().map(Vec::as_slice);
            self.router.add(segment, signatures, redirects)
        });
        added.map_err(|error| engine(py, &error))
    }

    /// Whether it is time to `send`.
    #[getter]
    fn is_full(&self) -> bool {
        self.router.is_full()
    }

    /// What was added since the last call, for each task.
    fn send(&mut self, py: Python<'_>) -> Addressed {
        let sent = py.detach(|| self.router.send());
        addressed(sent)
    }
}

/// Finds the pairs that share keys among the postings of a task.
#[pyclass(module = "twinsift._twinsift")]
pub(crate) struct Joiner {
    state: State,
    merging: usize,
}

enum State {
    Adding(join::Joiner),
    Joining(Box<join::Joining>),
    Failed,
}

#[pymethods]
impl Joiner {
    /// A joiner whose pairs so many tasks will merge.
    #[new]
    fn new(
        py: Python<'_>,
        recipe: &Bound<'_, Recipe>,
        against: bool,
        merging: usize,
    ) -> PyResult<Self> {
        let joiner = join::Joiner::new(&recipe.get().recipe, against);
        Ok(Self {
            state: State::Adding(joiner.map_err(|error| engine(py, &error))?),
            merging,
        })
    }

    /// Adds a column of blobs.
    fn add(&mut self, blobs: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = blobs.py();
        let State::Adding(joiner) = &mut self.state else {
            return Err(input(py, "the join has begun already".to_owned()));
        };
        let blobs = Blobs::new(blobs)?;
        let added = py.detach(|| blobs.iter().try_for_each(|blob| joiner.add(blob)));
        added.map_err(|error| engine(py, &error))
    }

    /// The next pairs, for each task that merges some; `None` when there are no more.
    fn next(&mut self, py: Python<'_>) -> Option<Addressed> {
        let blobs = py.detach(|| {
            if let State::Adding(_) = &self.state
                && let State::Adding(joiner) = std::mem::replace(&mut self.state, State::Failed)
            {
                self.state = State::Joining(Box::new(joiner.join(self.merging)));
            }
            match &mut self.state {
                State::Joining(joining) => joining.next_blobs(),
                _ => None,
            }
        });
        blobs.map(addressed)
    }

    /// Postings, comparisons and pairs so far.
    #[getter]
    fn report(&self) -> (u64, u64, u64) {
        match &self.state {
            State::Joining(joining) => {
                let report = joining.report();
                (report.postings, report.comparisons, report.pairs)
            }
            _ => (0, 0, 0),
        }
    }
}

/// Adds up what tasks that join have found of pairs.
#[pyclass(module = "twinsift._twinsift")]
#[derive(Default)]
pub(crate) struct CandidateMerger(candidates::CandidateMerger);

#[pymethods]
impl CandidateMerger {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Adds a column of blobs.
    fn add(&mut self, blobs: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, blobs) = (blobs.py(), Blobs::new(blobs)?);
        let added = py.detach(|| blobs.iter().try_for_each(|blob| self.0.add(blob)));
        added.map_err(|error| engine(py, &error))
    }

    /// The candidates, in blobs, each with the documents that have many; and how many there are.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<(Vec<Candidates<'py>>, u64)> {
        let merger = std::mem::take(&mut self.0);
        let (blobs, count) = py.detach(|| merger.finish());
        let blobs = blobs.iter().map(|blob| {
            let hot = candidates::hot_documents(blob).map_err(|error| engine(py, &error))?;
            let hot = hot
                .iter()
                .map(|&(document, of)| (signed(document), of as i64));
            Ok((PyBytes::new(py, blob), hot.collect()))
        });
        Ok((blobs.collect::<PyResult<_>>()?, count))
    }
}

/// Candidates, and the documents that have many of them, with how many.
type Candidates<'py> = (Bound<'py, PyBytes>, Vec<(i64, i64)>);

/// The candidates of a blob: two columns of documents.
#[pyfunction]
pub(crate) fn candidate_pairs(py: Python<'_>, blob: &[u8]) -> PyResult<(ArrowArray, ArrowArray)> {
    let pairs = py.detach(|| candidates::pairs(blob));
    let (x, y) = pairs.map_err(|error| engine(py, &error))?;
    let documents = |of: Vec<u64>| column(Int64Array::from_iter_values(of.into_iter().map(signed)));
    Ok((documents(x), documents(y)))
}

/// Plans which task verifies which of so many candidates.
#[pyfunction]
pub(crate) fn plan_verification(
    py: Python<'_>,
    candidates: u64,
    tasks: usize,
    hot: Vec<(u64, u64)>,
) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &VerifyPlan::new(candidates, tasks, &hot).to_bytes())
}

/// Shares candidates out: pairs by task, and the documents that tasks need by segment.
#[pyfunction]
pub(crate) fn request_signatures(
    py: Python<'_>,
    blob: &[u8],
    plan: &[u8],
) -> PyResult<(Addressed, Addressed)> {
    let requests = py.detach(|| candidates::request(blob, &VerifyPlan::from_bytes(plan)?));
    let requests = requests.map_err(|error| engine(py, &error))?;
    let documents = requests.documents.into_iter();
    Ok((
        addressed(requests.pairs),
        addressed(documents.map(|(segment, blob)| (signed(segment), blob))),
    ))
}

/// The signatures of a segment that tasks have asked for, by task.
#[pyfunction]
pub(crate) fn fetch_signatures(
    py: Python<'_>,
    segment: u64,
    signatures: &[u8],
    requests: Vec<Vec<u8>>,
) -> PyResult<Addressed> {
    let fetched = py.detach(|| fetch(segment, signatures, requests.iter().map(Vec::as_slice)));
    Ok(addressed(fetched.map_err(|error| engine(py, &error))?))
}

/// Verifies the candidates of a task.
#[pyclass(module = "twinsift._twinsift")]
pub(crate) struct CandidateVerifier {
    verifier: Option<verify::CandidateVerifier>,
}

/// Edges: two documents and a score each; and how many pairs were compared.
type Edges = (ArrowArray, ArrowArray, ArrowArray, u64);

#[pymethods]
impl CandidateVerifier {
    #[new]
    fn new(py: Python<'_>, recipe: &Bound<'_, Recipe>) -> PyResult<Self> {
        let verifier = verify::CandidateVerifier::new(&recipe.get().recipe);
        Ok(Self {
            verifier: Some(verifier.map_err(|error| engine(py, &error))?),
        })
    }

    /// Adds columns of signatures and of candidates.
    fn add(
        &mut self,
        signatures: &Bound<'_, PyAny>,
        candidates: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = signatures.py();
        let Some(verifier) = &mut self.verifier else {
            return Err(input(py, "the candidates are verified already".to_owned()));
        };
        let (signatures, candidates) = (Blobs::new(signatures)?, Blobs::new(candidates)?);
        let added = py.detach(|| {
            let mut signatures = signatures.iter();
            signatures.try_for_each(|blob| verifier.add_signatures(blob))?;
            let mut candidates = candidates.iter();
            candidates.try_for_each(|blob| verifier.add_pairs(blob))
        });
        added.map_err(|error| engine(py, &error))
    }

    /// The near duplicates among the candidates.
    fn run(&mut self, py: Python<'_>) -> PyResult<Edges> {
        let Some(verifier) = self.verifier.take() else {
            return Err(input(py, "the candidates are verified already".to_owned()));
        };
        let (edges, compared) = py
            .detach(|| verifier.run())
            .map_err(|error| engine(py, &error))?;
        let numbers = |of: fn(&verify::Edge) -> u64| {
            let numbers = edges.iter().map(|edge| signed(of(edge)));
            column(Int64Array::from_iter_values(numbers))
        };
        let scores = Float64Array::from_iter_values(edges.iter().map(|edge| edge.score));
        Ok((
            numbers(|edge| edge.x),
            numbers(|edge| edge.y),
            column(scores),
            compared,
        ))
    }
}
