//! `twinsift eval`, from labels to an outcome.
//!
//! A [`collection`] is read once, with its [`labels`]; [`variants`] say which
//! methods are tried; [`trial`] tries one and measures what it costs ([`meter`]);
//! [`outcome`] is what all of that says. A [`suite`] is a file that lists many
//! trials, whose results are kept ([`results`]) so that it can go on where it
//! stopped. [`verdict`] says which method does best. [`studies`] of signals have tables of
//! their own.

pub mod base;
pub mod collection;
pub mod gold_source;
pub mod labels;
pub mod meter;
pub mod outcome;
pub mod results;
pub mod splits;
pub mod studies;
pub mod suite;
pub mod training;
pub mod trial;
pub mod variants;
pub mod verdict;
