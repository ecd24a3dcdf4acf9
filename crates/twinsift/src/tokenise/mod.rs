//! Cutting text into words.
//!
//! A word is a run of letters, digits, marks and underscores, lower-cased: what
//! `\w+` matches after lower-casing. The few characters that have several spellings (ß,
//! the two small sigmas, ligatures, full-width letters) have one. Scripts that put no spaces between words
//! (Chinese, Japanese, Thai, Khmer …) are cut into overlapping pairs of
//! characters instead, so that a Chinese page has about as many tokens, and as
//! telling ones, as an English page of the same size. Invisible characters, such as
//! soft hyphens, are skipped.
//!
//! Nearly all of a run's time goes by here, so the common case is fast: the text
//! is lower-cased in one vectorised sweep, and word boundaries are found eight
//! bytes at a time (`boundaries`). Only the runs that hold a character beyond
//! ASCII are looked at one character at a time (`fold`); one accented word does
//! not slow the rest of its document.

mod boundaries;
pub(crate) mod disguises;
mod fold;
mod scripts;

pub(crate) use scripts::is_unspaced;

/// Raised whenever a document may give other words than before, by how its text is cut or
/// by what of a record is its text, so that results and signatures tell which words they
/// were made of.
pub(crate) const VERSION: u32 = 3;
use std::ops::Range;

/// The words of one document, in order. Reuse it: its buffers stay allocated.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    /// The lower-cased text, then the folded forms of words beyond ASCII.
    folded: Vec<u8>,
    spans: Vec<(u32, u32)>,
}

impl Tokens {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The words, as UTF-8.
    pub fn bytes(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.spans
            .iter()
            .map(|&(start, end)| &self.folded[start as usize..end as usize])
    }

