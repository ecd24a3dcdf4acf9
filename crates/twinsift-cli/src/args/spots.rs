//! Flags of spot signatures.

use clap::Args;
use std::path::PathBuf;
use twinsift::features::spots::{Fallback, Language, Specification};

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Spots")]
pub struct SpotArgs {
    /// Which spots to take: "ANTECEDENTS:DISTANCE:CHAIN", such as "a an the:2:3", or
    /// "2:3" for the antecedents of the document's language; may be given several
    /// times [default: 2:3]
    #[arg(long, value_name = "SPOTS")]
    pub spots: Vec<Specification>,
    /// The language of all documents, such as de [default: told for each document]
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub language: Option<Language>,
    /// A file with antecedents, in place of the language's (see twinsift spots)
    #[arg(long, value_name = "FILE")]
    pub antecedents: Option<PathBuf>,
    /// A file with stop words, in place of the language's
    #[arg(long, value_name = "FILE")]
    pub stop_words: Option<PathBuf>,
    /// Documents with fewer spots are not judged by them [default: 1]
    #[arg(long, value_name = "N")]
    pub min_spots: Option<u32>,
    /// Compare documents with too few spots among themselves, by this method
    #[arg(long, value_name = "METHOD", value_parser = super::groups::named::<Fallback>(&["shingles"]))]
    pub fallback: Option<Fallback>,
}

fn language(code: &str) -> Result<Language, String> {
    Language::try_from(code.to_owned())
}

/// Two numbers with a comma between them.
pub fn range(text: &str) -> Result<[f64; 2], String> {
    let wrong = || format!("\"{text}\" is not two numbers with a comma, such as 0.2,0.85");
    let (least, most) = text.split_once(',').ok_or_else(wrong)?;
    let number = |part: &str| part.trim().parse().map_err(|_| wrong());
    Ok([number(least)?, number(most)?])
}
