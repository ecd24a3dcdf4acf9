//! How common features are in a collection, as a value.

use crate::analyse::{AnalysedBatch, Analyser, Scratch};
use crate::document::Document;
use crate::error::{Result, refuse};
use crate::hash;
use crate::lexicon::Lexicon;
use crate::recipe::Recipe;
use crate::signature::Reader;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many documents a collection has, and how many of them have each feature.
///
/// Most recipes need none: the default value serves. Weights by tf-idf, ranges of idf and
/// I-Match without a lexicon go by the collection; for these, [`count`](Self::counter) a
/// collection once, and hand the result to every [`Extractor`](crate::Extractor). Parts that
/// were counted apart can be [merged](Self::merge), and the result
/// [stored](Self::to_bytes).
///
/// ```
/// use twinsift::{Choices, Document, Extractor, Statistics, features::Weights};
///
/// let recipe = Choices { weights: Some(Weights::TfIdf), ..Choices::default() }.resolve()?;
/// assert!(Statistics::are_needed_by(&recipe));
/// let mut counter = Statistics::counter(&recipe);
/// counter.add(&Document::new("a", "one two three four five six"));
/// counter.add(&Document::new("b", "zero one two three four five"));
/// let statistics = counter.finish();
/// assert_eq!((statistics.documents(), statistics.features()), (2, 3));
/// let extractor = Extractor::new(&recipe, &statistics)?;
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics(Arc<Counted>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counted {
    /// What was counted: the [id](Recipe::features_id) of the recipe's features.
    of: u64,
    documents: u64,
    /// Ascending.
    values: Vec<u64>,
    /// How many documents have each of these.
    frequencies: Vec<u32>,
}

/// The beginning of the stored form, with its version.
const MAGIC: [u8; 8] = *b"twstat\x00\x01";

impl Statistics {
    /// Whether a recipe compares by how common features are in the collection.
    pub fn are_needed_by(recipe: &Recipe) -> bool {
        recipe.needs_collection() || recipe.imatch_matcher().is_some() && recipe.lexicon().is_none()
    }

    /// Counts documents one by one.
    pub fn counter(recipe: &Recipe) -> Counter {
        let analyser = Analyser::new(recipe);
        Counter {
            scratch: analyser.scratch(),
            analyser,
            of: recipe.features_id(),
            documents: 0,
            counts: BTreeMap::new(),
            counts_all: true,
        }
    }

    /// As [`counter`](Self::counter), of the features that these documents have and no
    /// others: enough to compare them, in little memory.
    pub fn counter_for(recipe: &Recipe, documents: [&Document<'_>; 2]) -> Counter {
        let mut counter = Self::counter(recipe);
        documents.iter().for_each(|document| counter.add(document));
        counter.counts.values_mut().for_each(|count| *count = 0);
        Counter {
            documents: 0,
            counts_all: false,
            ..counter
        }
    }

    /// Documents that were counted.
    pub fn documents(&self) -> u64 {
        self.0.documents
    }

    /// Different features that were counted.
    pub fn features(&self) -> usize {
        self.0.values.len()
    }

    /// How many documents have a feature.
    pub fn frequency(&self, value: u64) -> u32 {
        let Counted {
            values,
            frequencies,
            ..
        } = &*self.0;
        values.binary_search(&value).map_or(0, |at| frequencies[at])
    }

    /// The statistics of two parts of a collection together. Refused if they are of different
    /// features; the default value is a part without documents.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        match (self.0.documents, other.0.documents) {
            (0, _) => return Ok(other.clone()),
            (_, 0) => return Ok(self.clone()),
            _ if self.0.of != other.0.of => {
                return refuse("these statistics count different features: they cannot be merged");
            }
            _ => {}
        }
        let mut merged = Counted {
            of: self.0.of,
            documents: self.0.documents + other.0.documents,
            ..Counted::default()
        };
        let of = |part: &Self| {
            let Counted {
                values,
                frequencies,
                ..
            } = &*part.0;
            values
                .iter()
                .copied()
                .zip(frequencies.iter().copied())
                .collect::<Vec<_>>()
        };
        let (mut left, mut right) = (
            of(self).into_iter().peekable(),
            of(other).into_iter().peekable(),
        );
        loop {
            let value = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(&(a, _)), Some(&(b, _))) => a.min(b),
                (Some(&(a, _)), None) | (None, Some(&(a, _))) => a,
            };
            let of = |part: Option<(u64, u32)>| part.map_or(0, |(_, frequency)| frequency);
            let is_next = |part: &(u64, u32)| part.0 == value;
            let frequency = of(left.next_if(is_next)).saturating_add(of(right.next_if(is_next)));
            merged.values.push(value);
            merged.frequencies.push(frequency);
        }
        Ok(Self(Arc::new(merged)))
    }

    /// The statistics of so many ranges of features, so that parts of a collection can be
    /// [merged](Self::merge) range by range, and [put together](Self::concatenate) again.
    pub fn split(&self, ranges: usize) -> Vec<Self> {
        let Counted {
            values,
            frequencies,
            ..
        } = &*self.0;
        let mut start = 0;
        let part = |number: usize| {
            let end = start
                + values[start..].partition_point(|&value| hash::range(value, ranges) <= number);
            let part = Counted {
                of: self.0.of,
                documents: self.0.documents,
                values: values[start..end].to_vec(),
                frequencies: frequencies[start..end].to_vec(),
            };
            start = end;
            Self(Arc::new(part))
        };
        (0..ranges).map(part).collect()
    }

    /// Ranges of the statistics of one collection, in ascending order, as one.
    pub fn concatenate(ranges: impl IntoIterator<Item = Self>) -> Self {
        let mut whole = Counted::default();
        for Self(range) in ranges {
            whole.of = range.of;
            whole.documents = whole.documents.max(range.documents);
            whole.values.extend(&range.values);
            whole.frequencies.extend(&range.frequencies);
        }
        Self(Arc::new(whole))
    }

    /// Refuses statistics that are missing, or of other features than the recipe's.
    pub(crate) fn check(&self, recipe: &Recipe) -> Result<()> {
        let why = match Self::are_needed_by(recipe) {
            false => return Ok(()),
            true if self.0.documents == 0 => {
                "this recipe goes by how common features are in a collection: count Statistics first"
            }
            true if self.0.of != recipe.features_id() => {
                "these statistics count other features than this recipe's: count them anew"
            }
            true => return Ok(()),
        };
        refuse(why)
    }

    /// The lexicon that these statistics are.
    pub(crate) fn lexicon(&self) -> Lexicon {
        let Counted {
            values,
            frequencies,
            ..
        } = &*self.0;
        Lexicon::of_hashes(self.0.documents, values.clone(), frequencies.clone())
    }

    /// The stored form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let counted = &self.0;
        let mut out = MAGIC.to_vec();
        out.reserve(40 + 12 * counted.values.len());
        let head = [counted.of, counted.documents, counted.values.len() as u64];
        let numbers = head.iter().chain(&counted.values);
        out.extend(numbers.flat_map(|number| number.to_le_bytes()));
        let frequencies = counted.frequencies.iter();
        out.extend(frequencies.flat_map(|frequency| frequency.to_le_bytes()));
        out.extend(hash::bytes(&out).to_le_bytes());
        out
    }

    /// Statistics from their [stored form](Self::to_bytes); `None` if it is damaged, or of a
    /// later version.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, checksum) = bytes.split_last_chunk()?;
        let mut rest = Reader(content);
        if rest.take()? != MAGIC || hash::bytes(content) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let mut number = || rest.take().map(u64::from_le_bytes);
        let (of, documents, count) = (number()?, number()?, number()?);
        let count = usize::try_from(count).ok()?;
        let (values, frequencies) = rest.0.split_at_checked(count.checked_mul(8)?)?;
        let ((values, _), (frequencies, rest)) = (values.as_chunks(), frequencies.as_chunks());
        (frequencies.len() == count && rest.is_empty()).then(|| {
            Self(Arc::new(Counted {
                of,
                documents,
                values: values.iter().map(|v| u64::from_le_bytes(*v)).collect(),
                frequencies: frequencies.iter().map(|f| u32::from_le_bytes(*f)).collect(),
            }))
        })
    }
}

/// Counts the features of documents.
#[derive(Debug)]
pub struct Counter {
    analyser: Analyser,
    scratch: Scratch,
    of: u64,
    documents: u64,
    counts: BTreeMap<u64, u32>,
    /// Whether features are counted that are not among the counts so far.
    counts_all: bool,
}

impl Counter {
    /// Counts a document.
    pub fn add(&mut self, document: &Document<'_>) {
        let mut analysed = AnalysedBatch::default();
        self.analyser
            .document(document, &mut self.scratch, &mut analysed);
        self.documents += 1;
        for value in analysed.block.values {
            match self.counts_all {
                true => *self.counts.entry(value).or_default() += 1,
                false => self
                    .counts
                    .get_mut(&value)
                    .into_iter()
                    .for_each(|count| *count += 1),
            }
        }
    }

    /// The statistics of everything that was added.
    pub fn finish(self) -> Statistics {
        let (values, frequencies) = self.counts.into_iter().unzip();
        Statistics(Arc::new(Counted {
            of: self.of,
            documents: self.documents,
            values,
            frequencies,
        }))
    }
}
