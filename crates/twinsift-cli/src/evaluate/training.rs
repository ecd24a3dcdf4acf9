//! Methods that are trained before they are tried: on one part of the clusters, to be
//! scored on the other.
//!
//! In a suite, `method = "andd"` without a `model` is one. `k`, `similarity`, `fold`,
//! `lexicon`, `queries`, `without`, `alpha`, `gamma` say how it is trained; `documents` takes only so
//! many documents of the part to train on, cluster by cluster.

use super::collection::Collection;
use super::labels::{Labels, as_strs};
use crate::exit::bad_input;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use toml::{Table, Value};
use twinsift::features::learned::model::Model;
use twinsift::features::learned::phi::{self, Queries};
use twinsift::hash::Stream;
use twinsift::similarity::Similarity;
use twinsift::{Choices, Lexicon, Recipe, Settings};
use twinsift_learn::andd::{Options, train};

/// How a method is trained, and what it is then tried with.
#[derive(Clone, Debug)]
pub struct Training {
    choices: Choices,
    options: Options,
    documents: Option<usize>,
}

/// What a suite says of training.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Keys {
    k: Option<u32>,
    similarity: Option<Similarity>,
    /// A file of queries.
    queries: Option<String>,
    without: Option<String>,
    alpha: Option<f64>,
    gamma: Option<f64>,
    documents: Option<usize>,
}

const KEYS: [&str; 7] = [
    "k",
    "similarity",
    "queries",
    "without",
    "alpha",
    "gamma",
    "documents",
];

impl Training {
    /// Takes out of the table of a method what belongs to its training. Files are in
    /// `folder`.
    pub fn take(
        table: &mut Table,
        lexicon: Option<Arc<Lexicon>>,
        fold: bool,
        folder: &Path,
    ) -> anyhow::Result<Self> {
        let own: Table = KEYS
            .iter()
            .filter_map(|key| table.remove_entry(*key))
            .collect();
        let keys: Keys = Value::Table(own)
            .try_into()
            .map_err(|error: toml::de::Error| bad_input(error.message().to_owned()))?;
        let defaults = Options::default();
        let without = keys.without.as_deref().unwrap_or_default();
        let k = keys.k.unwrap_or(defaults.k);
        let queries = match keys.queries {
            None => None,
            Some(name) => {
                let path = folder.join(name);
                let told = path.display().to_string();
                let text = std::fs::read_to_string(&path)
                    .map_err(|error| bad_input(format!("queries: cannot read {told}: {error}")))?;
                Some((Queries::parse(&text, k as usize, fold, &told)?, path))
            }
        };
        Ok(Self {
            choices: Choices {
                lexicon: lexicon.clone(),
                ..Choices::default()
            },
            options: Options {
                k,
                similarity: keys.similarity.unwrap_or(defaults.similarity),
                lexicon,
                queries,
                without: without.split_whitespace().map(str::to_owned).collect(),
                alpha: keys.alpha.unwrap_or(defaults.alpha),
                gamma: keys.gamma.unwrap_or(defaults.gamma),
                ..defaults
            },
            documents: keys.documents,
        })
    }

    /// What the trained model is tried with. Words are read there as in the training.
    pub fn with(mut self, choices: Choices) -> Self {
        self.options.fold = choices.fold.unwrap_or(self.options.fold);
        self.choices = Choices {
            lexicon: self.choices.lexicon,
            ..choices
        };
        self
    }

    /// The recipe before any training: every k-gram counts the same.
    pub fn untrained(&self) -> anyhow::Result<Recipe> {
        let Options {
            k,
            similarity,
            fold,
            ..
        } = self.options;
        let queries = self.options.queries.clone();
        let lambda = phi::unlearned(phi::names(k as usize, queries.is_some()).len());
        let mut model = Model::new(k, similarity, fold, queries, &lambda);
        model.lexicon = self.choices.lexicon.as_ref().map(|l| l.id().to_owned());
        self.recipe_of(model)
    }

    /// The recipe that is trained on some documents of a collection.
    pub fn recipe(
        &self,
        collection: &Collection,
        docs: &[u32],
        seed: u64,
        settings: &Settings,
    ) -> anyhow::Result<Recipe> {
        let Labels::Clusters { cluster, .. } = &collection.labels else {
            return Err(bad_input(format!(
                "{} has no clusters to train on: its truth is {}",
                collection.outcome.name, collection.outcome.gold
            )));
        };
        let trained_with = format!("{:?} {:?} {seed} {docs:?}", self.options, self.documents);
        if let Some(known) = collection.models.borrow().get(&trained_with) {
            return self.recipe_of(known.clone());
        }
        let docs = match self.documents {
            Some(most) => some_of(docs, cluster, most, seed),
            None => docs.to_vec(),
        };
        let part = collection.part(&docs)?;
        let Labels::Clusters { cluster, group } = &part.labels else {
            return Err(bad_input("the part to train on has no clusters"));
        };
        let options = Options {
            seed,
            ..self.options.clone()
        };
        let (cluster, group) = (as_strs(cluster), as_strs(group));
        let model = train(
            &part.documents,
            &cluster,
            &group,
            &options,
            settings,
            |_| {},
        )?;
        let mut models = collection.models.borrow_mut();
        models.insert(trained_with, model.clone());
        self.recipe_of(model)
    }

    fn recipe_of(&self, model: Model) -> anyhow::Result<Recipe> {
        let choices = Choices {
            model: Some(Arc::new(model)),
            ..self.choices.clone()
        };
        Ok(choices.resolve()?)
    }
}

/// Documents of one cluster that are taken together, where only some are wanted.
const OF_A_CLUSTER: usize = 4;

/// Some documents for training, as a person is advised to label some: two thirds in small
/// clusters, a third without a copy. Where there are too few of the one there are more of the other.
fn some_of(docs: &[u32], cluster: &[Option<String>], most: usize, seed: u64) -> Vec<u32> {
    let mut members: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for &doc in docs {
        if let Some(name) = &cluster[doc as usize] {
            members.entry(name).or_default().push(doc);
        }
    }
    let mut stream = Stream::new(seed);
    let (mut alone, mut together): (Vec<_>, Vec<_>) = members
        .into_values()
        .partition(|members| members.len() == 1);
    stream.shuffle(&mut alone);
    stream.shuffle(&mut together);
    for members in &mut together {
        stream.shuffle(members);
    }
    let copies: usize = together.iter().map(Vec::len).sum();
    let alone_wanted = (most / 3).max(most.saturating_sub(copies));
    let mut chosen: Vec<u32> = alone.into_iter().take(alone_wanted).flatten().collect();
    // A few of each cluster, then a few more of each, until there are enough.
    let longest = together.iter().map(Vec::len).max().unwrap_or(0);
    let rounds = (0..longest).step_by(OF_A_CLUSTER);
    let in_turn = rounds.flat_map(|from| {
        together.iter().flat_map(move |members| {
            let to = (from + OF_A_CLUSTER).min(members.len());
            members.get(from..to).unwrap_or_default()
        })
    });
    chosen.extend(in_turn.take(most - chosen.len()));
    chosen.sort_unstable();
    chosen
}
