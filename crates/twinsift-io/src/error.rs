//! What can go wrong with a collection as a whole. A broken record is not an
//! error: it is a [`Skipped`](twinsift::Skipped) item.

use std::io;

use thiserror::Error;

/// Why the inputs cannot be read. Each message is one sentence that names the
/// file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A named file is missing or may not be read.
    #[error("cannot read {name}: {reason}")]
    Unreadable {
        /// The file, as the user wrote it.
        name: String,
        /// What the system said.
        reason: String,
    },
    /// A named file is of no kind that can be read.
    #[error("{name}: {reason}")]
    Unrecognised {
        /// The file, as the user wrote it.
        name: String,
        /// Why not.
        reason: String,
    },
    /// The folders that were named hold no file.
    #[error("there is no file to read in {names} (hidden ones are left out)")]
    NoFile {
        /// The folders, as the user wrote them.
        names: String,
    },
    /// Standard input could not be set aside on disk.
    #[error("cannot keep standard input in {folder}: {reason}")]
    Spool {
        /// The folder for temporary files.
        folder: String,
        /// What the system said.
        reason: String,
    },
}

impl ReadError {
    pub(crate) fn unreadable(name: &str, error: &io::Error) -> Self {
        Self::Unreadable {
            name: name.to_owned(),
            reason: plain_reason(error),
        }
    }
}

/// The system's words for an error, without the ` (os error 2)` that Rust adds.
pub(crate) fn plain_reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}
