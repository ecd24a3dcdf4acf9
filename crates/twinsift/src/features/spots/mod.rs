//! Spot signatures: chains of content words behind stop words.
//!
//! From *SpotSigs: Robust and Efficient Near Duplicate Detection in Large Web
//! Collections* (Theobald, Siddharth, Paepcke 2008), section 3. Wherever an
//! *antecedent* stands (an article, a form of *be*), the words that follow at some
//! distance and are no stop words form a *chain*; antecedent and chain are one
//! feature, such as `the:south:carolina`. Antecedents are frequent in sentences and
//! rare in menus, so most spots lie in the story and few in the frame around it.
//!
//! One pass over the words of a document: each is hashed and looked up once, in a
//! table of the language's stop words. Then every antecedent picks up its chain.
//! Chains may overlap, and the end of the document may cut one short if it has at
//! least one word. How often a signature occurs is counted.

mod detect;
mod languages;
mod specification;
mod word_table;

use super::{Features, Featurise};
use crate::hash;
use crate::tokenise::Tokens;
pub use detect::Detector;
pub use languages::Language;
use serde::{Deserialize, Serialize};
pub use specification::Specification;
use std::sync::Arc;
use unicode_normalization::char::is_combining_mark;
use word_table::WordTable;

/// What a spot is, and how many make a document fit to be judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpotRules {
    /// Which spots to take.
    pub specifications: Vec<Specification>,
    /// The language of all documents; `None`: told for each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Antecedents in place of the languages' own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub antecedents: Option<Vec<String>>,
    /// Stop words in place of the languages' own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_words: Option<Vec<String>>,
    /// Documents with fewer spots are not judged by them.
    pub min_spots: u32,
    /// What becomes of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
}

impl Default for SpotRules {
    fn default() -> Self {
        Self {
            specifications: vec![Specification::default()],
            language: None,
            antecedents: None,
            stop_words: None,
            min_spots: 1,
            fallback: None,
        }
    }
}

/// Another method for documents that have too few spots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Fallback {
    /// Word 5-grams, exact join, Jaccard 0.8, among themselves.
    Shingles,
}

/// Most specifications at once: each has a bit beside that of stop words.
pub const MOST_SPECIFICATIONS: usize = 63;

const STOP: u64 = 1 << 63;

/// Finds the spots of documents.
#[derive(Clone, Debug)]
pub struct Spots {
    specifications: Vec<Specification>,
    /// Which lists a document takes.
    choice: Choice,
    /// By language, and last for documents of none.
    lists: Vec<Arc<Lists>>,
}

#[derive(Clone, Debug)]
enum Choice {
    Always(usize),
    Detected(Detector),
}

/// The antecedents and stop words of one language.
#[derive(Clone, Debug)]
struct Lists {
    words: WordTable,
    is_unspaced: bool,
}

/// A spot: where its words stand among the document's, and its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Positions of the antecedent and the words of the chain.
    pub positions: Vec<usize>,
    /// `the:south:carolina`.
    pub signature: String,
    /// The signature as a feature.
    pub value: u64,
}

impl Spots {
    /// Makes the tables for these rules.
    pub fn new(rules: &SpotRules) -> Self {
        Self::folding(rules, false)
    }

    /// As [`new`](Self::new); for words without their disguises if `fold` is set.
    pub fn folding(rules: &SpotRules, fold: bool) -> Self {
        let languages = Language::all().len();
        let needs_language = rules.stop_words.is_none()
            || (rules.antecedents.is_none()
                && rules
                    .specifications
                    .iter()
                    .any(|s| s.antecedents.is_empty()));
        let choice = match rules.language {
            Some(language) => Choice::Always(language.index()),
            None if needs_language => Choice::Detected(Detector::new(fold)),
            None => Choice::Always(languages),
        };
        let lists = Language::all()
            .map(Some)
            .chain([None])
            .map(|language| Arc::new(Lists::new(language, rules, fold)))
            .collect();
        Self {
            specifications: rules.specifications.clone(),
            choice,
            lists,
        }
    }

    fn lists(&self, tokens: &Tokens, words: &[(u64, u64)]) -> &Lists {
        let at = match &self.choice {
            Choice::Always(at) => *at,
            Choice::Detected(detector) => detector
                .detect(tokens, words)
                .map_or(self.lists.len() - 1, Language::index),
        };
        &self.lists[at]
    }

