//! Lexicons: how many documents of a collection have each word.

use crate::errors::{engine, input};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// How many documents of a collection have each word: what I-Match and ANDD go by.
///
/// >>> import twinsift
/// >>> lexicon = twinsift.Lexicon.count(["a storm", "a bridge", "a storm"], min_documents=1)
/// >>> lexicon.terms()
/// [('a', 3), ('storm', 2), ('bridge', 1)]
/// >>> lexicon["storm"], "bridge" in lexicon, len(lexicon)
/// (2, True, 3)
#[pyclass(module = "twinsift", frozen, mapping)]
#[derive(Clone)]
pub(crate) struct Lexicon {
    pub(crate) lexicon: Arc<twinsift::Lexicon>,
}

#[pymethods]
impl Lexicon {
    /// Count the words of a collection: whatever `dedup` takes, with the same names of columns.
    #[staticmethod]
    #[pyo3(signature = (data, **options))]
    fn count<'py>(
        data: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let counting = data.py().import("twinsift._counting")?;
        counting.call_method("lexicon", (data,), options)
    }

    /// Open a file of `twinsift lexicon`, or of `save`.
    #[staticmethod]
    pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let lexicon = twinsift::Lexicon::open(&path).map_err(|error| engine(py, &error))?;
        Ok(Self {
            lexicon: Arc::new(lexicon),
        })
    }

    /// A lexicon from its bytes, which are those of its file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        // Lexicons are mapped from files; this one has a name only for a moment.
        let folder = std::env::temp_dir();
        let unique = twinsift::hash::bytes(bytes);
        let name = format!("twinsift-{}-{unique:016x}.lexicon", std::process::id());
        let path = folder.join(name);
        std::fs::write(&path, bytes)?;
        let opened = twinsift::Lexicon::open(&path);
        let removed = std::fs::remove_file(&path);
        let lexicon =
            opened.map_err(|_| input(py, "these bytes are no lexicon, or a damaged one"))?;
        removed?;
        Ok(Self {
            lexicon: Arc::new(lexicon),
        })
    }

    /// The lexicon as bytes, which are those of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        self.lexicon.write(&mut bytes)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Write the lexicon to a file that the command can read.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let mut out = BufWriter::new(std::fs::File::create(path)?);
        self.lexicon.write(&mut out)?;
        Ok(out.flush()?)
    }

    /// A short name that tells it from others.
    #[getter]
    fn id(&self) -> &str {
        self.lexicon.id()
    }

    /// Documents that were counted.
    #[getter]
    fn documents(&self) -> u64 {
        self.lexicon.documents()
    }

    /// Number of words.
    fn __len__(&self) -> usize {
        self.lexicon.len()
    }

    /// How many documents have a word.
    fn __getitem__(&self, word: &str) -> PyResult<u64> {
        match self.lexicon.frequency(word) {
            0 => Err(PyKeyError::new_err(word.to_owned())),
            frequency => Ok(frequency),
        }
    }

    fn __contains__(&self, word: &str) -> bool {
        self.lexicon.frequency(word) > 0
    }

    /// Every word with the number of documents that have it, most frequent first.
    fn terms(&self) -> Vec<(String, u32)> {
        let frequencies = self.lexicon.frequencies();
        let terms = (0..self.lexicon.len())
            .map(|index| (self.lexicon.word(index).to_owned(), frequencies[index]));
        let mut terms: Vec<(String, u32)> = terms.collect();
        terms.sort_unstable_by(|(x, a), (y, b)| b.cmp(a).then_with(|| x.cmp(y)));
        terms
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((from_bytes, (self.to_bytes(py)?,)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.id() == other.id()
    }

    fn __hash__(&self) -> u64 {
        twinsift::hash::bytes(self.id().as_bytes())
    }

    fn __repr__(&self) -> String {
        format!(
            "<twinsift.Lexicon {}: {} words of {} documents>",
            self.id(),
            self.lexicon.len(),
            self.documents()
        )
    }
}
