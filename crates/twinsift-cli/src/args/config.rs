//! The config file: a recipe, and how to run it, in one flat TOML table.

use super::sizes::parse_size;
use crate::exit::bad_input;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use twinsift::Choices;

/// What a config file may say besides the recipe.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    pub content: Option<String>,
    pub format: Option<String>,
    pub id_field: Option<String>,
    pub text_field: Option<String>,
    pub html_field: Option<String>,
    pub title_field: Option<String>,
    pub url_field: Option<String>,
    pub strict: Option<bool>,
    pub quiet: Option<bool>,
    pub threads: Option<u16>,
    pub memory: Option<String>,
    pub tmp: Option<PathBuf>,
}

impl RunConfig {
    pub fn memory_bytes(&self) -> anyhow::Result<Option<u64>> {
        let size = self.memory.as_deref().map(parse_size).transpose();
        size.map_err(|why| bad_input(format!("memory in the config file: {why}")))
    }
}

/// Keys that belong to the recipe; all others to the run.
const RECIPE_KEYS: [&str; 12] = [
    "method",
    "features",
    "k",
    "weights",
    "match",
    "similarity",
    "threshold",
    "bands",
    "rows",
    "bits",
    "distance",
    "seed",
];

/// Reads a config file; without one, everything is left open.
pub fn load(path: Option<&Path>) -> anyhow::Result<(Choices, RunConfig)> {
    let Some(path) = path else {
        return Ok(Default::default());
    };
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| bad_input(format!("cannot read the config file {name}: {error}")))?;
    let explain = |error: toml::de::Error| {
        let why = error.message().to_owned();
        let line = error
            .span()
            .map(|span| text[..span.start].matches('\n').count() + 1);
        bad_input(match line {
            Some(line) => format!("{name}, line {line}: {why}"),
            None => format!("{name}: {why}"),
        })
    };
    let table: Table = toml::from_str(&text).map_err(explain)?;
    let (recipe, run): (Table, Table) = table
        .into_iter()
        .partition(|(key, _)| RECIPE_KEYS.contains(&key.as_str()));
    let choices = Value::Table(recipe).try_into().map_err(explain)?;
    let run = Value::Table(run).try_into().map_err(explain)?;
    Ok((choices, run))
}