    /// Shows `found` each spot: its value, where its words stand, and the lists it
    /// was found by. `words` is room for each word's hash and flags.
    fn walk(
        &self,
        tokens: &Tokens,
        words: &mut Vec<(u64, u64)>,
        mut found: impl FnMut(u64, &[usize], &Lists),
    ) {
        words.clear();
        words.extend(tokens.bytes().map(|word| (hash::bytes(word), 0)));
        let lists = self.lists(tokens, words);
        for (slot, word) in words.iter_mut().zip(tokens.bytes()) {
            *slot = lists.look_up(word, slot.0);
        }
        let mut positions = Vec::new();
        for (start, &(_, flags)) in words.iter().enumerate() {
            let mut wanted = flags & !STOP;
            while wanted != 0 {
                let specification = &self.specifications[wanted.trailing_zeros() as usize];
                wanted &= wanted - 1;
                positions.clear();
                positions.push(start);
                let mut value = words[start].0;
                let mut at = start;
                while positions.len() <= specification.chain as usize {
                    at += specification.distance as usize;
                    while words.get(at).is_some_and(|(_, flags)| flags & STOP != 0) {
                        at += 1;
                    }
                    let Some((word, _)) = words.get(at) else {
                        break;
                    };
                    value = hash::pair(value, *word);
                    positions.push(at);
                }
                if positions.len() > 1 {
                    found(value, &positions, lists);
                }
            }
        }
    }

    /// The spots of a document in the order of its text; `words` are its words as
    /// signatures spell them.
    pub fn spots(&self, tokens: &Tokens, words: &[String]) -> Vec<Spot> {
        let mut spots = Vec::new();
        self.walk(tokens, &mut Vec::new(), |value, positions, lists| {
            let mut spelled: Vec<&str> = positions.iter().map(|&at| words[at].as_str()).collect();
            if lists.is_unspaced {
                spelled[0] = lists.antecedent(tokens.word(positions[0]), spelled[0]);
            }
            spots.push(Spot {
                positions: positions.to_vec(),
                signature: spelled.join(":"),
                value,
            });
        });
        spots
    }
}

impl Featurise for Spots {
    /// The signatures with their counts.
    fn features(&self, tokens: &Tokens, out: &mut Features) {
        let mut words = std::mem::take(&mut out.words);
        out.collect(true, |values| {
            self.walk(tokens, &mut words, |value, _, _| values.push(value));
        });
        out.words = words;
    }
}

impl Lists {
    fn new(language: Option<Language>, rules: &SpotRules, fold: bool) -> Self {
        let mut tokens = Tokens::new();
        let mut words = Vec::new();
        let mut add = |list: &str, flags: u64| {
            tokens.read_as(list, fold);
            words.extend(tokens.bytes().map(|word| (hash::bytes(word), flags)));
        };
        match &rules.stop_words {
            Some(own) => add(&own.join("\n"), STOP),
            None => add(
                &language.map_or(Vec::new(), Language::stop_words).join("\n"),
                STOP,
            ),
        }
        for (at, specification) in rules.specifications.iter().enumerate() {
            let named = match (&specification.antecedents[..], &rules.antecedents) {
                ([], Some(own)) => own.join("\n"),
                ([], None) => language
                    .map_or(Vec::new(), Language::antecedents)
                    .join("\n"),
                (named, _) => named.join("\n"),
            };
            add(&named, 1 << at);
        }
        Self {
            words: WordTable::new(&words),
            is_unspaced: language.is_some_and(Language::is_unspaced),
        }
    }

    /// A word's hash and flags. A pair of characters of which the first is an
    /// antecedent has the hash of that one.
    #[inline]
    fn look_up(&self, word: &[u8], value: u64) -> (u64, u64) {
        let flags = self.words.flags(value);
        if !self.is_unspaced || flags != 0 || word[0].is_ascii() {
            return (value, flags);
        }
        let pair = std::str::from_utf8(word).unwrap_or_default();
        let (first, second) = pair.split_at(first_character(pair));
        let value_of = |character: &str| hash::bytes(character.as_bytes());
        let (left, right) = (
            self.words.flags(value_of(first)),
            self.words.flags(value_of(second)),
        );
        match left & !STOP {
            0 => (value, (left | right) & STOP),
            antecedent => (value_of(first), antecedent | STOP),
        }
    }

    /// What of a token, as it is spelled, is the antecedent.
    fn antecedent<'w>(&self, word: &str, spelled: &'w str) -> &'w str {
        match self.words.flags(hash::bytes(word.as_bytes())) {
            0 => &spelled[..first_character(spelled)],
            _ => spelled,
        }
    }
}

/// Where the first character with its marks ends.
fn first_character(word: &str) -> usize {
    word.char_indices()
        .skip(1)
        .find(|&(_, c)| !is_combining_mark(c))
        .map_or(word.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests;
