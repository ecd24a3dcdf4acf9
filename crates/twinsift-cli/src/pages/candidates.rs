//! The pages that a classifier looks at to decide about candidates.

use rayon::prelude::*;
use std::collections::HashMap;
use twinsift::collection::revisits::originals;
use twinsift::{Candidates, ContentKey, Document, Matches, Place, Result};
use twinsift_io::signal_page;
use twinsift_learn::classify::{Model, candidates};
use twinsift_learn::signals::{Prepared, Signals};

/// Collects the pages of candidates from a second reading, in which documents have their pages
/// as HTML and both bodies; only these are kept.
pub struct CandidatePages<'a> {
    signals: &'a Signals,
    wanted: HashMap<Place, u32>,
    /// Documents of a batch that are not prepared yet.
    waiting: Vec<(u32, Document<'static>)>,
    /// The first is a page without bodies, for documents that are not found again.
    pages: Vec<Prepared>,
    /// The number of each document's page.
    numbers: HashMap<u32, u32>,
    /// Documents that repeat others have no body of their own: theirs is the other's.
    twins: Vec<(u32, ContentKey)>,
}

impl<'a> CandidatePages<'a> {
    /// No page yet of these candidates.
    pub fn new(candidates: &Candidates, signals: &'a Signals) -> Result<Self> {
        let documents = candidates.documents();
        let mut wanted = HashMap::new();
        for pair in candidates.pairs() {
            let pair = pair?;
            for doc in [pair.a, pair.b] {
                wanted.insert(documents.place(doc), doc);
            }
        }
        Ok(Self {
            signals,
            wanted,
            waiting: Vec::new(),
            pages: vec![Prepared::default()],
            numbers: HashMap::new(),
            twins: Vec::new(),
        })
    }

    /// Takes a document if it is a candidate.
    pub fn offer(&mut self, document: Document<'_>) {
        let Some(&doc) = self.wanted.get(&document.place) else {
            return;
        };
        let keys = document.content_keys.iter();
        self.twins.extend(keys.map(|&twin| (doc, twin)));
        if let [ContentKey::Repeats(_), ..] = document.content_keys[..] {
            return;
        }
        self.waiting.push((doc, document.into_owned()));
    }

    /// Prepares what was taken, on the threads of the pool that this is called in.
    pub fn prepare(&mut self) {
        let signals = self.signals;
        let waiting = std::mem::take(&mut self.waiting);
        let prepared: Vec<(u32, Prepared)> = waiting
            .into_par_iter()
            .map(|(doc, document)| {
                let page = signal_page(document, signals.want_main());
                (doc, signals.prepare(page))
            })
            .collect();
        for (doc, page) in prepared {
            self.numbers.insert(doc, self.pages.len() as u32);
            self.pages.push(page);
        }
    }

    /// The candidates that `model` takes for near duplicates.
    pub fn decide(mut self, candidates: Candidates, model: &Model) -> Result<Matches> {
        for (doc, original) in originals(&self.twins) {
            if let Some(&number) = original.and_then(|original| self.numbers.get(&original)) {
                self.numbers.insert(doc, number);
            }
        }
        let number = |doc: u32| self.numbers.get(&doc).copied().unwrap_or_default();
        candidates::decide(candidates, model, self.signals, &self.pages, number)
    }
}
