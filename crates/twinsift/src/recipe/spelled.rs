//! Recipes as JSON, and back.

use super::{Body, Classified, Content, FeatureKind, Matching, Method, Recipe};
use crate::error::{Error, Result, refuse};
use crate::features::Weights;
use crate::features::learned::model::Model;
use crate::features::spots::SpotRules;
use crate::lexicon::Lexicon;
use crate::sketch::imatch;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::sync::Arc;

/// A recipe as it is written down: lexicon and model by their ids.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spelled {
    method: Method,
    features: FeatureKind,
    #[serde(default)]
    fold: bool,
    k: u32,
    weights: Weights,
    spots: Option<SpotRules>,
    idf: Option<[f64; 2]>,
    lexicon: Option<String>,
    imatch: Option<imatch::Rules>,
    learned: Option<String>,
    top_terms: Option<u32>,
    #[serde(rename = "match")]
    matching: Matching,
    classifier: Option<Classified>,
    #[serde(default)]
    content: Content,
    #[serde(default)]
    body: Body,
    seed: u64,
}

impl Spelled {
    fn recipe(self, lexicon: Option<Arc<Lexicon>>, model: Option<Arc<Model>>) -> Result<Recipe> {
        let ids = [
            (
                "lexicon",
                self.lexicon,
                lexicon.as_ref().map(|lexicon| lexicon.id().to_owned()),
            ),
            (
                "model",
                self.learned,
                model.as_ref().map(|model| model.id()),
            ),
        ];
        for (what, asked, given) in ids {
            let why = match (asked, given) {
                (asked, given) if asked == given => continue,
                (Some(asked), None) => format!("this recipe needs the {what} {asked}"),
                (Some(asked), Some(given)) => {
                    format!("this recipe needs the {what} {asked}, and {given} is another one")
                }
                (None, _) => format!("this recipe has no {what}"),
            };
            return refuse(why);
        }
        let recipe = Recipe {
            method: self.method,
            features: self.features,
            fold: self.fold,
            k: self.k,
            weights: self.weights,
            spots: self.spots,
            idf: self.idf,
            lexicon,
            imatch: self.imatch,
            learned: model,
            top_terms: self.top_terms,
            matching: self.matching,
            classifier: self.classifier,
            content: self.content,
            body: self.body,
            seed: self.seed,
        };
        recipe.check()?;
        Ok(recipe)
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
