//! Runs and judgements from their files, with bad lines told.

use crate::args::JudgeArgs;
use crate::complaints::Complaints;
use crate::exit::{bad_input, plain};
use std::collections::BTreeMap;
use std::path::Path;
use twinsift_eval::judge::trec::{self, BadLine};
use twinsift_eval::judge::{Qrels, Run};

/// What runs and judgements say.
pub struct Files {
    pub runs: Vec<Run>,
    /// By run, query and document, where it stands.
    places: Vec<BTreeMap<(String, String), String>>,
    pub qrels: Qrels,
}

impl Files {
    pub fn read(args: &JudgeArgs, complaints: &mut Complaints) -> anyhow::Result<Self> {
        let mut files = Self {
            runs: Vec::new(),
            places: Vec::new(),
            qrels: Qrels::new(),
        };
        for path in &args.runs {
            let text = text(path)?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let (mut run, bad) = trec::run(&text, &stem);
            tell(path, bad, complaints)?;
            if run.rankings.is_empty() {
                return Err(bad_input(format!(
                    "{} holds no result: a run has lines of query Q0 document rank score name",
                    path.display()
                )));
            }
            // Two runs of one name could not be told apart in a table.
            if files.runs.iter().any(|known| known.name == run.name) {
                run.name = path.display().to_string();
            }
            files.runs.push(run);
            files.places.push(places(path, &text));
        }
        if let Some(path) = &args.qrels {
            let (qrels, bad) = trec::qrels(&text(path)?);
            tell(path, bad, complaints)?;
            files.qrels = qrels;
        }
        Ok(files)
    }

    /// Where a run has a result.
    pub fn place(&self, run: usize, query: &str, doc: &str) -> String {
        let key = (query.to_owned(), doc.to_owned());
        self.places[run].get(&key).cloned().unwrap_or_default()
    }
}

fn text(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).map_err(|error| {
        let why = plain(&error.to_string());
        bad_input(format!("cannot read {}: {why}", path.display()))
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn tell(path: &Path, bad: Vec<BadLine>, complaints: &mut Complaints) -> anyhow::Result<()> {
    let told = |bad: BadLine| format!("{}:{}: {}", path.display(), bad.line, bad.reason);
    bad.into_iter()
        .try_for_each(|bad| complaints.take(&told(bad)))
}

/// The line of each result.
fn places(path: &Path, text: &str) -> BTreeMap<(String, String), String> {
    let mut places = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut fields = line.split_whitespace();
        if let (Some(query), _, Some(doc)) = (fields.next(), fields.next(), fields.next()) {
            let key = (query.to_owned(), doc.to_owned());
            let place = || format!("{}:{number}", path.display());
            places.entry(key).or_insert_with(place);
        }
    }
    places
}
