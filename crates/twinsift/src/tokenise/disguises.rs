//! Words without their disguises.
//!
//! Senders of bulk mail disguise its words, so that no two copies look alike to a
//! filter and all of them do to a reader. Three disguises are common, and each is undone
//! by giving all of its forms one spelling:
//!
//! - **Look-alikes**: `c@rtr1dges`, `с` from another alphabet, `é`. Each character
//!   becomes the Latin letter that it looks like. Numbers without a letter stay.
//! - **Punctuation inside words**: `Th-ermal`, `ac.tual`, `P_LEASE`. A single mark
//!   between two letters goes, and the parts are one word. Web addresses keep
//!   their parts.
//! - **Swapped inner letters**: `cartirdges`. The first and the last letter stay,
//!   those between them are put in order.
//!
//! Different words may come to share a spelling (`form` and `from`). That is a
//! matter of a few words in a thousand; see the results for what it is worth. A recipe
//! says whether disguises are undone ([`Recipe::fold`](crate::Recipe::fold)), and lists
//! of words (lexicons, antecedents, stop words) are then read in the same way.

use super::fold::is_unseen;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Marks that may stand inside a word.
const INSIDE: &[u8] = b".-_*'~^`";

/// Marks that may stand for a letter.
const LETTERS: &[u8] = b"@$!|";

/// Puts together what stands in `places` of `text`, word by word. Where the parts of a
/// web address stand, nothing changes.
pub(super) fn rejoined(text: &str, places: &[Range<usize>]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut words: Vec<Range<usize>> = Vec::with_capacity(places.len());
    let mut in_address = false;
    for place in places {
        let before = words.last().map_or(0, |word| word.end);
        // Pairs of characters overlap; they are no words.
        let gap = bytes.get(before..place.start).unwrap_or_default();
        in_address = continues_address(gap, in_address);
        let joins = match gap {
            [mark] => INSIDE.contains(mark) || LETTERS.contains(mark),
            _ => false,
        };
        if let Some(last) = words.last_mut()
            && joins
            && !in_address
        {
            last.end = place.end;
            continue;
        }
        let mut word = place.clone();
        let is_letter = bytes[place.start].is_ascii_alphabetic();
        if is_letter && gap.last().is_some_and(|mark| b"@$".contains(mark)) {
            word.start -= 1;
        }
        words.push(word);
    }
    words
}

/// Whether a word is part of a web address, given what stands before it and whether
/// the word before is part of one.
pub(crate) fn continues_address(gap: &[u8], before: bool) -> bool {
    let is_scheme = gap.len() >= 3 && gap.starts_with(b"://");
    is_scheme || before && !gap.is_empty() && !gap.iter().any(u8::is_ascii_whitespace)
}

/// The spelling that all disguises of a word share.
pub(crate) fn spelling(word: &str) -> String {
    let mut plain: Vec<char> = match word.is_ascii() {
        // ASCII has nothing to decompose, and most words are ASCII.
        true => word.to_ascii_lowercase().chars().collect(),
        false => undecorated(word).collect(),
    };
    plain.retain(|&c| !(c.is_ascii() && INSIDE.contains(&(c as u8))));
    if !plain.iter().any(|c| c.is_alphabetic()) {
        return plain.into_iter().collect();
    }
    let mut letters: Vec<char> = plain.into_iter().map(looks_like).collect();
    let last = letters.len().saturating_sub(1);
    if last > 2 {
        letters[1..last].sort_unstable();
    }
    letters.into_iter().collect()
}

/// The characters of a word in lower case, decomposed, without marks on letters.
fn undecorated(word: &str) -> impl Iterator<Item = char> {
    let seen = word.chars().filter(|&c| !is_unseen(c));
    let letters = seen.nfkd().filter(|&c| !is_combining_mark(c));
    letters.flat_map(char::to_lowercase)
}

/// The letter that a character looks like. One and the letter l look like i.
fn looks_like(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | '!' | '|' | 'l' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        '8' => 'b',
        'а' | 'α' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'е' | 'є' | 'ε' => 'e',
        'н' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'о' | 'ο' | 'ø' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' => 'u',
        'ν' => 'v',
        'х' | 'χ' => 'x',
        'у' => 'y',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::undecorated;
    use crate::tokenise::Tokens;

    #[test]
    fn ascii_has_nothing_to_decompose() {
        let ascii: String = (0..128).map(char::from).collect();
        let lower = ascii.to_ascii_lowercase();
        assert!(undecorated(&ascii).eq(lower.chars()));
    }

    fn words(text: &str) -> Vec<String> {
        let mut tokens = Tokens::new();
        let places = tokens.read_without_disguises(text);
        assert_eq!(places.len(), tokens.len());
        tokens.words().map(str::to_owned).collect()
    }

    #[test]
    fn disguises_of_a_word_are_one_word() {
        let plain = words("Thermal cartridges for actual customers");
        for disguised in [
            "Th-ermal cartridges for actual customers",
            "thermal c@rtr1dges for actual customers",
            "thermal cartirdges for ac.tual cu$tomers",
            "T_hermal cаrtridges fоr actual custómers",
            "thermal cartridges for @ctual customers!",
            "ther\u{ad}mal cart\u{200d}ridges for ａｃｔｕａｌ customers",
        ] {
            assert_eq!(words(disguised), plain, "{disguised}");
        }
    }

    #[test]
    fn numbers_and_addresses_keep_their_parts() {
        assert_eq!(words("in 1992 for $27.99"), ["in", "1992", "for", "2799"]);
        let address = words("see http://www.example.com/a-b now");
        assert_eq!(address.len(), 8, "{address:?}");
    }

    #[test]
    fn nothing_in_nothing_out() {
        assert!(words("").is_empty());
        assert!(words(" . - ").is_empty());
        assert_eq!(words("我爱北京").len(), 3);
    }
}
