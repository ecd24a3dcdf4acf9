//! What can go wrong, as sentences.

use std::io;
use std::path::{Path, PathBuf};

/// Why a review cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file of labels cannot be read or written.
    #[error("{}: {source}", path.display())]
    Labels {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file of labels is not one; `why` is a sentence.
    #[error("{}: {why}", path.display())]
    NoLabels {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Another process has the file of labels open.
    #[error("{} is open in another review: end that one first, or name another file", .0.display())]
    Locked(PathBuf),
    /// The temporary file with the texts cannot be written or read.
    #[error("the temporary file with the texts, in {}: {source}", folder.display())]
    Spool {
        /// Its folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The engine.
    #[error(transparent)]
    Engine(#[from] twinsift::Error),
    /// The server.
    #[error(transparent)]
    Server(#[from] twinsift_server::Error),
    /// An output.
    #[error(transparent)]
    Write(#[from] twinsift_io::write::WriteError),
}

impl Error {
    pub(crate) fn labels(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Labels {
            path: path.to_owned(),
            source,
        }
    }
}
