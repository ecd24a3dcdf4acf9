//! Snippets: the visible text around the words of a query, and how far those of two
//! pages are apart by compression.
//!
//! Search engines show a line or two; for telling duplicates the paper takes much
//! longer ones, and only from what a reader sees. Here a snippet is the words within
//! [`AROUND`] of an occurrence of a query word. Where that would be more than
//! [`LONGEST`] words, the windows with the rarest query words come first. The
//! windows stand in the order of the page.

use super::about::{About, Cost, Large};
use super::background::Background;
use super::compression::{Doubled, GZIP_REACH};
use std::collections::HashSet;
use twinsift::hash;
use twinsift::tokenise::Tokens;

/// For the pairs that come with a query.
pub const ABOUT: About = About {
    name: "snippet_mcd",
    definition: "modified compression distance of the visible text around the words of the query; missing where a page has none of them",
    cost: Cost::Snippet,
    large: Large::Apart,
};

/// Words on either side of a query word.
pub const AROUND: usize = 30;

/// Words of a snippet.
pub const LONGEST: usize = 400;

/// Bytes of a snippet: more than so many words take, and few enough for one compressor
/// to make all scores of snippets. What is beyond is cut off.
const LONGEST_BYTES: usize = GZIP_REACH / 2;

/// The words of a query.
#[derive(Clone, Debug, Default)]
pub struct Query {
    words: HashSet<u64>,
}

impl Query {
    /// Cuts a query into words.
    pub fn new(text: &str) -> Self {
        let mut tokens = Tokens::new();
        tokens.read(text);
        Self {
            words: tokens.bytes().map(hash::bytes).collect(),
        }
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// The snippet of a visible text, ready to be compared; `None` if no word of the
/// query stands there.
pub fn of(text: &str, query: &Query, background: &Background) -> Option<Doubled> {
    let snippet = spelled(text, query, background)?;
    Some(Doubled::new(snippet))
}

/// The snippet as text, its windows apart by ` … `.
pub fn spelled(text: &str, query: &Query, background: &Background) -> Option<String> {
    let mut tokens = Tokens::new();
    let places = tokens.read_with_places(text);
    let words: Vec<u64> = tokens.bytes().map(hash::bytes).collect();
    let mut windows: Vec<Window> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !query.words.contains(word) {
            continue;
        }
        let start = at.saturating_sub(AROUND);
        let end = (at + AROUND + 1).min(words.len());
        let before = windows.last().map_or(0, |last| last.end);
        match windows.last_mut() {
            Some(last) if start <= before && end - last.start <= LONGEST => last.end = end,
            _ => windows.push(Window {
                start: start.max(before),
                end,
            }),
        }
    }
    let worth = |window: &Window| -> f64 {
        let mut found: Vec<u64> = words[window.start..window.end]
            .iter()
            .filter(|word| query.words.contains(word))
            .copied()
            .collect();
        found.sort_unstable();
        found.dedup();
        found.iter().map(|&word| background.idf(word)).sum()
    };
    let mut order: Vec<(f64, Window)> = windows.iter().map(|w| (worth(w), *w)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut room = LONGEST;
    let mut taken: Vec<Window> = Vec::new();
    for (_, window) in order {
        let size = window.end - window.start;
        if size <= room {
            room -= size;
            taken.push(window);
        }
    }
    taken.sort_unstable_by_key(|window| window.start);
    let parts: Vec<&str> = taken
        .iter()
        .map(|window| &text[places[window.start].start..places[window.end - 1].end])
        .collect();
    let mut snippet = parts.join(" … ");
    snippet.truncate(snippet.floor_char_boundary(LONGEST_BYTES));
    (!parts.is_empty()).then_some(snippet)
}

/// Some words of a text, by their numbers.
#[derive(Clone, Copy, Debug)]
struct Window {
    start: usize,
    end: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn snippet(text: &str, query: &str) -> Option<String> {
        spelled(text, &Query::new(query), &Background::of(&["the", "the b"]))
    }

    fn numbered(words: std::ops::Range<usize>) -> String {
        let words: Vec<String> = words.map(|word| format!("w{word}")).collect();
        words.join(" ")
    }

    #[test]
    fn it_is_what_stands_around_the_query() {
        let text = numbered(0..200);
        assert_eq!(snippet(&text, "W100"), Some(numbered(70..131)));
        assert_eq!(snippet(&text, "w5"), Some(numbered(0..36)));
        assert_eq!(snippet(&text, "w199 nowhere"), Some(numbered(169..200)));
        assert_eq!(snippet(&text, "nowhere"), None);
        assert_eq!(snippet(&text, ""), None);
        assert_eq!(snippet("", "w1"), None);
    }

    #[test]
    fn windows_that_meet_are_one() {
        let text = numbered(0..300);
        assert_eq!(snippet(&text, "w50 w100"), Some(numbered(20..131)));
        let apart = format!("{} … {}", numbered(20..81), numbered(220..281));
        assert_eq!(snippet(&text, "w250 w50"), Some(apart));
    }

    #[test]
    fn rare_words_of_the_query_come_first() {
        let common = "the x ".repeat(2_000);
        let text = format!("{common} {} needle {common}", numbered(0..500));
        let found = snippet(&text, "the needle").expect("a snippet");
        assert!(found.contains("w499 needle"), "{found}");
    }

    #[test]
    fn what_stands_between_words_does_not_make_it_longer() {
        let text = format!("bridge {}and so on", "…".repeat(20_000));
        let found = snippet(&text, "bridge").expect("a snippet");
        assert!(found.len() <= LONGEST_BYTES && found.starts_with("bridge …"));
    }

    proptest! {
        #[test]
        fn it_never_grows_too_long(text in "[ab ]{0,3000}", query in "[ab]{1,2}") {
            if let Some(found) = snippet(&text, &query) {
                let mut tokens = Tokens::new();
                tokens.read(&found);
                prop_assert!(tokens.len() <= LONGEST);
            }
        }
    }
}
