//! Errors of the engine as exceptions of the package.
//!
//! The exceptions are Python classes (`twinsift/errors.py`), for they inherit from `ValueError`
//! and the like as well. Their sentences name keyword arguments.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use twinsift::Error;
use twinsift_io::ReadError;

/// An exception class of `twinsift.errors`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Arguments that make no sense.
    Usage,
    /// Data that cannot be used.
    Input,
    /// Somebody else writes to it.
    Locked,
    /// Bytes are not those that were written.
    Damaged,
    /// Anything else that went wrong.
    Failed,
}

static CLASSES: [PyOnceLock<Py<PyType>>; 5] = [const { PyOnceLock::new() }; 5];

/// An exception with a sentence.
pub(crate) fn exception(py: Python<'_>, kind: Kind, sentence: impl Into<String>) -> PyErr {
    let name = match kind {
        Kind::Usage => "UsageError",
        Kind::Input => "InputError",
        Kind::Locked => "LockedError",
        Kind::Damaged => "DamagedError",
        Kind::Failed => "TwinsiftError",
    };
    match CLASSES[kind as usize].import(py, "twinsift.errors", name) {
        Ok(class) => PyErr::from_type(class.clone(), (sentence.into(),)),
        Err(error) => error,
    }
}

/// A mistake in the arguments.
pub(crate) fn usage(py: Python<'_>, sentence: impl Into<String>) -> PyErr {
    exception(py, Kind::Usage, sentence)
}

/// Data that cannot be used.
pub(crate) fn input(py: Python<'_>, sentence: impl Into<String>) -> PyErr {
    exception(py, Kind::Input, sentence)
}

/// The keyword argument of a parameter.
pub(crate) fn keyword(parameter: &str) -> String {
    format!("{parameter}=")
}

/// An error of the engine.
pub(crate) fn engine(py: Python<'_>, error: &Error) -> PyErr {
    let kind = match error {
        Error::Recipe(_) | Error::Purpose => Kind::Usage,
        Error::DuplicateId { .. } | Error::Lexicon { .. } | Error::Model { .. } => Kind::Input,
        _ => Kind::Failed,
    };
    let sentence = match error {
        Error::Recipe(refusal) => refusal.spelled(keyword),
        Error::Spill { .. } => format!("{error} with tmp="),
        Error::TooManyDocuments => format!("{error} (against=)"),
        Error::DuplicateId { id, first, second } => format!(
            "the id \"{id}\" occurs twice, in rows {} and {}: name another column with id=, or rows by their position with id=False",
            first.record.saturating_sub(1),
            second.record.saturating_sub(1)
        ),
        Error::Purpose => {
            "only as many pairs were looked for as the call needs (all_pairs=False): leave that out to ask for this".to_owned()
        }
        other => other.to_string(),
    };
    exception(py, kind, sentence)
}

/// An error of an index.
pub(crate) fn index(py: Python<'_>, error: &twinsift_index::Error) -> PyErr {
    use twinsift_index::Error;
    let sentence = match error {
        Error::Engine(error) => return engine(py, error),
        Error::Exists(path) => format!(
            "{} is there already: name a folder that is not, or open the index with twinsift.Index",
            path.display()
        ),
        Error::NotAnIndex(path) => format!(
            "{} is no index: make one with twinsift.Index.create",
            path.display()
        ),
        Error::Locked(path) => format!(
            "{} is open for writing already, in this process or another: an index has one writer at a time; read_only=True reads it meanwhile",
            path.display()
        ),
        Error::OtherRecipe { path, have, asked } => format!(
            "{} has the recipe {have}, and {asked} was asked for: leave recipe= and its parameters out, or make another index",
            path.display()
        ),
        other => other.to_string(),
    };
    let kind = match error {
        Error::Exists(_) | Error::OtherRecipe { .. } => Kind::Usage,
        Error::NotAnIndex(_) | Error::Version { .. } | Error::Document { .. } => Kind::Input,
        Error::Locked(_) => Kind::Locked,
        Error::Damaged { .. } => Kind::Damaged,
        _ => Kind::Failed,
    };
    exception(py, kind, sentence)
}

/// An error of a reader of files.
pub(crate) fn reading(py: Python<'_>, error: &ReadError) -> PyErr {
    exception(py, Kind::Input, arguments(&error.to_string()))
}

/// A sentence about flags, as one about keyword arguments.
pub(crate) fn arguments(sentence: &str) -> String {
    let mut said = String::new();
    let mut parts = sentence.split("--");
    said += parts.next().unwrap_or_default();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_lowercase() && c != '-');
        let (flag, rest) = part.split_at(end.unwrap_or(part.len()));
        match flag.is_empty() {
            true => said += "--",
            false => {
                let name = flag.strip_suffix("-field").unwrap_or(flag);
                said += &keyword(&name.replace('-', "_"));
            }
        }
        said += rest;
    }
    said
}
