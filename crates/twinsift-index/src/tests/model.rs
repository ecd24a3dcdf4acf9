//! What an index should hold and answer: a list of documents, searched one by one.

use crate::error::Result;
use crate::index::{Batch, Index};
use crate::record::{Record, Time};
use crate::searcher::Searcher;
use crate::storage::Storage;
use std::sync::Arc;
use twinsift::hash::Stream;
use twinsift::{Document, Id, Recipe, Statistics, Verifier};

/// Something that is done to an index.
#[derive(Clone, Debug)]
pub(super) enum Action {
    Commit(Vec<Record>, Vec<String>),
    Renew(String, Time),
    Import(Vec<Record>),
    Flush,
    Compact,
    Reopen,
}

/// A moment at which documents are added; the clock of the system is far behind.
pub(super) fn start() -> Time {
    Time::now().after(1 << 40)
}

/// Texts of a few words out of a few, so that many are near duplicates.
pub(super) fn text(random: &mut Stream) -> String {
    let family = random.below(4);
    let words = (0..12 + random.below(3)).map(|at| match random.below(14) {
        0 => format!("other{}", random.below(5)),
        _ => format!("w{family}x{at}"),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// An index in some storage, and what it should hold.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) recipe: Recipe,
    /// In order, with the time at which each expires.
    pub(super) documents: Vec<(Record, Option<Time>)>,
    start: Time,
}

impl Model {
    pub(super) fn new(recipe: &Recipe) -> Self {
        Self {
            recipe: recipe.clone(),
            documents: Vec::new(),
            start: start(),
        }
    }

    /// Any actions.
    pub(super) fn actions(&self, random: &mut Stream, count: usize) -> Vec<Action> {
        (0..count).map(|at| self.action(random, at)).collect()
    }

    fn action(&self, random: &mut Stream, at: usize) -> Action {
        let id = |random: &mut Stream| format!("d{}", random.below(20));
        let records = |random: &mut Stream, count: usize| {
            (0..count)
                .map(|_| self.record(id(random), at, random))
                .collect()
        };
        match random.below(12) {
            0..5 => {
                let count = 1 + random.below(3);
                let removed = (0..random.below(2)).map(|_| id(random)).collect();
                Action::Commit(records(random, count), removed)
            }
            5 => Action::Commit(Vec::new(), vec![id(random), id(random)]),
            6 => Action::Renew(id(random), self.start.after(random.below(90) as u64)),
            7 | 8 => {
                let count = 1 + random.below(6);
                Action::Import(records(random, count))
            }
            9 => Action::Flush,
            10 => Action::Compact,
            _ => Action::Reopen,
        }
    }

    /// A document.
    pub(super) fn record(&self, id: String, at: usize, random: &mut Stream) -> Record {
        let extractor = extractor(&self.recipe);
        let signature = extractor.extract(&Document::new("", text(random)));
        let added = self.start.after(at as u64);
        let mut record = Record::new(Id::text(id), signature, added);
        if random.below(3) == 0 {
            record.label = Some(format!("label{}", random.below(3)));
        }
        if random.below(3) == 0 {
            record.time_to_live = Some(random.below(60) as u64);
        }
        record
    }

    /// What an action makes of the model.
    pub(super) fn apply(&mut self, action: &Action) {
        match action {
            Action::Commit(added, removed) => {
                added.iter().for_each(|record| self.add(record));
                removed.iter().for_each(|id| self.remove(id));
            }
            Action::Import(added) => added.iter().for_each(|record| self.add(record)),
            Action::Renew(id, expires) => {
                let known = self.documents.iter_mut();
                known
                    .filter(|(record, _)| record.id.text == id.as_str())
                    .for_each(|(_, renewed)| *renewed = Some(*expires));
            }
            Action::Flush | Action::Compact | Action::Reopen => {}
        }
    }

    fn add(&mut self, record: &Record) {
        self.remove(&record.id.text);
        self.documents.push((record.clone(), record.expires()));
    }

    fn remove(&mut self, id: &str) {
        self.documents.retain(|(record, _)| record.id.text != id);
    }

    /// Does an action; the index may be opened anew.
    pub(super) fn act(
        index: &mut Option<Index>,
        storage: &Arc<dyn Storage>,
        action: &Action,
    ) -> Result<()> {
        if index.is_none() {
            *index = Some(Index::open_in(Arc::clone(storage))?);
        }
        let Some(open) = index.as_mut() else {
            return Ok(());
        };
        open.set_log_bytes(2_000);
        match action {
            Action::Commit(added, removed) => {
                let mut batch = Batch::default();
                added.iter().for_each(|record| batch.add(record.clone()));
                removed.iter().for_each(|id| batch.remove(id.as_str()));
                open.commit(batch).map(|_| ())
            }
            Action::Renew(id, expires) => {
                let mut batch = Batch::default();
                batch.renew(id.as_str(), *expires);
                open.commit(batch).map(|_| ())
            }
            Action::Import(added) => {
                let mut import = open.import()?;
                import.set_memory(100);
                added.iter().try_for_each(|record| import.push(record))?;
                import.finish().map(|_| ())
            }
            Action::Flush => open.flush(),
            Action::Compact => open.compact(),
            Action::Reopen => {
                let closed = index.take().map_or(Ok(()), Index::close);
                closed?;
                *index = Some(Index::open_in(Arc::clone(storage))?);
                Ok(())
            }
        }
    }

    /// In what an index differs from the model; `None` if in nothing.
    pub(super) fn difference(
        &self,
        searcher: &Searcher,
        random: &mut Stream,
    ) -> Result<Option<String>> {
        for offset in [0, 30, 200] {
            let now = self.start.after(offset);
            let is_live = |expires: Option<Time>| expires.is_none_or(|expires| expires > now);
            let live = self
                .documents
                .iter()
                .filter(|(_, expires)| is_live(*expires));
            let live: Vec<_> = live.cloned().collect();
            let mut held = Vec::new();
            searcher.visit(now, |record, expires| {
                held.push((record, expires));
                Ok(())
            })?;
            if held != live {
                let ids = |list: &[(Record, Option<Time>)]| {
                    list.iter()
                        .map(|(one, at)| format!("{} {at:?}", one.id))
                        .collect::<Vec<_>>()
                };
                return Ok(Some(format!(
                    "{:?} in place of {:?}",
                    ids(&held),
                    ids(&live)
                )));
            }
            if searcher.stats(now)?.documents != live.len() as u64 {
                return Ok(Some("another number of documents".to_owned()));
            }
            for _ in 0..3 {
                let asked = Document::new("", text(random));
                let signature = searcher.extractor().extract(&asked);
                let found = searcher.search(&signature, usize::MAX, now)?.matches;
                let found: Vec<_> = found
                    .into_iter()
                    .map(|one| (one.id, one.label, one.score))
                    .collect();
                let verifier = Verifier::new(&self.recipe)?;
                let mut expected = Vec::new();
                for (record, _) in &live {
                    if let Some(score) = verifier.score(&signature, &record.signature) {
                        expected.push((record.id.clone(), record.label.clone(), score));
                    }
                }
                expected.sort_by(|a, b| b.2.total_cmp(&a.2));
                if found != expected {
                    return Ok(Some(format!("{found:?} in place of {expected:?}")));
                }
            }
            for at in 0..20 {
                let id = format!("d{at}");
                let known = live.iter().find(|(record, _)| record.id.text == id);
                if searcher.get(&id, now)?.as_ref() != known {
                    return Ok(Some(format!("another {id}")));
                }
            }
        }
        Ok(None)
    }
}

fn extractor(recipe: &Recipe) -> twinsift::Extractor {
    twinsift::Extractor::new(recipe, &Statistics::default()).expect("a recipe without statistics")
}
