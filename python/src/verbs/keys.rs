//! From signatures to blocking keys.

use super::Signature;
use super::signature::parsed;
use crate::columns::{ArrowArray, bytes, chunks};
use crate::errors::{engine, input};
use crate::recipe::Recipe;
use arrow_array::builder::{ListBuilder, UInt64Builder};
use pyo3::prelude::*;
use std::sync::Arc;

/// Makes the blocking keys of signatures: only documents that share a key need be compared.
///
/// >>> import twinsift
/// >>> recipe = twinsift.Recipe()
/// >>> keys, extractor = twinsift.Keys(recipe), twinsift.Extractor(recipe)
/// >>> keys.recall
/// 1.0
/// >>> len(keys.of(extractor.extract("one two three four five six")))
/// 1
#[pyclass(module = "twinsift", frozen)]
pub(crate) struct Keys {
    keys: twinsift::Keys,
    recipe: Py<Recipe>,
}

#[pymethods]
impl Keys {
    #[new]
    fn new(py: Python<'_>, recipe: Py<Recipe>) -> PyResult<Self> {
        let keys = twinsift::Keys::new(&recipe.get().recipe);
        Ok(Self {
            keys: keys.map_err(|error| engine(py, &error))?,
            recipe,
        })
    }

    /// How documents are compared.
    #[getter]
    fn recipe(&self, py: Python<'_>) -> Py<Recipe> {
        self.recipe.clone_ref(py)
    }

    /// The least chance that two near duplicates share a key; 1.0 where they always do, `None`
    /// where that cannot be told.
    #[getter]
    fn recall(&self) -> Option<f64> {
        self.keys.recall()
    }

    /// The keys of a signature.
    fn of(&self, py: Python<'_>, signature: &Bound<'_, Signature>) -> Vec<u64> {
        let signature = &signature.get().signature;
        py.detach(|| self.keys.of(signature))
    }

    /// The keys of a column of signatures, as a column of lists. A null has none.
    fn of_batch(&self, signatures: &Bound<'_, PyAny>) -> PyResult<ArrowArray> {
        let py = signatures.py();
        let chunks = chunks(signatures)?;
        let keyed = py.detach(|| {
            let mut keys = ListBuilder::new(UInt64Builder::new());
            for chunk in &chunks {
                for row in 0..chunk.len() {
                    if let Some(bytes) = bytes(chunk.as_ref(), row)? {
                        keys.values().append_slice(&self.keys.of(&parsed(bytes)?));
                    }
                    keys.append(true);
                }
            }
            Ok(keys.finish())
        });
        let array = Arc::new(keyed.map_err(|why: String| input(py, why))?);
        Ok(ArrowArray { array })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Py<Recipe>,)) {
        (py.get_type::<Self>().into_any(), (self.recipe(py),))
    }

    fn __repr__(&self) -> String {
        format!("Keys({})", self.recipe.get().recipe)
    }
}
