//! Reading and writing document collections.
//!
//! [`Inputs`] turns files, folders and standard input into the engine's
//! [`Item`](twinsift::Item)s. One thread reads [`Batch`]es of whole records;
//! any number of threads turn them into documents.

pub mod error;
mod extract;
mod read;
pub mod write;

pub use error::ReadError;
pub use read::{
    Batch, Batches, Compression, Content, FieldNames, Format, Inputs, ReadOptions, Source,
};
