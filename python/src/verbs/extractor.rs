//! From texts to signatures.

use super::{Signature, Statistics};
use crate::columns::{ArrowArray, chunks, text};
use crate::errors::{engine, input};
use crate::recipe::Recipe;
use arrow_array::builder::BinaryBuilder;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;
use twinsift::Document;

/// The most bytes of a column of signatures.
const MOST_BYTES: usize = i32::MAX as usize;

/// Makes the signatures of documents.
///
/// >>> import twinsift
/// >>> recipe = twinsift.Recipe()
/// >>> extractor = twinsift.Extractor(recipe)
/// >>> a = extractor.extract("The council approved the new bridge.")
/// >>> b = extractor.extract("the council approved the new bridge")
/// >>> twinsift.Verifier(recipe).score(a, b)
/// 1.0
#[pyclass(module = "twinsift", frozen)]
pub(crate) struct Extractor {
    extractor: twinsift::Extractor,
    recipe: Py<Recipe>,
    statistics: Statistics,
}

#[pymethods]
impl Extractor {
    #[new]
    #[pyo3(signature = (recipe, statistics=None))]
    fn new(
        py: Python<'_>,
        recipe: Py<Recipe>,
        statistics: Option<&Bound<'_, Statistics>>,
    ) -> PyResult<Self> {
        let statistics = statistics
            .map(|known| known.get().clone())
            .unwrap_or_default();
        let extractor = twinsift::Extractor::new(&recipe.get().recipe, &statistics.statistics);
        Ok(Self {
            extractor: extractor.map_err(|error| engine(py, &error))?,
            recipe,
            statistics,
        })
    }

    /// How documents are compared.
    #[getter]
    fn recipe(&self, py: Python<'_>) -> Py<Recipe> {
        self.recipe.clone_ref(py)
    }

    /// The signature of a document. Title and address matter to learned k-grams alone.
    #[pyo3(signature = (text, *, title=None, url=None))]
    fn extract(
        &self,
        py: Python<'_>,
        text: Cow<'_, str>,
        title: Option<Cow<'_, str>>,
        url: Option<Cow<'_, str>>,
    ) -> Signature {
        let signature = py.detach(|| {
            let document = Document {
                title,
                url,
                ..Document::new("", text)
            };
            self.extractor.extract(&document)
        });
        Signature { signature }
    }

    /// The signatures of a column of texts, as a column of bytes. A null is an empty document.
    fn extract_batch(&self, texts: &Bound<'_, PyAny>) -> PyResult<ArrowArray> {
        let py = texts.py();
        let chunks = chunks(texts)?;
        let signed = py.detach(|| {
            let mut signatures = BinaryBuilder::new();
            let mut bytes = 0;
            for chunk in &chunks {
                for row in 0..chunk.len() {
                    let text = text(chunk.as_ref(), row)?.unwrap_or_default();
                    let signature = self.extractor.extract(&Document::new("", text)).to_bytes();
                    bytes += signature.len();
                    if bytes > MOST_BYTES {
                        return Err("the signatures of these texts do not fit into one column: use smaller batches".to_owned());
                    }
                    signatures.append_value(signature);
                }
            }
            Ok(signatures.finish())
        });
        let array = Arc::new(signed.map_err(|why| input(py, why))?);
        Ok(ArrowArray { array })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Py<Recipe>, Statistics)) {
        let class = py.get_type::<Self>().into_any();
        (class, (self.recipe(py), self.statistics.clone()))
    }

    fn __repr__(&self) -> String {
        format!("Extractor({})", self.extractor.recipe())
    }
}
