//! Collections on their way into the engine.
//!
//! The calling thread feeds rows and Arrow data ([`feed`]), for only it may hold the interpreter;
//! the engine's thread takes them, or reads files itself ([`parts`]). A few rows need no thread
//! ([`few`]).

pub(crate) mod feed;
pub(crate) mod few;
pub(crate) mod parts;

use crate::source::{Kind, Source};
use crossbeam_channel::{Sender, bounded};
use feed::{Batch, Feed};
use parts::Part;
use pyo3::prelude::*;
use std::path::Path;
use std::sync::Arc;
use twinsift::Recipe;

/// Batches that wait to be read.
const WAITING: usize = 4;

/// A feed, and where its batches go.
pub(crate) type Fed<'py> = (Feed<'py>, Sender<Arc<Batch>>);

/// The parts of sources for the engine's thread, and the feeds of those that need one.
pub(crate) fn open<'py>(
    py: Python<'py>,
    sources: &[&Bound<'py, Source>],
    recipe: &Recipe,
    tmp: &Path,
    to_copy: bool,
) -> PyResult<(Vec<Part>, Vec<Fed<'py>>)> {
    let (mut parts, mut feeds) = (Vec::new(), Vec::new());
    for source in sources {
        let Source { kind, reading } = source.get();
        if let Kind::Files(paths) = kind {
            let mut options = reading.options(py, recipe, tmp)?;
            options.to_copy = to_copy;
            parts.push(Part::Files(paths.clone(), Box::new(options)));
            continue;
        }
        let feed = Feed::new(py, kind, reading.rows(recipe))?;
        let (sender, receiver) = bounded(WAITING);
        parts.push(Part::Memory {
            reader: feed.reader(),
            page_reader: Box::new(reading.pages()),
            batches: receiver,
        });
        feeds.push((feed, sender));
    }
    Ok((parts, feeds))
}
