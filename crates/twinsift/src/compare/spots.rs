//! The spots of two documents in their sentences: a reader sees why two pages are
//! the same story.

use super::as_shown;
use crate::document::Document;
use crate::features::spots::{Spot, Spots};
use crate::tokenise::Tokens;
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;

/// A sentence of a document in which spots begin.
#[derive(Clone, Debug, Serialize)]
pub struct Sentence {
    /// The sentence as it stands in the document.
    pub text: String,
    /// The spots that begin in it.
    pub spots: Vec<SpotShown>,
}

/// A spot in a sentence.
#[derive(Clone, Debug, Serialize)]
pub struct SpotShown {
    /// `the:south:carolina`.
    pub signature: String,
    /// Whether the other document has it too: as often, at least, as it has
    /// occurred up to here.
    pub shared: bool,
    /// Where its words stand in the sentence, in bytes. A chain may go on beyond
    /// the end of the sentence; words there are not among these.
    pub words: Vec<(usize, usize)>,
}

/// The sentences with spots of both documents.
pub(super) fn sentences(
    documents: [&Document<'_>; 2],
    spots: &Spots,
    fold: bool,
) -> [Vec<Sentence>; 2] {
    let read = documents.map(|document| {
        let mut tokens = Tokens::new();
        let shown = as_shown(&mut tokens, &document.text, fold);
        let places = tokens.read_as_with_places(&document.text, fold);
        (spots.spots(&tokens, &shown), places)
    });
    let counts = [&read[0].0, &read[1].0].map(|spots| {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        spots
            .iter()
            .for_each(|spot| *counts.entry(spot.value).or_default() += 1);
        counts
    });
    [0, 1].map(|side| {
        let (spots, places) = &read[side];
        of_document(
            &documents[side].text,
            spots,
            places,
            counts[1 - side].clone(),
        )
    })
}

/// `left` holds how many of each spot the other document still has.
fn of_document(
    text: &str,
    spots: &[Spot],
    places: &[Range<usize>],
    mut left: HashMap<u64, u32>,
) -> Vec<Sentence> {
    let mut spots = spots.iter().peekable();
    let mut sentences = Vec::new();
    for range in cut(text) {
        let mut shown = Vec::new();
        while let Some(spot) = spots.next_if(|spot| places[spot.positions[0]].start < range.end) {
            let words = spot
                .positions
                .iter()
                .map(|&at| &places[at])
                .filter(|place| range.start <= place.start && place.end <= range.end)
                .map(|place| (place.start - range.start, place.end - range.start))
                .collect();
            let left = left.entry(spot.value).or_default();
            shown.push(SpotShown {
                signature: spot.signature.clone(),
                shared: *left > 0,
                words,
            });
            *left = left.saturating_sub(1);
        }
        if !shown.is_empty() {
            sentences.push(Sentence {
                text: text[range].to_owned(),
                spots: shown,
            });
        }
    }
    sentences
}

/// Sentences: they end at a line's end, or behind a mark that is followed by white
/// space (in scripts without spaces, behind the mark itself).
fn cut(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut mark = false;
    let mut end_at = |end: usize, next: usize| {
        let range = std::mem::replace(&mut start, next)..end;
        if !text[range.clone()].trim().is_empty() {
            ranges.push(range);
        }
    };
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        match c {
            '\n' => end_at(at, next),
            '。' | '！' | '？' => end_at(next, next),
            _ if c.is_whitespace() && mark => end_at(at, next),
            _ => {}
        }
        mark = matches!(c, '.' | '!' | '?' | '…') || (mark && matches!(c, '"' | '”' | '’' | ')'));
    }
    end_at(text.len(), text.len());
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::spots::SpotRules;

    #[test]
    fn shared_spots_are_shown_in_their_sentences() {
        let a = Document::new(
            "a",
            "“The South Carolina primary is open.” Rain.\nThe vote was close in 3.5 states",
        );
        let b = Document::new("b", "The South Carolina primary was postponed.");
        let rules = SpotRules {
            specifications: vec!["the:1:2".parse().expect("valid")],
            ..SpotRules::default()
        };
        let [left, right] = sentences([&a, &b], &Spots::new(&rules), false);
        let texts: Vec<&str> = left.iter().map(|sentence| sentence.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "“The South Carolina primary is open.”",
                "The vote was close in 3.5 states"
            ]
        );
        let spot = &left[0].spots[0];
        assert_eq!(
            (spot.signature.as_str(), spot.shared),
            ("the:south:carolina", true)
        );
        let words: Vec<&str> = spot
            .words
            .iter()
            .map(|&(start, end)| &texts[0][start..end])
            .collect();
        assert_eq!(words, ["The", "South", "Carolina"]);
        assert!(!left[1].spots[0].shared);
        assert_eq!(right.len(), 1);
    }

    #[test]
    fn a_spot_is_shared_as_often_as_the_other_document_has_it() {
        let a = Document::new("a", "The red house. The red house. They were here.");
        let b = Document::new("b", "The red house. They were here.");
        let rules = SpotRules {
            specifications: vec!["the:1:1".parse().expect("valid")],
            ..SpotRules::default()
        };
        let [left, _] = sentences([&a, &b], &Spots::new(&rules), false);
        let shared: Vec<bool> = left
            .iter()
            .flat_map(|s| &s.spots)
            .map(|s| s.shared)
            .collect();
        assert_eq!(shared, [true, false]);
    }
}
