//! Signatures: what a recipe keeps of a document.

use crate::errors::input;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What a recipe keeps of a document. Its bytes are the same in Python, in an index, in a
/// Parquet column and in a row of Spark.
#[pyclass(module = "twinsift", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) signature: twinsift::Signature,
}

/// A signature from its bytes.
pub(crate) fn parsed(bytes: &[u8]) -> Result<twinsift::Signature, String> {
    twinsift::Signature::from_bytes(bytes)
        .ok_or_else(|| "these bytes are no signature, or one of a later version".to_owned())
}

#[pymethods]
impl Signature {
    /// A signature from its bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let signature = parsed(bytes).map_err(|why| input(py, why))?;
        Ok(Self { signature })
    }

    /// The signature as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.signature.to_bytes())
    }

    /// Whether the document has anything to be compared by.
    #[getter]
    fn is_judged(&self) -> bool {
        self.signature.is_judged()
    }

    /// The features, as ascending hashes; none if the recipe keeps only a sketch.
    #[getter]
    fn features(&self) -> Vec<u64> {
        self.signature.features().to_vec()
    }

    /// The weights of the features; none if all count the same.
    #[getter]
    fn weights(&self) -> Vec<f32> {
        self.signature.weights().to_vec()
    }

    /// The numbers of the sketch, if the recipe makes one.
    #[getter]
    fn sketch(&self) -> Vec<u64> {
        self.signature.sketch().to_vec()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((from_bytes, (self.to_bytes(py),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.signature == other.signature
    }

    fn __hash__(&self) -> u64 {
        twinsift::hash::bytes(&self.signature.to_bytes())
    }

    fn __repr__(&self) -> String {
        format!(
            "<twinsift.Signature: {} features, a sketch of {} numbers>",
            self.signature.features().len(),
            self.signature.sketch().len()
        )
    }
}
