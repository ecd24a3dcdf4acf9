//! What can go wrong with an output, in one sentence that names it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::error::plain_reason;

/// Why an output could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The reader has closed the output. For a command that writes to a
    /// pipe this is a normal end, as in `twinsift pairs … | head`.
    #[error("the reader closed the output")]
    ClosedPipe,
    /// The system refused.
    #[error("cannot write {target}: {}", plain_reason(.source))]
    Io {
        /// The output, as it was named.
        target: String,
        /// What the system said.
        source: io::Error,
    },
    /// The name does not say which format to write, or says a wrong one.
    #[error("cannot write {}: {reason}", .path.display())]
    Format {
        /// The output, as it was named.
        path: PathBuf,
        /// What is wrong with the name.
        reason: String,
    },
    /// A name in a column that was declared to hold integers only.
    #[error("cannot write {target}: the id {id:?} in column {column:?} is not a 64-bit integer")]
    NotAnInteger {
        /// The output, as it was named.
        target: String,
        /// The column.
        column: String,
        /// The name.
        id: String,
    },
}

impl WriteError {
    /// The system's error for the output called `target`.
    pub(crate) fn new(target: &str, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Io {
                target: target.to_owned(),
                source,
            },
        }
    }
}
