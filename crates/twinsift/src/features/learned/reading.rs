//! A document read closely: its words, where they stand, and what its title and address
//! say.

use super::phi::{self, Gram};
use crate::document::Document;
use crate::features::shingles;
use crate::hash;
use crate::tokenise::{Tokens, disguises};

/// A document's words and k-grams. Reuse it: its buffers stay allocated.
#[derive(Clone, Debug, Default)]
pub struct ReadDocument {
    /// The words in order.
    pub tokens: Tokens,
    /// Their hashes.
    pub words: Vec<u64>,
    /// How long it is, from 0 to 1.
    pub(super) length: f32,
    /// Hashes of the words of the title, ascending.
    pub title: Vec<u64>,
    /// Hashes of the words of the address, ascending.
    pub url: Vec<u64>,
    /// The distinct k-grams, in the order in which they first appear.
    pub grams: Vec<Gram>,
    /// The k-gram that begins at each word.
    values: Vec<u64>,
    /// By word: bit 0 is a capital, bit 1 part of a web address.
    marks: Vec<u8>,
    /// Where in `grams` a value is, by its trailing bits.
    slots: Vec<u32>,
    field: Tokens,
}

const CAPITAL: u8 = 1;
const LINKED: u8 = 2;

impl ReadDocument {
    /// Reads a document, cut into k-grams of `k` words.
    pub fn read(&mut self, document: &Document<'_>, k: usize, without_disguises: bool) {
        let text = document.text.as_ref();
        let places = self.tokens.read_as_with_places(text, without_disguises);
        self.words.clear();
        self.words.extend(self.tokens.bytes().map(hash::bytes));
        self.length = phi::length(self.words.len());
        self.marks.clear();
        let bytes = text.as_bytes();
        let (mut before, mut linked) = (0, false);
        for place in places {
            let gap = bytes.get(before..place.start).unwrap_or_default();
            before = place.end;
            linked = disguises::continues_address(gap, linked);
            let capital = match bytes[place.start] {
                ascii if ascii.is_ascii() => ascii.is_ascii_uppercase(),
                _ => text[place].starts_with(char::is_uppercase),
            };
            self.marks
                .push((CAPITAL * u8::from(capital)) | (LINKED * u8::from(linked)));
        }
        let Self {
            field, title, url, ..
        } = self;
        for (out, text) in [(title, &document.title), (url, &document.url)] {
            out.clear();
            let text = text.as_deref().unwrap_or_default();
            field.read_as(text, without_disguises);
            out.extend(field.bytes().map(hash::bytes));
            out.sort_unstable();
            out.dedup();
        }
        self.gather(k);
    }

    /// Finds the distinct k-grams.
    fn gather(&mut self, k: usize) {
        gram_values(&self.tokens, k, &mut self.values);
        self.grams.clear();
        let mask = (self.values.len() * 2).next_power_of_two() - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, u32::MAX);
        for (first, &value) in (0u32..).zip(&self.values) {
            let marks = self.marks.get(first as usize).copied().unwrap_or(0);
            let mut slot = value as usize & mask;
            let gram = loop {
                match self.slots[slot] {
                    u32::MAX => {
                        self.slots[slot] = self.grams.len() as u32;
                        self.grams.push(Gram {
                            value,
                            first,
                            count: 0,
                            capital: false,
                            linked: false,
                        });
                        break self.grams.len() - 1;
                    }
                    at if self.grams[at as usize].value == value => break at as usize,
                    _ => slot = (slot + 1) & mask,
                }
            };
            let gram = &mut self.grams[gram];
            gram.count += 1;
            gram.capital |= marks & CAPITAL != 0;
            gram.linked |= marks & LINKED != 0;
        }
    }
}

/// Replaces `values` by the value of the k-gram that begins at each word.
pub(super) fn gram_values(tokens: &Tokens, k: usize, values: &mut Vec<u64>) {
    values.clear();
    match k {
        // A word is its own value: no need to scramble it again.
        1 => values.extend(tokens.bytes().map(hash::bytes)),
        _ => shingles::roll(tokens, k, values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(document: &Document<'_>, k: usize) -> ReadDocument {
        let mut reading = ReadDocument::default();
        reading.read(document, k, false);
        reading
    }

    fn gram(reading: &ReadDocument, k: usize, words: &str) -> Option<Gram> {
        let other = read(&Document::new("", words), k);
        let value = other.grams.first()?.value;
        reading
            .grams
            .iter()
            .find(|gram| gram.value == value)
            .copied()
    }

    #[test]
    fn what_is_known_of_a_gram() {
        let mut document = Document::new("d", "the dog saw The Dog at http://dog.example/x by day");
        document.title = Some("A dog".into());
        let reading = read(&document, 1);
        let dog = gram(&reading, 1, "dog").expect("it is there");
        assert_eq!((dog.first, dog.count), (1, 3));
        assert!(dog.capital && dog.linked);
        let day = gram(&reading, 1, "day").expect("it is there");
        assert!(!day.capital && !day.linked);
        let x = gram(&reading, 1, "x").expect("it is there");
        assert!(x.linked);
        assert_eq!(reading.title.len(), 2);
        let pairs = read(&document, 2);
        let the_dog = gram(&pairs, 2, "the dog").expect("it is there");
        assert_eq!((the_dog.first, the_dog.count), (0, 2));
        assert!(pairs.grams.is_sorted_by_key(|gram| gram.first));
    }

    #[test]
    fn short_and_empty_documents() {
        assert!(read(&Document::new("d", ""), 3).grams.is_empty());
        assert_eq!(read(&Document::new("d", "one two"), 3).grams.len(), 1);
    }
}
