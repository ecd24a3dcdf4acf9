//! Collections of documents over HTTP: what does this document duplicate?
//!
//! A [`Server`] serves a folder of [indexes](twinsift_index), one for each collection. What it
//! acknowledges is on disk. A thread of each collection takes all changes that wait and commits
//! them together, so that many small changes share a sync of the disk; queries run beside that.
//!
//! Whatever a client sends is bounded: bytes, time, nesting, requests at a time, changes that
//! wait. What is too much is refused at once with a sentence and a time to try again.

mod access;
mod answers;
mod body;
mod collection;
mod collections;
mod documents;
mod error;
pub mod html;
mod json;
mod keys;
mod listen;
mod local;
mod log;
mod metrics;
mod observe;
mod openapi;
mod options;
mod pages;
mod parts;
mod recipe;
mod router;
mod routes;
mod schemas;
mod server;
mod service;

pub use error::Error;
pub use keys::{Keys, Right, make_key};
pub use local::Local;
pub use log::{LogFormat, log_to_stderr};
pub use options::{Limits, Options};
pub use server::{Server, asked_to_end};

/// The description of the interface, from which clients are generated: OpenAPI, as JSON.
pub fn openapi() -> String {
    openapi::text()
}

/// Whether a collection may have this name.
pub fn is_collection_name(name: &str) -> bool {
    collections::is_name(name)
}
