//! What can be learnt from labelled documents?
//!
//! [`andd`]: how much each k-gram should count, from a few clusters of documents
//! that are near duplicates of each other.

pub mod andd;
