//! The arguments of `twinsift review`.

use super::RunArgs;
use clap::Args;
use std::path::PathBuf;

/// Look at groups in a browser, answer "the same?", and make a detector of the answers.
///
/// A page on this machine alone shows the groups, what differs within them, and the pairs that
/// teach a detector most. Every answer is in the file of labels before the next question is
/// asked; a hundred are enough for a detector of your own. The pages end with Ctrl-C.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required_unless_present = "compare")]
    pub inputs: Vec<PathBuf>,
    /// Where answers are kept: a CSV file with a, b, label, when and why. If it is there,
    /// its labels count
    #[arg(long, value_name = "FILE", required_unless_present = "compare")]
    pub labels: Option<PathBuf>,
    /// Add the labels of this file, made elsewhere, with the columns a, b and label
    #[arg(long, value_name = "FILE")]
    pub import: Vec<PathBuf>,
    /// Where the model goes that the page writes (JSON) [default: beside the labels]
    #[arg(short, long, value_name = "MODEL")]
    pub output: Option<PathBuf>,
    /// Show the score and its reasons before the answer, which may sway you
    #[arg(long)]
    pub show_scores: bool,
    /// The port on this machine; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// Only print how far two files of labels agree, with Cohen's kappa, and where they do not
    #[arg(long, value_name = "LABELS", num_args = 2, conflicts_with_all = ["inputs", "labels", "import", "output", "show_scores"])]
    pub compare: Vec<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
}
