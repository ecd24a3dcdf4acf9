//! A local page to look at groups of near duplicates, and to teach a detector.
//!
//! A [`Review`] listens on loopback from its start on, takes the documents while they are read,
//! and shows what was found in them. Every answer is on disk before the next question is asked.
//! [`report`] writes the groups as one file to send around.

mod collection;
pub mod differences;
mod error;
pub mod groups;
pub mod label_file;
mod options;
mod pages;
mod regrouped;
pub mod report;
mod review;
mod session;
pub mod spool;
mod state;
mod teacher;
mod views;

pub use error::Error;
pub use groups::Groups;
pub use label_file::{Label, LabelFile};
pub use options::Options;
pub use review::Review;
pub use spool::{Spool, Texts};
