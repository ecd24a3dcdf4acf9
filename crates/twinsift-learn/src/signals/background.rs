//! How rare is a word? The table of inverse document frequencies behind the
//! similarity hash and the tf-idf distance.
//!
//! `idf(w) = ln((N + 1) / df(w))`: near 0 for a word that every document has, and
//! above 0 even in a collection of two. The table is counted over the collection at
//! hand, or comes with a model, so that a pair has the same score in whatever
//! collection it is met. It keeps the [`KEPT`] most frequent words; any other word
//! counts as one that a single document has.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use twinsift::hash;
use twinsift::tokenise::Tokens;

/// Words that a table keeps.
pub const KEPT: usize = 20_000;

/// Document frequencies of words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Background {
    documents: u64,
    words: BTreeMap<String, u64>,
    by_value: HashMap<u64, u64>,
}

/// A table as a model holds it.
#[derive(Clone, Serialize, Deserialize)]
struct Stored {
    documents: u64,
    frequencies: BTreeMap<String, u64>,
}

impl Background {
    /// Counts the words of a collection.
    pub fn of(texts: &[&str]) -> Self {
        let counted = texts
            .par_iter()
            .fold(HashMap::<String, u64>::new, |mut counts, text| {
                let mut tokens = Tokens::new();
                tokens.read(text);
                let mut words: Vec<&str> = tokens.words().collect();
                words.sort_unstable();
                words.dedup();
                for word in words {
                    match counts.get_mut(word) {
                        Some(count) => *count += 1,
                        None => {
                            counts.insert(word.to_owned(), 1);
                        }
                    }
                }
                counts
            })
            .reduce(HashMap::new, |mut all, part| {
                for (word, count) in part {
                    *all.entry(word).or_default() += count;
                }
                all
            });
        let mut frequent: Vec<(String, u64)> =
            counted.into_iter().filter(|(_, df)| *df > 1).collect();
        frequent.sort_unstable_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        frequent.truncate(KEPT);
        Stored {
            documents: texts.len() as u64,
            frequencies: frequent.into_iter().collect(),
        }
        .into()
    }

    /// The documents that were counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The inverse document frequency of a word, given by its hash.
    pub fn idf(&self, word: u64) -> f64 {
        let df = self.by_value.get(&word).copied().unwrap_or(1).max(1);
        ((self.documents.max(df) + 1) as f64 / df as f64).ln()
    }
}

impl From<Stored> for Background {
    fn from(stored: Stored) -> Self {
        let value = |(word, df): (&String, &u64)| (hash::bytes(word.as_bytes()), *df);
        Self {
            documents: stored.documents,
            by_value: stored.frequencies.iter().map(value).collect(),
            words: stored.frequencies,
        }
    }
}

impl From<Background> for Stored {
    fn from(background: Background) -> Self {
        Self {
            documents: background.documents,
            frequencies: background.words,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_count_more() {
        let background = Background::of(&["the cat the cat", "the dog", "the dog sat"]);
        let idf = |word: &str| background.idf(hash::bytes(word.as_bytes()));
        assert_eq!(idf("the"), (4.0f64 / 3.0).ln());
        assert_eq!(idf("dog"), (4.0f64 / 2.0).ln());
        assert_eq!(idf("cat"), 4.0f64.ln());
        assert_eq!(idf("never"), idf("cat"));
    }

    #[test]
    fn a_stored_table_is_the_same_table() {
        let background = Background::of(&["one two", "two three", "three one"]);
        let text = serde_json::to_string(&background).expect("it can be spelled");
        let read: Background = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(read, background);
        assert_eq!(
            text,
            r#"{"documents":3,"frequencies":{"one":2,"three":2,"two":2}}"#
        );
    }
}
