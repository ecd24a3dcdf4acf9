//! Flags of learned k-grams.

use clap::Args;

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Learned k-grams")]
pub struct LearnedFlags {
    /// Only the N heaviest k-grams of a document count
    #[arg(long, value_name = "N")]
    pub top_terms: Option<u32>,
    /// With --match lsh: signatures alone decide, documents are not looked at again
    #[arg(long)]
    pub no_verify: bool,
}
