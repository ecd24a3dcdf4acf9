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
            Edit::Words => swap_words(&mut story.paragraphs, chance),
            Edit::Note => {
                let mut cast = passing_cast(grammar, chance);
                let note = grammar.write(chance.pick::<&str>(NOTES), &mut cast, chance);
                story.paragraphs.push(note);
            }
            Edit::Figure => correct_figure(&mut story.paragraphs, chance),
        }
    }
}

const NOTES: &[&str] = &[
    "Editor’s note: this article was [changed|amended] on {#2-28} {month} to [correct|give] the [name|title|age] of [a witness|one speaker].",
    "This [story|report] was [updated|extended] {when} with [a reply|comments] from {p1}.",
    "[Additional|Further] reporting by {p1} and {p2} in {town}.",
    "An earlier version of this [piece|article] [misstated|got wrong] the [date|place] of the [meeting|events] [described|reported].",
];

/// Words that a desk exchanges for others, one way or the other.
const SWAPS: &[(&str, &str)] = &[
    ("said", "stated"),
    ("told", "informed"),
    ("began", "commenced"),
    ("about", "regarding"),
    ("after", "following"),
    ("people", "residents"),
    ("found", "discovered"),
    ("near", "close to"),
    ("must", "has to"),
    ("called", "termed"),
    ("would", "could"),
    ("most", "much"),
    ("more", "further"),
    ("period", "spell"),
    ("money", "funds"),
    ("before", "ahead of"),
    ("until", "till"),
    ("between", "among"),
    ("over", "across"),
    ("will", "is to"),
];

fn swap_words(paragraphs: &mut [String], chance: &mut Chance) {
    for _ in 0..chance.between(2, 5) {
        let (old, new) = chance.pick(SWAPS);
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
