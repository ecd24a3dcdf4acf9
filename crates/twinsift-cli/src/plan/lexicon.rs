//! Lexicons for runs: from a file, or counted there and then.

use crate::exit::bad_input;
use crate::ingest;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use twinsift::lexicon::{Counter, Limits};
use twinsift::{Lexicon, Settings};
use twinsift_io::{Inputs, ReadOptions};

/// The lexicon at `path`: a file of `twinsift lexicon`, or documents to count, with the
/// disguises of words undone if `fold` is set.
pub fn load(
    path: &Path,
    options: ReadOptions,
    fold: bool,
    settings: &Settings,
) -> anyhow::Result<Arc<Lexicon>> {
    if path.as_os_str() == "-" {
        return Err(bad_input(
            "--lexicon names a file: standard input is for documents",
        ));
    }
    match Lexicon::is_one(path) {
        true => Ok(Arc::new(Lexicon::open(path)?)),
        false => counted(&[path.to_owned()], options, fold, settings),
    }
}

/// The lexicon of some documents.
pub fn counted(
    paths: &[PathBuf],
    options: ReadOptions,
    fold: bool,
    settings: &Settings,
) -> anyhow::Result<Arc<Lexicon>> {
    let inputs = Inputs::open(paths, options)?;
    let counter = Counter::new(settings).folding(fold);
    let (counter, _) = ingest::count(&inputs, counter, false, true)?;
    Ok(Arc::new(counter.finish(Limits::default())?))
}
