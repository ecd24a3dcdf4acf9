//! Flags that several commands share.

use super::learned::LearnedFlags;
use super::lexicon::LexiconFlags;
use super::sizes::parse_size;
use super::spots::{SpotArgs, range};
use crate::exit::bad_input;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use twinsift::Choices;
use twinsift::features::Weights;
use twinsift::matching::similarity::Similarity;
use twinsift::recipe::{FeatureKind, Matcher, Method};
use twinsift::settings::Join;

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

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// A preset of features, matcher and threshold [default: shingles]
    #[arg(long, value_parser = named::<Method>(&["exact", "shingles", "spotsigs", "minhash", "supershingles", "imatch", "simhash", "andd", "signals"]))]
    pub method: Option<Method>,
    /// The model of --method andd or signals: a file of twinsift train
    #[arg(long, value_name = "MODEL")]
    pub model: Option<PathBuf>,
    /// The method that finds the pairs that --method signals decides about [default:
    /// shingles]
    #[arg(long, value_name = "METHOD", value_parser = named::<Method>(&["exact", "shingles", "spotsigs", "minhash", "supershingles", "imatch", "simhash"]))]
    pub candidates: Option<Method>,
    /// What is compared
    #[arg(long, value_parser = named::<FeatureKind>(&["words", "shingles", "spots", "lexicon", "learned"]))]
    pub features: Option<FeatureKind>,
    /// Undo disguises of words before they are compared: look-alike characters,
    /// punctuation inside words, swapped letters. For mail
    #[arg(long)]
    pub fold: bool,
    /// How it is compared
    #[arg(long = "match", value_parser = named::<Matcher>(&["exact", "lsh", "hash", "hamming"]))]
    pub matcher: Option<Matcher>,
    /// The least similarity of near duplicates, above 0 and at most 1
    #[arg(long, value_name = "T")]
    pub threshold: Option<f64>,
    /// Words to a shingle
    #[arg(long, value_name = "K")]
    pub k: Option<u32>,
    /// How much a feature counts: once, as often as it occurs, or by rarity
    #[arg(long, value_parser = named::<Weights>(&["binary", "counts", "tfidf"]))]
    pub weights: Option<Weights>,
    /// The measure of --match exact
    #[arg(long, value_parser = named::<Similarity>(&["jaccard", "cosine", "extended-jaccard"]))]
    pub similarity: Option<Similarity>,
    /// Only features whose normalised idf, ln(N/df)/ln(N), is in this range count
    #[arg(long, value_name = "MIN,MAX", value_parser = range)]
    pub idf: Option<[f64; 2]>,
    /// The algorithm of --match exact; the result is the same [default: prefix]
    #[arg(long, value_parser = named::<Join>(&["prefix", "spotsigs", "nopart", "noprune"]))]
    pub join: Option<Join>,
    /// Bands of --match lsh; chosen from the threshold if left out
    #[arg(long, value_name = "N")]
    pub bands: Option<u32>,
    /// Min-hashes to a band
    #[arg(long, value_name = "N")]
    pub rows: Option<u32>,
    /// Bits of a similarity hash, or of a signature of --method andd --match lsh: a
    /// multiple of 64 up to 4096 [default: 64, andd: 384]
    #[arg(long, value_name = "N")]
    pub bits: Option<u32>,
    /// Most bits in which similarity hashes of near duplicates differ
    #[arg(long, value_name = "N")]
    pub distance: Option<u32>,
    /// List the documents that have too few spots or words of the lexicon to be
    /// judged by: id, and how many it has
    #[arg(long, value_name = "FILE")]
    pub unsigned: Option<PathBuf>,
    #[command(flatten)]
    pub learned: LearnedFlags,
    #[command(flatten)]
    pub lexicons: LexiconFlags,
    #[command(flatten)]
    pub spots: SpotArgs,
}

impl MethodArgs {
    /// What was said, with the seed of the common flags. Lists of words and
    /// lexicons are in files, which `run` reads.
    pub fn choices(&self, seed: Option<u64>) -> Choices {
        let spots = &self.spots;
        let lexicons = &self.lexicons;
        Choices {
            classifier: None,
            top_terms: self.learned.top_terms,
            no_verify: self.learned.no_verify.then_some(true),
            lexicon: None,
            lexicons: lexicons.lexicons,
            drop: lexicons.drop,
            require: lexicons.require,
            min_terms: lexicons.min_terms,
            min_ratio: lexicons.min_ratio,
            expand_to: lexicons.expand_to,
            secondary: lexicons.secondary,
            digest: lexicons.digest,
            verify: lexicons.verify,
            spots: (!spots.spots.is_empty()).then(|| spots.spots.clone()),
            language: spots.language,
            antecedents: None,
            stop_words: None,
            min_spots: spots.min_spots,
            fallback: spots.fallback,
            idf: self.idf,
            method: self.method,
            model: None,
            candidates: self.candidates,
            features: self.features,
            fold: self.fold.then_some(true),
            k: self.k,
            weights: self.weights,
            matcher: self.matcher,
            similarity: self.similarity,
            threshold: self.threshold,
            bands: self.bands,
            rows: self.rows,
            bits: self.bits,
            distance: self.distance,
            seed,
        }
    }
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
