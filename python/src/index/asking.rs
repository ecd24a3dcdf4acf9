//! What documents duplicate, by an index.

use super::shared::Shared;
use crate::read::parts::{Failure, Part, ReadParts, Take};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use twinsift::{Document, Error, Id, Item, Observer, Settings, Skipped, Stage};
use twinsift_index::{Answer, Batch, Searcher, Time};

/// A call that asks about documents.
pub(super) struct Asking {
    pub(super) shared: Arc<Shared>,
    pub(super) settings: Settings,
    /// The most matches of a document.
    pub(super) top: usize,
    /// Whether documents without a match have a row too.
    pub(super) all: bool,
    /// Whether the time to live of matched documents begins anew.
    pub(super) renew: bool,
    pub(super) strict: bool,
    pub(super) parts: Vec<Part>,
}

/// The answers, row by row.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) ids: Vec<Id<'static>>,
    pub(super) duplicate_of: Vec<Option<Id<'static>>>,
    pub(super) scores: Vec<Option<f64>>,
    pub(super) labels: Vec<Option<String>>,
    pub(super) skipped: Vec<(String, String)>,
}

impl Asking {
    pub(super) fn run(self) -> Result<Answers, Failure> {
        let observer = self.settings.observer.clone();
        let taker = Taker {
            searcher: self.shared.searcher()?,
            pool: self.settings.pool()?,
            observer: observer.clone(),
            top: self.top,
            all: self.all,
            answers: Answers::default(),
            documents: 0,
            failed: None,
        };
        let mut read = ReadParts::new(taker, self.strict, false);
        let outcome = self.parts.into_iter().try_for_each(|part| read.add(part));
        if let Some(error) = read.taker.failed.take() {
            return Err(error.into());
        }
        outcome?;
        let mut answers = read.taker.answers;
        answers.skipped = read.skipped;
        if self.renew {
            let matched = answers.duplicate_of.iter().flatten();
            renew(&self.shared, &observer, matched)?;
        }
        Ok(answers)
    }
}

/// Has the time to live of documents begin anew.
pub(super) fn renew<'a>(
    shared: &Shared,
    observer: &Observer,
    matched: impl Iterator<Item = &'a Id<'static>>,
) -> Result<(), Failure> {
    let searcher = shared.searcher()?;
    let ids: BTreeSet<&str> = matched.map(|id| id.text.as_ref()).collect();
    shared.change(observer, |index| {
        let (mut batch, now) = (Batch::default(), Time::now());
        for id in ids {
            let known = searcher.get(id, now)?;
            if let Some(ttl) = known.and_then(|(record, _)| record.time_to_live) {
                batch.renew(id, now.after(ttl));
            }
        }
        index.commit(batch)?;
        Ok(())
    })
}

/// Looks documents up as they come.
struct Taker {
    searcher: Searcher,
    pool: rayon::ThreadPool,
    observer: Observer,
    top: usize,
    all: bool,
    answers: Answers,
    documents: u64,
    failed: Option<twinsift_index::Error>,
}

impl Taker {
    fn answer(&self, documents: &[Document<'_>]) -> twinsift_index::Result<Vec<Answer>> {
        let answer = |document: &Document<'_>| {
            self.observer.check()?;
            self.searcher.answer(document, self.top)
        };
        self.pool
            .install(|| documents.par_iter().map(answer).collect())
    }

    fn note(&mut self, id: Id<'static>, answer: Answer) {
        let answers = &mut self.answers;
        if self.all && answer.matches.is_empty() {
            answers.push(id.clone(), None, None, None);
        }
        for found in answer.matches {
            answers.push(id.clone(), Some(found.id), Some(found.score), found.label);
        }
    }
}

impl Answers {
    fn push(
        &mut self,
        id: Id<'static>,
        duplicate_of: Option<Id<'static>>,
        score: Option<f64>,
        label: Option<String>,
    ) {
        self.ids.push(id);
        self.duplicate_of.push(duplicate_of);
        self.scores.push(score);
        self.labels.push(label);
    }
}

impl Take for Taker {
    fn take<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        _: impl Fn(&B) -> usize + Sync,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        mut on_skipped: impl FnMut(Skipped) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        self.observer.begin(Stage::Reading, 0)?;
        for batch in batches {
            self.observer.check()?;
            let (mut documents, mut outcome) = (Vec::new(), Ok(()));
            expand(&batch, &mut |item| match item {
                Item::Document(document) => documents.push(document.into_owned()),
                Item::Skipped(skipped) if outcome.is_ok() => outcome = on_skipped(skipped),
                Item::Skipped(_) => {}
            });
            outcome?;
            drop(batch);
            let answers = self.answer(&documents).map_err(|error| {
                self.failed = Some(error);
                Error::Cancelled
            })?;
            self.documents += documents.len() as u64;
            self.observer.advance(documents.len() as u64);
            for (document, answer) in documents.into_iter().zip(answers) {
                self.note(document.id, answer);
            }
        }
        Ok(())
    }

    fn taken(&self) -> u64 {
        self.documents
    }
}
