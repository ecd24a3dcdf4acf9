//! What is known of the documents, and the truth that follows.

use crate::exit::bad_input;
use crate::ingest::{self, parse_label};
use crate::numbers::counted;
use std::collections::HashMap;
use std::path::Path;
use twinsift::Document;
use twinsift_eval::Gold;

/// Labels of the documents of a collection.
#[derive(Clone, Debug)]
pub enum Labels {
    Clusters {
        cluster: Vec<Option<String>>,
        group: Vec<Option<String>>,
    },
    Pairs(Vec<(u32, u32, bool)>),
    /// The pairs of a method, or of a file; all others are none.
    Reference(Vec<(u32, u32)>),
}

/// At most this many ids are named in a note.
const NAMED: usize = 5;

/// Reads a file of labels for `documents`. Says in `notes` what was odd.
pub fn from_file(
    path: &Path,
    documents: &[Document<'_>],
    notes: &mut Vec<String>,
) -> anyhow::Result<Labels> {
    let rows = rows(path, notes)?;
    let has = |value: fn(&Row) -> &Option<String>| rows.iter().any(|row| value(row).is_some());
    let by_id: HashMap<&str, u32> = (0u32..)
        .zip(documents)
        .map(|(doc, document)| (document.id.text.as_ref(), doc))
        .collect();
    if has(|row| &row.a) && has(|row| &row.b) && (has(|row| &row.label) || has(|row| &row.score)) {
        return pairs(path, &rows, has(|row| &row.label), &by_id, notes);
    }
    if has(|row| &row.id) && has(|row| &row.cluster) {
        return clusters(path, &rows, &by_id, documents.len(), notes);
    }
    Err(bad_input(format!(
        "{} holds no labels: it needs the columns id and cluster (and perhaps group), or a, b and label, or those of twinsift pairs",
        path.display()
    )))
}

/// Columns that a file of labels may have, in the order of [`Row`].
const COLUMNS: [&str; 7] = ["id", "cluster", "group", "a", "b", "label", "score"];

struct Row {
    id: Option<String>,
    cluster: Option<String>,
    group: Option<String>,
    a: Option<String>,
    b: Option<String>,
    label: Option<String>,
    score: Option<String>,
}

fn rows(path: &Path, notes: &mut Vec<String>) -> anyhow::Result<Vec<Row>> {
    let (rows, broken) = ingest::table(path, &COLUMNS)?;
    if let Some(first) = broken.first() {
        let count = counted(broken.len() as u64, "broken row");
        notes.push(format!("{count} of labels left out, the first at {first}"));
    }
    let row = |row: ingest::TableRow| {
        let mut values = row.values.into_iter();
        let mut next = || values.next().flatten();
        Row {
            id: next(),
            cluster: next(),
            group: next(),
            a: next(),
            b: next(),
            label: next(),
            score: next(),
        }
    };
    Ok(rows.into_iter().map(row).collect())
}

fn clusters(
    path: &Path,
    rows: &[Row],
    by_id: &HashMap<&str, u32>,
    documents: usize,
    notes: &mut Vec<String>,
) -> anyhow::Result<Labels> {
    let mut cluster: Vec<Option<String>> = vec![None; documents];
    let mut group: Vec<Option<String>> = vec![None; documents];
    let (mut unknown, mut contradictory) = (Vec::new(), Vec::new());
    for row in rows {
        let Some(id) = &row.id else { continue };
        let Some(&doc) = by_id.get(id.as_str()) else {
            unknown.push(id.clone());
            continue;
        };
        let doc = doc as usize;
        for (known, given) in [
            (&mut cluster[doc], &row.cluster),
            (&mut group[doc], &row.group),
        ] {
            match (&known, given) {
                (Some(known), Some(given)) if known != given => contradictory.push(id.clone()),
                (None, Some(given)) => *known = Some(given.clone()),
                _ => {}
            }
        }
    }
    for ids in [&mut unknown, &mut contradictory] {
        ids.sort_unstable();
        ids.dedup();
    }
    for id in &contradictory {
        cluster[by_id[id.as_str()] as usize] = None;
    }
    if cluster.iter().all(Option::is_none) {
        return Err(nothing_in_common(path, unknown.len()));
    }
    note_ids(notes, &unknown, "labelled id", "not in the input");
    note_ids(
        notes,
        &contradictory,
        "id",
        "labelled in two ways, and so taken for unlabelled",
    );
    Ok(Labels::Clusters { cluster, group })
}

/// Judged pairs; without labels, the pairs that some program found.
fn pairs(
    path: &Path,
    rows: &[Row],
    labelled: bool,
    by_id: &HashMap<&str, u32>,
    notes: &mut Vec<String>,
) -> anyhow::Result<Labels> {
    let mut pairs = Vec::new();
    let (mut unknown, mut with_itself) = (Vec::new(), Vec::new());
    for (number, row) in rows.iter().enumerate() {
        let label = match labelled {
            true => row.label.as_deref(),
            false => Some("true"),
        };
        let (Some(a), Some(b), Some(label)) = (&row.a, &row.b, label) else {
            return Err(bad_input(format!(
                "{}, row {}: a, b or label is missing",
                path.display(),
                number + 1
            )));
        };
        let Some(label) = parse_label(label) else {
            return Err(bad_input(format!(
                "{}, row {}: the label \"{label}\" is neither 1 nor 0 (nor true, false, yes, no)",
                path.display(),
                number + 1
            )));
        };
        let find = |id: &str| by_id.get(id).copied();
        match (find(a), find(b)) {
            (Some(x), Some(y)) if x == y => with_itself.push(a.clone()),
            (Some(x), Some(y)) => pairs.push((x, y, label)),
            (x, y) => {
                let missing = [(a, x), (b, y)]
                    .into_iter()
                    .filter(|(_, doc)| doc.is_none());
                unknown.extend(missing.map(|(id, _)| id.clone()));
            }
        }
    }
    unknown.sort_unstable();
    unknown.dedup();
    if pairs.is_empty() && unknown.is_empty() {
        return Err(bad_input(format!(
            "every row of {} pairs a document with itself",
            path.display()
        )));
    }
    if pairs.is_empty() {
        return Err(nothing_in_common(path, unknown.len()));
    }
    note_ids(notes, &unknown, "labelled id", "not in the input");
    note_ids(
        notes,
        &with_itself,
        "id",
        "paired with itself in the labels, which is left out",
    );
    if labelled {
        return Ok(Labels::Pairs(pairs));
    }
    let ordered = |(a, b, _): (u32, u32, bool)| (a.min(b), a.max(b));
    let mut pairs: Vec<(u32, u32)> = pairs.into_iter().map(ordered).collect();
    pairs.sort_unstable();
    pairs.dedup();
    notes.push(format!(
        "{} has no labels: its {} are taken for the truth, and all other pairs for none",
        path.display(),
        counted(pairs.len() as u64, "pair")
    ));
    Ok(Labels::Reference(pairs))
}

fn nothing_in_common(path: &Path, unknown: usize) -> anyhow::Error {
    bad_input(format!(
        "not one document of the input has a label in {} ({} there): check the ids, or name the id field with --id-field",
        path.display(),
        counted(unknown as u64, "other id")
    ))
}

fn note_ids(notes: &mut Vec<String>, ids: &[String], what: &str, verdict: &str) {
    if ids.is_empty() {
        return;
    }
    let more = if ids.len() > NAMED { ", …" } else { "" };
    let named = ids[..ids.len().min(NAMED)].join(", ");
    let is = if ids.len() == 1 { "is" } else { "are" };
    let count = counted(ids.len() as u64, what);
    notes.push(format!("{count} {is} {verdict}: {named}{more}"));
}

impl Labels {
    /// The truth for the engine.
    pub fn gold(
        &self,
        documents: &[Document<'_>],
        notes: &mut Vec<String>,
    ) -> anyhow::Result<Gold> {
        let gold = match self {
            Labels::Clusters { cluster, group } => {
                Gold::from_clusters(&as_strs(cluster), &as_strs(group))
            }
            Labels::Pairs(pairs) => {
                let (gold, contradictions) =
                    Gold::from_pairs(documents.len(), pairs.iter().copied());
                let named: Vec<String> = contradictions
                    .iter()
                    .map(|&(a, b)| {
                        let id = |doc: u32| &documents[doc as usize].id;
                        format!("{} and {}", id(a), id(b))
                    })
                    .collect();
                let verdict = "labelled both ways, and so not judged";
                note_ids(notes, &named, "pair", verdict);
                gold
            }
            Labels::Reference(pairs) => Gold::from_reference(documents.len(), pairs),
        };
        if gold.positives() == 0 {
            return Err(bad_input(match self {
                Labels::Clusters { .. } => {
                    "no two documents have the same label: there is no pair that a method could find"
                }
                Labels::Pairs(_) => {
                    "all judged pairs are labelled 0: there is none that a method could find"
                }
                Labels::Reference(_) => {
                    "the method that is taken for the truth finds no pair: there is none that another could find"
                }
            }));
        }
        if gold.positives() == gold.judged() {
            return Err(bad_input(match self {
                Labels::Clusters { .. } => {
                    "no pair of different clusters is judged: all labelled documents are in one cluster, or in one group, and there is none that a method could get wrong"
                }
                Labels::Pairs(_) => {
                    "all judged pairs are labelled 1: there is none that a method could get wrong"
                }
                Labels::Reference(_) => {
                    "the method that is taken for the truth finds every pair: there is none that another could get wrong"
                }
            }));
        }
        Ok(gold)
    }

    /// The labels of some of the documents.
    pub fn subset(&self, docs: &[u32]) -> Self {
        let pick = |from: &[Option<String>]| -> Vec<Option<String>> {
            let value = |&doc: &u32| from.get(doc as usize).cloned().flatten();
            docs.iter().map(value).collect()
        };
        match self {
            Labels::Clusters { cluster, group } => Labels::Clusters {
                cluster: pick(cluster),
                group: pick(group),
            },
            Labels::Pairs(_) | Labels::Reference(_) => self.clone(),
        }
    }
}

pub fn as_strs(names: &[Option<String>]) -> Vec<Option<&str>> {
    names.iter().map(Option::as_deref).collect()
}
