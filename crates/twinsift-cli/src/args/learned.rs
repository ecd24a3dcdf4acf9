//! Flags that learned k-grams share with other weighted features and signatures.

use clap::Args;

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Weights and signatures")]
pub struct LearnedFlags {
    /// Only the N heaviest features of a document count: of --method andd, or of
    /// --weights tfidf or counts
    #[arg(long, value_name = "N")]
    pub top_terms: Option<u32>,
    /// With --match lsh (--method andd or minhash): signatures alone decide, documents
    /// are not looked at again
    #[arg(long)]
    pub no_verify: bool,
}
