//! One file for each command.

pub mod clusters;
pub mod compare;
pub mod dedup;
pub mod demo;
pub mod eval;
pub mod filter;
pub mod index;
pub mod judge;
pub mod lexicon;
pub mod pairs;
pub mod render;
pub mod review;
mod sentences;
pub mod serve;
pub mod signals;
mod signals_shown;
pub mod signatures;
pub mod spots;
pub mod train;

use crate::say::Shown;
use std::io::{ErrorKind, Write};
use std::path::Path;
use twinsift_io::write::WriteError;

/// A path for the summary.
fn shown(path: Option<&Path>) -> Option<String> {
    path.map(|path| path.display().to_string())
}

/// Text for people on standard output.
fn print(text: &str) -> Result<(), WriteError> {
    print_shown(&Shown::default().lines(text))
}

/// Text for people, in colour on a terminal.
fn print_shown(text: &Shown) -> Result<(), WriteError> {
    write_all(&mut anstream::stdout().lock(), text.as_str())
}

/// Text for programs, such as JSON, as it is.
fn print_data(text: &str) -> Result<(), WriteError> {
    write_all(&mut std::io::stdout().lock(), text)
}

fn write_all(out: &mut impl Write, text: &str) -> Result<(), WriteError> {
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| match source.kind() {
        ErrorKind::BrokenPipe => WriteError::ClosedPipe,
        _ => WriteError::Io {
            target: "standard output".to_owned(),
            source,
        },
    })
}
