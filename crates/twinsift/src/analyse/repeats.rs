//! Texts that have been read before.
//!
//! Many a collection holds the same text many times over, byte for byte. What there is
//! to know of a text is then known from the first time: another document with it is
//! neither cut into words nor are its features kept, it only joins the class of the
//! first. To find out costs one look at the text, a small part of what reading it does.
//!
//! Results do not depend on it. A class of equal documents is represented by its first
//! member in the order of the input, whose features must be there, while threads read
//! ahead of each other. So a document is taken for a repetition only of one in the same
//! batch or in an earlier one: the first member of a class never is a repetition.
//!
//! Only so many texts are remembered. One that is forgotten is read again, which takes
//! its time and changes nothing. Where hardly any text has come again so far, none is
//! looked for any more.

use super::{AnalysedBatch, Analyser, Scratch};
use crate::document::Document;
use crate::features::Weights;
use crate::hash;
use crate::recipe::{FeatureKind, Matching};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

/// What is known of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextSummary {
    /// The halves of its digest.
    pub(crate) digest: [u64; 2],
    pub(crate) words: u32,
    pub(crate) features: u32,
}

/// The texts of a run, as far as they are remembered; shared by all threads.
#[derive(Debug)]
pub(crate) struct Repeats {
    /// By the leading bits of a text's key.
    shards: Vec<Mutex<Shard>>,
    /// Texts that a shard holds before it starts over.
    capacity: usize,
    /// Texts that were remembered, and how many came again.
    texts: AtomicU64,
    repeated: AtomicU64,
}

type Shard = HashMap<u64, Remembered, hash::OfHashes>;

/// A text that was read.
#[derive(Clone, Copy, Debug)]
struct Remembered {
    /// The part of its key that it is not filed under.
    rest: u64,
    batch: u64,
    summary: TextSummary,
}

/// Tells a text from all others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(u128);

impl Key {
    pub(crate) fn of(text: &str) -> Self {
        Self(xxh3_128(text.as_bytes()))
    }

    fn parts(self) -> (u64, u64) {
        ((self.0 >> 64) as u64, self.0 as u64)
    }
}

const SHARD_BITS: u32 = 6;

/// After so many texts, one in so many must have come again.
const TRIED: u64 = 1 << 16;
const RARE: u64 = 100;

/// Bytes that a text takes, at most: a map grows by doubling.
const BYTES: usize = 2 * (size_of::<(u64, Remembered)>() + 1);

impl Repeats {
    /// Remembers as many texts as fit into `budget` bytes.
    pub(crate) fn new(budget: usize) -> Self {
        Self {
            shards: (0..1 << SHARD_BITS).map(|_| Mutex::default()).collect(),
            capacity: (budget / BYTES) >> SHARD_BITS,
            texts: AtomicU64::new(0),
            repeated: AtomicU64::new(0),
        }
    }

    /// Whether it is worth while to go on looking for repetitions.
    pub(crate) fn are_frequent(&self) -> bool {
        let texts = self.texts.load(Relaxed);
        self.capacity > 0 && (texts < TRIED || self.repeated.load(Relaxed) * RARE >= texts)
    }

    /// What is known of a text that a document of `batch` has, if it was read in that
    /// batch or in an earlier one.
    pub(crate) fn find(&self, text: Key, batch: u64) -> Option<TextSummary> {
        let (key, rest) = text.parts();
        let remembered = self.shard(key).get(&key).copied();
        let remembered = remembered.filter(|text| text.rest == rest && text.batch <= batch)?;
        self.repeated.fetch_add(1, Relaxed);
        Some(remembered.summary)
    }

