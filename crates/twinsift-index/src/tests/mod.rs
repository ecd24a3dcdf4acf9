//! An index against a model of itself, on a disk that fails.

mod answers;
mod damage;
mod disk;
mod model;
mod power;
mod readers;
mod stored;

use std::cell::Cell;

thread_local! {
    /// A bug that a test plants, to see that it would be noticed.
    pub(crate) static ARE_CHECKSUMS_IGNORED: Cell<bool> = const { Cell::new(false) };
}
