//! Training of [detectors](twinsift::Detector) from labelled pairs.
//!
//! A detector is a logistic regression over how alike two texts are, so that training has one
//! best answer, and the same one whatever the order of the pairs.
//!
//! | file | answers |
//! |---|---|
//! | [`pool`] | which pairs of a collection are candidates, and what are their signals? |
//! | [`model`] | what is kept in a file? |
//! | [`active`] | which pair to ask about next? |
//! | [`mod@estimate`] | how good is a detector, as far as answers can tell? |
//! | [`fit`] | which weights explain the labels best? |
//! | [`labels`] | what do people say, and what of it stands? |
//! | [`agreement`] | do two raters mean the same? |
//! | [`sampled`] | which candidates are kept of a collection that is too large for memory? |

pub mod active;
pub mod agreement;
pub mod estimate;
pub mod fit;
pub mod labels;
pub mod model;
pub mod pool;
pub mod sampled;

pub use active::{Answer, Chooser, Question};
pub use agreement::Agreement;
pub use estimate::{Estimate, Interval, estimate};
pub use fit::{Example, Fit};
pub use labels::Verdict;
pub use model::{Model, ModelError, Training};
pub use pool::Pool;
pub use sampled::{Reader, Sampled};

#[cfg(test)]
mod tests;
