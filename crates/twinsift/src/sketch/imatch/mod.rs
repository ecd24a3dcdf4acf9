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
//!   the window are added, the most frequent first, as few as needed. How many that is
//!   is said by a share of the document's words ([`Rules::min_ratio`], 2008) or by a
//!   number ([`Rules::expand_to`], 2004: "until the number of elements in S exceeds a
//!   user-defined threshold"; ours is the number that is reached). A document that
//!   falls short of the share gets no value; one that falls short of the number does, if
//!   it has [`Rules::min_terms`] words, which is the only rejection of 2004. (Step 4
//!   of the 2008 paper says that the words come from L ∩ U; B ∩ U is meant.)
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
mod table;
pub mod window;

use crate::hash;
use crate::lexicon::Lexicon;
use bags::Bags;
use serde::{Deserialize, Serialize};
use table::Table;
use window::Window;

/// How signatures are made from a lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// The range of normalised idf of the primary lexicon.
    pub window: [f64; 2],
    /// A signature of fewer words is rejected.
    pub min_terms: u32,
    /// The least share of a document's words that a signature must be made of; what
    /// is missing comes from the secondary lexicon.
    pub min_ratio: f64,
    /// Signatures of fewer words are filled up from the secondary lexicon, as far as it
    /// goes; 0 for none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub expand_to: u32,
    /// The most words of the secondary lexicon.
    pub secondary: u32,
    /// Randomised lexicons beside the original.
    pub lexicons: u32,
    /// How they are drawn.
    pub bags: Bags,
    /// What a value is.
    pub digest: Digest,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Rules {
    /// Whether words of the secondary lexicon may go into signatures.
    pub fn expands(&self) -> bool {
        self.min_ratio > 0.0 || self.expand_to > 0
    }
}

/// The hash behind a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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
            expand_to: 0,
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
    table: Table,
    /// What makes values of other lexicons, rules and places differ.
    salts: Vec<u64>,
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
    /// The words that go into values: their places in the document, and beside
    /// them the lexicons that take them, as bits. A word of the secondary lexicon
    /// may come several times, with different bits.
    places: Vec<u32>,
    takers: Vec<u64>,
    /// Words of the secondary lexicon: rank, place in the document, lexicons.
    secondary: Vec<(u32, u32, u64)>,
    /// The scrambled hashes of the words.
    scrambled: Vec<u64>,
}

impl Signer {
    /// A signer for `lexicon`; `seed` draws the randomised lexicons. Values of
    /// signers with another `identity` never compare equal.
    pub fn new(lexicon: &Lexicon, rules: Rules, seed: u64, identity: &str) -> Self {
        let window = Window::new(lexicon, rules.window);
        let hashes = lexicon.hashes();
        let lexicons = rules.lexicons.min(MOST_LEXICONS);
        let primary: Vec<u64> = window.primary().map(|at| hashes[at]).collect();
        let limit = match rules.expands() {
            true => rules.secondary as usize,
            false => 0,
        };
        let ranked: Vec<u64> = window.secondary(limit).map(|at| hashes[at]).collect();
        let drawn = |words: Vec<u64>, which: u64| -> Vec<(u64, u64)> {
            let bags = rules.bags.draw(&words, lexicons, hash::pair(seed, which));
            words.into_iter().zip(bags).collect()
        };
        let table = Table::new(&drawn(primary, 1), &drawn(ranked, 2));
        let width = lexicons as usize + 1;
        let salt = hash::pair(
            hash::bytes(identity.as_bytes()),
            hash::bytes(lexicon.id().as_bytes()),
        );
        Self {
            rules,
            width,
            table,
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
        self.rules.expands() || (self.rules.min_terms as usize) < LEAST_WORDS
    }

    /// Whether the primary lexicon has the word with this hash.
    pub fn is_primary(&self, hash: u64) -> bool {
        self.table.find(hash).is_some_and(|slot| slot.rank == 0)
    }

    /// A quick test that lets all words of the primary lexicon through, and few others.
    #[inline]
    pub fn may_be_primary(&self, hash: u64) -> bool {
        self.table.may_be_primary(hash)
    }

    /// Signs a document, given by the distinct hashes of its words. Replaces `row` by
    /// one number for each lexicon, 0 where the value was rejected.
    pub fn sign(&self, words: &[u64], scratch: &mut Scratch, row: &mut Vec<u64>) -> Signed {
        let signed = self.select(words, scratch);
        let Scratch {
            places,
            takers,
            scrambled,
            ..
        } = scratch;
        scrambled.clear();
        scrambled.extend(places.iter().map(|&at| hash::mix(words[at as usize])));
        row.clear();
        row.extend((0..).zip(&self.salts).map(|(lexicon, &salt)| {
            let taken = scrambled.iter().zip(&*takers);
            // Without a branch: the processor could not guess it.
            let sum = taken.fold(0u64, |sum, (&word, takers)| {
                sum.wrapping_add(word & 0u64.wrapping_sub(takers >> lexicon & 1))
            });
            match signed.valid >> lexicon & 1 {
                0 => 0,
                _ => hash::pair(salt, sum).max(1),
            }
        }));
        signed
    }

    /// Chooses the words that each value is made of and leaves them in `scratch`.
    fn select(&self, words: &[u64], scratch: &mut Scratch) -> Signed {
        let Scratch {
            places,
            takers,
            secondary,
            ..
        } = scratch;
        places.clear();
        takers.clear();
        secondary.clear();
        for (at, &word) in (0..).zip(words) {
            match self.table.find(word) {
                None => {}
                Some(slot) if slot.rank > 0 => secondary.push((slot.rank, at, slot.bags)),
                Some(slot) => {
                    places.push(at);
                    takers.push(slot.bags);
                }
            }
        }
        let primary = places.len();
        // A share that is met exactly must not fail for its last bit.
        let share = (self.rules.min_ratio * words.len() as f64 - 1e-9).ceil() as usize;
        let wanted = share.max(self.rules.expand_to as usize);
        let least = share.max(self.rules.min_terms as usize).max(1);
        secondary.sort_unstable();
        let mut valid = 0;
        for lexicon in 0..self.width {
            let is_in = |bags: u64| bags >> lexicon & 1;
            let count = takers[..primary]
                .iter()
                .map(|&bags| is_in(bags))
                .sum::<u64>() as usize;
            let secondary = secondary.iter().filter(|(_, _, bags)| is_in(*bags) == 1);
            let added = places.len();
            places.extend(
                secondary
                    .map(|(_, at, _)| at)
                    .take(wanted.saturating_sub(count)),
            );
            takers.resize(places.len(), 1 << lexicon);
            valid |= u64::from(count + places.len() - added >= least) << lexicon;
        }
        Signed {
            valid: match words.len() < LEAST_WORDS {
                true => 0,
                false => valid,
            },
            terms: primary as u32,
        }
    }
}

#[cfg(test)]
mod tests;
