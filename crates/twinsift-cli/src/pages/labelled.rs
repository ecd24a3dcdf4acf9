//! Labelled pairs of pages with their signals: what classifiers are learnt from.

use super::{PagePairs, chosen};
use crate::exit::bad_input;
use crate::plan::Run;
use std::path::Path;
use twinsift_learn::classify::Examples;
use twinsift_learn::signals::{Background, Signals, Source};

/// Labelled pairs with their signals.
pub struct Labelled {
    pub examples: Examples,
    /// The groups of each pair's two pages.
    pub groups: Option<Groups>,
    /// Whether both pages of each pair have a fetched body, and a rendered one.
    pub bodies: Vec<[bool; 2]>,
    pub background: Background,
}

/// The groups of each pair's two pages.
#[derive(Clone, Default)]
pub struct Groups {
    pub pairs: Vec<[String; 2]>,
}

impl Groups {
    pub fn views(&self) -> Vec<[&str; 2]> {
        self.pairs.iter().map(|[a, b]| [&a[..], &b[..]]).collect()
    }

    /// Those of some of the pairs.
    pub fn subset(&self, picked: &[usize]) -> Self {
        let pairs = picked.iter().map(|&at| self.pairs[at].clone());
        Self {
            pairs: pairs.collect(),
        }
    }
}

/// Where labels are, and which signals are wanted.
pub struct LabelledPairs<'a> {
    pub pairs: &'a Path,
    pub queries: Option<&'a Path>,
    /// All of them if there is none.
    pub signals: &'a [String],
    /// The field of the pages, or `query`, that tells their group.
    pub split_by: Option<&'a str>,
}

impl LabelledPairs<'_> {
    /// Reads the pages of a run and computes the signals of the pairs.
    pub fn read(&self, run: &Run) -> anyhow::Result<Labelled> {
        let signals = chosen(self.signals)?;
        let group: Vec<String> = self
            .split_by
            .iter()
            .map(|&field| field.to_owned())
            .collect();
        let mut read = PagePairs::read(run, &signals, &group, self.pairs, self.queries)?;
        let background = read.collection.background();
        let signals = Signals::new(&signals, background.clone());
        let (compared, rows) = read.compare(signals, run.quiet);
        let PagePairs {
            collection, file, ..
        } = read;
        let mut examples = Examples::new(compared.signals.signals());
        let mut groups = self.split_by.map(|_| Groups::default());
        let mut bodies = Vec::new();
        for ((pair, label), row) in file.pairs.iter().zip(&file.labels).zip(&rows) {
            let Some(label) = label else { continue };
            examples.push(row, *label);
            let pages = [pair.a, pair.b].map(|page| &compared.pages[page as usize]);
            let have = |source| pages.iter().all(|page| page.has(source));
            bodies.push([Source::Fetched, Source::Rendered].map(have));
            if let (Some(groups), Some(field)) = (&mut groups, self.split_by) {
                let query = pair.query.filter(|_| field == "query");
                let of = |page: u32| {
                    let value = collection.extra[page as usize].first().cloned().flatten();
                    let value = value.or_else(|| query.map(|number| number.to_string()));
                    let id = &collection.ids[page as usize];
                    value.ok_or_else(|| {
                        bad_input(format!(
                            "the document \"{id}\" has no field \"{field}\" that --split-by asks for"
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
        Ok(Labelled {
            examples,
            groups,
            bodies,
            background,
        })
    }
}
