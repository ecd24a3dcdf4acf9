//! The arguments of `twinsift filter`.

use super::RunArgs;
use super::sizes::parse_duration;
use clap::Args;
use std::path::PathBuf;
use twinsift::filter::REMEMBERED;

/// Answer each document of a stream at once: what it duplicates, or nothing.
///
/// Documents come from standard input, or from IN, in any format. The answer to each is
/// one line of JSON, written at once: id, duplicate_of and score (or null), and
/// the verdict: "duplicate", "new", or "not judged" where a document has too little to be
/// judged by. With --index, the known documents are those of an index, and what is learnt
/// stays there: a document is on disk before its answer is written.
#[derive(Debug, Args)]
pub struct FilterArgs {
    /// Files, or - for standard input
    #[arg(value_name = "IN", default_value = "-")]
    pub inputs: Vec<PathBuf>,
    /// Known documents, or a file of twinsift signatures; with --learn it may be left out
    #[arg(long, value_name = "KNOWN", num_args = 1.., required_unless_present_any = ["learn", "index"], conflicts_with = "index")]
    pub against: Vec<PathBuf>,
    /// Know the documents of this index (twinsift index)
    #[arg(long, value_name = "DIR")]
    pub index: Option<PathBuf>,
    /// From now on, know the documents that were answered too
    #[arg(long)]
    pub learn: bool,
    /// In an index, forget what is learnt after this time, such as 12h or 30d
    #[arg(long, value_name = "TIME", value_parser = parse_duration, requires = "index", requires = "learn")]
    pub ttl: Option<u64>,
    /// In an index, have the time to live of a matched document begin anew
    #[arg(long, requires = "index", requires = "learn")]
    pub renew: bool,
    /// How many of these to remember; beyond that, the oldest are forgotten
    #[arg(long, value_name = "N", requires = "learn", conflicts_with = "index", default_value_t = REMEMBERED)]
    pub remember: usize,
    #[command(flatten)]
    pub run: RunArgs,
}
