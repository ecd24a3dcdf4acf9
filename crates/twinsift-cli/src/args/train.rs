//! The arguments of `twinsift train`.

use super::groups::named;
use super::signals::SignalChoice;
use super::{CommonArgs, ReadArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use twinsift::classify::Learner;

/// Learn from labels of your own, or show what was learned.
#[derive(Debug, Args)]
pub struct TrainArgs {
    #[command(subcommand)]
    pub what: TrainWhat,
}

#[derive(Debug, Subcommand)]
pub enum TrainWhat {
    Signals(Box<TrainSignalsArgs>),
    Show(TrainShowArgs),
}

/// Learn a classifier of pairs from labelled pairs and their signals.
///
/// The labels are a file with the columns a, b and label (1 or 0), perhaps query. How
/// good the classifier is on pairs it has not seen is told by cross-validation.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  twinsift train signals pages.jsonl --pairs labels.csv -o model.json
  twinsift train signals pages.jsonl --pairs labels.csv --learner rules --group site -o model.json
  twinsift train signals pages.jsonl --pairs labels.csv --threshold-by precision:0.99 -o model.json")]
pub struct TrainSignalsArgs {
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// The labelled pairs: a file with the columns a, b and label, perhaps query
    #[arg(long, value_name = "LABELS")]
    pub pairs: PathBuf,
    /// Where the model goes (JSON)
    #[arg(short, long, value_name = "MODEL")]
    pub output: PathBuf,
    #[command(flatten)]
    pub of: SignalChoice,
    /// What is learned: a decision tree, a list of rules, or boosted trees [default:
    /// tree]
    #[arg(long, value_parser = named::<Learner>(&["tree", "rules", "boosted"]))]
    pub learner: Option<Learner>,
    /// Folds of cross-validation
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..))]
    pub folds: u16,
    /// Runs of cross-validation, each with a seed of its own; 0 for none
    #[arg(long, value_name = "N", default_value_t = 9)]
    pub runs: u16,
    /// A field of the documents, such as the site: pages with one value are never both
    /// learned from and judged on
    #[arg(long, value_name = "FIELD")]
    pub group: Option<String>,
    /// How much a duplicate counts beside another pair, or balanced
    #[arg(long, value_name = "W", default_value = "1")]
    pub duplicate_weight: String,
    /// How the score is chosen from which a pair is a duplicate: a number, f for the
    /// highest F, or precision:P for the highest F with at least that precision, either
    /// in cross-validation
    #[arg(long, value_name = "RULE", default_value = "0.5")]
    pub threshold_by: String,
    /// Write precision and recall at every threshold
    #[arg(long, value_name = "FILE")]
    pub curve: Option<PathBuf>,
    /// Also print how good each signal is alone, sets of signals, and what each signal
    /// adds by rising cost (Markdown)
    #[arg(long)]
    pub study: bool,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Print a model in words.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  twinsift train show model.json")]
pub struct TrainShowArgs {
    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
}
