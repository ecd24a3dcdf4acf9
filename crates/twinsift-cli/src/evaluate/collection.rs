//! A labelled collection, read once and tried by many methods.

use super::gold_source::GoldSource;
use super::labels::{Labels, as_strs, from_file};
use super::outcome::DataOutcome;
use super::splits::{Parts, Splits};
use crate::exit::bad_input;
use crate::numbers::counted;
use crate::plan::Run;
use crate::read;
use crate::say::say;
use crate::threads;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Instant;
use twinsift::features::learned::model::Model;
use twinsift::{Document, Recipe, Settings, hash};
use twinsift_eval::{Cohesion, Gold, Split, TargetClasses, Trial, split};

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
    pub classes: Option<TargetClasses>,
    pub cost: f64,
    /// The value of each document that splits go by.
    split_values: Vec<Option<String>>,
    pub outcome: DataOutcome,
    /// Models that were trained on parts of it, by what they were trained with.
    pub models: RefCell<HashMap<String, Model>>,
}

impl Collection {
    /// Reads the documents of a task, and what is true of them.
    pub fn read(run: &Run, task: &Task) -> anyhow::Result<Self> {
        let started = Instant::now();
        let (documents, fields) = documents(run, task)?;
        let reading = started.elapsed();
        if let Some(field) = &task.split_by {
            check_field("[split] by", field, &fields.split)?;
        }
        let mut notes = Vec::new();
        let labels = labels(run, task, &documents, fields.cluster, &mut notes)?;
        let labels = with_groups(labels, task.unjudged_within.as_deref(), fields.group)?;
        let classes = match (&task.classes, fields.class) {
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
        if let Some(note) = note_of_unlabelled(documents.len() as u64 - labelled) {
            if !run.quiet {
                say!("note: {note}");
            }
            notes.insert(0, note);
        }
        let cohesion = match gold.clusters() {
            Some(clusters) => {
                threads::within(&run.settings, || Ok(Cohesion::of(&documents, clusters)))?
            }
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
            split_values: fields.split,
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
        let classes = self.classes.as_ref().map(|classes| TargetClasses {
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

/// The values of the fields that a task asks for, by document.
struct Fields {
    cluster: Option<Vec<Option<String>>>,
    group: Option<Vec<Option<String>>>,
    class: Option<Vec<Option<String>>>,
    split: Vec<Option<String>>,
}

/// Reads the documents of a task with their fields.
fn documents(run: &Run, task: &Task) -> anyhow::Result<(Vec<Document<'static>>, Fields)> {
    let cluster = match &task.gold {
        GoldSource::Field(name) => Some(name),
        _ => None,
    };
    let class = task.classes.as_ref().map(|(field, _)| field);
    let wanted = [
        cluster,
        task.unjudged_within.as_ref(),
        class,
        task.split_by.as_ref(),
    ];
    let mut options = run.read.clone();
    options.fields.extra = wanted.into_iter().flatten().cloned().collect();
    let documents = read::documents(run, options)?;
    if documents.is_empty() {
        return Err(bad_input(format!(
            "there are no documents in {}",
            task.name
        )));
    }
    let mut columns = 0..;
    let [cluster, group, class, split] =
        wanted.map(|field| field.and_then(|_| Some(column(&documents, columns.next()?))));
    let fields = Fields {
        cluster,
        group,
        class,
        split: split.unwrap_or_default(),
    };
    Ok((documents, fields))
}

/// One of the further fields of all documents.
fn column(documents: &[Document<'static>], at: usize) -> Vec<Option<String>> {
    let value = |document: &Document<'_>| {
        let value = document.extra.get(at).cloned().flatten();
        value.map(|value| value.into_owned())
    };
    documents.iter().map(value).collect()
}

/// The labels of the documents, from wherever the task has them.
fn labels(
    run: &Run,
    task: &Task,
    documents: &[Document<'static>],
    cluster: Option<Vec<Option<String>>>,
    notes: &mut Vec<String>,
) -> anyhow::Result<Labels> {
    match &task.gold {
        GoldSource::File(path) => from_file(path, documents, notes),
        GoldSource::Method(reference) => {
            let pairs = found(documents, &reference.recipe, &run.settings)?;
            Ok(Labels::Reference(pairs))
        }
        GoldSource::Field(name) => {
            let cluster = cluster.unwrap_or_default();
            check_field(task.flag, name, &cluster)?;
            Ok(Labels::Clusters {
                cluster,
                group: Vec::new(),
            })
        }
    }
}

fn note_of_unlabelled(documents: u64) -> Option<String> {
    let is = if documents == 1 { "is" } else { "are" };
    let count = counted(documents, "document");
    (documents > 0).then(|| format!("{count} without a label {is} not judged"))
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

fn classes(field: &str, target: &str, values: &[Option<String>]) -> anyhow::Result<TargetClasses> {
    check_field("--classes", field, values)?;
    if !values.iter().flatten().any(|class| class == target) {
        return Err(bad_input(format!(
            "no document has \"{target}\" in the field \"{field}\": name the class that is looked for, as in --classes {field}:spam"
        )));
    }
    let is_target = |class: &Option<String>| class.as_ref().map(|class| class == target);
    Ok(TargetClasses {
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
