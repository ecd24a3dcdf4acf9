//! The arguments of the commands that look at pairs of pages.

use super::{CommonArgs, OutputArgs, ReadArgs, RunArgs};
use clap::Args;
use std::path::PathBuf;

/// Compute the signals of pairs: how alike two pages are, in many ways at once.
///
/// A row has a, b and a column for each signal; one that cannot be computed is
/// missing. With a model there is also its score.
#[derive(Debug, Args)]
pub struct SignalsArgs {
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required_unless_present = "list")]
    pub inputs: Vec<PathBuf>,
    /// The pairs: a file with the columns a and b, perhaps query
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    pub pairs: Option<PathBuf>,
    #[command(flatten)]
    pub of: SignalChoice,
    /// Also print the score that this model gives each pair
    #[arg(long, value_name = "MODEL")]
    pub model: Option<PathBuf>,
    /// Name every signal with its definition
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Which signals, and of which queries.
#[derive(Debug, Default, Args)]
pub struct SignalChoice {
    /// Signals by name, or sets of them such as F, R, FS, RS, fetched, main
    /// [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub signals: Vec<String>,
    /// The texts of queries: a file with the columns id and text, or lines with an
    /// id, a tab and the text. Without it, the pairs hold the texts themselves
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,
}

/// Flags of reading and running, for commands without a method.
pub fn run_args(read: ReadArgs, common: CommonArgs) -> RunArgs {
    RunArgs {
        read,
        common,
        ..RunArgs::default()
    }
}
