//! What can go wrong, each as one sentence.

use crate::document::Place;
use crate::refusal::{Refusal, RefusalKind};
use std::io;
use std::path::PathBuf;

/// An error of the engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A recipe that makes no sense; the sentence says why and what to do.
    #[error("{0}")]
    Recipe(Refusal),
    /// Two documents with one name.
    #[error("the id \"{id}\" occurs twice")]
    DuplicateId {
        /// The name.
        id: String,
        /// Where it stood first.
        first: Place,
        /// Where it stood again.
        second: Place,
    },
    /// A recipe whose pairs are decided about by a classifier, which is not here.
    #[error(
        "the classifier {model} decides about pairs of pages: find its candidates with Sifter::candidates, and have them decided by that model"
    )]
    Classifier {
        /// The id of its model.
        model: String,
    },
    /// Features that are no hashes.
    #[error(
        "the features of \"{id}\" are plain numbers: pass each through hash::spread first, for they must be spread evenly"
    )]
    PlainNumbers {
        /// The document.
        id: String,
    },
    /// More documents than an index can number.
    #[error(
        "more than 4,294,967,295 documents: split the collection, and compare its parts with each other"
    )]
    TooManyDocuments,
    /// Temporary data could not be written or read back.
    #[error("cannot keep temporary data in {folder}: {source}; free some space there, or name another folder", folder = folder.display())]
    Spill {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A lexicon that cannot be used; `why` completes "FILE …".
    #[error("{name} {why}")]
    Lexicon {
        /// The file.
        name: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// A model that cannot be used; `why` completes "FILE …".
    #[error("{name} {why}")]
    Model {
        /// The file.
        name: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// Matches are asked for what they were not found for.
    #[error(
        "these matches were found for another purpose: name this one when you finish the sifter"
    )]
    Purpose,
    /// The threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(String),
    /// The caller asked the call to end.
    #[error("cancelled")]
    Cancelled,
}

/// A result of the engine.
pub type Result<T> = std::result::Result<T, Error>;

/// Refuses a recipe whose parts do not go together.
pub fn refuse<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::Recipe(Refusal::new(RefusalKind::Conflict, why)))
}

/// Refuses a parameter that belongs to other recipes.
pub fn misplaced<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::Recipe(Refusal::new(RefusalKind::Misplaced, why)))
}

/// Refuses a value that a parameter cannot have.
pub fn out_of_range<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::Recipe(Refusal::new(RefusalKind::OutOfRange, why)))
}

/// Refuses a recipe that needs something else.
pub fn missing<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::Recipe(Refusal::new(RefusalKind::Missing, why)))
}
