//! Flags of `twinsift render`.

use super::sizes::parse_size;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Show pages in a real browser and write down what a person would see.
///
/// Pages are addresses, files with one address in each line (perhaps an id and a
/// tab before it), HTML files and folders of them, and pages stored as JSONL, CSV,
/// Parquet or WARC. Only the
/// hosts of the addresses themselves are contacted, and those of --allow-host.
/// A run that was interrupted goes on where it stopped if it is started again.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Addresses, files and folders; - is standard input
    #[arg(value_name = "URL|FILE", required = true)]
    pub pages: Vec<PathBuf>,
    /// Where the pages go: .jsonl, also .gz, .zst, .bz2, .xz. Standard output if
    /// left out
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub showing: ShowingArgs,
    #[command(flatten)]
    pub stored: StoredArgs,
    /// No progress and no summary
    #[arg(short, long, help_heading = "Running")]
    pub quiet: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Showing")]
pub struct ShowingArgs {
    /// Another host that pages may lead to and fetch from: example.org,
    /// *.example.org for all below it, or * for all but private ones
    #[arg(long, value_name = "HOST")]
    pub allow_host: Vec<String>,
    /// How many pages are shown at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub tabs: u16,
    /// How many seconds a page may take; then it is taken as it is
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub timeout: Duration,
    /// Follow a page that leads on within so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub redirect_delay: Duration,
    /// How large a body may be; then it is cut
    #[arg(long, value_name = "SIZE", default_value = "8M", value_parser = parse_size)]
    pub max_size: u64,
    /// The browser [default: Chromium or Chrome, wherever it is]
    #[arg(long, value_name = "PROGRAM")]
    pub browser: Option<PathBuf>,
    /// Do without the browser's sandbox, where the system does not permit it
    #[arg(long)]
    pub no_sandbox: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Stored pages")]
pub struct StoredArgs {
    /// Read every file as this format instead of guessing; txt is a list of
    /// addresses
    #[arg(long, value_name = "FORMAT", value_parser = ["jsonl", "json", "csv", "tsv", "parquet", "warc", "html", "txt"])]
    pub format: Option<String>,
    /// The charset of pages and tables that have no byte-order mark [default: what a page
    /// declares, else guessed]
    #[arg(long, value_name = "NAME")]
    pub charset: Option<String>,
    /// The character between the cells of CSV and TSV, or tab [default: told by the
    /// header]
    #[arg(long, value_name = "C")]
    pub delimiter: Option<String>,
    /// Skip records of more bytes than this, unpacked [default: 64M]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_document: Option<u64>,
    /// The field with the id [default: id, doc_id or url]
    #[arg(long, value_name = "FIELD")]
    pub id_field: Option<String>,
    /// The field with HTML [default: html]
    #[arg(long, value_name = "FIELD")]
    pub html_field: Option<String>,
    /// The field with the address [default: url]
    #[arg(long, value_name = "FIELD")]
    pub url_field: Option<String>,
    /// Stop at the first line or record that holds no page
    #[arg(long)]
    pub strict: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "write a number of seconds, such as 2.5".to_owned())?;
    match number > 0.0 && number <= 3600.0 {
        true => Ok(Duration::from_secs_f64(number)),
        false => Err("it must be above 0 and at most 3600".to_owned()),
    }
}
