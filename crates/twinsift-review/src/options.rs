//! What a review is told at its start.

use std::path::PathBuf;
use twinsift::{Detector, Find, Settings};

/// How to review a collection.
#[derive(Clone, Debug)]
pub struct Options {
    /// The port on loopback; 0 is any that is free.
    pub port: u16,
    /// The file of labels.
    pub labels: PathBuf,
    /// Files whose labels are added to it.
    pub import: Vec<PathBuf>,
    /// Where the model goes.
    pub model: PathBuf,
    /// What is looked for, and what a model is for.
    pub find: Find,
    /// The detector that learning begins with.
    pub first: Detector,
    /// How groups were found, in a line.
    pub method: String,
    /// Whether the score is shown before the answer.
    pub show_scores: bool,
    /// Threads, memory and temporary space; its observer follows the reading.
    pub settings: Settings,
    /// The seed of what is drawn at random.
    pub seed: u64,
}
