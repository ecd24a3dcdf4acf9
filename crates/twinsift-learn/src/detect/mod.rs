//! Training of [detectors](twinsift::Detector) from labelled pairs.
//!
//! A detector is a logistic regression over how alike two texts are, so that training has one
//! best answer, and the same one whatever the order of the pairs.
//!
//! | file | answers |
//! |---|---|
//! | [`pool`] | which pairs of a collection are candidates, and what are their signals? |
//! | [`fit`] | which weights explain the labels best? |

pub mod fit;
pub mod pool;

pub use fit::{Example, Fit};
pub use pool::Pool;
