//! Near-duplicate document detection: exact, fast, in bounded memory.
mod analyse;
pub mod cluster;
pub mod collection;
pub mod document;
pub mod error;
pub mod features;
pub mod hash;
pub mod matches;
pub mod matching;
mod parallel;
pub mod recipe;
pub mod settings;
pub mod sifter;
pub mod sketch;
pub mod tokenise;

pub use cluster::stars::Verdict;
pub use document::{Document, Id, Item, Place, Rank, Skipped, Twin};
pub use error::{Error, Result};
pub use matches::{Clustering, Group, Keep, Matches, Pair, Report};
pub use recipe::{Choices, Recipe};
pub use settings::Settings;
pub use sifter::Sifter;
