//! `twinsift eval`, from labels to tables.
//!
//! A [`collection`] is read once, with its [`labels`]; [`variants`] say which
//! methods are tried; [`trial`] tries one and measures what it costs ([`meter`]);
//! [`outcome`] is what all of that says. A [`suite`] is a file that lists many
//! trials, whose results are kept ([`results`]) so that it can go on where it
//! stopped. [`tables`] print an outcome, and [`verdict`] is what they come to. [`studies`] of signals are told by themselves.

pub mod collection;
pub mod labels;
pub mod meter;
pub mod outcome;
pub mod results;
pub mod studies;
pub mod suite;
pub mod tables;
pub mod training;
pub mod trial;
pub mod variants;
pub mod verdict;
