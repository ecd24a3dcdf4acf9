//! From flags and config file to one checked [`Run`]: config, models, lexicons and lists
//! of words are loaded, and inputs are looked at. Nothing above sees a flag.

pub mod config;
pub mod lexicon;
pub mod model;
pub mod model_reading;
pub mod reading;
mod run;
mod usual;
pub mod word_lists;

pub use run::Run;
pub use usual::{Usual, reason};
