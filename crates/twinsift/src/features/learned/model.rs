//! A model: how much each feature of a k-gram counts, and how it was found out.
//!
//! It is a small JSON file that a person can read, with the weights by feature name:
//!
//! ```json
//! {
//!   "kind": "andd",
//!   "version": 2,
//!   "k": 1,
//!   "similarity": "cosine",
//!   "threshold": 0.42,
//!   "fold": false,
//!   "reading": { "content": "main" },
//!   "lexicon": null,
//!   "weights": { "bias": 0.1, "tf": 0.3 }
//! }
//! ```
//!
//! `lexicon` is the id of the lexicon that the document frequencies come from; a model
//! without one does without them. `reading` is how the documents were read that it was made
//! from: others must be read in the same way. Files of version 1 do not say, and neither do models
//! that were made of texts in memory: they are used however documents are read. A model is refused if anything in it is not as this version knows it: a wrong weight would be a
//! wrong answer without a sign of it.

use super::LONGEST;
use super::phi::{self, Queries};
use crate::error::{Error, Result, refuse};
use crate::hash;
use crate::lexicon::Lexicon;
use crate::similarity::Similarity;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The version of the file that this version of the program writes. It reads all versions
/// up to this one.
pub const VERSION: u32 = 2;

/// What the file says it is.
pub const KIND: &str = "andd";

/// Learned weights.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    kind: String,
    version: u32,
    /// Words to a k-gram.
    pub k: u32,
    /// The measure that the weights were learned for.
    pub similarity: Similarity,
    /// Pairs of at least this similarity are near duplicates.
    pub threshold: f64,
    /// Whether words are read without their disguises.
    pub fold: bool,
    /// How documents were read; `None`: it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// The lexicon of document frequencies; `None`: they are left out.
    pub lexicon: Option<String>,
    /// A file of queries and how often each was asked, beside the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_log: Option<QueryLog>,
    /// λ by the name of the feature.
    pub weights: BTreeMap<String, f64>,
    /// How it was made.
    pub training: Training,
    /// The queries themselves, once they have been read.
    #[serde(skip)]
    pub(crate) queries: Option<Queries>,
}

/// How documents are read, by the names of the settings. The engine is given texts: what made
/// them is for the program around it to note here and to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// How much of a page is its text: `main` or `all`.
    pub content: String,
    /// Which of two bodies it is of, `rendered` or `fetched`, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// Where the queries of a model are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryLog {
    /// The file, as it was named when the model was made.
    pub file: PathBuf,
    /// A hash of its content.
    pub id: String,
}

/// How a model was made, for people and for comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Labelled documents.
    pub documents: u64,
    /// Their clusters.
    pub clusters: u64,
    /// Of these documents, those that the weights were fitted to.
    pub fitted: u64,
    /// Pairs of near duplicates among them.
    pub positive_pairs: u64,
    /// Pairs of unrelated documents.
    pub negative_pairs: u64,
    /// Pairs of both, the first of which should score higher.
    pub preferences: u64,
    /// Steps of L-BFGS up to these weights.
    pub steps: u32,
    /// The loss before the first step.
    pub first_loss: f64,
    /// The loss of these weights.
    pub last_loss: f64,
    /// What the weights were held to.
    #[serde(default)]
    pub held: Held,
    /// How much it cost them to be away from there.
    pub alpha: f64,
    /// How steep the loss is.
    pub gamma: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// At the threshold, on clusters that the weights were not fitted to.
    pub validation: Option<Validation>,
}

/// What weights are held to while they are learnt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Held {
    /// To nothing but a scale.
    #[default]
    Free,
    /// To those of the unlearned measure.
    Unlearned,
}

/// How good a model is on documents that its weights were not fitted to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// How many documents, in all rounds.
    pub documents: u64,
    /// How often some were set apart; with more than one, by models like this one that were
    /// learnt from the others.
    #[serde(default = "once")]
    pub rounds: u64,
    /// The share of found pairs that are true.
    pub precision: f64,
    /// The share of true pairs that are found.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

fn once() -> u64 {
    1
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.to_json() == other.to_json()
    }
}

impl Model {
    /// A model of these weights, in the order of [`phi::names`].
    pub fn new(
        k: u32,
        similarity: Similarity,
        fold: bool,
        queries: Option<(Queries, PathBuf)>,
        lambda: &[f64],
    ) -> Self {
        let names = phi::names(k as usize, queries.is_some());
        Self {
            kind: KIND.to_owned(),
            version: VERSION,
            k,
            similarity,
            threshold: 0.5,
            fold,
            reading: None,
            lexicon: None,
            query_log: queries.as_ref().map(|(queries, file)| QueryLog {
                file: file.clone(),
                id: queries.id().to_owned(),
            }),
            weights: names
                .into_iter()
                .zip(lambda.iter().map(|&l| rounded(l)))
                .collect(),
            training: Training::default(),
            queries: queries.map(|(queries, _)| queries),
        }
    }

