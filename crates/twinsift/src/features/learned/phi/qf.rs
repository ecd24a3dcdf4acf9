//! How often people search for a k-gram: from a query log, if there is one.

use crate::error::{Error, Result};
use crate::features::learned::reading::gram_values;
use crate::hash;
use crate::tokenise::Tokens;
use std::collections::HashMap;
use std::fmt;

/// Queries of a log by k-gram, scaled.
#[derive(Clone)]
pub struct Queries {
    scaled: HashMap<u64, f32>,
    id: String,
}

impl fmt::Debug for Queries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queries({})", self.id)
    }
}

impl Queries {
    /// Reads a log: a line for each query, or with a tab a query and how often it was
    /// asked. Disguises of words are undone if `fold`, as in the documents. `name` is that of
    /// the file, for messages.
    pub fn parse(text: &str, k: usize, fold: bool, name: &str) -> Result<Self> {
        let mut counts: HashMap<u64, u64> = HashMap::new();
        let (mut tokens, mut grams) = (Tokens::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let (query, count) = match line.rsplit_once('\t') {
                None => (line, 1),
                Some((query, count)) => match count.trim().parse::<u64>() {
                    Ok(count) => (query, count),
                    Err(_) => {
                        return Err(Error::Model {
                            name: format!("{name}:{number}"),
                            why: format!("has \"{count}\" behind its tab, not a number"),
                        });
                    }
                },
            };
            tokens.read_as(query, fold);
            if tokens.len() < k {
                continue;
            }
            gram_values(&tokens, k, &mut grams);
            grams.sort_unstable();
            grams.dedup();
            for &gram in &grams {
                *counts.entry(gram).or_default() += count;
            }
        }
        let most = counts.values().max().copied().unwrap_or(1) as f64;
        let scale = |count: u64| ((count as f64).ln_1p() / most.ln_1p()) as f32;
        Ok(Self {
            scaled: counts
                .into_iter()
                .map(|(gram, count)| (gram, scale(count)))
                .collect(),
            id: format!("{:016x}", hash::bytes(text.as_bytes())),
        })
    }

    /// A hash of the log.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn of(&self, gram: u64) -> f32 {
        self.scaled.get(&gram).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::features::learned::reading::ReadDocument;

    #[test]
    fn a_log_knows_the_grams_of_documents() {
        for (k, fold) in [(1, false), (1, true), (3, false), (3, true)] {
            let log = "the new c@rtridges\t7\nsomething else entirely\n";
            let queries = Queries::parse(log, k, fold, "log").expect("valid");
            let mut reading = ReadDocument::default();
            reading.read(&Document::new("d", "the new c@rtridges"), k, fold);
            assert!(!reading.grams.is_empty());
            for gram in &reading.grams {
                assert_eq!(queries.of(gram.value), 1.0, "k {k}, fold {fold}");
            }
        }
    }
}
