//! Near-duplicate detectors that are learnt from labels.
//!
//! [`andd`]: how much each k-gram counts, from a few clusters of documents that are near duplicates
//! of each other. [`signals`]: how alike two pages are, in many ways at once. [`classify`]: which
//! signals make a duplicate, from labelled pairs. [`detect`]: the same for any texts.

pub mod andd;
pub mod classify;
pub mod detect;
pub mod signals;
