//! Documents of an index, as old ones of a run.
//!
//! New documents are looked up in the index while they are read. Those of the index that match
//! one of them are then the old documents of the run: others would change nothing.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use twinsift::{Document, Item, Sifter};
use twinsift_index::{Error, Record, Searcher, Time};

/// The documents of an index that match new ones.
pub struct Known<'a> {
    searcher: &'a Searcher,
    now: Time,
    /// Their places in the index.
    matched: Mutex<Result<BTreeSet<u64>, Error>>,
}

impl<'a> Known<'a> {
    /// Those of an index as it is now.
    pub fn new(searcher: &'a Searcher) -> Self {
        Self {
            searcher,
            now: Time::now(),
            matched: Mutex::new(Ok(BTreeSet::new())),
        }
    }

    /// Gives each document its signature, and looks it up.
    pub fn sign<B>(
        &self,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
    ) -> impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync {
        move |batch, sink| {
            expand(batch, &mut |mut item| {
                if let Item::Document(document) = &mut item {
                    let signature = self.searcher.extractor().extract(document);
                    let found = self.searcher.search(&signature, usize::MAX, self.now);
                    self.note(found.map(|answer| {
                        let places = answer.matches.iter().map(|found| found.position);
                        places.collect::<Vec<_>>()
                    }));
                    document.signature = Some(Box::new(signature));
                }
                sink(item);
            });
        }
    }

    fn note(&self, found: Result<Vec<u64>, Error>) {
        let mut matched = self.matched.lock().unwrap_or_else(PoisonError::into_inner);
        match (&mut *matched, found) {
            (Ok(matched), Ok(places)) => matched.extend(places),
            (Ok(_), Err(error)) => *matched = Err(error),
            (Err(_), _) => {}
        }
    }

    /// Adds what was matched as old documents, or all that the index holds.
    pub fn add_old(&self, sifter: &mut Sifter, all: bool) -> Result<(), Error> {
        sifter.begin_old()?;
        if all {
            let add = |record, _| sifter.add(&document(record)).map_err(Error::from);
            return self.searcher.visit(self.now, add);
        }
        let matched = std::mem::replace(
            &mut *self.matched.lock().unwrap_or_else(PoisonError::into_inner),
            Ok(BTreeSet::new()),
        )?;
        for position in matched {
            if let Some(record) = self.searcher.record_at(position)? {
                sifter.add(&document(record))?;
            }
        }
        Ok(())
    }
}

/// A document that is known by its signature.
fn document(record: Record) -> Document<'static> {
    Document {
        id: record.id,
        signature: Some(Box::new(record.signature)),
        ..Document::new("", "")
    }
}
