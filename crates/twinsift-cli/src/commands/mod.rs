//! One file for each command.

pub mod clusters;
pub mod compare;
pub mod dedup;
pub mod demo;
pub mod eval;
pub mod filter;
pub mod judge;
pub mod lexicon;
pub mod pairs;
pub mod render;
mod sentences;
pub mod signals;
mod signals_shown;
pub mod signatures;
pub mod spots;
pub mod train;

use crate::exit::bad_input;
use crate::say::Shown;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use twinsift::collection::documents::Documents;
use twinsift_io::write::{Column, IdKind, Kind, WriteError};

/// Columns of ids, typed by what the ids are.
pub fn id_columns<'a, const N: usize>(
    names: [&'a str; N],
    documents: &Documents,
) -> [Column<'a>; N] {
    let kind = match documents.all_integers() {
        true => IdKind::AllIntegers,
        false => IdKind::Mixed,
    };
    names.map(|name| Column::new(name, Kind::Id(kind)))
}

/// Where an output goes; a `-` is standard output, as no output at all is.
fn target(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| path.as_os_str() != "-")
}

/// Refuses an output that would take the place of a file that is only read, by itself or
/// as one of a folder.
pub fn spare<'a>(
    flag: &str,
    output: Option<&Path>,
    mut read: impl Iterator<Item = &'a PathBuf>,
) -> anyhow::Result<()> {
    let Some(found) = output.and_then(|path| path.canonicalize().ok()) else {
        return Ok(());
    };
    let is_read = |path: &PathBuf| {
        path.canonicalize()
            .is_ok_and(|path| found.starts_with(path))
    };
    match found.is_file() && read.any(is_read) {
        true => Err(bad_input(format!(
            "{flag} {} is one of the inputs, which it would replace: name another file",
            output.unwrap_or(&found).display()
        ))),
        false => Ok(()),
    }
}

/// Refuses outputs of one name, of which the last would take the place of the others.
/// Without a name an output goes to standard output; `None` is one that nobody asked for.
pub fn distinct(outputs: &[(&str, Option<Option<&Path>>)]) -> anyhow::Result<()> {
    let mut named: Vec<(&str, Option<PathBuf>)> = Vec::new();
    for &(flag, output) in outputs {
        let Some(output) = output else { continue };
        let whole = output.and_then(|path| std::path::absolute(path).ok());
        if let Some((other, _)) = named.iter().find(|(_, name)| *name == whole) {
            return Err(bad_input(match output {
                None => format!("{other} and {flag} both go to standard output: name a file"),
                Some(_) => format!(
                    "{other} and {flag} name the same file: they are two outputs, so name two"
                ),
            }));
        }
        named.push((flag, whole));
    }
    Ok(())
}

/// Refuses an output that cannot be a file, before anything is read.
pub fn check_place(flag: &str, path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        return Err(bad_input(format!("{flag}: {} is a folder", path.display())));
    }
    let folder = path.parent();
    match folder.filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
        Some(folder) => Err(bad_input(format!(
            "{flag}: there is no folder {}",
            folder.display()
        ))),
        None => Ok(()),
    }
}

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
