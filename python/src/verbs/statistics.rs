//! How common features are in a collection.

use crate::errors::{engine, input};
use crate::recipe::Recipe;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// How many documents a collection has, and how many of them have each feature: for recipes
/// that go by how common features are. Parts that were counted apart can be merged.
///
/// >>> import twinsift
/// >>> recipe = twinsift.Recipe(method="simhash")
/// >>> twinsift.Statistics.count(["a storm", "a bridge"], recipe)
/// <twinsift.Statistics: 3 features of 2 documents>
#[pyclass(module = "twinsift", frozen)]
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    pub(crate) statistics: twinsift::Statistics,
}

#[pymethods]
impl Statistics {
    /// No document was counted.
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Count the features of a collection: whatever `dedup` takes, with the same names of columns.
    #[staticmethod]
    #[pyo3(signature = (data, recipe, **options))]
    fn count<'py>(
        data: &Bound<'py, PyAny>,
        recipe: &Bound<'py, Recipe>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let counting = data.py().import("twinsift._counting")?;
        counting.call_method("statistics", (data, recipe), options)
    }

    /// Whether a recipe goes by how common features are.
    #[staticmethod]
    fn are_needed_by(recipe: &Bound<'_, Recipe>) -> bool {
        twinsift::Statistics::are_needed_by(&recipe.get().recipe)
    }

    /// Statistics from their bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        match twinsift::Statistics::from_bytes(bytes) {
            Some(statistics) => Ok(Self { statistics }),
            None => {
                let why = "these bytes are no statistics, damaged ones, or of a later version";
                Err(input(py, why))
            }
        }
    }

    /// The statistics as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.statistics.to_bytes())
    }

    /// The statistics of two parts of a collection together.
    fn merge(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<Self> {
        let merged = self.statistics.merge(&other.get().statistics);
        let statistics = merged.map_err(|error| engine(py, &error))?;
        Ok(Self { statistics })
    }

    /// Documents that were counted.
    #[getter]
    fn documents(&self) -> u64 {
        self.statistics.documents()
    }

    /// Different features that were counted.
    #[getter]
    fn features(&self) -> usize {
        self.statistics.features()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((from_bytes, (self.to_bytes(py),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.statistics == other.statistics
    }

    fn __hash__(&self) -> u64 {
        twinsift::hash::bytes(&self.statistics.to_bytes())
    }

    fn __repr__(&self) -> String {
        format!(
            "<twinsift.Statistics: {} features of {} documents>",
            self.features(),
            self.documents()
        )
    }
}
