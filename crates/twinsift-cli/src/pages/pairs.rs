//! A file of pairs: `a`, `b`, perhaps `query` and `label`.
//!
//! A file of `twinsift review` says of its rows `when` they were written. In it a later row of a
//! pair replaces an earlier one, or takes it back; pairs of which nobody was sure are left out.

use super::collection::Collection;
use super::queries::{Found, Queries};
use crate::complaints::Complaints;
use crate::exit::bad_input;
use crate::ingest;
use std::collections::BTreeSet;
use std::path::Path;
use twinsift_learn::detect::Verdict;
use twinsift_learn::detect::labels::{pair_key, standing};
use twinsift_learn::signals::QueryPair;

/// The pairs of a file that are in a collection.
pub struct PairFile {
    pub pairs: Vec<QueryPair>,
    /// The query of each, as it is spelled in the file.
    pub queries: Vec<Option<String>>,
    /// The label of each.
    pub labels: Vec<Option<bool>>,
}

impl PairFile {
    /// Reads the pairs of a file. What is wrong with one is told with its place; a
    /// pair whose query is unknown or empty keeps its other signals.
    pub fn read(
        path: &Path,
        collection: &Collection,
        queries: &mut Queries,
        complaints: &mut Complaints,
    ) -> anyhow::Result<Self> {
        let (rows, broken) = ingest::table(path, &["a", "b", "query", "label", "when"])?;
        broken
            .iter()
            .try_for_each(|sentence| complaints.take(sentence))?;
        let mut file = Self {
            pairs: Vec::new(),
            queries: Vec::new(),
            labels: Vec::new(),
        };
        let replaced = replaced(&rows);
        for (at, row) in rows.iter().enumerate() {
            if replaced.contains(&at) {
                continue;
            }
            let place = &row.place;
            let mut complain = |why: String| complaints.take(&format!("{place}: {why}"));
            let [a, b, query, label] = [0, 1, 2, 3].map(|at: usize| row.values[at].as_deref());
            let (Some(a), Some(b)) = (a, b) else {
                complain("a or b is missing".to_owned())?;
                continue;
            };
            let (Some(x), Some(y)) = (collection.find(a), collection.find(b)) else {
                let unknown = if collection.find(a).is_none() { a } else { b };
                complain(format!("no document has the id \"{unknown}\""))?;
                continue;
            };
            if x == y {
                complain(format!("\"{a}\" is paired with itself"))?;
                continue;
            }
            let label = match label.map(|label| (label, Verdict::parse(label))) {
                None => None,
                Some((_, Some(Verdict::Unsure))) => continue,
                Some((label, verdict)) => match verdict.and_then(Verdict::same) {
                    Some(same) => Some(same),
                    None => {
                        complain(format!("the label \"{label}\" is neither 1 nor 0"))?;
                        continue;
                    }
                },
            };
            let number = match query.map(|query| (query, queries.find(query))) {
                None => None,
                Some((_, Found::Query(number))) => Some(number),
                Some((_, Found::Empty)) => {
                    let why = "the query has no words, so there are no snippets";
                    complaints.note(&format!("{place}: {why}"))?;
                    None
                }
                Some((query, Found::Unknown)) => {
                    complaints.note(&format!(
                        "{place}: no query has the id \"{query}\", so there are no snippets"
                    ))?;
                    None
                }
            };
            file.pairs.push(QueryPair {
                a: x,
                b: y,
                query: number,
            });
            file.queries.push(query.map(str::to_owned));
            file.labels.push(label);
        }
        match file.pairs.is_empty() {
            false => Ok(file),
            true => Err(bad_input(format!(
                "{} holds no pair of documents of the input: it needs the columns a and b with their ids",
                path.display()
            ))),
        }
    }
}

/// The rows that do not stand, of a file that says when its rows were written.
fn replaced(rows: &[ingest::TableRow]) -> BTreeSet<usize> {
    let cell = |row: &ingest::TableRow, at: usize| row.values[at].clone().unwrap_or_default();
    if rows.iter().all(|row| cell(row, 4).is_empty()) {
        return BTreeSet::new();
    }
    let mut labels = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if let Some(verdict) = Verdict::parse(&cell(row, 3)) {
            labels.push((at, cell(row, 0), cell(row, 1), verdict));
        }
    }
    let keyed = labels
        .iter()
        .map(|(_, a, b, verdict)| (pair_key(a, b), *verdict));
    let standing: BTreeSet<usize> = standing(keyed).into_iter().collect();
    let gone = labels
        .iter()
        .enumerate()
        .filter(|(place, _)| !standing.contains(place));
    gone.map(|(_, (at, ..))| *at).collect()
}
