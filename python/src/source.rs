//! Where documents come from: rows of Python objects, Arrow data, or files.

use crate::reading::Reading;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::path::PathBuf;

/// A collection of documents that can be read once.
#[pyclass(module = "twinsift._twinsift", frozen)]
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) kind: Kind,
    pub(crate) reading: Reading,
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// An iterable of texts or mappings, and where its rows are kept as they are.
    Rows(Py<PyAny>, Option<Py<PyList>>),
    /// An object with `__arrow_c_stream__`.
    Table(Py<PyAny>),
    /// Files and folders.
    Files(Vec<PathBuf>),
}

#[pymethods]
impl Source {
    /// Texts, or mappings with texts in them. Every row is added to `retained`, if given.
    #[staticmethod]
    fn rows(rows: Py<PyAny>, reading: Reading, retained: Option<Py<PyList>>) -> Self {
        Self {
            kind: Kind::Rows(rows, retained),
            reading,
        }
    }

    /// Record batches of an object with `__arrow_c_stream__`.
    #[staticmethod]
    fn table(table: Py<PyAny>, reading: Reading) -> Self {
        Self {
            kind: Kind::Table(table),
            reading,
        }
    }

    /// Files and folders, which are read as the command reads them.
    #[staticmethod]
    fn files(paths: Vec<PathBuf>, reading: Reading) -> Self {
        Self {
            kind: Kind::Files(paths),
            reading,
        }
    }
}
