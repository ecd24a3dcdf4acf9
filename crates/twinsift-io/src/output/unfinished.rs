//! Files that are being written.
//!
//! A file in the making has a temporary name, and goes when it is dropped. Nothing is
//! dropped when a signal ends the program: so a signal handler removes them here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something to a file or folder in the making that must not happen any more once a
/// signal is about to end the program: a caller that is too late waits for that end.
pub(crate) fn unless_ending<T>(work: impl FnOnce() -> T) -> T {
    let _held = all();
    work()
}

/// A file or folder in the making; dropped when it has got its name or is gone.
#[derive(Debug)]
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    pub(crate) fn new(path: &Path) -> Self {
        all().insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        all().remove(&self.0);
    }
}

/// Removes every file and folder that is still in the making. For programs that are
/// about to be ended by a signal: what is being written cannot be finished any more.
pub fn remove_unfinished() {
    let all = all();
    for path in all.iter() {
        // There is no one left to report an error to.
        let _ = match path.is_dir() {
            true => fs::remove_dir_all(path),
            false => fs::remove_file(path),
        };
    }
    // Nothing new is begun, and nothing gets its name, till the program has ended.
    std::mem::forget(all);
}
