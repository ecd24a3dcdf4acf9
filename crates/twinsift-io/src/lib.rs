//! Reading and writing document collections.

pub mod write;
