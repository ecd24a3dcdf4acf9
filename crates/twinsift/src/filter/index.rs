//! Known documents by the values of their signatures.
//!
//! A map leads from a place and its value to the newest document with it, and
//! each document leads on to the one before it. Documents are numbered as they
//! come, so that a chain ends at the first number that has been forgotten: nothing
//! has to be taken out of chains.

use super::Known;
use crate::collection::block::Vector;
use crate::document::Id;
use crate::error::{Error, Result};
use crate::hash;
use crate::matching::agree::Agreement;
use crate::recipe::Verify;
use std::collections::{HashMap, VecDeque};

/// What makes a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// The least places in which signatures agree.
    pub(super) require: usize,
    /// What such pairs must reach besides.
    pub(super) verify: Option<Verify>,
    /// 64-bit numbers to a place.
    pub(super) lanes: usize,
}

#[derive(Debug)]
pub(super) struct Index {
    /// Places of a signature, and numbers to a place.
    width: usize,
    lanes: usize,
    limit: usize,
    /// The number of the oldest document that is remembered.
    oldest: u32,
    newest_with: HashMap<u64, u32, hash::OfHashes>,
    documents: VecDeque<Remembered>,
}

#[derive(Debug)]
struct Remembered {
    id: Id<'static>,
    row: Box<[u64]>,
    words: Box<[u64]>,
    /// For each place, the document before this one with the same value.
    before: Box<[u32]>,
}

/// There is no document before.
const NONE: u32 = u32::MAX;

impl Index {
    pub(super) fn new(width: usize, lanes: usize, limit: usize) -> Self {
        Self {
            width,
            lanes,
            limit,
            oldest: 0,
            newest_with: HashMap::default(),
            documents: VecDeque::new(),
        }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    pub(super) fn push(&mut self, id: &Id<'_>, known: Known) -> Result<()> {
        while self.documents.len() >= self.limit.max(1) {
            self.forget();
        }
        let number = self.oldest.checked_add(self.documents.len() as u32);
        let number = number.filter(|&number| number != NONE);
        let number = number.ok_or(Error::TooManyDocuments)?;
        if self.limit == 0 {
            return Ok(());
        }
        let before = (0..self.width)
            .map(|place| match self.key(&known.row, place) {
                None => NONE,
                Some(key) => self.newest_with.insert(key, number).unwrap_or(NONE),
            })
            .collect();
        self.documents.push_back(Remembered {
            id: Id {
                text: id.text.to_string().into(),
                is_number: id.is_number,
            },
            row: known.row.into(),
            words: known.words.into(),
            before,
        });
        Ok(())
    }

    fn forget(&mut self) {
        let Some(oldest) = self.documents.pop_front() else {
            return;
        };
        for place in 0..self.width {
            let Some(key) = self.key(&oldest.row, place) else {
                continue;
            };
            if self.newest_with.get(&key) == Some(&self.oldest) {
                self.newest_with.remove(&key);
            }
        }
        self.oldest += 1;
    }

    /// Where a value is filed; missing values are not.
    fn key(&self, row: &[u64], place: usize) -> Option<u64> {
        let value = &row[place * self.lanes..][..self.lanes];
        let key = value
            .iter()
            .fold(place as u64, |key, &lane| hash::pair(key, lane));
        (value[0] != 0).then_some(key)
    }

    /// A match of a document: of the newest with each value, the one with the highest
    /// score.
    pub(super) fn find(&self, document: &Known, rule: Rule) -> Option<(Id<'static>, f64)> {
        let mut best: Option<(f64, u32)> = None;
        for place in 0..self.width {
            let Some(key) = self.key(&document.row, place) else {
                continue;
            };
            let mut number = self.newest_with.get(&key).copied().unwrap_or(NONE);
            while number != NONE && number >= self.oldest {
                let other = &self.documents[(number - self.oldest) as usize];
                let score = score(document, other, rule);
                if score.is_some_and(|score| best.is_none_or(|best| (score, number) > best)) {
                    best = score.map(|score| (score, number));
                }
                if score.is_some() {
                    break;
                }
                number = other.before[place];
            }
        }
        let (score, number) = best?;
        let id = &self.documents[(number - self.oldest) as usize].id;
        Some((id.clone(), score))
    }
}

/// The score of a pair, if it is one.
fn score(x: &Known, y: &Remembered, rule: Rule) -> Option<f64> {
    let met = Agreement::of(&x.row, &y.row, rule.lanes);
    if met.equal < rule.require {
        return None;
    }
    match rule.verify {
        None => Some(met.score()),
        Some(verify) => {
            verify
                .similarity
                .reaching(verify.threshold, vector(&x.words), vector(&y.words))
        }
    }
}

fn vector(words: &[u64]) -> Vector<'_> {
    Vector {
        total: words.len() as f64,
        values: words,
        weights: &[],
    }
}
