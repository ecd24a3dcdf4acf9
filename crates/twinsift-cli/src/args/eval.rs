//! The arguments of `twinsift eval`.

use super::RunArgs;
use clap::Args;
use std::path::PathBuf;

/// Score methods against labels: how good are they, at which threshold, at what
/// cost?
///
/// Without --methods and --method, every method is tried with its defaults. Tables
/// go to standard output as Markdown.
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Files, folders, or - for standard input
    #[arg(
        value_name = "IN",
        required_unless_present = "suite",
        conflicts_with = "suite"
    )]
    pub inputs: Vec<PathBuf>,
    /// The truth: a field with the cluster of a document; a file with id and
    /// cluster, with a, b and label, or of twinsift pairs; or the pairs of a method:
    /// cosine:0.9, or method:NAME:SETTING=VALUE…
    #[arg(
        long,
        value_name = "FIELD|FILE|METHOD",
        required_unless_present = "suite",
        conflicts_with = "suite"
    )]
    pub gold: Option<String>,
    /// A field with groups: pairs within a group, but of different clusters, are not
    /// judged
    #[arg(long, alias = "group", value_name = "FIELD", conflicts_with = "suite")]
    pub unjudged_within: Option<String>,
    /// The texts of the queries of labelled pairs, for the snippets of --method signals: a
    /// file with the columns id and text, or lines with an id, a tab and the text
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    pub queries: Option<PathBuf>,
    /// A field with classes, and the one that is looked for, such as label:spam;
    /// adds utility (found of it - cost x hit of others)
    #[arg(long, value_name = "FIELD:CLASS", conflicts_with = "suite")]
    pub classes: Option<String>,
    /// What a document of another class costs there [default: 100]
    #[arg(long, value_name = "C", requires = "classes")]
    pub cost: Option<f64>,
    /// Average over so many random documents as queries [default: all]
    #[arg(long, value_name = "N")]
    pub query_sample: Option<usize>,
    /// Methods to try, with settings: shingles,shingles:k=3,minhash
    #[arg(long, value_name = "METHOD[:SETTING=VALUE]…", conflicts_with = "suite")]
    pub methods: Vec<String>,
    /// A TOML file that lists collections, methods and splits
    #[arg(long, value_name = "FILE")]
    pub suite: Option<PathBuf>,
    /// The folder with the suite's inputs [default: the suite's own]
    #[arg(long, value_name = "FOLDER", requires = "suite")]
    pub data: Option<PathBuf>,
    /// Where finished trials of a suite are kept, to go on from there [default:
    /// the suite's name with .results.jsonl, in the current folder]
    #[arg(long, value_name = "FILE", requires = "suite")]
    pub results: Option<PathBuf>,
    /// The lowest score that curves cover [default: 0.05]
    #[arg(long, value_name = "T")]
    pub floor: Option<f64>,
    /// How often the collection is drawn anew for intervals; 0 for none [default:
    /// 1000]
    #[arg(long, value_name = "N")]
    pub resamples: Option<u32>,
    /// Write tables, curves and mistakes as one HTML file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write a row for each method
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write everything, curves and mistakes too
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
}
