//! Groups and verdicts out of pairs: the graph of pairs ([`graph`]), its connected components
//! ([`components`]), and which documents are dropped in favour of which ([`stars`]).

pub mod components;
pub mod graph;
pub mod stars;
