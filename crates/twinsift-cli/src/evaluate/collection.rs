//! A labelled collection, read once and tried by many methods.

use super::labels::{GoldSource, Labels, as_strs, from_file};
use super::outcome::DataOutcome;
use super::trial::{Parts, Splits};
use crate::args::run::Run;
use crate::exit::bad_input;
use crate::read;
use crate::say::say;
use crate::summary::counted;
use crate::threads;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Instant;
use twinsift::features::learned::model::Model;
use twinsift::{Document, Recipe, Settings, hash};
use twinsift_eval::{Classes, Cohesion, Gold, Split, Trial, split};

/// What to read, and what is true of it.
#[derive(Clone, Debug)]
pub struct Task {
    pub name: String,
    pub gold: GoldSource,
    /// The field with the group: pairs of one group but different clusters are
    /// not judged.
    pub unjudged_within: Option<String>,
    /// The field with the class of a document, and the class that is looked for.
    pub classes: Option<(String, String)>,
    /// What a document of another class costs in utility.
    pub cost: f64,
    /// The field that splits go by, if they do.
    pub split_by: Option<String>,
    /// The texts of the queries that labelled pairs name.
    pub queries: Option<PathBuf>,
    /// The flag that asks for the labels, for messages.
    pub flag: &'static str,
}

/// Documents with their labels.
pub struct Collection {
    pub documents: Vec<Document<'static>>,
    pub labels: Labels,
    pub gold: Gold,
    pub classes: Option<Classes>,
    pub cost: f64,
    /// The value of each document that splits go by.
    split_values: Vec<Option<String>>,
    pub outcome: DataOutcome,
    /// Models that were trained on parts of it, by what they were trained with.
    pub models: RefCell<HashMap<String, Model>>,
}

impl Collection {
    pub fn read(run: &Run, task: &Task) -> anyhow::Result<Self> {
        let started = Instant::now();
        let mut asked = run.read.clone();
        let cluster_field = match &task.gold {
            GoldSource::Field(name) => Some(name.clone()),
            _ => None,
        };
        let class_field = task.classes.as_ref().map(|(field, _)| field.clone());
        let wanted = [
            &cluster_field,
            &task.unjudged_within,
            &class_field,
            &task.split_by,
        ];
        asked.fields.extra = wanted.into_iter().flatten().cloned().collect();
        let documents = read::documents(run, asked)?;
        if documents.is_empty() {
            return Err(bad_input(format!(
                "there are no documents in {}",
                task.name
            )));
        }
        let reading = started.elapsed();
        let mut values = Columns::of(&documents);
        let cluster = cluster_field.map(|_| values.next());
        let group = task.unjudged_within.as_ref().map(|_| values.next());
        let class = class_field.map(|_| values.next());
        let split_values = task.split_by.as_ref().map(|_| values.next());
        let split_values = split_values.unwrap_or_default();
        if let Some(field) = &task.split_by {
            check_field("[split] by", field, &split_values)?;
        }
        let mut notes = Vec::new();
        let labels = match (&task.gold, cluster) {
            (GoldSource::File(path), _) => from_file(path, &documents, &mut notes)?,
            (GoldSource::Method(reference), _) => {
                Labels::Reference(found(&documents, &reference.recipe, &run.settings)?)
            }
            (GoldSource::Field(name), cluster) => {
                let cluster = cluster.unwrap_or_default();
                check_field(task.flag, name, &cluster)?;
                Labels::Clusters {
                    cluster,
                    group: Vec::new(),
                }
            }
        };
        let labels = with_groups(labels, task.unjudged_within.as_deref(), group)?;
        let classes = match (&task.classes, class) {
            (Some((field, target)), Some(class)) => Some(classes(field, target, &class)?),
            _ => None,
        };
        let gold = labels.gold(&documents, &mut notes);
        if !run.quiet {
            // What is odd about the labels may be why there is no truth in them.
            notes.iter().for_each(|note| say!("note: {note}"));
        }
        let gold = gold?;
        let labelled = labelled(&labels, documents.len());
        let unlabelled = documents.len() as u64 - labelled;
        if unlabelled > 0 {
            let is = if unlabelled == 1 { "is" } else { "are" };
            let count = counted(unlabelled, "document");
            notes.insert(0, format!("{count} without a label {is} not judged"));
            if !run.quiet {
                say!("note: {}", notes[0]);
            }
        }
        let cohesion = match gold.clusters() {
            Some(clusters) => threads::within(run, || Ok(Cohesion::of(&documents, clusters)))?,
            None => None,
        };
        let outcome = DataOutcome {
            name: task.name.clone(),
            gold: task.gold.describe(),
            documents: documents.len() as u64,
            labelled,
            clusters: gold.clusters().map(|clusters| {
                let distinct: HashSet<u32> = clusters.iter().flatten().copied().collect();
                distinct.len() as u64
            }),
            true_pairs: gold.positives(),
            judged_pairs: gold.judged(),
            cohesion,
            reading_seconds: reading.as_secs_f64(),
            notes,
        };
        Ok(Self {
            documents,
            labels,
            gold,
            classes,
            cost: task.cost,
            split_values,
            outcome,
            models: RefCell::default(),
        })
    }

