//! Reading and writing document collections.
//!
//! [`Inputs`] turns files, folders and standard input into the engine's
//! [`Item`](twinsift::Item)s. One thread reads [`Batch`]es of whole records;
//! any number of threads turn them into documents. [`SurvivorWriter`] copies
//! what is left of the inputs, byte for byte.

pub mod error;
mod extract;
pub mod output;
mod read;
mod rewrite;
pub mod write;

pub use error::ReadError;
pub use output::{AtomicFile, WriteError};
pub use read::{
    Batch, Batches, Compression, Content, FieldNames, Format, Inputs, ReadOptions, Source,
};
pub use rewrite::{RewriteError, SurvivorWriter};
