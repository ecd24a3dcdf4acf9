//! The words that I-Match looks at, prepared as in section 6.3 of its paper.
//!
//! A document is the set of its words in lower case, without words shorter than
//! four characters and without words of more than one digit. The paper's rule is
//! made for English: in scripts without spaces our tokens are pairs of characters,
//! which all stay.

use super::{Features, Featurise};
use crate::hash;
use crate::tokenise::{Tokens, is_unspaced};

/// The shortest word that counts, in characters.
const SHORTEST: usize = 4;

/// The most digits of a word that counts.
const MOST_DIGITS: usize = 1;

/// A document's words, prepared for lexicons: a set, or a multiset if asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    count: bool,
}

impl Terms {
    /// Words, with how often each occurs if `count` is set.
    pub fn new(count: bool) -> Self {
        Self { count }
    }
}

impl Featurise for Terms {
    fn features(&self, tokens: &Tokens, out: &mut Features) {
        out.collect(self.count, |values| {
            let terms = tokens.bytes().filter(|word| counts(word));
            values.extend(terms.map(hash::bytes));
        });
    }
}

/// Whether a word counts, given as UTF-8.
#[inline]
pub fn counts(word: &[u8]) -> bool {
    let (mut digits, mut bits) = (0, 0);
    for &byte in word {
        digits += usize::from(byte.is_ascii_digit());
        bits |= byte;
    }
    digits <= MOST_DIGITS
        && match bits.is_ascii() {
            true => word.len() >= SHORTEST,
            false => is_long_or_unspaced(word),
        }
}

fn is_long_or_unspaced(word: &[u8]) -> bool {
    let word = std::str::from_utf8(word).unwrap_or_default();
    word.chars().nth(SHORTEST - 1).is_some() || word.chars().any(is_unspaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_and_numbers_do_not_count() {
        let kept = |word: &str| counts(word.as_bytes());
        assert!(kept("word") && kept("mp3player") && kept("café") && kept("слово"));
        assert!(!kept("the") && !kept("1999") && !kept("b2b4you") && !kept("été") && !kept("мир"));
        // Pairs of characters are the words of scripts without spaces.
        assert!(kept("北京") && kept("京"));
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let of = |text: &str| {
            let (mut tokens, mut features) = (Tokens::new(), Features::new());
            tokens.read(text);
            Terms::default().features(&tokens, &mut features);
            features.values().to_vec()
        };
        assert_eq!(of("River bridge, of THE river"), of("bridge river"));
    }
}
