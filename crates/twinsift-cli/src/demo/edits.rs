//! What desks do to a story before they print it.
//!
//! Each edit is small. A copy gets up to three of them, so that it stays the
//! same story to a reader and is never the same bytes.

use super::chance::Chance;
use super::grammar::Grammar;
use super::stories::{Story, passing_cast};

/// A change to a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    Headline,
    DropEnd,
    Words,
    Note,
    Figure,
}

const ALL: [Edit; 5] = [
    Edit::Headline,
    Edit::DropEnd,
    Edit::Words,
    Edit::Note,
    Edit::Figure,
];

/// Makes a desk's version of a story.
pub(super) fn edit(story: &mut Story, grammar: &Grammar, chance: &mut Chance) {
    let mut edits = ALL;
    chance.shuffle(&mut edits);
    let count = chance.below(4);
    for edit in &edits[..count] {
        match edit {
            Edit::Headline => std::mem::swap(&mut story.headline, &mut story.second_headline),
            Edit::DropEnd => drop(story.paragraphs.pop()),
            Edit::Words => swap_words(&mut story.paragraphs, grammar, chance),
            Edit::Note => {
                let mut cast = passing_cast(grammar, chance);
                let note = grammar.write("{note}", &mut cast, chance);
                story.paragraphs.push(note);
            }
            Edit::Figure => correct_figure(&mut story.paragraphs, chance),
        }
    }
}

/// Exchanges words for others that mean much the same.
fn swap_words(paragraphs: &mut [String], grammar: &Grammar, chance: &mut Chance) {
    for _ in 0..chance.between(2, 5) {
        let (old, new) = chance.pick(&grammar.swaps);
        let start = chance.below(paragraphs.len());
        for step in 0..paragraphs.len() {
            let paragraph = &mut paragraphs[(start + step) % paragraphs.len()];
            let spaced = format!(" {old} ");
            if paragraph.contains(&spaced) {
                *paragraph = paragraph.replacen(&spaced, &format!(" {new} "), 1);
                break;
            }
        }
    }
}

/// Puts another number of the same length in the place of one.
fn correct_figure(paragraphs: &mut [String], chance: &mut Chance) {
    let start = chance.below(paragraphs.len());
    for step in 0..paragraphs.len() {
        let paragraph = &mut paragraphs[(start + step) % paragraphs.len()];
        let Some(at) = paragraph.find(|letter: char| letter.is_ascii_digit()) else {
            continue;
        };
        let old = usize::from(paragraph.as_bytes()[at] - b'0');
        let new = 1 + (old + chance.below(8)) % 9;
        paragraph.replace_range(at..=at, &new.to_string());
        return;
    }
}
