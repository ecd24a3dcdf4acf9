//! Checks of outputs before anything is read, and columns that several tables have.

use crate::exit::bad_input;
use std::path::{Path, PathBuf};
use twinsift::collection::documents::Documents;
use twinsift_io::write::{Column, IdKind, Kind};

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
pub fn target(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| path.as_os_str() != "-")
}

/// Refuses an output that would overwrite an input, or a file in a folder of inputs.
pub fn refuse_overwriting<'a>(
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

/// Refuses two outputs of one name: the second would overwrite the first. An output
/// without a name goes to standard output; `None` is one that was not asked for.
pub fn refuse_same_output(outputs: &[(&str, Option<Option<&Path>>)]) -> anyhow::Result<()> {
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
pub fn check_output_path(flag: &str, path: &Path) -> anyhow::Result<()> {
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
