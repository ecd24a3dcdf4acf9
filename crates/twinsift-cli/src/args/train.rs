//! The arguments of `twinsift train`.

use super::groups::named;
use super::signals::SignalChoice;
use super::{CommonArgs, ReadArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use twinsift::Find;
use twinsift::similarity::Similarity;
use twinsift_learn::classify::Learner;

/// Learn from labels of your own, or show what was learned.
#[derive(Debug, Args)]
pub struct TrainArgs {
    #[command(subcommand)]
    pub action: TrainAction,
}

#[derive(Debug, Subcommand)]
pub enum TrainAction {
    Andd(Box<TrainAnddArgs>),
    Detector(Box<TrainDetectorArgs>),
    Signals(Box<TrainSignalsArgs>),
    Show(TrainShowArgs),
}

/// Learn how much k-grams count, from clusters of near duplicates.
///
/// A few dozen labelled documents are enough. Of 300 or more, a fifth of the clusters is set
/// apart to stop in time and to tell how good the model is. Fewer are all learnt from, after
/// rounds in which some are set apart.
#[derive(Debug, Args)]
pub struct TrainAnddArgs {
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// The field with the cluster of a document, or a file with id and cluster
    #[arg(long, value_name = "FIELD|FILE")]
    pub labels: String,
    /// A field with groups: pairs within a group, but of different clusters, are not
    /// learnt from
    #[arg(long, alias = "group", value_name = "FIELD")]
    pub unjudged_within: Option<String>,
    /// Where the model goes
    #[arg(short, long, value_name = "MODEL")]
    pub output: PathBuf,
    #[command(flatten)]
    pub learning: LearningArgs,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
pub struct LearningArgs {
    /// Words to a k-gram, 1 to 5 [default: 1]
    #[arg(long, value_name = "K")]
    pub k: Option<u32>,
    /// The measure to learn for [default: cosine]
    #[arg(long, value_parser = named::<Similarity>(&["cosine", "extended-jaccard"]))]
    pub similarity: Option<Similarity>,
    /// Undo disguises of words: look-alike characters, punctuation inside words,
    /// swapped letters. For mail
    #[arg(long)]
    pub fold: bool,
    /// Document frequencies: a file of twinsift lexicon, or documents to count. The
    /// model will need it again [default: none, document frequencies are left out]
    #[arg(long, value_name = "FILE")]
    pub lexicon: Option<PathBuf>,
    /// A query log: a query to a line, perhaps a tab and how often it was asked. The
    /// model will need it again, where it is now
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,
    /// Leave this feature out; may be given several times
    #[arg(long, value_name = "FEATURE")]
    pub without: Vec<String>,
    /// Choose the threshold among those with at least this precision [default: by the
    /// highest F1]
    #[arg(long, value_name = "P")]
    pub min_precision: Option<f64>,
    /// How much it costs weights to be large; learnt from few documents, the most that it
    /// costs to be far from the unlearned ones [default: 0.01]
    #[arg(long, value_name = "A")]
    pub alpha: Option<f64>,
    /// How steep the loss is [default: 30]
    #[arg(long, value_name = "G")]
    pub gamma: Option<f64>,
    /// The most steps [default: 100]
    #[arg(long, value_name = "N")]
    pub steps: Option<u32>,
}

/// Learn what counts as the same from labelled pairs of any documents.
///
/// The labels are a file with the columns a, b and label (1 or 0), as twinsift review writes
/// them. The built-in detector is where learning begins, so that thirty labels are enough to
/// make it better, and it is worth having many.
#[derive(Debug, Args)]
pub struct TrainDetectorArgs {
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// The labelled pairs: a file with the columns a, b and label
    #[arg(long, value_name = "LABELS")]
    pub pairs: PathBuf,
    /// What the pairs that are the same have in common: stories or campaigns [default: campaigns
    /// for mail, else stories]
    #[arg(long, value_name = "WHAT", value_parser = named::<Find>(&["stories", "campaigns"]))]
    pub find: Option<Find>,
    /// Where the model goes (JSON)
    #[arg(short, long, value_name = "MODEL")]
    pub output: PathBuf,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Learn a classifier of pairs from labelled pairs and their signals.
///
/// The labels are a file with the columns a, b and label (1 or 0), perhaps query. How
/// good the classifier is on pairs it has not seen is told by cross-validation.
#[derive(Debug, Args)]
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
    /// A field of the documents, such as the site, or query, the column of the pairs:
    /// pages with one value are never both learned from and judged on
    #[arg(long, alias = "group", value_name = "FIELD")]
    pub split_by: Option<String>,
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

/// Explain a model in plain words.
#[derive(Debug, Args)]
pub struct TrainShowArgs {
    /// A file of twinsift train
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Print the file itself: JSON
    #[arg(long)]
    pub json: bool,
}
