//! I-Match: a document is a hash of the words that it shares with a lexicon.
//!
//! The lexicon of a signature is a window of a collection's words, neither too
//! common nor too rare ([`window`]). Which of them a document has is hashed into one
//! value; two documents match if the values are equal. Changes outside the
//! lexicon, and the order of words, change nothing. This is the system of Kołcz
//! and Chowdhury (2004, 2008), with both of its additions:
//!
//! * **The secondary lexicon.** If too few of a document's words are in the lexicon,
//!   the value would speak for a small part of the document only. Then words above
//!   the window are added, the most frequent first, as few as needed. What still
//!   falls short gets no value. (Step 4 of the paper says that they come from L ∩ U;
//!   B ∩ U is meant.)
//! * **Randomised lexicons.** One changed word of the lexicon changes the value. So
//!   there are K further lexicons, each without a random part of the words
//!   ([`bags`]); documents match if they agree under some of them.
//!   [`survival`] is the paper's Eq. (1).
//!
//! **The hash.** A value is a sum, modulo 2⁶⁴, of scrambled word hashes, scrambled
//! once more with the number of words and the identity of the lexicon. A sum needs no
//! order, so that all K + 1 values come from one pass over the words, each looked up
//! once. It is not cryptographic: someone who knows the lexicon could construct two
//! texts of one value. [`Digest::Sha1`] is the paper's hash: SHA-1 of the words in
//! the order of their bytes, one after another without anything between them.

pub mod bags;
pub(crate) mod own;
mod sha1;
pub mod window;

use crate::hash;
use crate::lexicon::Lexicon;
use bags::Bags;
use serde::{Deserialize, Serialize};
use window::Window;

/// How signatures are made from a lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// The range of normalised idf of the primary lexicon.
    pub window: [f64; 2],
    /// A signature of fewer words is rejected.
    pub min_terms: u32,
    /// The least share of a document's words that a signature must be made of; 0
    /// leaves the secondary lexicon out.
    pub min_ratio: f64,
    /// The most words of the secondary lexicon.
    pub secondary: u32,
    /// Randomised lexicons beside the original.
    pub lexicons: u32,
    /// How they are drawn.
    pub bags: Bags,
    /// What a value is.
    pub digest: Digest,
}

/// The hash behind a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Digest {
    /// A sum of scrambled word hashes, 64 bits.
    #[default]
    Sum,
    /// SHA-1 of the words in the order of their bytes, as in the papers.
    Sha1,
}

impl Digest {
    /// 64-bit numbers to a value.
    pub fn lanes(self) -> usize {
        match self {
            Digest::Sum => 1,
            Digest::Sha1 => 3,
        }
    }
}

/// The most randomised lexicons: with the original, a bit of a number for each.
pub const MOST_LEXICONS: u32 = 63;

/// Documents with fewer words get no signature (section 6.3).
pub const LEAST_WORDS: usize = 5;

impl Default for Rules {
    fn default() -> Self {
        Self {
            window: [0.2, 0.8],
            min_terms: 5,
            min_ratio: 0.0,
            secondary: 1_000_000,
            lexicons: 10,
            bags: Bags::Bootstrap,
            digest: Digest::Sum,
        }
    }
}

/// The chance that at least `require` of `lexicons` randomised signatures survive
/// `changes` words of the lexicon added or removed, if each lexicon leaves out a
/// word with chance `dropped`. With `require` 1 this is Eq. (1), 1 - (1 - pⁿ)ᴷ.
pub fn survival(changes: u32, dropped: f64, lexicons: u32, require: u32) -> f64 {
    if changes == 0 {
        return 1.0;
    }
    let one = dropped.powi(changes as i32);
    // The chance of exactly i, for i from 0 up to require - 1.
    let mut chance = (1.0 - one).powi(lexicons as i32);
    let mut fewer = 0.0;
    for i in 0..require.min(lexicons + 1) {
        fewer += chance;
        let (i, n) = (f64::from(i), f64::from(lexicons));
        chance *= (n - i) / (i + 1.0) * one / (1.0 - one).max(f64::MIN_POSITIVE);
    }
    (1.0 - fewer).max(0.0)
}

/// Makes the signatures of documents under one lexicon.
#[derive(Debug)]
pub struct Signer {
    rules: Rules,
    /// Values to a document.
    width: usize,
    slots: Vec<Slot>,
    /// What makes values of other lexicons, rules and places differ.
    salts: Vec<u64>,
}

/// A word of the table.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u64,
    /// The lexicons that have the word, as bits. The original has all, so that no
    /// bit at all means an empty slot.
    bags: u64,
    /// 0 for the primary lexicon, else the rank in the secondary one.
    rank: u32,
}

/// What became of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Which values there are, as bits; the others were rejected.
    pub valid: u64,
    /// Words of the primary lexicon in the document.
    pub terms: u32,
}

/// Buffers for signing; reuse them.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Words of the secondary lexicon: rank, place in the document, lexicons.
    spare: Vec<(u32, u32, u64)>,
}

