//! The slow path: runs that hold characters beyond ASCII.

use super::scripts;
use std::ops::Range;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Cuts `run` into words, appends their folded forms to `folded` and where these
/// stand to `spans`. Where in the text each word stands goes to `places`, if asked
/// for; `run` begins at `offset` there.
pub(super) fn words(
    run: &str,
    folded: &mut Vec<u8>,
    spans: &mut Vec<(u32, u32)>,
    mut places: Option<(usize, &mut Vec<Range<usize>>)>,
) {
    let mut cut = |range: Range<usize>, kind: Kind| {
        let before = spans.len();
        word(&run[range.clone()], kind, folded, spans);
        if let Some((offset, places)) = &mut places {
            place(
                &run[range.clone()],
                spans.len() - before,
                *offset + range.start,
                places,
            );
        }
    };
    let mut start = 0;
    let mut kind = Kind::Gap;
    for (at, c) in run.char_indices() {
        let next = match Kind::of(c) {
            // A mark goes with what stands before it.
            Kind::Mark if kind != Kind::Gap => kind,
            Kind::Mark => Kind::Spaced,
            other => other,
        };
        if next != kind {
            cut(start..at, kind);
            start = at;
            kind = next;
        }
    }
    cut(start..run.len(), kind);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gap,
    Spaced,
    Unspaced,
    Mark,
}

impl Kind {
    fn of(c: char) -> Self {
        if c.is_ascii() {
            if c.is_ascii_alphanumeric() || c == '_' {
                Kind::Spaced
            } else {
                Kind::Gap
            }
        } else if is_combining_mark(c) {
            Kind::Mark
        } else if !c.is_alphanumeric() {
            Kind::Gap
        } else if scripts::is_unspaced(c) {
            Kind::Unspaced
        } else {
            Kind::Spaced
        }
    }
}

/// Adds where `words` words stand that were cut out of `text` at `offset`.
fn place(text: &str, words: usize, offset: usize, places: &mut Vec<Range<usize>>) {
    let before = places.len();
    if words > 1 {
        pairs(text, |pair| {
            places.push(offset + pair.start..offset + pair.end)
        });
    }
    // One word is all of it; so are pairs that folding has made more or fewer of.
    if places.len() - before != words {
        places.truncate(before);
        places.extend(std::iter::repeat_n(offset..offset + text.len(), words));
    }
}

fn word(text: &str, kind: Kind, folded: &mut Vec<u8>, spans: &mut Vec<(u32, u32)>) {
    match kind {
        Kind::Gap => {}
        Kind::Spaced | Kind::Mark => {
            let start = folded.len();
            push_folded(text, folded);
            spans.push((start as u32, folded.len() as u32));
        }
        Kind::Unspaced => character_pairs(text, folded, spans),
    }
}

/// Lower-cases and composes. Whether a word is composed already is a quick look
/// at each character; few need more.
fn push_folded(text: &str, folded: &mut Vec<u8>) {
    let start = folded.len();
    let mut utf8 = [0; 4];
    for c in text.chars().flat_map(char::to_lowercase) {
        folded.extend_from_slice(c.encode_utf8(&mut utf8).as_bytes());
    }
    let lower = std::str::from_utf8(&folded[start..]).unwrap_or_default();
    if is_nfc_quick(lower.chars()) != IsNormalized::Yes {
        let composed: String = lower.nfc().collect();
        folded.truncate(start);
        folded.extend_from_slice(composed.as_bytes());
    }
}

/// Overlapping pairs of characters, each with the marks that stand on it; a lone
/// character is a word by itself.
fn character_pairs(text: &str, folded: &mut Vec<u8>, spans: &mut Vec<(u32, u32)>) {
    let begin = folded.len();
    push_folded(text, folded);
    let run = std::str::from_utf8(&folded[begin..]).unwrap_or_default();
    pairs(run, |pair| {
        spans.push(((begin + pair.start) as u32, (begin + pair.end) as u32));
    });
}

fn pairs(run: &str, mut found: impl FnMut(Range<usize>)) {
    let mut starts = run
        .char_indices()
        .filter(|&(at, c)| at == 0 || !is_combining_mark(c))
        .map(|(at, _)| at)
        .chain([run.len()]);
    let (Some(mut first), Some(mut second)) = (starts.next(), starts.next()) else {
        return;
    };
    let mut alone = true;
    for third in starts {
        found(first..third);
        (first, second, alone) = (second, third, false);
    }
    if alone {
        found(first..second);
    }
}
