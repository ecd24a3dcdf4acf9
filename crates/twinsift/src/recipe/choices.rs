//! From what a user said to a complete recipe.
//!
//! [`Choices`] are what a user said, declared once each by `parameters!`; [`Choices::resolve`] fills in the rest from
//! the method's preset and refuses what makes no sense. Parameters that the chosen
//! matcher would silently ignore are refused too.

mod learned;
mod misplaced;
mod parameters;
#[cfg(test)]
mod tests;

use crate::error::{Result, misplaced, missing, refuse};
use crate::features::Weights;
use crate::features::learned::model::Model;
use crate::features::spots::{Fallback, Language, Specification, SpotRules};
use crate::lexicon::Lexicon;
use crate::matching::lsh;
use crate::recipe::{
    Body, CANDIDATES_THRESHOLD, Classified, Content, FeatureKind, MIN_HASHES, Matcher, Matching,
    Method, PairModel, Recipe, SPOTS_THRESHOLD, THRESHOLD, Verify,
};
use crate::similarity::Similarity;
use crate::sketch::imatch;
use crate::sketch::imatch::bags::Bags;
use crate::sketch::supershingles::REQUIRED;
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
        /// also what a config file may hold, and the builder of a [`Recipe`]:
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
    /// A preset of features, matcher and threshold.
    #[listed("Method", default = "shingles")]
    method: Method => Any,
    /// What is compared.
    #[listed("Method", except = ["text"])]
    features: FeatureKind => Any,
    /// How it is compared.
    #[listed("Method", value = "MATCHER", key = "match")]
    matcher: Matcher => Any,
    /// The least similarity of near duplicates, above 0 and at most 1.
    #[listed("Method", value = "T")]
    threshold: f64 => Similarity,
    /// The method that finds the pairs that ‹method› signals decides about.
    #[listed("Method", value = "METHOD", default = "shingles", except = ["andd", "signals"])]
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

    /// The complete recipe, or a sentence that says why there is none.
    pub fn resolve(&self) -> Result<Recipe> {
        let recipe = match self.method {
            Some(Method::Signals) => self.resolve_signals(),
            _ if self.classifier.is_some() => {
                misplaced("this ‹model› is a classifier of pairs: it belongs to ‹method› signals")
            }
            _ if self.candidates.is_some() => {
                misplaced("‹candidates› has no meaning here: it belongs to ‹method› signals")
            }
            _ => self.resolve_plain(),
        }?;
        let recipe = Recipe {
            content: self.content.unwrap_or_default(),
            body: self.body.unwrap_or_default(),
            ..recipe
        };
        recipe.check()?;
        Ok(recipe)
    }

    /// The recipe that compares stored I-Match signatures of `width` values, each of `lanes`
    /// numbers. What they were made with is not needed any more.
    pub fn resolve_stored(&self, width: u32, lanes: usize) -> Result<Recipe> {
        let choices = Self {
            random_lexicons: Some(width.saturating_sub(1)),
            lexicon: None,
            drop: None,
            digest: None,
            ..self.clone()
        };
        let mut recipe = choices.resolve()?;
        if let Some(rules) = &mut recipe.imatch {
            rules.digest = match lanes {
                3 => imatch::Digest::Sha1,
                _ => imatch::Digest::Sum,
            };
        }
        Ok(recipe)
    }

    /// The recipe of the candidates, with the classifier that decides about them.
    fn resolve_signals(&self) -> Result<Recipe> {
        let Some(model) = &self.classifier else {
            return missing(
                "‹method› signals needs a classifier: make one with twinsift train signals and name it with ‹model›",
            );
        };
        let candidates = self.candidates.unwrap_or_default();
        let has_threshold = matches!(
            candidates,
            Method::Shingles | Method::SpotSigs | Method::MinHash
        );
        let found_by = Self {
            method: Some(candidates),
            threshold: has_threshold.then_some(CANDIDATES_THRESHOLD),
            classifier: None,
            candidates: None,
            ..self.clone()
        };
        let recipe = match candidates {
            Method::Signals => {
                return refuse("‹candidates› signals makes no sense: name another method");
            }
            _ => found_by.resolve_plain()?,
        };
        Ok(Recipe {
            method: Method::Signals,
            classifier: Some(Classified {
                model: model.id.clone(),
                threshold: self.threshold.unwrap_or(model.threshold),
                candidates,
            }),
            ..recipe
        })
    }

    fn resolve_plain(&self) -> Result<Recipe> {
        if self.is_learned() {
            return self.resolve_learned();
        }
        self.refuse_misplaced_model()?;
        let method = self.method.unwrap_or(match self.features {
            Some(FeatureKind::Spots) => Method::SpotSigs,
            Some(FeatureKind::Lexicon) => Method::IMatch,
            _ => Method::default(),
        });
        let (features, matcher) = match method {
            Method::Exact => (FeatureKind::Text, Matcher::Hash),
            Method::Shingles => (FeatureKind::Shingles, Matcher::Exact),
            Method::SpotSigs => (FeatureKind::Spots, Matcher::Exact),
            Method::MinHash => (FeatureKind::Shingles, Matcher::Lsh),
            Method::SuperShingles => (FeatureKind::Shingles, Matcher::Hash),
            Method::IMatch => (FeatureKind::Lexicon, Matcher::Hash),
            Method::SimHash => (FeatureKind::Words, Matcher::Hamming),
            // Its candidates are found by another method.
            Method::Signals => return self.resolve_signals(),
            Method::Andd => (FeatureKind::Learned, Matcher::Exact),
        };
        let features = self.features.unwrap_or(features);
        let matcher = self.matcher.unwrap_or(matcher);
        let super_shingles = method == Method::SuperShingles && matcher == Matcher::Hash;
        // I-Match-S, too, is plain equality unless lexicons are asked for.
        let imatch = matcher == Matcher::Hash
            && (features == FeatureKind::Lexicon
                || features == FeatureKind::Spots && self.random_lexicons.is_some());
        self.refuse_misplaced(features, matcher, super_shingles, imatch)?;
        let is_spots = features == FeatureKind::Spots;
        Ok(Recipe {
            method,
            features,
            fold: self.fold.unwrap_or(false),
            k: match features {
                FeatureKind::Shingles => self.k.unwrap_or(5),
                _ => 1,
            },
            weights: self.weights_of(is_spots, matcher),
            spots: is_spots.then(|| self.spot_rules()),
            idf: match (imatch, features) {
                (true, _) => None,
                (false, FeatureKind::Lexicon) => self.idf.or(Some(imatch::Rules::default().window)),
                (false, _) => self.idf,
            },
            lexicon: self.lexicon.clone(),
            imatch: imatch.then(|| self.imatch_rules()),
            top_terms: self.top_terms,
            matching: match matcher {
                Matcher::Hash if super_shingles => Matching::SuperShingles {
                    require: self.require.unwrap_or(REQUIRED),
                },
                Matcher::Hash if imatch => Matching::IMatch {
                    require: self.require.unwrap_or(1),
                    verify: self.verify,
                },
                _ => self.matching_of(is_spots, matcher),
            },
            seed: self.seed.unwrap_or(0),
            ..Recipe::default()
        })
    }

    /// How much a feature counts, by a matcher.
    fn weights_of(&self, is_spots: bool, matcher: Matcher) -> Weights {
        let is_verified = self.no_verify != Some(true);
        self.weights.unwrap_or(match matcher {
            Matcher::Hamming => Weights::TfIdf,
            Matcher::Exact if is_spots => Weights::Counts,
            Matcher::Lsh if is_spots && is_verified => Weights::Counts,
            _ => Weights::Binary,
        })
    }

    /// A matcher with its parameters.
    fn matching_of(&self, is_spots: bool, matcher: Matcher) -> Matching {
        let threshold = self.threshold.unwrap_or(match is_spots {
            true => SPOTS_THRESHOLD,
            false => THRESHOLD,
        });
        match matcher {
            Matcher::Exact => Matching::Exact {
                similarity: self.similarity.unwrap_or_default(),
                threshold,
            },
            Matcher::Lsh if self.no_verify == Some(true) => {
                let (bands, rows) = self.unverified_bands_and_rows();
                Matching::MinHashes {
                    threshold,
                    values: bands.saturating_mul(rows),
                }
            }
            Matcher::Lsh => {
                let (bands, rows) = self.bands_and_rows(threshold);
                Matching::Lsh {
                    threshold,
                    bands,
                    rows,
                }
            }
            Matcher::Hash => Matching::Hash,
            Matcher::Hamming => {
                let bits = self.bits.unwrap_or(64);
                let distance = self.distance.unwrap_or(3 * (bits / 64));
                Matching::Hamming { bits, distance }
            }
        }
    }

    /// How I-Match signatures are made.
    fn imatch_rules(&self) -> imatch::Rules {
        let defaults = imatch::Rules::default();
        imatch::Rules {
            window: self.idf.unwrap_or(defaults.window),
            min_terms: self.min_terms.unwrap_or(defaults.min_terms),
            min_ratio: self.min_ratio.unwrap_or(defaults.min_ratio),
            expand_to: self.expand_to.unwrap_or(defaults.expand_to),
            secondary: self.secondary.unwrap_or(defaults.secondary),
            lexicons: self.random_lexicons.unwrap_or(defaults.lexicons),
            bags: self.drop.map_or(defaults.bags, Bags::Drop),
            digest: self.digest.unwrap_or(defaults.digest),
        }
    }

    /// What a spot is.
    fn spot_rules(&self) -> SpotRules {
        let defaults = SpotRules::default();
        let given = self.spots.clone().filter(|some| !some.is_empty());
        SpotRules {
            specifications: given.unwrap_or(defaults.specifications),
            language: self.language,
            antecedents: self.antecedents.clone(),
            stop_words: self.stop_words.clone(),
            min_spots: self.min_spots.unwrap_or(defaults.min_spots),
            fallback: self.fallback,
        }
    }

    fn bands_and_rows(&self, threshold: f64) -> (u32, u32) {
        match (self.bands, self.rows) {
            (None, None) => lsh::bands_for(threshold, MIN_HASHES),
            (Some(bands), None) => (bands, MIN_HASHES / bands.max(1)),
            (None, Some(rows)) => (MIN_HASHES / rows.max(1), rows),
            (Some(bands), Some(rows)) => (bands, rows),
        }
    }

    /// The same where min-hashes are compared one by one, so that bands do not matter.
    fn unverified_bands_and_rows(&self) -> (u32, u32) {
        (self.bands.unwrap_or(MIN_HASHES), self.rows.unwrap_or(1))
    }
}
