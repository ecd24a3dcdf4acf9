//! The arguments of `twinsift serve`.

use super::parse_size;
use clap::{Args, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Serve collections over HTTP: add documents, and ask what a document duplicates.
///
/// DIR holds an index for each collection; clients make more. If DIR is an index itself, it is
/// served as the one collection, named after its folder. Without a key file only programs on this
/// machine are answered.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct ServeArgs {
    #[command(subcommand)]
    pub action: Option<ServeAction>,
    /// The folder of the collections, made if it is not there; or an index
    #[arg(value_name = "DIR", required = true)]
    pub folder: Option<PathBuf>,
    /// Where to listen
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8017")]
    pub listen: SocketAddr,
    /// Who may do what: lines of twinsift serve keygen
    #[arg(long, value_name = "KEYS")]
    pub keys: Option<PathBuf>,
    /// How the log is written to standard error
    #[arg(long, value_enum, default_value_t = LogChoice::Text)]
    pub log: LogChoice,
    /// Log only what goes wrong, not every request
    #[arg(short, long)]
    pub quiet: bool,
    /// The most bytes of a request's body
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = parse_size)]
    pub max_body: u64,
    /// How many seconds the body of a request may take to arrive
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub timeout: u64,
    /// The certificate for HTTPS, in PEM
    #[arg(long, value_name = "PEM", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "PEM", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum ServeAction {
    Keygen(KeygenArgs),
}

/// Make a key: the key itself, which is shown this once, and the line to store in the key file.
#[derive(Debug, Args)]
pub struct KeygenArgs {
    /// The name of its holder, for logs and refusals
    #[arg(long, value_name = "HOLDER")]
    pub name: String,
    /// What it allows: read (ask), write (also add and remove documents) or admin (also make and
    /// remove collections)
    #[arg(long, value_enum)]
    pub right: RightChoice,
    /// The collection that it is for; may be given several times [default: all]
    #[arg(long = "collection", value_name = "COLLECTION")]
    pub collections: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RightChoice {
    Read,
    Write,
    Admin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogChoice {
    Text,
    Json,
}
