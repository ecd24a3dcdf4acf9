//! Where the truth comes from: a field of the documents, a file of labels, or a
//! method that is taken for the truth.

use super::base::Base;
use super::variants;
use crate::exit::{bad_input, bad_input_at};
use std::fmt;
use std::path::PathBuf;
use toml::Table;
use twinsift::features::Weights;
use twinsift::recipe::{FeatureKind, Matcher};
use twinsift::similarity::Similarity;
use twinsift::{Choices, Recipe};

/// What `--gold` names.
#[derive(Clone, Debug, PartialEq)]
pub enum GoldSource {
    /// A field of the documents holds their cluster.
    Field(String),
    /// A file with id and cluster, with a, b and label, or with a, b and score.
    File(PathBuf),
    /// The pairs that a method finds; all others are none.
    Method(Box<Reference>),
}

/// A method whose pairs are taken for the truth.
#[derive(Clone, PartialEq)]
pub struct Reference {
    /// In words, for tables.
    pub told: String,
    pub recipe: Recipe,
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reference({} {})", self.told, self.recipe.id())
    }
}

impl Reference {
    /// The pairs with some cosine over their distinct words, prepared as for I-Match.
    fn cosine(threshold: f64) -> anyhow::Result<Self> {
        let choices = Choices {
            features: Some(FeatureKind::Lexicon),
            matcher: Some(Matcher::Exact),
            idf: Some([0.0, 1.0]),
            weights: Some(Weights::Binary),
            similarity: Some(Similarity::Cosine),
            threshold: Some(threshold),
            ..Choices::default()
        };
        Ok(Self {
            told: format!("cosine over distinct words ≥ {threshold}"),
            recipe: choices.resolve()?,
        })
    }

    /// The pairs of a method, with settings as in a suite.
    pub fn of(mut table: Table, base: &Base) -> anyhow::Result<Self> {
        let name = table.remove("name");
        let variant = variants::variant(table, None, base)?;
        if variant.training.is_some() {
            return Err(bad_input(
                "a method that has yet to be trained cannot be the truth: name a trained model",
            ));
        }
        let name = name.as_ref().and_then(toml::Value::as_str);
        Ok(Self {
            told: match name {
                Some(name) => format!("the pairs of {name} ({})", variant.recipe),
                None => format!("the pairs of {}", variant.recipe),
            },
            recipe: variant.recipe,
        })
    }
}

impl GoldSource {
    /// Reads the value of `--gold`. Files are looked for where `base` has its own.
    pub fn parse(text: &str, base: &Base) -> anyhow::Result<Self> {
        if let Some(spec) = text.strip_prefix("method:") {
            let made = variants::settings(spec).and_then(|table| Reference::of(table, base));
            return match made {
                Ok(reference) => Ok(Self::Method(Box::new(reference))),
                Err(error) => Err(bad_input_at(format!("--gold {text}"), &error)),
            };
        }
        if let Some(threshold) = text.strip_prefix("cosine:") {
            return match threshold.parse::<f64>() {
                Ok(threshold) if threshold > 0.0 && threshold <= 1.0 => {
                    Ok(Self::Method(Box::new(Reference::cosine(threshold)?)))
                }
                _ => Err(bad_input(format!(
                    "--gold {text} has no threshold above 0 and at most 1: write cosine:0.9"
                ))),
            };
        }
        let path = base.folder.join(text);
        match path.is_file() {
            true => Ok(Self::File(path)),
            false => Ok(Self::Field(text.to_owned())),
        }
    }

    /// In words, for tables.
    pub fn describe(&self) -> String {
        match self {
            Self::Field(name) => format!("the field \"{name}\""),
            Self::File(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                name.display().to_string()
            }
            Self::Method(reference) => reference.told.clone(),
        }
    }
}
