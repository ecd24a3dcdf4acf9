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
//! | [`estimate`] | how good is a detector, as far as answers can tell? |
//! | [`fit`] | which weights explain the labels best? |

pub mod active;
pub mod estimate;
pub mod fit;
pub mod model;
pub mod pool;

pub use active::{Answer, Chooser, Question};
pub use estimate::{Estimate, Interval, estimate};
pub use fit::{Example, Fit};
pub use model::{Model, ModelError, Training};
pub use pool::Pool;

#[cfg(test)]
mod tests;
