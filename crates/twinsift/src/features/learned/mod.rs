//! learned
pub mod described;
