//! Reading everything that an index has on disk, to see whether it is as it was written.

use crate::definition::Definition;
use crate::error::{Error, Result};
use crate::record::Time;
use crate::searcher::{Searcher, find_manifest};
use crate::segment::Segment;
use crate::storage::{Folder, Storage};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// What a check has found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// Documents that are known.
    pub documents: u64,
    /// What is wrong, each as a sentence; nothing if all is well.
    pub problems: Vec<String>,
}

/// Checks the index in a folder; another process may write to it meanwhile.
pub fn check(folder: impl AsRef<Path>) -> Result<Checked> {
    check_in(Arc::new(Folder::new(folder.as_ref())))
}

/// As [`check`], in any storage.
pub fn check_in(storage: Arc<dyn Storage>) -> Result<Checked> {
    let mut checked = Checked::default();
    let searcher = match Searcher::open_in(Arc::clone(&storage)) {
        Ok(searcher) => searcher,
        Err(error @ Error::Damaged { .. }) => {
            checked.problems.push(error.to_string());
            return checked_parts(&*storage, checked);
        }
        Err(error) => return Err(error),
    };
    let state = searcher.state();
    let keys = &searcher.definition().keys;
    for view in &state.segments {
        checked.note(view.segment.check(keys))?;
    }
    if checked.problems.is_empty() {
        let mut ids = HashSet::new();
        state.visit(Time::now(), |record, _| {
            checked.documents += 1;
            if !ids.insert(record.id.text.to_string()) {
                let id = &record.id.text;
                let problem = format!("the document \"{id}\" is there twice");
                checked.problems.push(problem);
            }
            Ok(())
        })?;
    }
    drop(state);
    Ok(checked)
}

/// Checks each part of an index that cannot be opened as a whole.
fn checked_parts(storage: &dyn Storage, mut checked: Checked) -> Result<Checked> {
    let (Ok(manifest), Ok(definition)) = (find_manifest(storage), Definition::read(storage)) else {
        return Ok(checked);
    };
    for entry in manifest.segments {
        let opened = Segment::open(storage, entry.number, entry.bytes);
        checked.note(opened.and_then(|segment| segment.check(&definition.keys)))?;
    }
    Ok(checked)
}

impl Checked {
    /// Takes note of damage; other errors are passed on.
    fn note(&mut self, outcome: Result<()>) -> Result<()> {
        match outcome {
            Err(error @ Error::Damaged { .. }) => {
                let problem = error.to_string();
                if !self.problems.contains(&problem) {
                    self.problems.push(problem);
                }
                Ok(())
            }
            other => other,
        }
    }
}
