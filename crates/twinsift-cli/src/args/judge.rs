//! The arguments of `twinsift judge`.

use super::{CommonArgs, ReadArgs};
use clap::Args;
use std::path::PathBuf;

/// Find the duplicates among each query's results, and score engines with repeats
/// earning nothing.
///
/// Without a model, results are duplicates if their texts, of the body and the content
/// that --body and --content choose, have a Jaccard similarity of word 5-grams of at least
/// 0.8. A model looks at both bodies and all content.
#[derive(Debug, Args)]
pub struct JudgeArgs {
    /// Runs in TREC's format, one for each engine
    #[arg(long = "run", value_name = "RUN", required = true, num_args = 1..)]
    pub runs: Vec<PathBuf>,
    /// The pages: files or folders
    #[arg(long, value_name = "IN", required = true, num_args = 1..)]
    pub docs: Vec<PathBuf>,
    /// The texts of the queries, for snippets: a file with the columns id and text, or
    /// lines with an id, a tab and the text
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,
    /// Relevance judgements in TREC's format
    #[arg(long, value_name = "QRELS")]
    pub qrels: Option<PathBuf>,
    /// The classifier that tells duplicates, of twinsift train signals
    #[arg(long, value_name = "MODEL")]
    pub model: Option<PathBuf>,
    /// The score from which a pair is a duplicate [default: the model's, or 0.8]
    #[arg(long, value_name = "T")]
    pub threshold: Option<f64>,
    /// How many results of each query are looked at
    #[arg(long, alias = "k", value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub depth: u16,
    /// Write the classes of duplicates, a row for each result: query, id, class, size and
    /// relevance. .jsonl, .csv, .tsv or .parquet, also .gz, .zst, .bz2, .xz. The table of
    /// measures is always on standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write measures for each run and query
    #[arg(long, value_name = "FILE", requires = "qrels")]
    pub per_query: Option<PathBuf>,
    /// Write judgements that contradict each other within a class
    #[arg(long, value_name = "FILE", requires = "qrels")]
    pub contradictions: Option<PathBuf>,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}
