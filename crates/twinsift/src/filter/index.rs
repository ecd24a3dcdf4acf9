//! Known documents by their blocking keys.
//!
//! A map leads from a key to the newest document with it, and each document leads on to
//! the one before it. Documents are numbered as they come, so that a chain ends at the
//! first number that has been forgotten: nothing has to be taken out of chains.

use crate::document::Id;
use crate::error::{Error, Result};
use crate::hash;
use crate::signature::Signature;
use crate::verifier::Verifier;
use std::collections::{HashMap, VecDeque};

#[derive(Debug)]
pub(super) struct Index {
    limit: usize,
    /// The number of the oldest document that is remembered.
    oldest: u32,
    newest_with: HashMap<u64, u32, hash::OfHashes>,
    documents: VecDeque<Remembered>,
}

#[derive(Debug)]
struct Remembered {
    id: Id<'static>,
    signature: Signature,
    /// Ascending.
    keys: Box<[u64]>,
    /// For each key, the document before this one with the same.
    before: Box<[u32]>,
}

/// There is no document before.
const NONE: u32 = u32::MAX;

impl Index {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            oldest: 0,
            newest_with: HashMap::default(),
            documents: VecDeque::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    pub(super) fn insert(
        &mut self,
        id: &Id<'_>,
        signature: Signature,
        keys: Vec<u64>,
    ) -> Result<()> {
        while self.documents.len() >= self.limit.max(1) {
            self.remove_oldest();
        }
        let number = self.oldest.checked_add(self.documents.len() as u32);
        let number = number.filter(|&number| number != NONE);
        let number = number.ok_or(Error::TooManyDocuments)?;
        if self.limit == 0 {
            return Ok(());
        }
        let before = keys
            .iter()
            .map(|&key| self.newest_with.insert(key, number).unwrap_or(NONE))
            .collect();
        self.documents.push_back(Remembered {
            id: Id {
                text: id.text.to_string().into(),
                is_number: id.is_number,
            },
            signature,
            keys: keys.into(),
            before,
        });
        Ok(())
    }

    fn remove_oldest(&mut self) {
        let Some(oldest) = self.documents.pop_front() else {
            return;
        };
        for key in oldest.keys {
            if self.newest_with.get(&key) == Some(&self.oldest) {
                self.newest_with.remove(&key);
            }
        }
        self.oldest += 1;
    }

    /// A match of a document: of the newest ones that match and share each key, the one with
    /// the highest score.
    pub(super) fn find(
        &self,
        signature: &Signature,
        keys: &[u64],
        verifier: &Verifier,
    ) -> Option<(Id<'static>, f64)> {
        let mut best: Option<(f64, u32)> = None;
        // What was compared already; most candidates share several keys.
        let mut compared: HashMap<u32, bool> = HashMap::new();
        for &key in keys {
            let mut number = self.newest_with.get(&key).copied().unwrap_or(NONE);
            while number != NONE && number >= self.oldest {
                let other = &self.documents[(number - self.oldest) as usize];
                let matches = *compared.entry(number).or_insert_with(|| {
                    let score = verifier.score(signature, &other.signature);
                    if let Some(score) = score
                        && best.is_none_or(|best| (score, number) > best)
                    {
                        best = Some((score, number));
                    }
                    score.is_some()
                });
                if matches {
                    break;
                }
                let place = other.keys.binary_search(&key);
                number = place.map_or(NONE, |place| other.before[place]);
            }
        }
        let (score, number) = best?;
        let id = &self.documents[(number - self.oldest) as usize].id;
        Some((id.clone(), score))
    }
}
