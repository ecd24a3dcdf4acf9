//! The slow path: runs that hold characters beyond ASCII.
//!
//! Characters that a reader cannot see do not cut a word, nor do they belong to it: a
//! soft hyphen says where a word may be broken, a joiner how its letters are drawn, a
//! mark of direction which way they run.

use super::scripts;
use std::ops::Range;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

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
            // Both go with what stands before them.
            Kind::Mark | Kind::Unseen if kind != Kind::Gap => kind,
            Kind::Mark => Kind::Spaced,
            Kind::Unseen => Kind::Gap,
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
    Unseen,
}

impl Kind {
    fn of(c: char) -> Self {
        if c.is_ascii() {
            if c.is_ascii_alphanumeric() || c == '_' {
                Kind::Spaced
            } else {
                Kind::Gap
            }
        } else if is_unseen(c) {
            Kind::Unseen
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

/// Whether a character is there for the sake of others and has no looks of its own. A
/// space without width is none of them: it parts words.
#[inline]
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}'                            // soft hyphen
        | '\u{61c}'                         // direction, Arabic
        | '\u{180b}'..='\u{180f}'           // variation, Mongolian
        | '\u{200c}'..='\u{200f}'           // joiners, direction
        | '\u{202a}'..='\u{202e}'           // direction
        | '\u{2060}'..='\u{2064}'           // word joiner, signs that are not written
        | '\u{2066}'..='\u{2069}'           // direction
        | '\u{fe00}'..='\u{fe0f}'           // variation
        | '\u{feff}'                        // a byte-order mark gone astray
        | '\u{e0100}'..='\u{e01ef}'         // variation
    )
}

/// Adds where `words` words stand that were cut out of `text` at `offset`.
fn place(text: &str, words: usize, offset: usize, places: &mut Vec<Range<usize>>) {
    let mut parts = Vec::new();
    match words {
        0 => return,
        1 => parts.push(0..text.len()),
        _ => pairs(text, |pair| parts.push(pair)),
    }
    // Folding may have made more of the pairs, or fewer: then each has its share.
    places.extend((0..words).map(|word| {
        let part = &parts[word * parts.len() / words];
        offset + part.start..offset + part.end
    }));
}

fn word(text: &str, kind: Kind, folded: &mut Vec<u8>, spans: &mut Vec<(u32, u32)>) {
    match kind {
        Kind::Gap | Kind::Unseen => {}
        Kind::Spaced | Kind::Mark => {
            let start = folded.len();
            push_folded(text, folded);
            spans.push((start as u32, folded.len() as u32));
        }
        Kind::Unspaced => character_pairs(text, folded, spans),
    }
}

/// Gives all spellings of a word one form: lower case, composed, without what is unseen.
/// Characters that stand for others (ligatures, full-width letters, half-width kana) become
/// those. Whether a word is of that form already is a quick look at each character; few
/// need more.
fn push_folded(text: &str, folded: &mut Vec<u8>) {
    let start = folded.len();
    if push_lower(text.chars(), folded) {
        return;
    }
    let lower = std::str::from_utf8(&folded[start..]).unwrap_or_default();
    if is_nfkc_quick(lower.chars()) != IsNormalized::Yes {
        folded.truncate(start);
        push_lower(text.nfkc(), folded);
    }
}

/// Appends characters in lower case; whether all of them surely stand for themselves.
fn push_lower(chars: impl Iterator<Item = char>, folded: &mut Vec<u8>) -> bool {
    let mut utf8 = [0; 4];
    let mut push = |c: char| folded.extend_from_slice(c.encode_utf8(&mut utf8).as_bytes());
    let mut last = ' ';
    let mut is_sure = true;
    for c in chars {
        match c {
            _ if c.is_ascii() => push(c.to_ascii_lowercase()),
            _ if is_unseen(c) => continue,
            // Their capitals are SS and Σ, and the dotted capital is that of i.
            'ß' | 'ẞ' => ['s', 's'].into_iter().for_each(&mut push),
            'ς' => push('σ'),
            'İ' => push('i'),
            '\u{307}' if last == 'i' => {}
            _ => {
                is_sure &= stands_for_itself(c);
                c.to_lowercase().for_each(&mut push);
            }
        }
        last = c;
    }
    is_sure
}

/// Whether a character is one of the many that stand for nothing else and go together with
/// none before them. Others may be, too: this is the quick look.
#[inline]
fn stands_for_itself(c: char) -> bool {
    matches!(c, 'À'..='ı' | 'Α'..='ώ' | 'Ѐ'..='ҁ' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '一'..='鿿' | '가'..='힣')
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
        .filter(|&(at, c)| at == 0 || !(is_combining_mark(c) || is_unseen(c)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_itself_is_its_own_form() {
        let all = ('\u{80}'..=char::MAX).filter(|&c| stands_for_itself(c));
        for c in all {
            assert_eq!(is_nfkc_quick([c].into_iter()), IsNormalized::Yes, "{c:?}");
            let lower: String = c.to_lowercase().collect();
            let is_special = c == 'İ';
            assert!(is_special || lower.nfkc().eq(lower.chars()), "{c:?}");
        }
    }
}
