//! Reading and writing document collections.
//!
//! [`Inputs`] turns files, folders and standard input into the engine's
//! [`Item`](twinsift::Item)s. One thread reads [`Batch`]es of whole records;
//! any number of threads turn them into documents. [`SurvivorWriter`] copies
//! what is left of the inputs, byte for byte; [`write::Table`] writes results.
//!
//! ```
//! use twinsift::Item;
//! use twinsift_io::{Inputs, ReadOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("data.jsonl");
//! std::fs::write(&path, "{\"id\": 7, \"text\": \"one\"}\n{broken\n")?;
//!
//! let inputs = Inputs::open(&[path], ReadOptions::default())?;
//! let (mut texts, mut problems) = (Vec::new(), Vec::new());
//! for batch in inputs.batches() {
//!     inputs.expand(&batch, &mut |item| match item {
//!         Item::Document(document) => texts.push(document.text.into_owned()),
//!         Item::Skipped(skipped) => problems.push(inputs.place_name(skipped.place)),
//!     });
//! }
//! assert_eq!(texts, ["one"]);
//! assert!(problems[0].ends_with("data.jsonl:2"));
//! # Ok(())
//! # }
//! ```

mod error;
mod extract;
mod format;
mod guard;
mod output;
mod read;
mod rewrite;
pub mod write;

pub use error::ReadError;
pub use extract::bodies::signal_page;
pub use extract::{Content, html_of};
pub use format::{Compression, Format};
pub use guard::is_guarded;
pub use output::{AtomicFile, WriteError, remove_unfinished};
pub use read::{
    Batch, Batches, Body, CharsetName, DocumentKind, FieldNames, Inputs, MAX_DOCUMENT, ReadOptions,
    RowReader, Source, Value,
};
pub use rewrite::{RewriteError, SurvivorWriter};
