//! One file for each command.

pub mod clusters;
pub mod compare;
pub mod dedup;
pub mod demo;
pub mod pairs;

use std::io::{ErrorKind, Write};
use std::path::Path;
use twinsift::collection::documents::Documents;
use twinsift_io::write::{Column, IdKind, Kind, WriteError};

/// A column of ids, typed by what the ids are.
fn id_column<'a>(name: &'a str, documents: &Documents) -> Column<'a> {
    let kind = match documents.all_integers() {
        true => IdKind::AllIntegers,
        false => IdKind::Mixed,
    };
    Column::new(name, Kind::Id(kind))
}

/// A path for the summary.
fn shown(path: Option<&Path>) -> Option<String> {
    path.map(|path| path.display().to_string())
}

/// Text for standard output, in colour on a terminal.
fn print(text: &str) -> Result<(), WriteError> {
    let mut out = anstream::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| match source.kind() {
        ErrorKind::BrokenPipe => WriteError::ClosedPipe,
        _ => WriteError::Io {
            target: "standard output".to_owned(),
            source,
        },
    })
}
