//! Pages and pairs of them, for the commands that compute signals: from files to what
//! the engine compares.

pub mod candidates;
pub mod collection;
pub mod decide;
pub mod labelled;
pub mod page_pairs;
pub mod pairs;
pub mod queries;

pub use candidates::CandidatePages;
pub use collection::{Collection, Compared};
pub use page_pairs::{PagePairs, chosen};
pub use pairs::PairFile;
pub use queries::Queries;
