//! The recipe that follows from choices: a method's preset, and what was said otherwise.

use super::Choices;
use crate::error::{Result, misplaced, missing, refuse};
use crate::features::Weights;
use crate::features::spots::SpotRules;
use crate::matching::lsh;
use crate::recipe::{
    CANDIDATES_THRESHOLD, Classified, Equality, ExactJoin, FeatureKind, FeatureRules, Hamming,
    IMatch, MIN_HASHES, Matcher, Matching, Method, MinHashBands, MinHashes, Recipe,
    SPOTS_THRESHOLD, SuperShingles, THRESHOLD,
};
use crate::sketch::imatch;
use crate::sketch::imatch::bags::Bags;
use crate::sketch::supershingles::REQUIRED;

impl Choices {
    /// The complete recipe, or a sentence that says why there is none.
    pub fn resolve(&self) -> Result<Recipe> {
        let recipe = match self.method {
            Some(Method::Signals) => self.resolve_signals(),
            _ if self.is_detected() => self.resolve_detected(),
            _ if self.detector.is_some() => misplaced(
                "this ‹model› is a detector: leave out ‹method›, or choose ‹method› detector",
            ),
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
        if let Matching::IMatch(imatch) = &mut recipe.matching {
            imatch.rules.digest = match lanes {
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
            Method::Detector => return self.resolve_detected(),
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
            features: self.feature_rules(features)?,
            fold: self.fold.unwrap_or(false),
            weights: self.weights_of(is_spots, matcher),
            idf: match (imatch, features) {
                (true, _) => None,
                (false, FeatureKind::Lexicon) => self.idf.or(Some(imatch::Rules::default().window)),
                (false, _) => self.idf,
            },
            top_terms: self.top_terms,
            matching: match matcher {
                Matcher::Hash if super_shingles => Matching::SuperShingles(SuperShingles {
                    require: self.require.unwrap_or(REQUIRED),
                }),
                Matcher::Hash if imatch => Matching::IMatch(IMatch {
                    rules: self.imatch_rules(),
                    require: self.require.unwrap_or(1),
                    verify: self.verify,
                }),
                _ => self.matching_of(is_spots, matcher),
            },
            seed: self.seed.unwrap_or(0),
            ..Recipe::default()
        })
    }

    /// What is compared, by its own rules.
    fn feature_rules(&self, features: FeatureKind) -> Result<FeatureRules> {
        let rules = match features {
            FeatureKind::Text => FeatureRules::Text,
            FeatureKind::Words => FeatureRules::Words,
            FeatureKind::Shingles => FeatureRules::Shingles {
                k: self.k.unwrap_or(5),
            },
            FeatureKind::Spots => FeatureRules::Spots(self.spot_rules()),
            FeatureKind::Lexicon => FeatureRules::Lexicon(None),
            FeatureKind::Learned => return self.learned_rules(),
            FeatureKind::Profile => {
                return refuse("profiles are compared by a detector: choose ‹method› detector");
            }
        };
        rules.with_lexicon(self.lexicon.clone())
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
            Matcher::Exact => Matching::Exact(ExactJoin {
                similarity: self.similarity.unwrap_or_default(),
                threshold,
            }),
            Matcher::Lsh if self.no_verify == Some(true) => {
                let (bands, rows) = self.unverified_bands_and_rows();
                Matching::MinHashes(MinHashes {
                    threshold,
                    values: bands.saturating_mul(rows),
                })
            }
            Matcher::Lsh => {
                let (bands, rows) = self.bands_and_rows(threshold);
                Matching::Lsh(MinHashBands {
                    threshold,
                    bands,
                    rows,
                })
            }
            Matcher::Hash => Matching::Hash(Equality::default()),
            Matcher::Hamming => {
                let bits = self.bits.unwrap_or(64);
                let distance = self.distance.unwrap_or(3 * (bits / 64));
                Matching::Hamming(Hamming { bits, distance })
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

    pub(super) fn bands_and_rows(&self, threshold: f64) -> (u32, u32) {
        match (self.bands, self.rows) {
            (None, None) => lsh::bands_for(threshold, MIN_HASHES),
            (Some(bands), None) => (bands, MIN_HASHES / bands.max(1)),
            (None, Some(rows)) => (MIN_HASHES / rows.max(1), rows),
            (Some(bands), Some(rows)) => (bands, rows),
        }
    }

    /// The same where min-hashes are compared one by one, so that bands do not matter.
    pub(super) fn unverified_bands_and_rows(&self) -> (u32, u32) {
        (self.bands.unwrap_or(MIN_HASHES), self.rows.unwrap_or(1))
    }
}
