//! Pages and the pairs of a file, from reading to the signals of each pair.

use super::{Collection, Compared, PairFile, Queries};
use crate::complaints::Complaints;
use crate::exit::bad_input;
use crate::plan::Run;
use crate::progress;
use std::path::Path;
use twinsift_learn::classify::Model;
use twinsift_learn::signals::{Row, Signal, Signals};

/// The pages of a run, and the pairs of them that are asked for.
pub struct PagePairs {
    pub collection: Collection,
    pub file: PairFile,
    queries: Queries,
    /// What was wrong with rows, and told.
    pub complaints: u64,
}

impl PagePairs {
    /// Reads the pages of a run with their fields `extra`, and the files of pairs and queries.
    pub fn read(
        run: &Run,
        signals: &[Signal],
        extra: &[String],
        pairs: &Path,
        queries: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let collection = Collection::read(run, signals, extra)?;
        let mut complaints = Complaints::new(run.strict, "rows");
        let mut queries = Queries::read(queries, &mut complaints)?;
        let file = PairFile::read(pairs, &collection, &mut queries, &mut complaints)?;
        complaints.close();
        Ok(Self {
            collection,
            file,
            queries,
            complaints: complaints.count(),
        })
    }

    /// What a classifier says of each pair.
    pub fn score(&mut self, model: &Model, quiet: bool) -> Vec<f64> {
        let signals = Signals::new(&model.signals, model.background.clone());
        let compared = self.collection.prepare(signals, quiet);
        let spinner = progress::working("classifying pairs", quiet);
        let (pairs, queries) = (&self.file.pairs, &self.queries.list);
        let scores = model.scores(&compared.signals, &compared.pages, pairs, queries);
        spinner.finish_and_clear();
        scores
    }

    /// Computes the signals of each pair.
    pub fn compare(&mut self, signals: Signals, quiet: bool) -> (Compared, Vec<Row>) {
        let compared = self.collection.prepare(signals, quiet);
        let spinner = progress::working("comparing pairs", quiet);
        let rows = compared
            .signals
            .rows(&compared.pages, &self.file.pairs, &self.queries.list);
        spinner.finish_and_clear();
        (compared, rows)
    }
}

/// The signals of `--signals`; all of them if it is left out.
pub fn chosen(names: &[String]) -> anyhow::Result<Vec<Signal>> {
    match names.is_empty() {
        true => Ok(Signal::all()),
        false => Signal::of_names(names)
            .map_err(|error| bad_input(format!("{error}: `twinsift signals --list` names them"))),
    }
}
