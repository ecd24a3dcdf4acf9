//! A labelled collection, read once and tried by many methods.

use super::labels::{GoldSource, Labels, as_strs, from_file};
use super::outcome::DataOutcome;
use crate::args::run::Run;
use crate::exit::bad_input;
use crate::read;
use crate::say::say;
use crate::summary::counted;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Instant;
use twinsift::eval::{Classes, Gold, Split, Trial, split};
use twinsift::features::Weights;
use twinsift::features::learned::model::Model;
use twinsift::matching::similarity::Similarity;
use twinsift::recipe::{FeatureKind, Matcher};
use twinsift::{Choices, Document, Settings, hash};

/// What to read, and what is true of it.
#[derive(Clone, Debug)]
pub struct Task {
    pub name: String,
    pub gold: GoldSource,
    /// The field with the group: pairs of one group but different clusters are
    /// not judged.
    pub group: Option<String>,
    /// The field with the class of a document, and the class that is looked for.
    pub classes: Option<(String, String)>,
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
        let wanted = [&cluster_field, &task.group, &class_field];
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
        let group = task.group.as_ref().map(|_| values.next());
        let class = class_field.map(|_| values.next());
        let mut notes = Vec::new();
        let labels = match (&task.gold, cluster) {
            (GoldSource::File(path), _) => from_file(path, &documents, &mut notes)?,
            (GoldSource::Cosine(threshold), _) => Labels::Cosine(*threshold),
            (GoldSource::Field(name), cluster) => {
                let cluster = cluster.unwrap_or_default();
                check_field(task.flag, name, &cluster)?;
                Labels::Clusters {
                    cluster,
                    group: Vec::new(),
                }
            }
        };
        let labels = with_groups(labels, task.group.as_deref(), group)?;
        let classes = match (&task.classes, class) {
            (Some((field, target)), Some(class)) => Some(classes(field, target, &class)?),
            _ => None,
        };
        let gold = labels.gold(&documents, &mut notes, |threshold| {
            reference(&documents, threshold, &run.settings)
        });
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
            reading_seconds: reading.as_secs_f64(),
            notes,
        };
        Ok(Self {
            documents,
            labels,
            gold,
            classes,
            outcome,
            models: RefCell::default(),
        })
    }

    /// A name that changes with any document or label.
    pub fn fingerprint(&self) -> String {
        let mut digest = hash::bytes(format!("{:?}", self.labels).as_bytes());
        for document in &self.documents {
            for part in [&document.id.text, &document.text] {
                digest = hash::pair(digest, hash::bytes(part.as_bytes()));
            }
        }
        format!("{digest:016x}")
    }

    /// A split of it by cluster.
    pub fn split(&self, train: f64, seed: u64) -> anyhow::Result<Split> {
        match &self.labels {
            Labels::Clusters { cluster, group } => Ok(split::by_cluster(
                &as_strs(cluster),
                &as_strs(group),
                train,
                seed,
            )),
            _ => Err(bad_input(format!(
                "{} has no clusters to split by: its truth is {}",
                self.outcome.name, self.outcome.gold
            ))),
        }
    }

    /// Some of its documents as a collection.
    pub fn part(&self, docs: &[u32]) -> anyhow::Result<Self> {
        let documents: Vec<Document<'static>> = docs
            .iter()
            .map(|&doc| self.documents[doc as usize].clone())
            .collect();
        let labels = self.labels.subset(docs);
        let gold = labels.gold(&documents, &mut Vec::new(), |_| Ok(Vec::new()))?;
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
    check_field("--group", field, &groups)?;
    match labels {
        Labels::Clusters { cluster, .. } => Ok(Labels::Clusters {
            cluster,
            group: groups,
        }),
        _ => Err(bad_input(
            "--group has no meaning here: it belongs to labels that are clusters",
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
        Labels::Cosine(_) => documents as u64,
    }
}

/// The pairs with some cosine over their distinct words, prepared as for I-Match.
fn reference(
    documents: &[Document<'_>],
    threshold: f64,
    settings: &Settings,
) -> anyhow::Result<Vec<(u32, u32)>> {
    let choices = Choices {
        features: Some(FeatureKind::Lexicon),
        matcher: Some(Matcher::Exact),
        idf: Some([0.0, 1.0]),
        weights: Some(Weights::Binary),
        similarity: Some(Similarity::Cosine),
        threshold: Some(threshold),
        ..Choices::default()
    };
    let unjudged = Gold::from_clusters(&vec![None; documents.len()], &[]);
    let matches = Trial::new(documents, &unjudged, settings).find(&choices.resolve()?)?;
    matches
        .pairs()
        .map(|pair| Ok(pair.map(|pair| (pair.a, pair.b))?))
        .collect()
}
