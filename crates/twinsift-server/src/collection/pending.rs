//! Changes that are to be committed together, and answers that take them for made.
//!
//! A query that learns must see what was learnt just before it, in the same commit: of two equal
//! documents that come at the same time, the first is new and the second is not. So what is
//! pending is searched by the same three steps as the index: keys, candidates, verify.

use super::{Found, Hit, Query};
use std::collections::HashMap;
use twinsift::{Keys, Signature, Verifier};
use twinsift_index::{Batch, Record, Searcher, Time};

/// How two documents are compared.
#[derive(Debug)]
pub(super) struct Steps {
    keys: Keys,
    verifier: Verifier,
}

impl Steps {
    pub(super) fn new(searcher: &Searcher) -> twinsift::Result<Self> {
        Ok(Self {
            keys: Keys::new(searcher.recipe())?,
            verifier: Verifier::new(searcher.recipe())?,
        })
    }
}

/// Changes that are not made yet.
pub(super) struct Pending<'a> {
    searcher: &'a Searcher,
    steps: &'a Steps,
    pub(super) batch: Batch,
    /// Whether queries are among the changes, which must see those before them.
    is_searched: bool,
    added: Vec<Record>,
    /// What is added, by its keys.
    by_key: HashMap<u64, Vec<usize>>,
    /// What has become of ids: where in `added` their document is, or that it is gone.
    by_id: HashMap<String, Option<usize>>,
}

impl<'a> Pending<'a> {
    pub(super) fn new(searcher: &'a Searcher, steps: &'a Steps, is_searched: bool) -> Self {
        Self {
            searcher,
            steps,
            batch: Batch::default(),
            is_searched,
            added: Vec::new(),
            by_key: HashMap::new(),
            by_id: HashMap::new(),
        }
    }

    /// Adds a document. Returns the number of the change.
    pub(super) fn add(&mut self, record: Record) -> usize {
        if self.is_searched {
            let at = self.added.len();
            for key in self.steps.keys.of(&record.signature) {
                self.by_key.entry(key).or_default().push(at);
            }
            self.by_id.insert(record.id.text.to_string(), Some(at));
            self.added.push(record.clone());
        }
        self.batch.add(record);
        self.batch.len() - 1
    }

    /// Removes a document. Returns the number of the change.
    pub(super) fn remove(&mut self, id: String) -> usize {
        if self.is_searched {
            self.by_id.insert(id.clone(), None);
        }
        self.batch.remove(id);
        self.batch.len() - 1
    }

    /// Says what a document duplicates, then makes the changes that were asked for with that.
    pub(super) fn query(&mut self, query: Query, now: Time) -> twinsift_index::Result<Found> {
        // A document that replaces itself is no duplicate of itself.
        let own = query.learn.as_ref().map(|record| &*record.id.text);
        let found = self.search(&query.signature, query.top, own, now)?;
        if query.renew {
            for hit in &found.matches {
                self.renew(&hit.id.text, now)?;
            }
        }
        if let Some(record) = query.learn {
            self.add(record);
        }
        Ok(found)
    }

    fn search(
        &self,
        signature: &Signature,
        top: usize,
        own: Option<&str>,
        now: Time,
    ) -> twinsift_index::Result<Found> {
        // So many of those on disk may not count.
        let more = self.by_id.len() + 1;
        let answer = self
            .searcher
            .search(signature, top.saturating_add(more), now)?;
        if !answer.is_judged {
            return Ok(Found::default());
        }
        let matches = answer.matches.into_iter();
        let counts = |id: &str| own != Some(id) && !self.by_id.contains_key(id);
        let mut hits: Vec<Hit> = matches
            .filter(|found| counts(&found.id.text))
            .map(Hit::from)
            .collect();
        hits.extend(self.search_added(signature, own, now));
        // What is pending stands behind what is equally alike and was there before.
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(top);
        Ok(Found {
            is_judged: true,
            matches: hits,
        })
    }

    fn search_added(&self, signature: &Signature, own: Option<&str>, now: Time) -> Vec<Hit> {
        let keys = self.steps.keys.of(signature);
        let known = keys.iter().filter_map(|key| self.by_key.get(key));
        let mut candidates: Vec<usize> = known.flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let hit = |at: usize| {
            let record = self.added.get(at)?;
            let id = &*record.id.text;
            let is_current = self.by_id.get(id) == Some(&Some(at));
            let is_known = record.expires().is_none_or(|expires| expires > now);
            if own == Some(id) || !is_current || !is_known {
                return None;
            }
            let score = self.steps.verifier.score(signature, &record.signature)?;
            Some(Hit {
                id: record.id.clone(),
                score,
                label: record.label.clone(),
            })
        };
        candidates.into_iter().filter_map(hit).collect()
    }

    /// Has a document live as long from now on as it was to live at first.
    fn renew(&mut self, id: &str, now: Time) -> twinsift_index::Result<()> {
        let ttl = match self.by_id.get(id) {
            Some(at) => at.and_then(|at| self.added.get(at)?.time_to_live),
            None => {
                let known = self.searcher.get(id, now)?;
                known.and_then(|(record, _)| record.time_to_live)
            }
        };
        if let Some(ttl) = ttl {
            self.batch.renew(id, now.after(ttl));
        }
        Ok(())
    }
}
