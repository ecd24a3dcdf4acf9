//! Several lists of words, each by ascending hash, made into one.

use super::{Lexicon, Limits};
use crate::error::{Error, Result, refuse};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io;

/// A word with its count.
pub(super) struct Term {
    pub(super) hash: u64,
    pub(super) frequency: u32,
    pub(super) word: String,
}

/// Hands on every word once, by ascending hash, with its counts added up.
pub(super) fn merged<I>(mut parts: Vec<I>, mut then: impl FnMut(Term)) -> io::Result<()>
where
    I: Iterator<Item = io::Result<Term>>,
{
    let mut heads: Vec<Option<Term>> = Vec::new();
    let mut queue = BinaryHeap::new();
    for (at, part) in parts.iter_mut().enumerate() {
        let head = part.next().transpose()?;
        queue.extend(head.iter().map(|term| Reverse((term.hash, at))));
        heads.push(head);
    }
    let mut current: Option<Term> = None;
    while let Some(Reverse((hash, at))) = queue.pop() {
        let next = parts[at].next().transpose()?;
        queue.extend(next.iter().map(|term| Reverse((term.hash, at))));
        let Some(term) = std::mem::replace(&mut heads[at], next) else {
            continue;
        };
        match &mut current {
            Some(same) if same.hash == hash => {
                same.frequency = same.frequency.saturating_add(term.frequency);
            }
            _ => current.replace(term).into_iter().for_each(&mut then),
        }
    }
    current.into_iter().for_each(then);
    Ok(())
}

/// How many words have each document frequency.
#[derive(Debug, Default)]
pub(super) struct Histogram(BTreeMap<u32, u64>);

impl Histogram {
    pub(super) fn add(&mut self, frequency: u32) {
        *self.0.entry(frequency).or_default() += 1;
    }

    /// The least frequency that `limits` keep.
    pub(super) fn cut(&self, limits: Limits) -> u32 {
        let mut kept = 0;
        for (&frequency, &words) in self.0.iter().rev() {
            kept += words;
            if kept > limits.max_terms as u64 {
                return limits.min_documents.max(frequency.saturating_add(1));
            }
        }
        limits.min_documents.max(1)
    }
}

/// The words that stay.
#[derive(Debug)]
pub(super) struct Kept {
    least: u32,
    left_out: u64,
    hashes: Vec<u64>,
    frequencies: Vec<u32>,
    lengths: Vec<u8>,
    text: String,
}

impl Kept {
    pub(super) fn new(least: u32) -> Self {
        Self {
            least,
            left_out: 0,
            hashes: Vec::new(),
            frequencies: Vec::new(),
            lengths: Vec::new(),
            text: String::new(),
        }
    }

    pub(super) fn add(&mut self, term: &Term) {
        if term.frequency < self.least {
            self.left_out += 1;
            return;
        }
        self.hashes.push(term.hash);
        self.frequencies.push(term.frequency);
        self.lengths.push(term.word.len() as u8);
        self.text.push_str(&term.word);
    }

    pub(super) fn finish(self, documents: u64, is_folded: bool) -> Result<Lexicon> {
        if u32::try_from(self.text.len()).is_err() {
            return refuse("the lexicon would have more than 4 GB of words: lower ‹max_terms›");
        }
        let mut end = 0;
        let ends = self.lengths.iter().map(|&length| {
            end += u32::from(length);
            end
        });
        Ok(Lexicon::owned(
            documents,
            self.least,
            self.left_out,
            is_folded,
            self.hashes,
            self.frequencies,
            ends.collect(),
            self.text,
        ))
    }
}

fn terms(lexicon: &Lexicon) -> impl Iterator<Item = io::Result<Term>> {
    (0..lexicon.len()).map(|at| {
        Ok(Term {
            hash: lexicon.hashes()[at],
            frequency: lexicon.frequencies()[at],
            word: lexicon.word(at).to_owned(),
        })
    })
}

/// See [`Lexicon::merge`].
pub(super) fn merge(lexicons: &[Lexicon], limits: Limits) -> Result<Lexicon> {
    let parts = || lexicons.iter().map(terms).collect();
    let documents = lexicons.iter().map(Lexicon::documents).sum();
    if documents > u64::from(u32::MAX) {
        return Err(Error::TooManyDocuments);
    }
    let is_folded = lexicons.first().is_some_and(Lexicon::is_folded);
    if lexicons.iter().any(|other| other.is_folded() != is_folded) {
        return refuse(
            "some of these lexicons were counted with ‹fold› and some without: count all of them in the same way",
        );
    }
    let never_fails = |error: io::Error| Error::Recipe(error.to_string().into());
    let mut histogram = Histogram::default();
    merged(parts(), |term| histogram.add(term.frequency)).map_err(never_fails)?;
    let mut kept = Kept::new(histogram.cut(limits));
    merged(parts(), |term| kept.add(&term)).map_err(never_fails)?;
    kept.left_out += lexicons.iter().map(Lexicon::left_out).sum::<u64>();
    kept.finish(documents, is_folded)
}

#[cfg(test)]
mod tests {
    use super::super::Counter;
    use super::*;
    use crate::{Document, Settings};
    use proptest::prelude::*;

    const ALL: Limits = Limits {
        min_documents: 1,
        max_terms: usize::MAX,
    };

    fn counted(texts: &[String], limits: Limits) -> Lexicon {
        let mut counter = Counter::new(&Settings::default());
        for (at, text) in texts.iter().enumerate() {
            let document = Document::new(at.to_string(), text.as_str());
            counter.add(&document).expect("counted");
        }
        counter.finish(limits).expect("counted")
    }

    proptest! {
        /// Parts that were counted apart merge to what is counted at once.
        #[test]
        fn merging_is_counting_together(
            texts in prop::collection::vec("[a-d]{1,2}( [a-d]{1,2}){0,6}", 3..30),
            first in 0usize..10,
            second in 0usize..10,
            min_documents in 1u32..4,
        ) {
            let (a, rest) = texts.split_at(first.min(texts.len()));
            let (b, c) = rest.split_at(second.min(rest.len()));
            let limits = Limits { min_documents, ..ALL };
            let parts = [a, b, c].map(|part| counted(part, ALL));
            let merged = Lexicon::merge(&parts, limits).expect("merged");
            prop_assert_eq!(merged, counted(&texts, limits));
        }
    }

    #[test]
    fn the_rarest_go_together() {
        // Five words of one document, three of two, one of three.
        let mut histogram = Histogram::default();
        for frequency in [1, 1, 1, 1, 1, 2, 2, 2, 3] {
            histogram.add(frequency);
        }
        let cut = |min_documents, max_terms| {
            histogram.cut(Limits {
                min_documents,
                max_terms,
            })
        };
        assert_eq!(cut(1, 9), 1);
        assert_eq!(cut(1, 8), 2);
        assert_eq!(cut(1, 4), 2);
        assert_eq!(cut(1, 3), 3);
        assert_eq!(cut(3, 9), 3);
        assert_eq!(cut(1, 0), 4);
    }

    #[test]
    fn the_most_frequent_words_stay() {
        let texts = ["a b c", "a b", "a d"].map(str::to_owned);
        let two = Limits {
            min_documents: 1,
            max_terms: 2,
        };
        let lexicon = counted(&texts, two);
        assert_eq!(
            (lexicon.len(), lexicon.left_out(), lexicon.least()),
            (2, 2, 2)
        );
        // c and d tie: neither is taken before the other.
        let three = Limits {
            min_documents: 1,
            max_terms: 3,
        };
        assert_eq!(counted(&texts, three).len(), 2);
    }
}
