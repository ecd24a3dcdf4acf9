//! Near-duplicate document detection.
pub mod document;
pub use document::{Document, Id, Item, Place, Rank, Skipped, Twin};
