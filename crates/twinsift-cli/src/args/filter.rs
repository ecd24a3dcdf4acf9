//! The arguments of `twinsift filter`.

use super::RunArgs;
use clap::Args;
use std::path::PathBuf;
use twinsift::filter::REMEMBERED;

/// Answer each document of a stream at once: what it duplicates, or nothing.
///
/// Documents come from standard input, or from IN, in any format. The answer to each is
/// one line of JSON, written at once: id, duplicate_of and score (or null), and
/// the verdict: "duplicate", "new", or "not judged" where a document has too little to be
/// judged by.
#[derive(Debug, Args)]
pub struct FilterArgs {
    /// Files, or - for standard input
    #[arg(value_name = "IN", default_value = "-")]
    pub inputs: Vec<PathBuf>,
    /// Known documents, or a file of twinsift signatures; with --learn it may be left out
    #[arg(long, value_name = "KNOWN", num_args = 1.., required_unless_present = "learn")]
    pub against: Vec<PathBuf>,
    /// From now on, know the documents that were answered too
    #[arg(long)]
    pub learn: bool,
    /// How many of these to remember; beyond that, the oldest are forgotten
    #[arg(long, value_name = "N", requires = "learn", default_value_t = REMEMBERED)]
    pub remember: usize,
    #[command(flatten)]
    pub run: RunArgs,
}
