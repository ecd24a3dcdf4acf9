//! Labelled pairs of pages with their signals: what classifiers are learnt from.

use crate::args::run::Run;
use crate::commands::signals::chosen;
use crate::complaints::Complaints;
use crate::exit::bad_input;
use crate::pages::{Collection, PairFile, Queries};
use crate::progress;
use std::path::Path;
use twinsift::classify::Examples;
use twinsift::signals::{Background, Signals};

/// The groups of each pair's two pages.
#[derive(Default)]
pub struct Groups {
    pub pairs: Vec<[String; 2]>,
}

impl Groups {
    pub fn views(&self) -> Vec<[&str; 2]> {
        self.pairs.iter().map(|[a, b]| [&a[..], &b[..]]).collect()
    }
}

/// Where labels are, and which signals are wanted.
pub struct LabelledPairs<'a> {
    pub pairs: &'a Path,
    pub queries: Option<&'a Path>,
    /// All of them if there is none.
    pub signals: &'a [String],
    /// The field of the pages, or `query`, that tells their group.
    pub group: Option<&'a str>,
}

impl LabelledPairs<'_> {
    /// Reads the pages of a run and computes the signals of the pairs.
    pub fn read(&self, run: &Run) -> anyhow::Result<(Examples, Option<Groups>, Background)> {
        let signals = chosen(self.signals)?;
        let group: Vec<String> = self.group.iter().map(|&field| field.to_owned()).collect();
        let mut collection = Collection::read(run, &signals, &group)?;
        let mut complaints = Complaints::new(run.strict, "rows");
        let mut queries = Queries::read(self.queries, &mut complaints)?;
        let file = PairFile::read(self.pairs, &collection, &mut queries, &mut complaints)?;
        complaints.close();
        let background = collection.background();
        let signals = Signals::new(&signals, background.clone());
        let compared = collection.prepare(signals, run.quiet);
        let spinner = progress::working("comparing pairs", run.quiet);
        let rows = compared
            .signals
            .rows(&compared.pages, &file.pairs, &queries.list);
        spinner.finish_and_clear();
        let mut examples = Examples::new(compared.signals.signals());
        let mut groups = self.group.map(|_| Groups::default());
        for ((pair, label), row) in file.pairs.iter().zip(&file.labels).zip(&rows) {
            let Some(label) = label else { continue };
            examples.push(row, *label);
            if let (Some(groups), Some(field)) = (&mut groups, self.group) {
                let query = pair.query.filter(|_| field == "query");
                let of = |page: u32| {
                    let value = collection.extra[page as usize].first().cloned().flatten();
                    let value = value.or_else(|| query.map(|number| number.to_string()));
                    let id = &collection.ids[page as usize];
                    value.ok_or_else(|| {
                        bad_input(format!(
                            "the document \"{id}\" has no field \"{field}\" that group asks for"
                        ))
                    })
                };
                groups.pairs.push([of(pair.a)?, of(pair.b)?]);
            }
        }
        let duplicates = examples.duplicates();
        if duplicates == 0 || duplicates == examples.len() {
            let label = if duplicates == 0 { 0 } else { 1 };
            return Err(bad_input(match examples.is_empty() {
                true => format!(
                    "{} has no labels: it needs a column label with 1 or 0",
                    self.pairs.display()
                ),
                false => format!(
                    "all pairs of {} are labelled {label}: there is nothing to learn from one class alone",
                    self.pairs.display()
                ),
            }));
        }
        Ok((examples, groups, background))
    }
}