    /// Reads a model file, and its queries if it has some.
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| broken(&name, format!("cannot be read: {error}")))?;
        let mut model = Self::parse(&text, &name)?;
        if let Some(log) = &model.query_log {
            let beside = path.parent().unwrap_or(Path::new("")).join(&log.file);
            let queries = std::fs::read_to_string(&beside).map_err(|error| {
                broken(
                    &name,
                    format!("needs the queries in {}: {error}", beside.display()),
                )
            })?;
            let queries = Queries::parse(
                &queries,
                model.k as usize,
                model.fold,
                &beside.display().to_string(),
            )?;
            if queries.id() != log.id {
                let why = format!(
                    "was trained with other queries than those in {}: train it again, or restore the file",
                    beside.display()
                );
                return Err(broken(&name, why));
            }
            model.queries = Some(queries);
        }
        Ok(model)
    }

    /// Reads the text of a model file; `name` is for messages.
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        /// What every version has.
        #[derive(Deserialize)]
        struct Head {
            kind: Option<String>,
            version: Option<u32>,
        }
        let head: Head = serde_json::from_str(text)
            .map_err(|error| broken(name, format!("is not a model: {error}")))?;
        match (head.kind.as_deref(), head.version) {
            (Some(KIND), Some(1..=VERSION)) => {}
            (Some(KIND), version) => {
                let version = version.map_or("no version".to_owned(), |v| format!("version {v}"));
                let why = format!(
                    "is a model of {version}, and this program knows versions up to {VERSION}: train it again, or use a newer program"
                );
                return Err(broken(name, why));
            }
            (Some(other), _) => {
                let why = format!("is a model for \"{other}\", not for \"{KIND}\"");
                return Err(broken(name, why));
            }
            (None, _) => {
                return Err(broken(
                    name,
                    "is not a model: it does not say of which kind",
                ));
            }
        }
        let model: Self = serde_json::from_str(text)
            .map_err(|error| broken(name, format!("is not a model of this program: {error}")))?;
        model.check(name)?;
        Ok(model)
    }

    fn check(&self, name: &str) -> Result<()> {
        if !(1..=LONGEST).contains(&self.k) {
            let why = format!("has k = {}: it must be from 1 to {LONGEST}", self.k);
            return Err(broken(name, why));
        }
        if self.similarity == Similarity::Jaccard {
            let why = "compares by jaccard: a model is for cosine or extended-jaccard";
            return Err(broken(name, why));
        }
        if !(self.threshold > 0.0 && self.threshold <= 1.0) {
            let why = format!(
                "has the threshold {}: it must be above 0 and at most 1",
                self.threshold
            );
            return Err(broken(name, why));
        }
        let known = phi::names(self.k as usize, self.query_log.is_some());
        if let Some(missing) = known.iter().find(|name| !self.weights.contains_key(*name)) {
            let why = format!("has no weight for the feature \"{missing}\": train it again");
            return Err(broken(name, why));
        }
        if let Some(unknown) = self.weights.keys().find(|name| !known.contains(name)) {
            let why = format!(
                "has a weight for \"{unknown}\", a feature that this program does not know: train it again"
            );
            return Err(broken(name, why));
        }
        if let Some((feature, weight)) = self.weights.iter().find(|(_, w)| !w.is_finite()) {
            let why = format!("has the weight {weight} for \"{feature}\", which is no number");
            return Err(broken(name, why));
        }
        if self.weights.values().all(|&weight| weight <= 0.0) {
            let why = "has no weight above zero, so that nothing would count: train it again";
            return Err(broken(name, why));
        }
        Ok(())
    }

    /// λ, in the order of [`phi::names`].
    pub fn lambda(&self) -> Vec<f64> {
        let names = phi::names(self.k as usize, self.query_log.is_some());
        let weight = |name: &String| self.weights.get(name).copied().unwrap_or(0.0);
        names.iter().map(weight).collect()
    }

    /// Refuses any lexicon but the model's own.
    pub fn check_lexicon(&self, lexicon: Option<&Lexicon>) -> Result<()> {
        let given = lexicon.map(Lexicon::id);
        let why = match (&self.lexicon, given) {
            (own, given) if own.as_deref() == given => return Ok(()),
            (Some(own), None) => {
                format!("the model was trained with the lexicon {own}: name that file with ‹lexicon›")
            }
            (None, _) => {
                "the model was trained without a lexicon: leave out ‹lexicon›, or train it again with one"
                    .to_owned()
            }
            (Some(own), Some(given)) => format!(
                "the model was trained with the lexicon {own}, and ‹lexicon› is {given}: name that lexicon, or train the model again"
            ),
        };
        refuse(why)
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// A short name that changes with anything in the model.
    pub fn id(&self) -> String {
        format!("{:016x}", hash::bytes(self.to_json().as_bytes()))
    }
}

/// A number as it is written: short, and the same when it is read again.
pub fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

fn broken(name: &str, why: impl Into<String>) -> Error {
    Error::Model {
        name: name.to_owned(),
        why: why.into(),
    }
}