impl Signer {
    /// A signer for `lexicon`; `seed` draws the randomised lexicons. Values of
    /// signers with another `identity` never compare equal.
    pub fn new(lexicon: &Lexicon, rules: Rules, seed: u64, identity: &str) -> Self {
        let window = Window::new(lexicon, rules.window);
        let hashes = lexicon.hashes();
        let lexicons = rules.lexicons.min(MOST_LEXICONS);
        let primary: Vec<u64> = window.primary().map(|at| hashes[at]).collect();
        let limit = match rules.min_ratio > 0.0 {
            true => rules.secondary as usize,
            false => 0,
        };
        let ranked: Vec<u64> = window.secondary(limit).map(|at| hashes[at]).collect();
        let mut slots =
            vec![Slot::default(); ((primary.len() + ranked.len()) * 2 + 1).next_power_of_two()];
        let bags = [
            rules.bags.draw(&primary, lexicons, hash::pair(seed, 1)),
            rules.bags.draw(&ranked, lexicons, hash::pair(seed, 2)),
        ];
        let primary = primary
            .iter()
            .zip(&bags[0])
            .map(|(&hash, &bags)| (hash, bags, 0));
        let ranked = ranked.iter().zip(&bags[1]).zip(1..);
        let ranked = ranked.map(|((&hash, &bags), rank)| (hash, bags, rank));
        for (hash, bags, rank) in primary.chain(ranked) {
            let mut at = hash as usize & (slots.len() - 1);
            while slots[at].bags != 0 {
                at = (at + 1) & (slots.len() - 1);
            }
            slots[at] = Slot { hash, bags, rank };
        }
        let width = lexicons as usize + 1;
        let salt = hash::pair(
            hash::bytes(identity.as_bytes()),
            hash::bytes(lexicon.id().as_bytes()),
        );
        Self {
            rules,
            width,
            slots,
            salts: (0..width as u64).map(|at| hash::pair(salt, at)).collect(),
        }
    }

    /// Values to a document.
    pub fn width(&self) -> usize {
        self.width
    }

    /// 64-bit numbers to a document.
    pub fn row_width(&self) -> usize {
        self.width * self.rules.digest.lanes()
    }

    /// Whether signatures depend on how many words a document has besides those of
    /// the primary lexicon. If not, [`sign`](Self::sign) can do without the others.
    pub fn needs_all_words(&self) -> bool {
        self.rules.min_ratio > 0.0 || (self.rules.min_terms as usize) < LEAST_WORDS
    }

    /// Whether the primary lexicon has the word with this hash.
    pub fn is_primary(&self, hash: u64) -> bool {
        self.find(hash).is_some_and(|slot| slot.rank == 0)
    }

    #[inline]
    fn find(&self, hash: u64) -> Option<Slot> {
        let mut at = hash as usize & (self.slots.len() - 1);
        loop {
            let slot = self.slots[at];
            if slot.bags == 0 {
                return None;
            }
            if slot.hash == hash {
                return Some(slot);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Signs a document, given by the distinct hashes of its words. Replaces `row` by
    /// one number for each lexicon, 0 where the value was rejected.
    pub fn sign(&self, words: &[u64], scratch: &mut Scratch, row: &mut Vec<u64>) -> Signed {
        let mut sums = [0u64; MOST_LEXICONS as usize + 1];
        let sums = &mut sums[..self.width];
        let signed = self.select(words, scratch, |at, bags| {
            let word = hash::mix(words[at]);
            for (place, sum) in sums.iter_mut().enumerate() {
                let is_in = 0u64.wrapping_sub(bags >> place & 1);
                *sum = sum.wrapping_add(word & is_in);
            }
        });
        row.clear();
        row.extend(
            sums.iter()
                .zip(&self.salts)
                .enumerate()
                .map(|(place, (&sum, &salt))| match signed.valid >> place & 1 {
                    0 => 0,
                    _ => hash::pair(salt, sum).max(1),
                }),
        );
        signed
    }

    /// Chooses the words that each value is made of: `add` is called with the place
    /// of a word in `words` and the lexicons that take it, as bits. A word of the
    /// secondary lexicon may come several times, with different bits.
    fn select(
        &self,
        words: &[u64],
        scratch: &mut Scratch,
        mut add: impl FnMut(usize, u64),
    ) -> Signed {
        let spare = &mut scratch.spare;
        spare.clear();
        let mut counts = [0u32; MOST_LEXICONS as usize + 1];
        let counts = &mut counts[..self.width];
        for (at, &word) in words.iter().enumerate() {
            let Some(slot) = self.find(word) else {
                continue;
            };
            if slot.rank > 0 {
                spare.push((slot.rank, at as u32, slot.bags));
                continue;
            }
            add(at, slot.bags);
            for (place, count) in counts.iter_mut().enumerate() {
                *count += (slot.bags >> place) as u32 & 1;
            }
        }
        let terms = counts[0];
        // A share that is met exactly must not fail for its last bit.
        let needed = (self.rules.min_ratio * words.len() as f64 - 1e-9).ceil() as u32;
        spare.sort_unstable();
        for (place, count) in counts.iter_mut().enumerate() {
            let spare = spare.iter().filter(|(_, _, bags)| bags >> place & 1 == 1);
            for &(_, at, _) in spare.take(needed.saturating_sub(*count) as usize) {
                add(at as usize, 1 << place);
                *count += 1;
            }
        }
        let least = needed.max(self.rules.min_terms).max(1);
        let valid = match words.len() < LEAST_WORDS {
            true => 0,
            false => (0..).zip(&*counts).fold(0, |valid, (place, &count)| {
                valid | u64::from(count >= least) << place
            }),
        };
        Signed { valid, terms }
    }
}

#[cfg(test)]
mod tests;