    /// The words.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.bytes()
            .map(|word| std::str::from_utf8(word).unwrap_or_default())
    }

    /// The word at `index`.
    pub fn word(&self, index: usize) -> &str {
        let (start, end) = self.spans[index];
        std::str::from_utf8(&self.folded[start as usize..end as usize]).unwrap_or_default()
    }

    /// Replaces the list by the words of `text`. Text beyond the first 4 GiB is
    /// not looked at.
    pub fn read(&mut self, text: &str) {
        self.cut(text, None);
    }

    /// As [`read`](Self::read), with the disguises of words undone if `fold` is set
    /// (see [`read_without_disguises`](Self::read_without_disguises)).
    pub fn read_as(&mut self, text: &str, fold: bool) {
        match fold {
            false => self.read(text),
            true => drop(self.read_without_disguises(text)),
        }
    }

    /// As [`read_as`](Self::read_as); returns where in `text` each word stands.
    pub fn read_as_with_places(&mut self, text: &str, fold: bool) -> Vec<Range<usize>> {
        match fold {
            false => self.read_with_places(text),
            true => self.read_without_disguises(text),
        }
    }

    /// As [`read`](Self::read); returns where in `text` each word stands.
    pub fn read_with_places(&mut self, text: &str) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        self.cut(text, Some(&mut places));
        places
    }

    /// As [`read_with_places`](Self::read_with_places), with the common disguises of
    /// words undone: look-alike characters, punctuation inside words, swapped inner
    /// letters (`disguises` has the rules).
    pub fn read_without_disguises(&mut self, text: &str) -> Vec<Range<usize>> {
        let mut places = disguises::rejoined(text, &self.read_with_places(text));
        self.spans.clear();
        self.folded.clear();
        places.retain(|place| {
            let start = self.folded.len() as u32;
            let word = disguises::spelling(&text[place.clone()]);
            self.folded.extend_from_slice(word.as_bytes());
            // Of a ruled line of underscores nothing is left.
            if !word.is_empty() {
                self.spans.push((start, self.folded.len() as u32));
            }
            !word.is_empty()
        });
        places
    }

    #[inline]
    fn cut(&mut self, text: &str, mut places: Option<&mut Vec<Range<usize>>>) {
        let text = &text[..text.floor_char_boundary(u32::MAX as usize / 2)];
        self.spans.clear();
        self.folded.clear();
        self.folded.extend_from_slice(text.as_bytes());
        self.folded.make_ascii_lowercase();
        let Self { folded, spans } = self;
        boundaries::runs(text.as_bytes(), |start, end, ascii| {
            if ascii {
                spans.push((start as u32, end as u32));
                if let Some(places) = &mut places {
                    places.push(start..end);
                }
            } else {
                let places = places.as_mut().map(|places| (start, &mut **places));
                fold::words(&text[start..end], folded, spans, places);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        let mut tokens = Tokens::new();
        tokens.read(text);
        tokens.words().map(str::to_owned).collect()
    }

    #[test]
    fn english() {
        assert_eq!(
            words("The DOG_1's tail, 3.5 cm!"),
            ["the", "dog_1", "s", "tail", "3", "5", "cm"]
        );
        assert!(words(" \t\n…— ").is_empty());
    }

    #[test]
    fn accents_and_other_alphabets() {
        assert_eq!(words("“Élan” vital—ÉTÉ"), ["élan", "vital", "été"]);
        assert_eq!(words("Привет, МИР"), ["привет", "мир"]);
        // Composed and decomposed spellings are one word.
        assert_eq!(words("cafe\u{301}"), words("caf\u{e9}"));
        // Vowel signs and the virama belong to the word.
        assert_eq!(words("हिन्दी भाषा").len(), 2);
        // Capitals that have another small letter at the end of a word, or two, or a dot.
        assert_eq!(words("ΟΔΟΣ STRASSE İZMİR"), words("οδος straße izmir"));
        assert_eq!(words("I\u{307}zmir \u{1d6d3}"), words("izmir σ"));
        // Ligatures, full-width letters and half-width kana stand for others.
        assert_eq!(words("ﬁnal Ｒｕｓｔ １９９９"), ["final", "rust", "1999"]);
        assert_eq!(words("ｶﾞｲﾄﾞ"), words("ガイド"));
    }

    #[test]
    fn scripts_without_spaces() {
        assert_eq!(words("我爱北京"), ["我爱", "爱北", "北京"]);
        assert_eq!(words("京"), ["京"]);
        assert_eq!(words("用Rust写"), ["用", "rust", "写"]);
        // A mark stays with the character that it stands on.
        assert_eq!(words("กำลัง").len(), 3);
        assert_eq!(words("한국어 문서"), ["한국어", "문서"]);
    }

    #[test]
    fn invisible_characters_do_not_cut_words() {
        assert_eq!(words("Donau\u{ad}dampf\u{ad}schiff"), ["donaudampfschiff"]);
        assert_eq!(words("می\u{200c}خواهم").len(), 1);
        assert_eq!(
            words("\u{feff}one\u{2060}two \u{200e}three"),
            ["onetwo", "three"]
        );
        assert_eq!(words("我\u{fe00}爱\u{200d}北京"), words("我爱北京"));
        assert!(words("❤\u{fe0f} \u{ad}").is_empty());
        // A space without width parts words.
        assert_eq!(words("one\u{200b}two"), ["one", "two"]);
        let mut tokens = Tokens::new();
        let text = "我\u{ad}爱北 co\u{ad}op";
        let places = tokens.read_with_places(text);
        let places: Vec<&str> = places.into_iter().map(|place| &text[place]).collect();
        assert_eq!(places, ["我\u{ad}爱", "爱北", "co\u{ad}op"]);
        // Fewer characters than were written, or more.
        for (text, expected) in [("ｶﾞｲﾄﾞ", ["ｶﾞ", "ｲﾄ"]), ("ໜມ", ["ໜມ", "ໜມ"])]
        {
            let places = tokens.read_with_places(text);
            let places: Vec<&str> = places.into_iter().map(|place| &text[place]).collect();
            assert_eq!(places, expected);
        }
    }

    /// The definition, one character at a time.
    fn slow_words(text: &str) -> Vec<String> {
        text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .map(|word| word.to_lowercase().replace('ß', "ss"))
            .collect()
    }

    proptest! {
        #[test]
        fn ascii_agrees_with_the_definition(text in "[ -~\\n\\t]{0,300}") {
            prop_assert_eq!(words(&text), slow_words(&text));
        }

        #[test]
        fn mixed_text_agrees_with_the_definition(text in "[a-zA-Z0-9_ .,éÀßжЖ“”—\u{a0}]{0,200}") {
            prop_assert_eq!(words(&text), slow_words(&text));
        }

        #[test]
        fn every_word_is_what_stands_at_its_place(text in "[a-zA-Z_ .,éÀßжЖ我爱北京กลัง“”\u{a0}]{0,80}") {
            let mut tokens = Tokens::new();
            let places = tokens.read_with_places(&text);
            prop_assert_eq!(places.len(), tokens.len());
            for (word, place) in tokens.words().zip(places) {
                prop_assert_eq!(words(&text[place]), [word]);
            }
        }

        #[test]
        fn any_text_yields_valid_words(text in "\\PC{0,200}") {
            for word in words(&text) {
                prop_assert!(!word.is_empty());
            }
        }
    }
}
