//! A large corpus, made of the documents of a smaller one.
//!
//! Growth must be measured on text that behaves like text: word frequencies,
//! lengths and chance agreements all matter. So documents are put together
//! from the sentences of real ones, each from several of them, and a third of the
//! words are exchanged. One in ten is a near copy of an earlier one, with 1 to 8 %
//! of its words exchanged.
//!
//! A third is that much because the rate of duplicates must not depend on the size.
//! Were sentences left whole, ten times the documents would repeat each sentence
//! ten times as often: another kind of corpus, not a larger one.
//!
//! Every document follows from the seed and its number alone. A copy can thus
//! be made without keeping its original, and the corpus is written as a stream.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use fastrand::Rng;
use serde_json::{Value, json};

/// Sentences of real documents, all in one string.
pub struct Raw {
    text: String,
    /// Where each sentence starts; one more for the end of the last.
    starts: Vec<usize>,
}

/// The fewest and the most words of a sentence that is used.
const SENTENCE_WORDS: std::ops::RangeInclusive<usize> = 5..=60;

/// One document in so many is a near copy.
const COPIES_ONE_IN: u64 = 10;

impl Raw {
    /// Reads the texts of a JSON-lines file (`text`, `abstract` or `content`).
    pub fn read(path: &Path) -> Result<Self> {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
        let mut raw = Self {
            text: String::new(),
            starts: vec![0],
        };
        for (at, line) in BufReader::new(file).lines().enumerate() {
            let row: Value = serde_json::from_str(&line?)
                .with_context(|| format!("{shown}, line {}: no JSON", at + 1))?;
            let text = ["text", "abstract", "content"]
                .iter()
                .find_map(|field| row[field].as_str());
            let Some(text) = text else {
                bail!("{shown}, line {}: no text", at + 1);
            };
            raw.add(text);
        }
        if raw.len() < 100 {
            bail!("{shown} has too few sentences to make a corpus of");
        }
        Ok(raw)
    }

    fn add(&mut self, text: &str) {
        for sentence in text.split_inclusive(". ") {
            let words: Vec<&str> = sentence.split_whitespace().collect();
            if SENTENCE_WORDS.contains(&words.len()) {
                for word in words {
                    self.text.push_str(word);
                    self.text.push(' ');
                }
                self.starts.push(self.text.len());
            }
        }
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn sentence(&self, at: usize) -> impl Iterator<Item = &str> {
        self.text[self.starts[at]..self.starts[at + 1]].split_whitespace()
    }

    /// Any word of any sentence: common words come often.
    fn word(&self, chance: &mut Rng) -> &str {
        let sentence = chance.usize(..self.len());
        let count = self.sentence(sentence).count();
        let word = chance.usize(..count);
        self.sentence(sentence).nth(word).unwrap_or_default()
    }
}

/// Writes a corpus of so many documents.
pub fn write_corpus(raw: &Raw, seed: u64, documents: usize, path: &Path) -> Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    for number in 0..documents as u64 {
        let text = document(raw, seed, number);
        serde_json::to_writer(&mut out, &json!({ "id": number, "text": text }))?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// The text of one document.
fn document(raw: &Raw, seed: u64, number: u64) -> String {
    let chance = &mut stream(seed, number);
    let words = match original(seed, number, chance) {
        Some(earlier) => {
            let mut words = fresh(raw, &mut stream(seed, earlier));
            let share = chance.f64() * 0.07 + 0.01;
            exchange(raw, &mut words, share, chance);
            words
        }
        None => fresh(raw, chance),
    };
    words.join(" ")
}

fn stream(seed: u64, number: u64) -> Rng {
    Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number)
}

fn is_copy(seed: u64, number: u64) -> bool {
    number > 0 && stream(!seed, number).u64(..COPIES_ONE_IN) == 0
}

/// The earlier document that this one copies, if it is a copy.
fn original(seed: u64, number: u64, chance: &mut Rng) -> Option<u64> {
    if !is_copy(seed, number) {
        return None;
    }
    loop {
        let earlier = chance.u64(..number);
        if !is_copy(seed, earlier) {
            return Some(earlier);
        }
    }
}

fn fresh<'a>(raw: &'a Raw, chance: &mut Rng) -> Vec<&'a str> {
    let mut words = Vec::new();
    for _ in 0..chance.usize(5..=11) {
        let sentence = chance.usize(..raw.len());
        words.extend(raw.sentence(sentence));
    }
    exchange(raw, &mut words, 0.35, chance);
    words
}

/// Puts other words in the place of a share of them.
fn exchange<'a>(raw: &'a Raw, words: &mut [&'a str], share: f64, chance: &mut Rng) {
    let count = (words.len() as f64 * share).ceil() as usize;
    for _ in 0..count {
        let at = chance.usize(..words.len());
        words[at] = raw.word(chance);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn raw() -> Raw {
        let mut raw = Raw {
            text: String::new(),
            starts: vec![0],
        };
        for number in 0..400 {
            let words: Vec<String> = (0..12)
                .map(|word| format!("w{}", number * 7 + word))
                .collect();
            raw.add(&(words.join(" ") + ". Too short. "));
        }
        raw
    }

    fn grams(text: &str) -> HashSet<Vec<&str>> {
        let words: Vec<&str> = text.split(' ').collect();
        words.windows(5).map(<[&str]>::to_vec).collect()
    }

    #[test]
    fn documents_follow_from_seed_and_number() {
        let raw = raw();
        assert_eq!(raw.len(), 400);
        assert_eq!(document(&raw, 3, 17), document(&raw, 3, 17));
        assert_ne!(document(&raw, 3, 17), document(&raw, 4, 17));
        let all: HashSet<String> = (0..2000).map(|number| document(&raw, 3, number)).collect();
        assert_eq!(all.len(), 2000, "no two are the same");
    }

    #[test]
    fn one_in_ten_is_a_near_copy() {
        let raw = raw();
        let (mut copies, mut alike) = (0, 0);
        for number in 0..3000 {
            if let Some(earlier) = original(3, number, &mut stream(3, number)) {
                let (copy, first) = (document(&raw, 3, number), document(&raw, 3, earlier));
                let (copy, first) = (grams(&copy), grams(&first));
                let both = copy.intersection(&first).count() as f64;
                let score = both / (copy.len() + first.len()) as f64;
                assert!(score / (1.0 - score) > 0.3, "{score}");
                copies += 1;
                alike += usize::from(score / (1.0 - score) >= 0.8);
            }
        }
        assert!((240..=360).contains(&copies), "{copies}");
        assert!(alike * 10 > copies, "{alike} of {copies} reach 0.8");
    }
}
