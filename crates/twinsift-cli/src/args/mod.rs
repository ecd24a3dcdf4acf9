//! The command line as clap sees it: values only, no file is opened. What they come to
//! is resolved in [`plan`](crate::plan).

mod eval;
mod filter;
mod groups;
mod help;
mod index;
mod judge;
mod lexicon;
mod method;
mod render;
mod review;
mod serve;
mod signals;
mod sizes;
mod train;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
pub use eval::EvalArgs;
pub use filter::FilterArgs;
pub use groups::{CommonArgs, ReadArgs, RunArgs};
pub use index::{
    IndexAction, IndexAddArgs, IndexArgs, IndexCreateArgs, IndexFolderArgs, IndexQueryArgs,
    IndexRemoveArgs, IndexSnapshotArgs, IndexStatsArgs,
};
pub use judge::JudgeArgs;
pub use lexicon::{LexiconAction, LexiconArgs, LexiconMergeArgs, LexiconShowArgs, LimitArgs};
pub use method::{MethodArgs, MethodFiles};
pub use render::RenderArgs;
pub use review::ReviewArgs;
pub use serve::{KeygenArgs, LogChoice, RightChoice, ServeAction, ServeArgs};
pub use signals::{SignalsArgs, run_args};
pub use sizes::parse_size;
use std::ffi::OsString;
use std::path::PathBuf;
pub use train::{
    TrainAction, TrainAnddArgs, TrainArgs, TrainDetectorArgs, TrainShowArgs, TrainSignalsArgs,
};

/// Finds near-duplicate documents: texts, pages and mails that are the same to a
/// reader though not byte for byte.
#[derive(Debug, Parser)]
#[command(
    name = "twinsift",
    version,
    max_term_width = 100,
    subcommand_required = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// What was said on the command line.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut command = help::shown(Self::command());
        let matches = command.try_get_matches_from_mut(arguments)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Pairs(PairsArgs),
    Clusters(ClustersArgs),
    Dedup(DedupArgs),
    Compare(CompareArgs),
    Eval(Box<EvalArgs>),
    Render(RenderArgs),
    Spots(SpotsArgs),
    Judge(Box<JudgeArgs>),
    Train(TrainArgs),
    Signals(SignalsArgs),
    Lexicon(Box<LexiconArgs>),
    Signatures(Box<SignaturesArgs>),
    Filter(Box<FilterArgs>),
    Index(IndexArgs),
    Serve(Box<ServeArgs>),
    Review(Box<ReviewArgs>),
    Demo(DemoArgs),
}

/// List every near-duplicate pair once: a, b, score.
#[derive(Debug, Args)]
pub struct PairsArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Group near duplicates: one row per document, group by group.
///
/// A row has the document's id, its cluster (the id of the group's first member), the group's
/// size, and the representative that the document was compared with, with the score.
#[derive(Debug, Args)]
pub struct ClustersArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// What is a group: documents that are all near duplicates of one of them, their
    /// representative; or whatever is connected by pairs, however long the chain
    #[arg(long, value_enum, default_value_t = GroupChoice::Representative)]
    pub group: GroupChoice,
    /// Also list documents that are alone
    #[arg(long)]
    pub all: bool,
    /// Also write the groups as one HTML page, to read and to send around: titles, snippets,
    /// and what differs
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Write the documents that are left when near duplicates are removed.
///
/// The survivors are written in the input's own format, untouched. Each removed
/// document is a checked near duplicate of the very document kept for it, and no
/// two survivors are near duplicates of each other.
#[derive(Debug, Args)]
pub struct DedupArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
    /// Where the survivors go: a file in the input's format, or a folder that
    /// mirrors the inputs. Standard output if left out
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Which of several near duplicates stays: first, longest, max:FIELD or
    /// min:FIELD
    #[arg(long, value_name = "RULE", default_value = "first")]
    pub keep: String,
    /// List what went: id, duplicate_of, score
    #[arg(long, value_name = "FILE")]
    pub removed: Option<PathBuf>,
    /// What becomes of records that cannot be read: left out, copied as they stand, or
    /// nothing is written [default: drop; refuse where -o replaces the file that they
    /// are in]
    #[arg(long, value_enum)]
    pub broken: Option<BrokenChoice>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BrokenChoice {
    Drop,
    Copy,
    Refuse,
}

/// Show why two documents are, or are not, near duplicates.
///
/// A and B are files with one document each. With --in they are ids of documents
/// in a collection.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The first document: a file, or an id with --in
    #[arg(value_name = "A")]
    pub a: String,
    /// The second document
    #[arg(value_name = "B")]
    pub b: String,
    /// The collection that A and B are ids of
    #[arg(long = "in", value_name = "IN", num_args = 1..)]
    pub collection: Vec<PathBuf>,
    /// Also show every signal, snippets for this query among them
    #[arg(long, value_name = "QUERY")]
    pub query: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Write the signatures of a collection, to be matched later and elsewhere.
///
/// A row has the id, the values s0, s1, …, and what the file was made with: method,
/// width (values to a row), bits (of a value), lexicon and recipe. pairs, clusters, dedup
/// and filter take such a file in place of documents.
#[derive(Debug, Args)]
pub struct SignaturesArgs {
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Show the antecedents and stop words behind spot signatures.
#[derive(Debug, Args)]
pub struct SpotsArgs {
    /// The lists of this language, by its code; without it, all languages
    #[arg(long, value_name = "CODE")]
    pub show: Option<String>,
}

/// Make a small corpus of news pages, find the copies, and show some of them.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// How many pages to make
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub documents: usize,
    /// Keep the corpus in this file (JSONL)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How many groups to show
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub show: usize,
    /// Make a search evaluation instead: queries, runs, judgements and pages, in this
    /// folder
    #[arg(long, value_name = "FOLDER")]
    pub search: Option<PathBuf>,
    /// How many queries it has
    #[arg(long, value_name = "N", default_value_t = 50, requires = "search")]
    pub queries: usize,
    /// Serve its pages on this machine until interrupted: for benchmarks and tests of
    /// twinsift render
    #[arg(long, requires = "search", hide = true)]
    pub serve: bool,
    /// The port to serve at; 0 is any that is free
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 8000,
        requires = "serve",
        hide = true
    )]
    pub port: u16,
    #[command(flatten)]
    pub method: MethodArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Debug, Args)]
pub struct SourceArgs {
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Compare with these old documents only; they are never removed and never
    /// compared among themselves
    #[arg(long, value_name = "OLD", num_args = 1..)]
    pub against: Vec<PathBuf>,
}

impl SourceArgs {
    /// Sources that are compared among themselves.
    pub fn only(inputs: Vec<PathBuf>) -> Self {
        Self {
            inputs,
            against: Vec::new(),
        }
    }
}

#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Where the rows go: .jsonl, .csv, .tsv or .parquet, also .gz, .zst, .bz2,
    /// .xz. Standard output (JSONL) if left out
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GroupChoice {
    #[value(alias = "star")]
    Representative,
    #[value(alias = "components")]
    Connected,
}
