//! From what a user said to a complete recipe.
//!
//! [`Choices`] are what a user said, declared once each by `parameters!`; [`Choices::resolve`] (`resolve.rs`) fills in the rest from
//! the method's preset and refuses what makes no sense. Parameters that the chosen
//! matcher would silently ignore are refused too.

mod detected;
mod learned;
mod misplaced;
mod parameters;
mod resolve;
#[cfg(test)]
mod tests;

use crate::detector::{Detector, Find};
use crate::error::Result;
use crate::features::Weights;
use crate::features::learned::model::Model;
use crate::features::spots::{Fallback, Language, Specification};
use crate::lexicon::Lexicon;
use crate::recipe::{Body, Content, FeatureKind, Matcher, Method, PairModel, Verify};
use crate::similarity::Similarity;
use crate::sketch::imatch;
use misplaced::Owner;
use parameters::Written;
pub use parameters::{Kind, Name, Parameter};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};

/// Declares all that a user can choose, each once:
///
/// - its meaning, for readers of this code and for users alike: names of other parameters
///   stand between ‹ and ›;
/// - for what can be written as text, `listed`: the heading that it is listed under, and where
///   they are needed a word for its value, its default in words, names of an enum that are not
///   offered (`except`), its key if that is not the field's name, and a key that it had earlier;
/// - its name, which is that of the field and of the method that sets it; its type; and the
///   part of a recipe that it belongs to: elsewhere it is refused.
macro_rules! parameters {
    ($(
        $(#[doc = $doc:literal])+
        $(#[listed(
            $heading:literal
            $(, value = $value:literal)?
            $(, default = $default:literal)?
            $(, except = [$($except:literal),+])?
            $(, key = $key:literal)?
            $(, earlier = $earlier:literal)?
        )])?
        $(#[serde($serde:ident)])?
        $name:ident: $type:ty => $owner:ident,
    )+) => {
        /// What a user chose; everything else follows from the method's preset. This is
        /// also what a config file may hold, and the builder of a [`Recipe`](crate::Recipe):
        ///
        /// ```
        /// use twinsift::{Recipe, features::spots::Language};
        ///
        /// let recipe = Recipe::spotsigs()
        ///     .threshold(0.4)
        ///     .language(Language::of_code("en").expect("English"))
        ///     .resolve()?;
        /// assert_eq!(recipe.threshold(), Some(0.4));
        /// assert!(Recipe::spotsigs().threshold(1.4).resolve().is_err());
        /// # Ok::<(), twinsift::Error>(())
        /// ```
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct Choices {
            $(
                $(#[doc = $doc])+
                $($(#[serde(rename = $key)])? $(#[serde(alias = $earlier)])?)?
                $(#[serde($serde)])?
                pub $name: Option<$type>,
            )+
        }

        impl Choices {
            $($(#[doc = $doc])+ #[must_use] pub fn $name(mut self, value: $type) -> Self {
                self.$name = Some(value);
                self
            })+

            /// The parameters that people can choose in writing, in the order in which they
            /// are listed.
            pub fn parameters() -> &'static [Parameter] {
                static ALL: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
                    let mut all = Vec::new();
                    $(
                        let listed = [$(Parameter {
                            name: [$($key,)? stringify!($name)][0],
                            earlier: &[$($earlier)?],
                            kind: <$type>::kind().without(&[$($($except),+)?]),
                            value: [$(Some($value),)? None][0],
                            default: [$(Some($default),)? None][0],
                            heading: $heading,
                            about: "",
                            owner: Owner::$owner,
                            set: |choices, text| {
                                let before = choices.$name.take();
                                choices.$name = Some(<$type>::read(text, before)?);
                                Ok(())
                            },
                        })?];
                        let about = concat!($($doc),+).trim().trim_end_matches('.');
                        all.extend(listed.map(|parameter: Parameter| Parameter { about, ..parameter }));
                    )+
                    all
                });
                &ALL
            }

            /// The names of all that was said, and what each belongs to.
            fn given(&self) -> impl Iterator<Item = (&'static str, Owner)> {
                let said = [$((stringify!($name), self.$name.is_some(), Owner::$owner),)+];
                said.into_iter().filter(|said| said.1).map(|(name, _, owner)| (name, owner))
            }

            /// `self` where it says something, else `other`. A preset stands for features and
            /// a matcher, so it takes the place of those too.
            #[must_use]
            pub fn or(self, mut other: Self) -> Self {
                if self.method.is_some() {
                    (other.features, other.matcher) = (None, None);
                }
                Self {
                    $($name: self.$name.or(other.$name),)+
                }
            }
        }
    };
}

parameters! {
    /// What counts as the same: copies of a text, lightly edited; stories, the same article whatever
    /// the frame, cut or edited; campaigns, the same message, randomised to look different.
    #[listed("Method", value = "WHAT", default = "copies; for pairs and groups of pages stories, of mail campaigns")]
    find: Find => Any,
    /// A preset of features, matcher and threshold.
    #[listed("Method", default = "shingles for copies, detector for stories and campaigns")]
    method: Method => Any,
    /// What is compared.
    #[listed("Method", except = ["text", "profile"])]
    features: FeatureKind => Any,
    /// How it is compared.
    #[listed("Method", value = "MATCHER", key = "match")]
    matcher: Matcher => Any,
    /// The least similarity of near duplicates, above 0 and at most 1.
    #[listed("Method", value = "T")]
    threshold: f64 => Similarity,
    /// The method that finds the pairs that ‹method› signals decides about.
    #[listed("Method", value = "METHOD", default = "shingles", except = ["andd", "signals", "detector"])]
    candidates: Method => Any,
    /// Undo disguises of words before they are compared: look-alike characters, punctuation
    /// inside words, swapped letters. For mail.
    #[listed("Method")]
    fold: bool => Any,
    /// Words to a shingle.
    #[listed("Method", value = "K", default = "5")]
    k: u32 => Shingles,
    /// How much a feature counts: once, as often as it occurs, or by rarity.
    #[listed("Method", except = ["learned"])]
    weights: Weights => Any,
    /// The measure of ‹match› join.
    #[listed("Method", default = "jaccard")]
    similarity: Similarity => Join,
    /// Only features whose normalised idf, ln(N/df)/ln(N), is in this range count.
    #[listed("Method", value = "MIN,MAX")]
    idf: [f64; 2] => Any,
    /// Bands of ‹match› lsh; chosen from the threshold if left out.
    #[listed("Method", value = "N")]
    bands: u32 => Bands,
    /// Min-hashes to a band.
    #[listed("Method", value = "N")]
    rows: u32 => Bands,
    /// Bits of a similarity hash, or of a signature of ‹method› andd ‹match› lsh: a multiple
    /// of 64 up to 4096.
    #[listed("Method", value = "N", default = "64, andd: 384")]
    bits: u32 => Bits,
    /// Most bits in which similarity hashes of near duplicates differ.
    #[listed("Method", value = "N", default = "3 for every 64 bits")]
    distance: u32 => Bits,
    /// Only the N heaviest features of a document count: of ‹method› andd, or of ‹weights›
    /// tfidf or counts.
    #[listed("Weights and signatures", value = "N")]
    top_terms: u32 => Any,
    /// With ‹match› lsh (‹method› andd or minhash): signatures alone decide, documents are not
    /// looked at again.
    #[listed("Weights and signatures")]
    no_verify: bool => Bands,
    /// How much of a page is its text. The program that reads pages says so.
    #[serde(skip)]
    content: Content => Any,
    /// Which body of a page is compared.
    #[serde(skip)]
    body: Body => Any,
    /// The lexicon, in place of the collection's own statistics.
    #[serde(skip)]
    lexicon: Arc<Lexicon> => Any,
    /// Randomised lexicons beside the original, 0 to 63.
    #[listed("Lexicons", value = "K", default = "10", earlier = "lexicons")]
    random_lexicons: u32 => Signatures,
    /// The share of words that each of them leaves out.
    #[listed("Lexicons", value = "P", default = "a bootstrap, which leaves out 0.368")]
    drop: f64 => Signatures,
    /// How many of the K + 1 signatures must be equal, or of the 6 of ‹method› supershingles.
    #[listed("Lexicons", value = "M", default = "1, supershingles: 2")]
    require: u32 => Places,
    /// Signatures of fewer words are rejected.
    #[listed("Lexicons", value = "N", default = "5")]
    min_terms: u32 => Signatures,
    /// The least share of a document's words in a signature; what is missing comes from the
    /// secondary lexicon.
    #[listed("Lexicons", value = "SHARE", default = "0")]
    min_ratio: f64 => Signatures,
    /// Fill up signatures of fewer words from the secondary lexicon, as far as it goes.
    #[listed("Lexicons", value = "N", default = "0")]
    expand_to: u32 => Signatures,
    /// The most words of the secondary lexicon.
    #[listed("Lexicons", value = "N", default = "1000000")]
    secondary: u32 => Signatures,
    /// The hash behind a signature: a sum of word hashes, or the papers' SHA-1.
    #[listed("Lexicons", default = "sum")]
    digest: imatch::Digest => Signatures,
    /// Check pairs of equal signatures on all words: cosine:0.9 or jaccard:0.8.
    #[listed("Lexicons", value = "MEASURE:T")]
    verify: Verify => Signatures,
    /// Which spots to take: "ANTECEDENTS:DISTANCE:CHAIN", such as "a an the:2:3", or "2:3" for
    /// the antecedents of the document's language; may be given several times.
    #[listed("Spots", value = "SPOTS", default = "2:3")]
    spots: Vec<Specification> => Spots,
    /// The language of all documents, such as de.
    #[listed("Spots", value = "CODE", default = "told for each document")]
    language: Language => Spots,
    /// Antecedents in place of the languages' own.
    #[serde(skip)]
    antecedents: Vec<String> => Spots,
    /// Stop words in place of the languages' own.
    #[serde(skip)]
    stop_words: Vec<String> => Spots,
    /// Documents with fewer spots are not judged by them.
    #[listed("Spots", value = "N", default = "1")]
    min_spots: u32 => Spots,
    /// Compare documents with too few spots among themselves, by this method.
    #[listed("Spots", value = "METHOD")]
    fallback: Fallback => Spots,
    /// The model of learned k-grams.
    #[serde(skip)]
    model: Arc<Model> => Any,
    /// The detector of ‹find› stories or campaigns, in place of the built-in one.
    #[serde(skip)]
    detector: Arc<Detector> => Any,
    /// The classifier of the method `signals`.
    #[serde(skip)]
    classifier: PairModel => Any,
    /// Seed of everything random.
    #[listed("Running", value = "N", default = "0")]
    seed: u64 => Any,
}

impl Choices {
    /// Choices from names and values, as in `threshold` and `0.4` or `idf` and `0.2,0.8`.
    ///
    /// ```
    /// use twinsift::Choices;
    ///
    /// let recipe = Choices::from_pairs([("method", "spotsigs"), ("threshold", "0.4")])?.resolve()?;
    /// assert_eq!(recipe.threshold(), Some(0.4));
    /// assert!(Choices::from_pairs([("treshold", "0.4")]).is_err());
    /// # Ok::<(), twinsift::Error>(())
    /// ```
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let mut choices = Self::default();
        for (name, text) in pairs {
            choices.set(name, text)?;
        }
        Ok(choices)
    }
}
