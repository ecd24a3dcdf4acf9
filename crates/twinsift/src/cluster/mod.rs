//! Groups and verdicts out of pairs.
//!
//! | file | is |
//! |---|---|
//! | [`graph`] | the graph of pairs |
//! | [`representatives`] | groups whose members are all near duplicates of one of them |
//! | [`components`] | groups of whatever pairs connect |
//! | [`clustering`] | the group of each document |
//! | [`stars`] | which documents are dropped in favour of which |

pub mod clustering;
pub mod components;
pub mod graph;
pub mod representatives;
pub mod stars;
