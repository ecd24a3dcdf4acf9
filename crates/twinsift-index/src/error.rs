//! What can go wrong with an index, each as one sentence.

use std::io;
use std::path::PathBuf;

/// An error of an index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused to read or write.
    #[error("cannot {what} {path}: {source}", path = path.display())]
    Io {
        /// What was tried, such as "write".
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is an index already, or something else.
    #[error("{path} is there already: name a folder that is not", path = .0.display())]
    Exists(PathBuf),
    /// There is no index.
    #[error("{path} is no index: make one with twinsift index create", path = .0.display())]
    NotAnIndex(PathBuf),
    /// Another process, or another part of this one, writes to the index.
    #[error(
        "{path} is being written to by another process: an index has one writer at a time; reading it is possible meanwhile",
        path = .0.display()
    )]
    Locked(PathBuf),
    /// The index was written by a later version.
    #[error(
        "{path} was written by a later version of twinsift (format {version}): use that version",
        path = path.display()
    )]
    Version {
        /// The file that says so.
        path: PathBuf,
        /// The version of its format.
        version: u32,
    },
    /// Bytes are not those that were written.
    #[error(
        "{path} is damaged: {what}; restore it from a snapshot, or build the index anew",
        path = path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// The index compares documents in another way than asked for.
    #[error(
        "{path} has the recipe {have}, and {asked} was asked for: leave the method out, or make another index",
        path = path.display()
    )]
    OtherRecipe {
        /// The index.
        path: PathBuf,
        /// The id of its recipe.
        have: String,
        /// The id of the other one.
        asked: String,
    },
    /// A write has failed before, so that it is not known what is on disk.
    #[error(
        "{path} takes no more changes, since a write to it has failed: {why}; open it again",
        path = path.display()
    )]
    Failed {
        /// The index.
        path: PathBuf,
        /// What failed.
        why: String,
    },
    /// A document that cannot be kept.
    #[error("the document \"{id}\" cannot be kept: {why}")]
    Document {
        /// Its id.
        id: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// An error of the engine.
    #[error(transparent)]
    Engine(#[from] twinsift::Error),
}

/// A result of an index.
pub type Result<T> = std::result::Result<T, Error>;