    /// A name that changes with any document or label.
    pub fn fingerprint(&self) -> String {
        let mut digest = match &self.labels {
            Labels::Reference(pairs) => {
                let numbers = pairs
                    .iter()
                    .map(|&(a, b)| u64::from(a) << 32 | u64::from(b));
                hash::digest(numbers) as u64
            }
            labels => hash::bytes(format!("{labels:?}").as_bytes()),
        };
        let split_values = format!("{:?}", self.split_values);
        digest = hash::pair(digest, hash::bytes(split_values.as_bytes()));
        for document in &self.documents {
            for part in [&document.id.text, &document.text] {
                digest = hash::pair(digest, hash::bytes(part.as_bytes()));
            }
        }
        format!("{digest:016x}")
    }

    /// A split of it by cluster.
    pub fn split(&self, by: &Splits, seed: u64) -> anyhow::Result<Split> {
        let name = &self.outcome.name;
        let Labels::Clusters { cluster, group } = &self.labels else {
            return Err(bad_input(format!(
                "{name} has no clusters to split by: its truth is {}",
                self.outcome.gold
            )));
        };
        let (cluster, group) = (as_strs(cluster), as_strs(group));
        let (field, split) = match &by.parts {
            Parts::Random(share) => return Ok(split::by_cluster(&cluster, &group, *share, seed)),
            Parts::Field(field, cut) => {
                let values = as_strs(&self.split_values);
                (field, split::by_field(&cluster, &group, &values, cut))
            }
        };
        for (part, docs) in [("train", &split.train), ("test", &split.test)] {
            if docs.is_empty() {
                return Err(bad_input(format!(
                    "{name} cannot be split by \"{field}\": no document is left to {part} on"
                )));
            }
        }
        Ok(split)
    }

    /// Some of its documents as a collection.
    pub fn part(&self, docs: &[u32]) -> anyhow::Result<Self> {
        let documents: Vec<Document<'static>> = docs
            .iter()
            .map(|&doc| self.documents[doc as usize].clone())
            .collect();
        let labels = self.labels.subset(docs);
        let gold = labels.gold(&documents, &mut Vec::new())?;
        let classes = self.classes.as_ref().map(|classes| Classes {
            is_target: docs
                .iter()
                .map(|&doc| classes.is_target[doc as usize])
                .collect(),
        });
        Ok(Self {
            documents,
            labels,
            gold,
            classes,
            cost: self.cost,
            split_values: Vec::new(),
            outcome: self.outcome.clone(),
            models: RefCell::default(),
        })
    }

    /// The cluster of a document, where there are clusters.
    pub fn cluster(&self, doc: u32) -> Option<&str> {
        match &self.labels {
            Labels::Clusters { cluster, .. } => cluster[doc as usize].as_deref(),
            _ => None,
        }
    }
}

/// Takes the further fields of documents apart, one field after another.
struct Columns<'a> {
    documents: &'a [Document<'static>],
    next: usize,
}

impl<'a> Columns<'a> {
    fn of(documents: &'a [Document<'static>]) -> Self {
        Self { documents, next: 0 }
    }

    fn next(&mut self) -> Vec<Option<String>> {
        let at = self.next;
        self.next += 1;
        let value = |document: &Document<'_>| {
            let value = document.extra.get(at).cloned().flatten();
            value.map(|value| value.into_owned())
        };
        self.documents.iter().map(value).collect()
    }
}

fn check_field(flag: &str, name: &str, values: &[Option<String>]) -> anyhow::Result<()> {
    let or_file = match flag {
        "--gold" | "--labels" => ", and there is no such file",
        _ => "",
    };
    match values.iter().any(Option::is_some) {
        true => Ok(()),
        false => Err(bad_input(format!(
            "no document has the field \"{name}\" that {flag} asks for{or_file}"
        ))),
    }
}

/// Groups from a field of the documents, in place of those of a file of labels.
fn with_groups(
    labels: Labels,
    field: Option<&str>,
    groups: Option<Vec<Option<String>>>,
) -> anyhow::Result<Labels> {
    let (Some(field), Some(groups)) = (field, groups) else {
        return Ok(labels);
    };
    check_field("--unjudged-within", field, &groups)?;
    match labels {
        Labels::Clusters { cluster, .. } => Ok(Labels::Clusters {
            cluster,
            group: groups,
        }),
        _ => Err(bad_input(
            "--unjudged-within has no meaning here: it belongs to labels that are clusters",
        )),
    }
}

fn classes(field: &str, target: &str, values: &[Option<String>]) -> anyhow::Result<Classes> {
    check_field("--classes", field, values)?;
    if !values.iter().flatten().any(|class| class == target) {
        return Err(bad_input(format!(
            "no document has \"{target}\" in the field \"{field}\": name the class that is looked for, as in --classes {field}:spam"
        )));
    }
    let is_target = |class: &Option<String>| class.as_ref().map(|class| class == target);
    Ok(Classes {
        is_target: values.iter().map(is_target).collect(),
    })
}

fn labelled(labels: &Labels, documents: usize) -> u64 {
    match labels {
        Labels::Clusters { cluster, .. } => cluster.iter().flatten().count() as u64,
        Labels::Pairs(pairs) => {
            let known: HashSet<u32> = pairs.iter().flat_map(|&(a, b, _)| [a, b]).collect();
            known.len() as u64
        }
        Labels::Reference(_) => documents as u64,
    }
}

/// The pairs that a method finds.
fn found(
    documents: &[Document<'_>],
    recipe: &Recipe,
    settings: &Settings,
) -> anyhow::Result<Vec<(u32, u32)>> {
    let unjudged = Gold::from_clusters(&vec![None; documents.len()], &[]);
    let matches = Trial::new(documents, &unjudged, settings).find(recipe)?;
    matches
        .pairs()
        .map(|pair| Ok(pair.map(|pair| (pair.a, pair.b))?))
        .collect()
}
