//! From two signatures to a score.

use super::Signature;
use super::signature::parsed;
use crate::columns::{ArrowArray, bytes, chunks};
use crate::errors::{engine, input};
use crate::recipe::Recipe;
use arrow_array::builder::Float64Builder;
use arrow_array::{Array, ArrayRef};
use pyo3::prelude::*;
use std::sync::Arc;

/// Gives the score of two signatures, to the last bit of a run over a whole collection.
///
/// >>> import twinsift
/// >>> recipe = twinsift.Recipe(k=1, threshold=0.5)
/// >>> extractor, verifier = twinsift.Extractor(recipe), twinsift.Verifier(recipe)
/// >>> a, b = extractor.extract("one two three"), extractor.extract("one two four")
/// >>> verifier.score(a, b), verifier.score(a, extractor.extract("one five six"))
/// (0.5, None)
#[pyclass(module = "twinsift", frozen)]
pub(crate) struct Verifier {
    verifier: twinsift::Verifier,
    recipe: Py<Recipe>,
}

/// The rows of a column, whatever its chunks.
fn rows(chunks: &[ArrayRef]) -> impl Iterator<Item = (&dyn Array, usize)> {
    let chunks = chunks.iter().map(AsRef::as_ref);
    chunks.flat_map(|chunk: &dyn Array| (0..chunk.len()).map(move |row| (chunk, row)))
}

#[pymethods]
impl Verifier {
    #[new]
    fn new(py: Python<'_>, recipe: Py<Recipe>) -> PyResult<Self> {
        let verifier = twinsift::Verifier::new(&recipe.get().recipe);
        Ok(Self {
            verifier: verifier.map_err(|error| engine(py, &error))?,
            recipe,
        })
    }

    /// How documents are compared.
    #[getter]
    fn recipe(&self, py: Python<'_>) -> Py<Recipe> {
        self.recipe.clone_ref(py)
    }

    /// The score of two signatures, or `None` if they are not near duplicates.
    fn score(
        &self,
        py: Python<'_>,
        a: &Bound<'_, Signature>,
        b: &Bound<'_, Signature>,
    ) -> Option<f64> {
        let (a, b) = (&a.get().signature, &b.get().signature);
        py.detach(|| self.verifier.score(a, b))
    }

    /// The scores of two columns of signatures, row by row; null where they are not near
    /// duplicates.
    fn score_batch(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<ArrowArray> {
        let py = a.py();
        let (a, b) = (chunks(a)?, chunks(b)?);
        let scored = py.detach(|| {
            if rows(&a).count() != rows(&b).count() {
                return Err("the two columns have different numbers of rows".to_owned());
            }
            let mut scores = Float64Builder::new();
            for ((a, at), (b, bt)) in rows(&a).zip(rows(&b)) {
                let score = match (bytes(a, at)?, bytes(b, bt)?) {
                    (Some(a), Some(b)) => self.verifier.score(&parsed(a)?, &parsed(b)?),
                    _ => None,
                };
                scores.append_option(score);
            }
            Ok(scores.finish())
        });
        let array = Arc::new(scored.map_err(|why| input(py, why))?);
        Ok(ArrowArray { array })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Py<Recipe>,)) {
        (py.get_type::<Self>().into_any(), (self.recipe(py),))
    }

    fn __repr__(&self) -> String {
        format!("Verifier({})", self.recipe.get().recipe)
    }
}
