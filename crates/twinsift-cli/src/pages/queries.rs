//! The texts of queries by their ids.

use crate::complaints::Complaints;
use crate::exit::bad_input;
use crate::ingest;
use std::collections::HashMap;
use std::path::Path;
use twinsift_learn::signals::Query;

/// Queries, numbered as they were first met.
#[derive(Default)]
pub struct Queries {
    pub list: Vec<Query>,
    by_id: HashMap<String, Option<u32>>,
    /// Whether ids are looked up in a file, or are the texts themselves.
    from_file: bool,
}

/// What an id of a query stands for.
pub enum Found {
    Query(u32),
    /// The query has no words.
    Empty,
    Unknown,
}

impl Queries {
    /// Reads a file of queries; without one, a query's id is its text.
    pub fn read(path: Option<&Path>, complaints: &mut Complaints) -> anyhow::Result<Self> {
        let mut queries = Self {
            from_file: path.is_some(),
            ..Self::default()
        };
        let Some(path) = path else {
            return Ok(queries);
        };
        for (place, id, text) in entries(path, complaints)? {
            let known = queries.by_id.contains_key(&id);
            if known {
                complaints.take(&format!("{place}: the query \"{id}\" occurs twice"))?;
                continue;
            }
            if queries.add(id.clone(), &text).is_none() {
                complaints.take(&format!("{place}: the query \"{id}\" has no words"))?;
            }
        }
        Ok(queries)
    }

    fn add(&mut self, id: String, text: &str) -> Option<u32> {
        let query = Query::new(text);
        let number = (!query.is_empty()).then_some(self.list.len() as u32);
        if number.is_some() {
            self.list.push(query);
        }
        self.by_id.insert(id, number);
        number
    }

    /// The query of an id.
    pub fn find(&mut self, id: &str) -> Found {
        let known = match (self.by_id.get(id), self.from_file) {
            (Some(known), _) => *known,
            (None, true) => return Found::Unknown,
            (None, false) => self.add(id.to_owned(), id),
        };
        known.map_or(Found::Empty, Found::Query)
    }
}

/// Place, id and text of each query.
fn entries(
    path: &Path,
    complaints: &mut Complaints,
) -> anyhow::Result<Vec<(String, String, String)>> {
    let mut entries = Vec::new();
    if !has_columns(path) {
        let text = std::fs::read_to_string(path)
            .map_err(|error| bad_input(format!("cannot read {}: {error}", path.display())))?;
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{}:{number}", path.display());
            match line.split_once('\t') {
                Some(("id" | "query" | "qid", _)) if number == 1 => {}
                Some((id, text)) => entries.push((place, id.trim().to_owned(), text.to_owned())),
                None if line.trim().is_empty() => {}
                None => complaints.take(&format!("{place}: no tab between id and query"))?,
            }
        }
        return Ok(entries);
    }
    let (rows, broken) = ingest::table(path, &["id", "query", "text"])?;
    broken
        .iter()
        .try_for_each(|sentence| complaints.take(sentence))?;
    for row in rows {
        let [id, query, text] = [0, 1, 2].map(|at: usize| row.values[at].clone());
        // `id` and `query`, `query` and `text`, or `id` and `text`.
        let (id, text) = match (id, query, text) {
            (Some(id), _, Some(text)) => (Some(id), text),
            (None, Some(query), Some(text)) => (Some(query), text),
            (id, Some(query), None) => (id, query),
            (id, None, text) => (id, text.unwrap_or_default()),
        };
        match id {
            Some(id) => entries.push((row.place, id, text)),
            None => complaints.take(&format!("{}: no id", row.place))?,
        }
    }
    Ok(entries)
}

/// Whether a file is a table with named columns rather than lines.
fn has_columns(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    let name = [".gz", ".zst", ".bz2", ".xz"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    [".csv", ".jsonl", ".ndjson", ".json", ".parquet"]
        .iter()
        .any(|end| name.ends_with(end))
}
