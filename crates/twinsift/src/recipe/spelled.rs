//! Recipes as JSON, and back.

use super::{
    Body, Classified, Content, FeatureKind, FeatureRules, Matching, Method, Recipe, is_default,
};
use crate::error::{Error, Result, misplaced, missing, refuse};
use crate::features::Weights;
use crate::features::learned::model::Model;
use crate::features::spots::SpotRules;
use crate::lexicon::Lexicon;
use crate::sketch::imatch;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A recipe as it is written down: the rules of all parts side by side, lexicon and model by
/// their ids.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spelled {
    method: Method,
    features: FeatureKind,
    #[serde(default, skip_serializing_if = "is_default")]
    fold: bool,
    k: u32,
    weights: Weights,
    #[serde(skip_serializing_if = "Option::is_none")]
    spots: Option<SpotRules>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idf: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lexicon: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    imatch: Option<imatch::Rules>,
    #[serde(skip_serializing_if = "Option::is_none")]
    learned: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_terms: Option<u32>,
    #[serde(rename = "match")]
    pub(super) matching: Matching,
    #[serde(skip_serializing_if = "Option::is_none")]
    classifier: Option<Classified>,
    #[serde(default, skip_serializing_if = "is_default")]
    content: Content,
    #[serde(default, skip_serializing_if = "is_default")]
    body: Body,
    seed: u64,
}

impl Spelled {
    pub(super) fn of(recipe: &Recipe) -> Self {
        Self {
            method: recipe.method,
            features: recipe.features(),
            fold: recipe.fold,
            k: recipe.k(),
            weights: recipe.weights,
            spots: recipe.spot_rules().cloned(),
            idf: recipe.idf,
            lexicon: recipe.lexicon().map(|lexicon| lexicon.id().to_owned()),
            imatch: recipe.imatch_rules(),
            learned: recipe.model().map(|model| model.id()),
            top_terms: recipe.top_terms,
            matching: recipe.matching,
            classifier: recipe.classifier.clone(),
            content: recipe.content,
            body: recipe.body,
            seed: recipe.seed,
        }
    }

    fn recipe(self, lexicon: Option<Arc<Lexicon>>, model: Option<Arc<Model>>) -> Result<Recipe> {
        let given = lexicon.as_ref().map(|lexicon| lexicon.id().to_owned());
        refuse_other("lexicon", self.lexicon.as_ref(), given.as_ref())?;
        let given = model.as_ref().map(|model| model.id());
        refuse_other("model", self.learned.as_ref(), given.as_ref())?;
        let recipe = Recipe {
            method: self.method,
            features: self.feature_rules(model)?.with_lexicon(lexicon)?,
            fold: self.fold,
            weights: self.weights,
            idf: self.idf,
            top_terms: self.top_terms,
            matching: self.matching()?,
            classifier: self.classifier,
            content: self.content,
            body: self.body,
            seed: self.seed,
        };
        recipe.check()?;
        Ok(recipe)
    }

    /// What is compared, without a lexicon.
    fn feature_rules(&self, model: Option<Arc<Model>>) -> Result<FeatureRules> {
        let rules = match (self.features, model) {
            (FeatureKind::Learned, Some(model)) => FeatureRules::Learned {
                model,
                lexicon: None,
            },
            (FeatureKind::Learned, None) => return missing("learned k-grams need a model"),
            (_, Some(_)) => return misplaced("a model belongs to learned k-grams"),
            (FeatureKind::Text, _) => FeatureRules::Text,
            (FeatureKind::Words, _) => FeatureRules::Words,
            (FeatureKind::Profile, _) => FeatureRules::Profile,
            (FeatureKind::Shingles, _) => FeatureRules::Shingles { k: self.k },
            (FeatureKind::Spots, _) => match &self.spots {
                Some(rules) => FeatureRules::Spots(rules.clone()),
                None => return missing("spots need rules for what a spot is"),
            },
            (FeatureKind::Lexicon, _) => FeatureRules::Lexicon(None),
        };
        if self.spots.is_some() && self.features != FeatureKind::Spots {
            return misplaced("rules for spots belong to spots");
        }
        match rules.k() == self.k {
            true => Ok(rules),
            false => misplaced("‹k› has no meaning here: it belongs to ‹features› shingles"),
        }
    }

    /// The matcher, with the rules of I-Match signatures if it compares these.
    fn matching(&self) -> Result<Matching> {
        match (self.matching, self.imatch) {
            (Matching::IMatch(mut matcher), Some(rules)) => {
                matcher.rules = rules;
                Ok(Matching::IMatch(matcher))
            }
            (Matching::IMatch(_), None) | (_, Some(_)) => {
                refuse("I-Match signatures and the rules that make them belong together")
            }
            (matching, None) => Ok(matching),
        }
    }
}

/// Refuses a lexicon or a model that is not the one that a recipe asks for.
fn refuse_other(what: &str, asked: Option<&String>, given: Option<&String>) -> Result<()> {
    refuse(match (asked, given) {
        (asked, given) if asked == given => return Ok(()),
        (Some(asked), None) => format!("this recipe needs the {what} {asked}"),
        (Some(asked), Some(given)) => {
            format!("this recipe needs the {what} {asked}, and {given} is another one")
        }
        (None, _) => format!("this recipe has no {what}"),
    })
}

impl Serialize for Recipe {
    /// Writes the recipe with its lexicon and model as their ids.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        Spelled::of(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Recipe {
    /// Reads a recipe that has neither lexicon nor model, which are not written down with it:
    /// [`Recipe::from_json`] takes them.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let spelled = Spelled::deserialize(deserializer)?;
        spelled.recipe(None, None).map_err(D::Error::custom)
    }
}

impl Recipe {
    /// The recipe as JSON, with its lexicon and model as their ids.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A recipe from its JSON, with the lexicon and the model that it was made with.
    ///
    /// ```
    /// use twinsift::Recipe;
    ///
    /// let recipe = Recipe::spotsigs().threshold(0.4).resolve()?;
    /// let again = Recipe::from_json(&recipe.to_json(), None, None)?;
    /// assert_eq!((again.id(), again), (recipe.id(), recipe));
    /// # Ok::<(), twinsift::Error>(())
    /// ```
    pub fn from_json(
        text: &str,
        lexicon: Option<Arc<Lexicon>>,
        model: Option<Arc<Model>>,
    ) -> Result<Self> {
        let spelled: Spelled = serde_json::from_str(text)
            .map_err(|error| Error::Recipe(format!("this is no recipe: {error}").into()))?;
        spelled.recipe(lexicon, model)
    }
}
