//! A study of a suite: how good signals are on labelled pairs, as `twinsift train signals
//! --study` prints it.
//!
//! ```toml
//! [[study]]
//! name = "terms"
//! inputs = ["terms-pages.jsonl.zst"]
//! pairs = "terms-pairs.csv"
//! split_by = "service"
//! folds = 2
//! ```

use crate::args::RunArgs;
use crate::exit::bad_input;
use crate::pages::labelled::LabelledPairs;
use crate::plan::Run;
use crate::plan::config::RunConfig;
use crate::study::Study;
use crate::threads;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use twinsift_learn::classify::CrossValidation;

/// Labelled pairs, and how they are studied.
#[derive(Debug)]
pub struct SignalStudy {
    pub name: String,
    own: StudyTable,
    read: RunConfig,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StudyTable {
    name: Option<String>,
    inputs: Vec<PathBuf>,
    pairs: PathBuf,
    queries: Option<PathBuf>,
    #[serde(alias = "group")]
    split_by: Option<String>,
    #[serde(default)]
    signals: Vec<String>,
    #[serde(default = "ten")]
    folds: u16,
    #[serde(default = "nine")]
    runs: u16,
}

const KEYS: [&str; 9] = [
    "name", "inputs", "pairs", "queries", "split_by", "group", "signals", "folds", "runs",
];

fn ten() -> u16 {
    10
}

fn nine() -> u16 {
    9
}

impl SignalStudy {
    /// A study whose files are in `folder`.
    pub fn parse(table: Table, folder: &Path) -> anyhow::Result<Self> {
        let (own, read): (Table, Table) = table
            .into_iter()
            .partition(|(key, _)| KEYS.contains(&key.as_str()));
        let wrong = |error: toml::de::Error| bad_input(error.message().to_owned());
        let mut own: StudyTable = Value::Table(own).try_into().map_err(wrong)?;
        let read: RunConfig = Value::Table(read).try_into().map_err(wrong)?;
        if own.folds < 2 || own.runs == 0 {
            return Err(bad_input(
                "a study rests on cross-validation: folds must be at least 2 and runs at least 1",
            ));
        }
        let stem = own.pairs.file_stem().unwrap_or_default();
        let name = own.name.take();
        let name = name.unwrap_or_else(|| stem.to_string_lossy().into_owned());
        if own.inputs.is_empty() {
            return Err(bad_input("inputs is empty"));
        }
        for path in &mut own.inputs {
            *path = folder.join(&path);
        }
        own.pairs = folder.join(&own.pairs);
        own.queries = own.queries.map(|path| folder.join(path));
        Ok(Self { name, own, read })
    }

    /// The files that are read.
    pub fn files(&self) -> Vec<PathBuf> {
        let labels = [Some(&self.own.pairs), self.own.queries.as_ref()];
        let all = self.own.inputs.iter().chain(labels.into_iter().flatten());
        all.cloned().collect()
    }

    /// Its tables.
    pub fn markdown(&self, args: &RunArgs) -> anyhow::Result<String> {
        let run = Run::for_suite(self.own.inputs.clone(), args, &self.read)?;
        let labelled = LabelledPairs {
            pairs: &self.own.pairs,
            queries: self.own.queries.as_deref(),
            signals: &self.own.signals,
            split_by: self.own.split_by.as_deref(),
        };
        threads::within(&run.settings, || {
            let labelled = labelled.read(&run)?;
            let study = Study {
                examples: &labelled.examples,
                groups: labelled.groups.as_ref(),
                bodies: &labelled.bodies,
                how: CrossValidation {
                    folds: usize::from(self.own.folds),
                    runs: usize::from(self.own.runs),
                    seed: run.choices.seed.unwrap_or(0),
                    threshold: 0.5,
                },
                quiet: run.quiet,
            };
            Ok(study.markdown())
        })
    }
}
