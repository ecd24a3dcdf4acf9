//! The slow path: runs that hold characters beyond ASCII.

use super::scripts;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Cuts `run` into words, appends their folded forms to `folded` and where they
/// stand to `spans`.
pub(super) fn words(run: &str, folded: &mut Vec<u8>, spans: &mut Vec<(u32, u32)>) {
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
            word(&run[start..at], kind, folded, spans);
            start = at;
            kind = next;
        }
    }
    word(&run[start..], kind, folded, spans);
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
    let mut starts = run
        .char_indices()
        .filter(|&(at, c)| at == 0 || !is_combining_mark(c))
        .map(|(at, _)| begin + at)
        .chain([folded.len()]);
    let mut span = |start: usize, end: usize| spans.push((start as u32, end as u32));
    let (Some(mut first), Some(mut second)) = (starts.next(), starts.next()) else {
        return;
    };
    let mut alone = true;
    for third in starts {
        span(first, third);
        (first, second, alone) = (second, third, false);
    }
    if alone {
        span(first, second);
    }
}
