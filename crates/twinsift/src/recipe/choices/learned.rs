//! Choices for learned k-grams: nearly everything follows from the model.

use super::Choices;
use super::misplaced::Owner;
use crate::error::{Result, misplaced, missing, refuse};
use crate::features::Weights;
use crate::features::learned::model::Model;
use crate::recipe::{
    BITS, ExactJoin, FeatureKind, FeatureRules, Hyperplanes, Matcher, Matching, Method, Recipe,
    WeightedMinHash,
};
use crate::similarity::Similarity;
use std::sync::Arc;

impl Choices {
    /// Whether k-grams are to be weighed by a model.
    pub(super) fn is_learned(&self) -> bool {
        self.method == Some(Method::Andd) || self.features == Some(FeatureKind::Learned)
    }

    /// The recipe of a model.
    pub(super) fn resolve_learned(&self) -> Result<Recipe> {
        if self.method.is_some_and(|method| method != Method::Andd)
            || self
                .features
                .is_some_and(|kind| kind != FeatureKind::Learned)
        {
            return refuse(
                "andd compares learned k-grams, and they are compared by andd alone: leave out ‹features›, or leave out ‹method›",
            );
        }
        let model = self.needed_model()?;
        self.refuse_foreign()?;
        let threshold = self.threshold.unwrap_or(model.threshold);
        Ok(Recipe {
            method: Method::Andd,
            features: self.learned_rules()?,
            fold: self.fold.unwrap_or(model.fold),
            weights: Weights::Learned,
            top_terms: self.top_terms,
            matching: self.learned_matching(model, threshold)?,
            seed: self.seed.unwrap_or(0),
            ..Recipe::default()
        })
    }

    /// The k-grams of the model.
    pub(super) fn learned_rules(&self) -> Result<FeatureRules> {
        Ok(FeatureRules::Learned {
            model: self.needed_model()?.clone(),
            lexicon: self.lexicon.clone(),
        })
    }

    fn needed_model(&self) -> Result<&Arc<Model>> {
        match &self.model {
            Some(model) => Ok(model),
            None => missing(
                "‹method› andd needs a model: make one with twinsift train andd, and name it with ‹model›",
            ),
        }
    }

    fn learned_matching(&self, model: &Arc<Model>, threshold: f64) -> Result<Matching> {
        let verify = self.no_verify != Some(true);
        match self.matcher.unwrap_or(Matcher::Exact) {
            Matcher::Exact
                if self.bits.is_some()
                    || self.bands.is_some()
                    || self.rows.is_some()
                    || !verify =>
            {
                misplaced(
                    "‹bits›, ‹bands›, ‹rows› and ‹no_verify› have no meaning here: they belong to ‹match› lsh",
                )
            }
            Matcher::Exact => Ok(Matching::Exact(ExactJoin {
                similarity: model.similarity,
                threshold,
            })),
            Matcher::Lsh if model.similarity == Similarity::ExtendedJaccard => {
                if self.bits.is_some() {
                    return misplaced(
                        "‹bits› has no meaning here: the model was trained for extended-jaccard, whose signatures are min-hashes (‹bands› and ‹rows›)",
                    );
                }
                let (bands, rows) = match verify {
                    true => self.bands_and_rows(threshold),
                    false => self.unverified_bands_and_rows(),
                };
                Ok(Matching::WeightedMinHash(WeightedMinHash {
                    threshold,
                    bands,
                    rows,
                    verify,
                }))
            }
            Matcher::Lsh if self.bands.is_some() || self.rows.is_some() => misplaced(
                "‹bands› and ‹rows› have no meaning here: the model was trained for the cosine, whose signatures are bits (‹bits›)",
            ),
            Matcher::Lsh => Ok(Matching::Hyperplanes(Hyperplanes {
                bits: self.bits.unwrap_or(BITS),
                threshold,
                verify,
            })),
            Matcher::Hash | Matcher::Hamming => {
                refuse("learned k-grams are compared by ‹match› join or lsh")
            }
        }
    }

    /// Refuses what belongs to other methods.
    fn refuse_foreign(&self) -> Result<()> {
        for (name, owner) in self.given() {
            let why = match (name, owner) {
                ("k" | "weights" | "similarity", _) => {
                    "here: the model has its own, from its training"
                }
                ("idf" | "distance", _) | (_, Owner::Spots | Owner::Signatures | Owner::Places) => {
                    "for ‹method› andd"
                }
                _ => continue,
            };
            return misplaced(format!("‹{name}› has no meaning {why}"));
        }
        Ok(())
    }

    /// Refuses a model where nothing is learned.
    pub(super) fn refuse_misplaced_model(&self) -> Result<()> {
        match self.model {
            Some(_) => misplaced("‹model› has no meaning here: it belongs to ‹method› andd"),
            None => Ok(()),
        }
    }
}
