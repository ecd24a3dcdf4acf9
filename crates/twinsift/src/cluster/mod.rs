//! What follows from the pairs: who is next to whom ([`graph`]), what hangs
//! together ([`components`]), and what can go because a named other one stays
//! ([`stars`]).

pub mod components;
pub mod graph;
pub mod stars;
