//! Where are a collection's documents and features kept, and in how much memory?
//!
//! Names and other small facts stay in memory ([`documents`]); features lie in
//! flat blocks ([`block`]) that a [`store`] keeps in memory or on disk; equal
//! documents are taken together ([`classes`]).

pub mod block;
pub mod classes;
pub mod documents;
pub mod feature_counts;
pub(crate) mod pages;
pub mod revisits;
pub mod store;
