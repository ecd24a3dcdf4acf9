//! Flags of learned k-grams.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Learned k-grams")]
pub struct LearnedFlags {
    /// The model of --method andd, made by twinsift train andd
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Only the N heaviest k-grams of a document count
    #[arg(long, value_name = "N")]
    pub top_terms: Option<u32>,
    /// With --match lsh: signatures alone decide, documents are not looked at again
    #[arg(long)]
    pub no_verify: bool,
}
