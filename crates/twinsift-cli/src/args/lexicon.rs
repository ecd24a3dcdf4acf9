//! The arguments of `twinsift lexicon`.

use super::{CommonArgs, ReadArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use twinsift::Choices;

/// Count the words of a collection, for --lexicon.
///
/// The file holds how many documents there are and how many of them have each
/// word. Counts are exact, whatever the memory.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct LexiconArgs {
    #[command(subcommand)]
    pub action: Option<LexiconAction>,
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Where the lexicon goes
    #[arg(short, long, value_name = "FILE", required = true)]
    pub output: Option<PathBuf>,
    /// Undo disguises of words before they are counted, for comparing with --fold
    #[arg(long)]
    pub fold: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Debug, Subcommand)]
pub enum LexiconAction {
    Show(LexiconShowArgs),
    Merge(LexiconMergeArgs),
}

/// Show what a lexicon holds: counts, idf, and the words at the edges of a window.
#[derive(Debug, Args)]
pub struct LexiconShowArgs {
    /// A file of twinsift lexicon
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The window: words whose normalised idf, ln(N/df)/ln(N), is in this range
    #[arg(long, value_name = "MIN,MAX", value_parser = window)]
    pub idf: Option<[f64; 2]>,
    /// Say of this word how common it is and where it belongs; may be given several
    /// times
    #[arg(long, value_name = "WORD")]
    pub word: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A window, as it is written where documents are compared.
fn window(text: &str) -> Result<[f64; 2], String> {
    let mut choices = Choices::default();
    let parameter = Choices::parameter("idf");
    parameter.map_or(Ok(()), |idf| idf.set(&mut choices, text))?;
    Ok(choices.idf.unwrap_or_default())
}

/// Add up the counts of several lexicons.
#[derive(Debug, Args)]
pub struct LexiconMergeArgs {
    /// Files of twinsift lexicon
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    pub files: Vec<PathBuf>,
    /// Where the lexicon goes
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// No summary
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What stays")]
pub struct LimitArgs {
    /// Leave out words that fewer documents have
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_df: u32,
    /// Keep at most this many words: the rarest go, equally rare ones together
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    pub max_terms: usize,
}
