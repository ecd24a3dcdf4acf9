//! Document frequencies, counted by many tasks.

use super::segments::BatchReader;
use super::{Addressed, Blobs, addressed};
use crate::errors::{engine, input};
use crate::reading::Reading;
use crate::recipe::Recipe;
use crate::verbs::Statistics;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, PoisonError};
use twinsift::statistics::Counter;

/// Counts the features of one partition.
#[pyclass(module = "twinsift._twinsift")]
pub(crate) struct FeatureCounter {
    reader: BatchReader,
    /// A lock that is never waited for: a class of Python must be fit to share.
    counter: Mutex<Option<Counter>>,
}

#[pymethods]
impl FeatureCounter {
    #[new]
    fn new(recipe: &Bound<'_, Recipe>, reading: Reading) -> Self {
        let recipe = &recipe.get().recipe;
        Self {
            reader: BatchReader::new(&reading, recipe),
            counter: Mutex::new(Some(twinsift::Statistics::counter(recipe))),
        }
    }

    /// Counts the rows of a table.
    fn add(&mut self, table: &Bound<'_, PyAny>) -> PyResult<()> {
        match self
            .counter
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
        {
            Some(counter) => self.reader.read(table, |document| counter.add(document)),
            None => Err(input(table.py(), "the rows are counted already".to_owned())),
        }
    }

    /// The counts, in so many ranges of features.
    fn finish(&mut self, py: Python<'_>, ranges: usize) -> PyResult<Addressed> {
        let counter = self.counter.get_mut();
        let Some(counter) = counter.unwrap_or_else(PoisonError::into_inner).take() else {
            return Err(input(py, "the rows are counted already".to_owned()));
        };
        let split = py.detach(|| counter.finish().split(ranges));
        Ok(addressed(
            (0i64..).zip(split.iter().map(twinsift::Statistics::to_bytes)),
        ))
    }
}

/// One range of features, from the counts of all partitions.
#[pyfunction]
pub(crate) fn merge_statistics<'py>(blobs: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let py = blobs.py();
    let blobs = Blobs::new(blobs)?;
    let merged = py.detach(|| {
        let mut merged = twinsift::Statistics::default();
        for blob in blobs.iter() {
            match twinsift::Statistics::from_bytes(blob) {
                Some(part) => merged = merged.merge(&part)?,
                None => return twinsift::error::refuse("these bytes are no statistics"),
            }
        }
        Ok(merged.to_bytes())
    });
    let merged = merged.map_err(|error| engine(py, &error))?;
    Ok(PyBytes::new(py, &merged))
}

/// All ranges together, in ascending order.
#[pyfunction]
pub(crate) fn concatenate_statistics(py: Python<'_>, ranges: Vec<Vec<u8>>) -> PyResult<Statistics> {
    let parsed = |bytes: &Vec<u8>| twinsift::Statistics::from_bytes(bytes);
    let ranges: Option<Vec<_>> = ranges.iter().map(parsed).collect();
    match ranges {
        Some(ranges) => Ok(Statistics {
            statistics: twinsift::Statistics::concatenate(ranges),
        }),
        None => Err(input(py, "these bytes are no statistics".to_owned())),
    }
}
