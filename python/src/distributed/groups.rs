//! Connected nodes, and which of them stay.

use crate::columns::{ArrowArray, chunks};
use crate::errors::input;
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, PrimitiveArray};
use pyo3::prelude::*;
use std::sync::Arc;
use twinsift::distributed::groups::{self, RankedEdge};

/// Connects nodes by edges, in memory that grows with the nodes only.
#[pyclass(module = "twinsift._twinsift")]
#[derive(Default)]
pub(crate) struct Contraction(groups::Contraction);

#[pymethods]
impl Contraction {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// How many nodes it holds.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Connects the nodes of two columns, row by row.
    fn connect(&mut self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = a.py();
        let (a, b) = (values::<Int64Type>(a)?, values::<Int64Type>(b)?);
        same_length(py, a.len(), &[b.len()])?;
        py.detach(|| {
            let rows = a.values().iter().zip(b.values());
            rows.for_each(|(&a, &b)| self.0.connect(a, b));
        });
        Ok(())
    }

    /// Every node that is not the smallest of those it is connected with, and that smallest
    /// one. Nothing is held afterwards.
    fn drain(&mut self, py: Python<'_>) -> (ArrowArray, ArrowArray) {
        let (nodes, roots) = py.detach(|| self.0.drain());
        (longs(nodes), longs(roots))
    }
}

/// The nodes of edges, `first` before `second`, that look for no near duplicates behind them.
#[pyfunction]
pub(crate) fn passed_over(
    py: Python<'_>,
    first: &Bound<'_, PyAny>,
    second: &Bound<'_, PyAny>,
) -> PyResult<ArrowArray> {
    let (first, second) = (values::<Int64Type>(first)?, values::<Int64Type>(second)?);
    same_length(py, first.len(), &[second.len()])?;
    let edges: Vec<(i64, i64)> = (0..first.len())
        .map(|row| (first.value(row), second.value(row)))
        .collect();
    Ok(longs(py.detach(|| groups::passed_over(edges))))
}

/// Decides which classes of equal documents stay, by all edges of connected ones.
#[pyclass(module = "twinsift._twinsift")]
#[derive(Default)]
pub(crate) struct Decision(Vec<RankedEdge>);

#[pymethods]
impl Decision {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Adds edges between classes that are named by the ranks of their heads, `first` before
    /// `second`; `last_of_first` is the rank of the last document of the first class.
    fn push(
        &mut self,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        score: &Bound<'_, PyAny>,
        last_of_first: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = first.py();
        let (first, second) = (values::<Int64Type>(first)?, values::<Int64Type>(second)?);
        let score = values::<Float64Type>(score)?;
        let last = values::<Int64Type>(last_of_first)?;
        same_length(py, first.len(), &[second.len(), score.len(), last.len()])?;
        self.0.extend((0..first.len()).map(|row| RankedEdge {
            first: first.value(row),
            second: second.value(row),
            score: score.value(row),
            last_of_first: last.value(row),
        }));
        Ok(())
    }

    /// The classes that go, those they go for, and their scores: first one row for the head of
    /// each, then those for documents behind it, by ascending keepers.
    fn finish(&mut self, py: Python<'_>) -> (ArrowArray, ArrowArray, ArrowArray) {
        let edges = std::mem::take(&mut self.0);
        let (nodes, keepers, scores) = py.detach(|| {
            let favours = groups::decide(edges);
            let nodes = favours.iter().map(|favour| favour.node).collect();
            let keepers = favours.iter().map(|favour| favour.keeper).collect();
            let scores: Vec<f64> = favours.iter().map(|favour| favour.score).collect();
            (nodes, keepers, scores)
        });
        let array = Arc::new(Float64Array::from(scores));
        (longs(nodes), longs(keepers), ArrowArray { array })
    }
}

fn longs(values: Vec<i64>) -> ArrowArray {
    let array = Arc::new(Int64Array::from(values));
    ArrowArray { array }
}

fn same_length(py: Python<'_>, rows: usize, others: &[usize]) -> PyResult<()> {
    match others.iter().all(|&other| other == rows) {
        true => Ok(()),
        false => Err(input(py, "the columns have different numbers of rows")),
    }
}

/// A column of one chunk that has numbers of this type, and no nulls.
fn values<T: ArrowPrimitiveType>(column: &Bound<'_, PyAny>) -> PyResult<PrimitiveArray<T>> {
    let chunks = chunks(column)?;
    let array: Option<&ArrayRef> = match chunks.as_slice() {
        [array] => Some(array),
        _ => None,
    };
    let numbers = array.and_then(|array| array.as_primitive_opt::<T>());
    match numbers.filter(|numbers| numbers.null_count() == 0) {
        Some(numbers) => Ok(numbers.clone()),
        None => Err(input(
            column.py(),
            format!("an array of {} without nulls is wanted here", T::DATA_TYPE),
        )),
    }
}
