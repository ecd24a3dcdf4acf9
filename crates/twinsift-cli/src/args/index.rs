//! The arguments of `twinsift index`.

use super::sizes::parse_duration;
use super::{CommonArgs, OutputArgs, ReadArgs, RunArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Keep a collection on disk that says at once what a document duplicates.
///
/// What was added is there after any crash. One process at a time may write to an index,
/// and any number may read it meanwhile.
#[derive(Debug, Args)]
pub struct IndexArgs {
    #[command(subcommand)]
    pub action: IndexAction,
}

#[derive(Debug, Subcommand)]
pub enum IndexAction {
    Create(Box<IndexCreateArgs>),
    Add(IndexAddArgs),
    Query(IndexQueryArgs),
    Remove(IndexRemoveArgs),
    /// Remove the documents whose time to live is over
    ///
    /// Answers leave them out before that.
    Expire(IndexFolderArgs),
    /// Merge what was added bit by bit, and give back the space of removed documents
    Compact(IndexFolderArgs),
    Stats(IndexStatsArgs),
    /// Read everything, and say what is not as it was written
    Check(IndexFolderArgs),
    Snapshot(IndexSnapshotArgs),
}

/// Make an empty index, which compares documents by one method from then on.
///
/// Lexicon and model are copied into it. A method that goes by how common words are in a
/// collection needs --statistics, or a --lexicon: what is counted then stays as it is.
#[derive(Debug, Args)]
pub struct IndexCreateArgs {
    /// The folder of the index, which must not be there yet
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Count in these documents how common words are
    #[arg(long, value_name = "IN", num_args = 1..)]
    pub statistics: Vec<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Add documents, in place of those with the same ids.
///
/// Without --ack, all of them are known once the command has ended, or none.
#[derive(Debug, Args)]
pub struct IndexAddArgs {
    /// The folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// What the documents belong to, such as a known campaign: answers name it
    #[arg(long, value_name = "LABEL")]
    pub label: Option<String>,
    /// Forget the documents after this time, such as 12h or 30d
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub ttl: Option<u64>,
    /// Print a line for each document, {"id":…,"added":true}, once it is on disk
    #[arg(long)]
    pub ack: bool,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Say what documents duplicate: one row per match, the most alike first.
#[derive(Debug, Args)]
pub struct IndexQueryArgs {
    /// The folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Files, folders, or - for standard input
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// At most so many matches of a document [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub top: Option<u32>,
    /// Also list documents without a match
    #[arg(long)]
    pub all: bool,
    /// Have the time to live of each matched document begin anew
    #[arg(long)]
    pub renew: bool,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Remove documents by their ids.
#[derive(Debug, Args)]
pub struct IndexRemoveArgs {
    /// The folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Ids of documents
    #[arg(value_name = "ID", required_unless_present = "ids")]
    pub documents: Vec<String>,
    /// A file with an id in each line, or - for standard input
    #[arg(long, value_name = "FILE")]
    pub ids: Option<PathBuf>,
    /// No summary
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct IndexFolderArgs {
    /// The folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// No summary
    #[arg(short, long)]
    pub quiet: bool,
}

/// Show how documents are compared, how many there are and what they take.
#[derive(Debug, Args)]
pub struct IndexStatsArgs {
    /// The folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Copy the index as it is now; another process may write to it meanwhile.
#[derive(Debug, Args)]
pub struct IndexSnapshotArgs {
    /// The folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The folder of the copy, which must not be there yet
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// No summary
    #[arg(short, long)]
    pub quiet: bool,
}
