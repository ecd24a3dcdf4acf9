//! Which language is a document in?
//!
//! Stop words tell: they are what a language has most of, and they have been hashed
//! already. Some hundred words, spread evenly over the document, are looked up in
//! one table of all languages; a word counts for each language that has it, the less
//! the more of them do. A map of bits, small enough to stay in the nearest cache, says
//! no for most words that are no stop words. A general detector on letters would take
//! longer than everything else that is done with a document. Scripts without spaces are told by their
//! characters.

use super::languages::Language;
use super::word_table::WordTable;
use crate::hash;
use crate::tokenise::Tokens;
use std::collections::BTreeMap;

/// Words that are looked at.
const SAMPLE: usize = 512;

/// A word that more languages have tells nothing.
const TELLING: u32 = 6;

/// Leading bits of a hash that choose a bit of the map.
const MAP_BITS: u32 = 16;

/// What a word that only one language has counts.
const WHOLE: u32 = 5040;

/// Tells languages apart.
#[derive(Clone, Debug)]
pub struct Detector {
    /// By word, the languages in which it is a stop word, as bits.
    table: WordTable,
    /// A bit for every word of the table, and for few others.
    map: Vec<u64>,
}

impl Default for Detector {
    fn default() -> Self {
        Self::new(false)
    }
}

impl Detector {
    /// For words as they are, or without their disguises if `fold` is set.
    pub fn new(fold: bool) -> Self {
        let mut words: BTreeMap<u64, u64> = BTreeMap::new();
        let mut tokens = Tokens::new();
        for language in Language::all().filter(|language| !language.is_unspaced()) {
            tokens.read_as(&language.stop_words().join("\n"), fold);
            let bit = 1u64 << language.index();
            for word in tokens.bytes() {
                *words.entry(hash::bytes(word)).or_default() |= bit;
            }
        }
        let words: Vec<(u64, u64)> = words
            .into_iter()
            .filter(|(_, languages)| languages.count_ones() <= TELLING)
            .collect();
        let mut map = vec![0u64; 1 << (MAP_BITS - 6)];
        for (word, _) in &words {
            let bit = word >> (64 - MAP_BITS);
            map[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        Self {
            table: WordTable::new(&words),
            map,
        }
    }

    fn languages(&self, word: u64) -> u64 {
        let bit = word >> (64 - MAP_BITS);
        match self.map[(bit / 64) as usize] >> (bit % 64) & 1 {
            0 => 0,
            _ => self.table.flags(word),
        }
    }

    /// The language of some words; `None` if they tell nothing.
    pub fn language(&self, tokens: &Tokens) -> Option<Language> {
        let words = tokens.bytes().map(|word| (hash::bytes(word), 0));
        self.detect(tokens, &words.collect::<Vec<_>>())
    }

    /// The language of `tokens`, whose hashes come first in `words`; `None` if no word
    /// of any language is among the sample.
    pub(super) fn detect(&self, tokens: &Tokens, words: &[(u64, u64)]) -> Option<Language> {
        let mut scores = [0u32; 64];
        let (mut han, mut kana, mut thai) = (0, 0, 0);
        let step = tokens.len().div_ceil(SAMPLE).max(1);
        for (word, &(hash, _)) in tokens.bytes().zip(words).step_by(step) {
            let mut languages = self.languages(hash);
            let share = WHOLE / languages.count_ones().max(1);
            while languages != 0 {
                scores[languages.trailing_zeros() as usize] += share;
                languages &= languages - 1;
            }
            if !word[0].is_ascii() {
                let word = std::str::from_utf8(word).unwrap_or_default();
                let is_kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}');
                match word.chars().next() {
                    _ if word.chars().any(is_kana) => kana += 1,
                    Some('\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}') => han += 1,
                    Some('\u{0e00}'..='\u{0e7f}') => thai += 1,
                    _ => {}
                }
            }
        }
        // A tenth of kana does not occur in Chinese.
        let (chinese, japanese) = match kana * 10 > han {
            true => (0, kana + han),
            false => (han, 0),
        };
        for (code, count) in [("zh", chinese), ("ja", japanese), ("th", thai)] {
            if let Some(language) = Language::of_code(code) {
                // A third: stop words are not all of a text either.
                scores[language.index()] = count * (WHOLE / 3);
            }
        }
        // Of equal scores the first language wins.
        Language::all()
            .filter(|language| scores[language.index()] > 0)
            .min_by_key(|language| std::cmp::Reverse(scores[language.index()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_enough() {
        let detector = Detector::default();
        let mut tokens = Tokens::new();
        let detect = |tokens: &Tokens| detector.language(tokens);
        for (code, text) in [
            (
                "en",
                "The council voted on Tuesday to close two of the bridges for repairs.",
            ),
            (
                "de",
                "Der Rat hat am Dienstag beschlossen, zwei der Brücken für Arbeiten zu sperren.",
            ),
            (
                "fr",
                "Le conseil a décidé mardi de fermer deux des ponts pour des travaux.",
            ),
            (
                "es",
                "El consejo decidió el martes cerrar dos de los puentes para las obras.",
            ),
            (
                "it",
                "Il consiglio ha deciso martedì di chiudere due dei ponti per i lavori.",
            ),
            (
                "pt",
                "O conselho decidiu na terça-feira fechar duas das pontes para as obras.",
            ),
            (
                "nl",
                "De raad heeft dinsdag besloten om twee van de bruggen te sluiten voor werk.",
            ),
            (
                "ru",
                "Совет во вторник решил закрыть два моста, которые были построены до войны.",
            ),
            (
                "sv",
                "Rådet beslutade på tisdagen att stänga två av broarna för reparation.",
            ),
            (
                "tr",
                "Meclis salı günü iki köprünün onarım için kapatılmasına karar verdi ve bu çok önemli.",
            ),
            (
                "zh",
                "市议会星期二决定关闭两座大桥进行维修，工程将持续三个月。",
            ),
            (
                "ja",
                "市議会は火曜日、二つの橋を修理のために閉鎖することを決めた。",
            ),
            ("th", "สภาเมืองตัดสินใจเมื่อวันอังคารที่จะปิดสะพานสองแห่งเพื่อซ่อมแซม"),
        ] {
            tokens.read(text);
            assert_eq!(detect(&tokens).map(Language::code), Some(code), "{text}");
        }
        for text in ["", "12 34", "ສະບາຍດີ"] {
            tokens.read(text);
            assert_eq!(detect(&tokens), None, "{text}");
        }
    }
}
