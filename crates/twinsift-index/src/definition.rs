//! What an index is made for: its recipe, with all that the recipe needs.

use crate::codec::checksum;
use crate::error::{Error, Result};
use crate::manifest::VERSION;
use crate::storage::{Source, Storage, write_file};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use twinsift::features::learned::model::Model;
use twinsift::{Extractor, Keys, Lexicon, Recipe, Statistics, Verifier};

/// The files of a definition.
pub(crate) const DEFINITION: &str = "recipe";
const LEXICON: &str = "lexicon";
const MODEL: &str = "model";
const STATISTICS: &str = "statistics";

/// Files that never change.
pub(crate) const FILES: [&str; 4] = [DEFINITION, LEXICON, MODEL, STATISTICS];

/// The three steps by which documents of an index are compared.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) recipe: Recipe,
    pub(crate) extractor: Extractor,
    pub(crate) keys: Keys,
    pub(crate) verifier: Verifier,
}

/// The file of a definition.
#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    id: String,
    recipe: String,
    lexicon: bool,
    model: bool,
    statistics: bool,
}

impl Definition {
    pub(crate) fn new(recipe: &Recipe, statistics: &Statistics) -> Result<Self> {
        Ok(Self {
            extractor: Extractor::new(recipe, statistics)?,
            keys: Keys::new(recipe)?,
            verifier: Verifier::new(recipe)?,
            recipe: recipe.clone(),
        })
    }

    /// Writes a definition, and makes its bytes last.
    pub(crate) fn write(
        storage: &dyn Storage,
        recipe: &Recipe,
        statistics: &Statistics,
    ) -> Result<()> {
        if let Some(lexicon) = recipe.lexicon() {
            let mut bytes = Vec::new();
            let written = lexicon.write(&mut bytes);
            written.map_err(|source| Error::Io {
                what: "write",
                path: storage.path(LEXICON),
                source,
            })?;
            write_file(storage, LEXICON, &bytes)?;
        }
        if let Some(model) = recipe.model() {
            write_file(storage, MODEL, model.to_json().as_bytes())?;
        }
        let needs_statistics = Statistics::are_needed_by(recipe);
        if needs_statistics {
            write_file(storage, STATISTICS, &statistics.to_bytes())?;
        }
        let stored = Stored {
            version: VERSION,
            id: recipe.id(),
            recipe: recipe.to_json(),
            lexicon: recipe.lexicon().is_some(),
            model: recipe.model().is_some(),
            statistics: needs_statistics,
        };
        let mut text = serde_json::to_string(&stored).unwrap_or_default();
        text += &format!("\n{:016x}\n", checksum(text.as_bytes(), 1));
        write_file(storage, DEFINITION, text.as_bytes())
    }

    /// Reads a definition.
    pub(crate) fn read(storage: &dyn Storage) -> Result<Self> {
        let source = Source::open(storage, DEFINITION)?;
        let damaged = || source.damaged("it is not what was written");
        let text = String::from_utf8(source.read_all()?).map_err(|_| damaged())?;
        let (content, sum) = text.split_once('\n').ok_or_else(damaged)?;
        if sum != format!("{:016x}\n", checksum(content.as_bytes(), 1)) {
            return Err(damaged());
        }
        let stored: Stored = serde_json::from_str(content).map_err(|_| damaged())?;
        let lexicon = match stored.lexicon {
            true => Some(Arc::new(Lexicon::open(&storage.path(LEXICON))?)),
            false => None,
        };
        let model = match stored.model {
            true => Some(Arc::new(Model::open(&storage.path(MODEL))?)),
            false => None,
        };
        let statistics = match stored.statistics {
            true => {
                let source = Source::open(storage, STATISTICS)?;
                let read = Statistics::from_bytes(&source.read_all()?);
                read.ok_or_else(|| source.damaged("it is not what was written"))?
            }
            false => Statistics::default(),
        };
        let recipe = Recipe::from_json(&stored.recipe, lexicon, model)?;
        match recipe.id() == stored.id {
            true => Self::new(&recipe, &statistics),
            // What words or the values of signatures are has changed since.
            false => Err(Error::OtherRecipe {
                path: storage.path(""),
                have: stored.id,
                asked: recipe.id(),
            }),
        }
    }
}
