//! Flags of lexicons, and the arguments of `twinsift lexicon`.

use super::groups::named;
use super::spots::range;
use super::{CommonArgs, ReadArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use twinsift::recipe::Verify;
use twinsift::sketch::imatch::Digest;

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Lexicons")]
pub struct LexiconFlags {
    /// The lexicon of --method imatch: a file of twinsift lexicon, or documents to
    /// count [default: the statistics of the input itself]
    #[arg(long, value_name = "FILE")]
    pub lexicon: Option<PathBuf>,
    /// Randomised lexicons beside the original, 0 to 63 [default: 10]
    #[arg(long, value_name = "K")]
    pub lexicons: Option<u32>,
    /// The share of words that each of them leaves out [default: a bootstrap, which
    /// leaves out 0.368]
    #[arg(long, value_name = "P")]
    pub drop: Option<f64>,
    /// How many of the K + 1 signatures must be equal [default: 1], or of the 6 of
    /// --method supershingles [default: 2]
    #[arg(long, value_name = "M")]
    pub require: Option<u32>,
    /// Signatures of fewer words are rejected [default: 5]
    #[arg(long, value_name = "N")]
    pub min_terms: Option<u32>,
    /// The least share of a document's words in a signature; what is missing comes
    /// from the secondary lexicon [default: 0]
    #[arg(long, value_name = "SHARE")]
    pub min_ratio: Option<f64>,
    /// Fill up signatures of fewer words from the secondary lexicon, as far as it goes
    /// [default: 0]
    #[arg(long, value_name = "N")]
    pub expand_to: Option<u32>,
    /// The most words of the secondary lexicon [default: 1000000]
    #[arg(long, value_name = "N")]
    pub secondary: Option<u32>,
    /// The hash behind a signature: a sum of word hashes, or the papers' SHA-1
    /// [default: sum]
    #[arg(long, value_parser = named::<Digest>(&["sum", "sha1"]))]
    pub digest: Option<Digest>,
    /// Check pairs of equal signatures on all words: cosine:0.9 or jaccard:0.8
    #[arg(long, value_name = "MEASURE:T", value_parser = verify)]
    pub verify: Option<Verify>,
}

fn verify(text: &str) -> Result<Verify, String> {
    Verify::try_from(text.to_owned())
}

/// Count the words of a collection, for --lexicon.
///
/// The file holds how many documents there are and how many of them have each
/// word. Counts are exact, whatever the memory.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  twinsift lexicon articles.jsonl -o articles.lexicon
  twinsift lexicon show articles.lexicon --idf 0.2,0.8 --word bridge
  twinsift lexicon merge 2024.lexicon 2025.lexicon -o both.lexicon"
)]
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
    #[arg(long, value_name = "MIN,MAX", value_parser = range)]
    pub idf: Option<[f64; 2]>,
    /// Say of this word how common it is and where it belongs; may be given several
    /// times
    #[arg(long, value_name = "WORD")]
    pub word: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
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
