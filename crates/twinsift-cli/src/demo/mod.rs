//! The corpus that the demonstration runs on.
//!
//! Someone who tries this tool for the first time has no suitable collection
//! at hand, and a collection that one may pass on is hard to come by. So the
//! demonstration makes its own: news pages of invented towns on invented
//! sites, with the mix of things that make near duplicates hard to find. The
//! same story stands on several sites in different dress and slightly edited,
//! and different stories on one site share all of its furniture.
//!
//! Every page follows from a seed and a number, so a corpus can be named in a
//! sentence and made again anywhere.

mod chance;
pub mod corpus;
mod edits;
mod frames;
mod grammar;
pub mod search;
pub mod side_by_side;
mod sites;
mod stories;
mod subjects;
