//! Flags that several commands share.

use super::MethodArgs;
use super::sizes::parse_size;
use crate::exit::bad_input;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// A flag whose values are those of an enum of the engine, by their names in a
/// recipe.
pub(super) fn named<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(|name| serde_json::from_value(name.into()))
}

/// What every command that reads documents takes.
#[derive(Debug, Default, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub method: MethodArgs,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadArgs {
    /// What of an HTML page is compared: its main content, or all of its text,
    /// which is faster [default: main]
    #[arg(long, value_parser = ["all", "main"])]
    pub content: Option<String>,
    /// Which body of a page is compared where there are two: the one that a
    /// browser showed, or the one that was fetched [default: rendered]
    #[arg(long, value_parser = ["fetched", "rendered"])]
    pub body: Option<String>,
    /// Read every input as this format instead of guessing
    #[arg(long, value_name = "FORMAT", value_parser = ["jsonl", "json", "csv", "tsv", "parquet", "warc", "mbox", "eml", "html", "txt"])]
    pub format: Option<String>,
    /// The charset of texts, pages and tables that have no byte-order mark, such as
    /// windows-1252 [default: what a page declares, else guessed]
    #[arg(long, value_name = "NAME")]
    pub charset: Option<String>,
    /// The character between the cells of CSV and TSV, or tab [default: told by the
    /// header]
    #[arg(long, value_name = "C")]
    pub delimiter: Option<String>,
    /// Skip documents of more bytes than this, unpacked [default: 64M, or an eighth of
    /// --memory if that is less]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_document: Option<u64>,
    /// The field with the id; none names documents by file and record [default: id,
    /// doc_id or url]
    #[arg(long, value_name = "FIELD")]
    pub id_field: Option<String>,
    /// Ids are unique within their file only: put its name before each, as in
    /// part-1.jsonl:17
    #[arg(long)]
    pub id_per_file: bool,
    /// The field with the text [default: text, content, body or article]
    #[arg(long, value_name = "FIELD")]
    pub text_field: Option<String>,
    /// The field with HTML [default: html]
    #[arg(long, value_name = "FIELD")]
    pub html_field: Option<String>,
    /// The field with HTML as a browser showed it [default: rendered]
    #[arg(long, value_name = "FIELD")]
    pub rendered_field: Option<String>,
    /// The field with the title, which is not compared [default: title or subject]
    #[arg(long, value_name = "FIELD")]
    pub title_field: Option<String>,
    /// The field with the subject of a mail, which is compared with its text; none
    /// leaves it aside [default: subject]
    #[arg(long, value_name = "FIELD")]
    pub subject_field: Option<String>,
    /// The field with the address [default: url]
    #[arg(long, value_name = "FIELD")]
    pub url_field: Option<String>,
    /// Stop at the first broken record instead of skipping it
    #[arg(long)]
    pub strict: bool,
}

impl ReadArgs {
    /// For commands that look at the whole of each page, and its main content besides.
    pub fn refuse_content(&self) -> anyhow::Result<()> {
        match self.content {
            Some(_) => Err(bad_input(
                "--content has no meaning here: signals say themselves what of a page they look at",
            )),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Running")]
pub struct CommonArgs {
    /// No progress and no summary
    #[arg(short, long)]
    pub quiet: bool,
    /// Threads to use [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Memory to work in, such as 500M or 8G; beyond that, data goes to disk
    /// [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// The folder for temporary data [default: the system's]
    #[arg(long, value_name = "FOLDER")]
    pub tmp: Option<PathBuf>,
    /// In tables of .csv and .tsv, put an apostrophe before text that a spreadsheet
    /// would take for a formula
    #[arg(long)]
    pub spreadsheet_safe: bool,
    /// Seed of everything random [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// A TOML file with settings for comparing, reading and running; flags win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}
