//! A collection of documents on disk that says at once what a new document duplicates.
//!
//! An [`Index`] learns documents, replaces and removes them; a [`Searcher`] says which of them a
//! document is a near duplicate of. Documents are compared by the three steps of the engine:
//! [`Extractor`](twinsift::Extractor), [`Keys`](twinsift::Keys) and [`Verifier`](twinsift::Verifier). So
//! where a recipe finds every pair, an index finds every known document.
//!
//! What was acknowledged is on disk, and is there after any crash: changes go to a log first,
//! which is synced before they are acknowledged. Segments, which hold the documents, are written
//! once and never changed. See [`storage`] for what is assumed of the system.

mod changes;
mod check;
mod codec;
mod definition;
mod error;
mod import;
mod index;
mod log;
mod manifest;
mod memtable;
mod merge;
mod postings;
mod record;
mod searcher;
mod segment;
mod snapshot;
mod state;
pub mod storage;
#[cfg(test)]
mod tests;

pub use check::{Checked, check, check_in};
pub use error::{Error, Result};
pub use import::Import;
pub use index::{Batch, Index};
pub use merge::{MergePlan, Merged};
pub use record::{Record, Time};
pub use searcher::{Answer, Searcher, Stats};
pub use state::Match;