    /// Remembers a text that was read in `batch`.
    pub(crate) fn remember(&self, text: Key, batch: u64, summary: TextSummary) {
        let (key, rest) = text.parts();
        let mut shard = self.shard(key);
        if shard.len() >= self.capacity {
            shard.clear();
        }
        shard.insert(
            key,
            Remembered {
                rest,
                batch,
                summary,
            },
        );
        self.texts.fetch_add(1, Relaxed);
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, Shard> {
        self.shards[(key >> (u64::BITS - SHARD_BITS)) as usize]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Analyser {
    /// Whether a document with the text of another one needs no features of its own: nothing
    /// is counted over all documents, and nothing of it is written.
    pub(crate) fn takes_repeats_together(&self) -> bool {
        matches!(
            self.recipe.features(),
            FeatureKind::Words | FeatureKind::Shingles
        ) && matches!(self.recipe.weights, Weights::Binary | Weights::Counts)
            && matches!(self.recipe.matching, Matching::Exact(_) | Matching::Lsh(_))
            && !self.recipe.narrows()
    }

    /// Adds a document of a batch, without reading a text that is known from `repeats`.
    pub(crate) fn document_once(
        &self,
        document: &Document<'_>,
        batch: u64,
        repeats: Option<&Repeats>,
        scratch: &mut Scratch,
        analysed: &mut AnalysedBatch,
    ) {
        let has_text = document.signature.is_none();
        let Some(repeats) = repeats.filter(|repeats| has_text && repeats.are_frequent()) else {
            return self.document(document, scratch, analysed);
        };
        let text = Key::of(&document.text);
        if let Some(summary) = repeats.find(text, batch) {
            analysed.enter(document);
            analysed.words += u64::from(summary.words);
            analysed.short += u64::from(self.is_short(summary.words as usize));
            analysed.repeated += 1;
            analysed.repeated_features += summary.features as usize;
            let [high, low] = summary.digest.map(u128::from);
            analysed.digests.push(Some(high << 64 | low));
            return;
        }
        let words = analysed.words;
        let features = analysed.block.values.len();
        self.document(document, scratch, analysed);
        if let Some(&Some(digest)) = analysed.digests.last() {
            let summary = TextSummary {
                digest: [(digest >> 64) as u64, digest as u64],
                words: (analysed.words - words) as u32,
                features: (analysed.block.values.len() - features) as u32,
            };
            repeats.remember(text, batch, summary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(words: u32) -> TextSummary {
        TextSummary {
            digest: [0, words.into()],
            words,
            features: words,
        }
    }

    #[test]
    fn only_what_was_read_earlier_is_repeated() {
        let repeats = Repeats::new(1 << 20);
        let text = Key::of("the same words");
        assert_eq!(repeats.find(text, 7), None);
        repeats.remember(text, 5, summary(3));
        assert_eq!(repeats.find(text, 4), None);
        assert_eq!(repeats.find(text, 5), Some(summary(3)));
        assert_eq!(repeats.find(text, 6), Some(summary(3)));
        // A thread that lags behind makes it known from an earlier batch on.
        repeats.remember(text, 4, summary(3));
        assert_eq!(repeats.find(text, 4), Some(summary(3)));
        assert_eq!(repeats.find(Key::of("the same word"), 9), None);
    }

    #[test]
    fn what_hardly_ever_comes_again_is_not_looked_for() {
        let repeats = Repeats::new(usize::MAX);
        let key = |number: u64| Key::of(&number.to_string());
        let again = TRIED / RARE;
        for number in 0..TRIED {
            assert!(repeats.are_frequent());
            repeats.remember(key(number), 0, summary(1));
        }
        assert!(!repeats.are_frequent());
        assert!((0..again).all(|number| repeats.find(key(number), 0).is_some()));
        assert!(!repeats.are_frequent());
        assert!(repeats.find(key(again), 0).is_some());
        assert!(repeats.are_frequent());
    }

    #[test]
    fn memory_is_bounded_and_may_be_none() {
        assert!(!Repeats::new(0).are_frequent());
        for (budget, at_least) in [(BYTES << SHARD_BITS, 1), (BYTES * 6400, 2000)] {
            let repeats = Repeats::new(budget);
            let key = |number: u32| Key::of(&number.to_string());
            for number in 0..10_000 {
                repeats.remember(key(number), 0, summary(number));
            }
            let found = (0..10_000).filter(|&n| repeats.find(key(n), 0).is_some());
            let found = found.count();
            assert!((at_least..=budget / BYTES).contains(&found), "{found}");
        }
    }
}
