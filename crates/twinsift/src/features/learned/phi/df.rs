//! How common a k-gram's words are.

use super::knots;
use crate::hash;
use crate::lexicon::{Lexicon, normalised_idf};
use crate::tokenise::disguises;
use std::collections::HashMap;

/// Knots of normalised idf: 0 is a word of every document, 1 a word of one or none.
const KNOTS: [f32; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];

pub(super) fn names(k: usize) -> Vec<String> {
    let mut names = knots::names("df", &KNOTS);
    if k > 1 {
        names.extend(["df-avg", "df-med"].map(str::to_owned));
    }
    names
}

/// How many features there are.
pub(super) fn width(k: usize) -> usize {
    KNOTS.len() + if k > 1 { 2 } else { 0 }
}

/// The normalised idf of words, by their hashes. Words that the lexicon does not have are
/// as rare as can be.
///
/// A look-up is one read, nearly always: a word stands at or right behind the place that
/// the leading bits of its hash name, known by the trailing ones. Of words that are not
/// in the lexicon, one in some 10⁹ is taken for another.
#[derive(Clone, Debug)]
pub struct Rarity {
    slots: Vec<Slot>,
    shift: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    trailing: u32,
    /// Below 0 where there is no word.
    idf: f32,
}

const FREE: Slot = Slot {
    trailing: 0,
    idf: -1.0,
};

impl Rarity {
    /// From a lexicon. Where words are read without their disguises, so are those
    /// of the lexicon, and words that become one are as common as the most common
    /// of them.
    pub fn new(lexicon: &Lexicon, without_disguises: bool) -> Self {
        let words = match without_disguises {
            false => {
                let frequencies = lexicon.frequencies().iter().copied();
                lexicon.hashes().iter().copied().zip(frequencies).collect()
            }
            true => undisguised(lexicon),
        };
        let count = (words.len() * 3 / 2 + 2).next_power_of_two();
        let mut rarity = Self {
            slots: vec![FREE; count],
            shift: 64 - count.trailing_zeros(),
        };
        for (hash, frequency) in words {
            let mut at = (hash >> rarity.shift) as usize;
            while rarity.slots[at].idf >= 0.0 {
                at = (at + 1) & (count - 1);
            }
            rarity.slots[at] = Slot {
                trailing: hash as u32,
                idf: normalised_idf(lexicon.documents(), frequency) as f32,
            };
        }
        rarity
    }

    /// The normalised idf of a word.
    #[inline]
    pub fn of(&self, word: u64) -> f32 {
        let mut at = (word >> self.shift) as usize;
        loop {
            let slot = self.slots[at];
            if slot.idf < 0.0 {
                return 1.0;
            }
            if slot.trailing == word as u32 {
                return slot.idf;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }
}

/// Emits DF, and for k > 1 DF-Avg and DF-Med, of a k-gram of words with these idf.
#[inline]
pub(super) fn emit_values(
    idf: &[f32],
    k: usize,
    scratch: &mut Vec<f32>,
    mut emit: impl FnMut(usize, f32),
) {
    if let ([idf], 1) = (idf, k) {
        return knots::spread(*idf, &KNOTS, emit);
    }
    scratch.clear();
    scratch.extend_from_slice(idf);
    scratch.sort_unstable_by(f32::total_cmp);
    knots::spread(scratch.last().copied().unwrap_or(1.0), &KNOTS, &mut emit);
    if k > 1 {
        let n = scratch.len().max(1);
        let middle = |at: usize| scratch.get(at).copied().unwrap_or(1.0);
        emit(KNOTS.len(), scratch.iter().sum::<f32>() / n as f32);
        emit(KNOTS.len() + 1, (middle((n - 1) / 2) + middle(n / 2)) / 2.0);
    }
}

/// The words of a lexicon without their disguises, by ascending hash.
fn undisguised(lexicon: &Lexicon) -> Vec<(u64, u32)> {
    let mut words: HashMap<u64, u32> = HashMap::new();
    for (at, &frequency) in lexicon.frequencies().iter().enumerate() {
        let spelling = disguises::spelling(lexicon.word(at));
        let known = words.entry(hash::bytes(spelling.as_bytes())).or_default();
        *known = frequency.max(*known);
    }
    let mut words: Vec<(u64, u32)> = words.into_iter().collect();
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Counter, Limits};
    use crate::{Document, Settings};

    fn lexicon(texts: &[&str]) -> Lexicon {
        let mut counter = Counter::new(&Settings::default());
        for (at, text) in texts.iter().enumerate() {
            let document = Document::new(at.to_string(), *text);
            counter.add(&document).expect("room");
        }
        let limits = Limits {
            min_documents: 1,
            ..Limits::default()
        };
        counter.finish(limits).expect("room")
    }

    #[test]
    fn every_word_is_found_and_no_other() {
        let texts = ["the river", "the bridge", "the council", "the council sat"];
        let lexicon = lexicon(&texts);
        let rarity = Rarity::new(&lexicon, false);
        let of = |word: &str| rarity.of(hash::bytes(word.as_bytes()));
        assert_eq!(of("the"), 0.0);
        assert_eq!(of("council"), 0.5);
        assert_eq!(of("river"), 1.0);
        assert_eq!(of("unheard"), 1.0);
        let none = Rarity::new(&Lexicon::of_hashes(0, Vec::new(), Vec::new()), false);
        assert_eq!(none.of(7), 1.0);
    }

    #[test]
    fn the_rarest_word_the_mean_and_the_median() {
        let lexicon = lexicon(&["a b c", "a b", "a", "a"]);
        let rarity = Rarity::new(&lexicon, false);
        let words = ["a", "b", "c"].map(|word| hash::bytes(word.as_bytes()));
        let mut out = vec![0.0; width(3)];
        let idf = words.map(|word| rarity.of(word));
        emit_values(&idf, 3, &mut Vec::new(), |at, value| out[at] = value);
        assert_eq!(out, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5]);
    }

    #[test]
    fn disguised_words_are_as_common_as_plain_ones() {
        let lexicon = lexicon(&["toner", "toner", "t0ner", "ink"]);
        let rarity = Rarity::new(&lexicon, true);
        let word = disguises::spelling("t0nre");
        assert_ne!(rarity.of(hash::bytes(word.as_bytes())), 0.5);
        let word = disguises::spelling("tnoer");
        assert_eq!(rarity.of(hash::bytes(word.as_bytes())), 0.5);
    }
}
