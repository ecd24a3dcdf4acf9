//! How does a long list of features become a short signature?
//!
//! | sketch | file | idea |
//! |---|---|---|
//! | min-hashes | [`minhash`] | two sets agree in a value with a chance equal to their Jaccard similarity |
//! | – of weighted features | [`quantised`] | a feature counts as many times as it weighs |
//! | super-shingles | [`supershingles`] | 84 min-hashes, 14 at a time hashed into 6 |
//! | I-Match | [`imatch`] | the words that a document shares with a lexicon, as one number |
//! | similarity hash | [`simhash`] | bits that agree more the smaller the angle between two vectors |

pub mod imatch;
pub mod minhash;
pub mod quantised;
pub mod simhash;
pub mod supershingles;

use crate::chance::Binomial;
use crate::vector::Vector;
use std::fmt;

/// Makes the sketch of a document out of its features. It has buffers of its own, so each thread
/// has one.
pub(crate) trait Sketcher: fmt::Debug + Send {
    /// Replaces `row` by the sketch of a vector.
    fn sketch(&mut self, vector: Vector<'_>, row: &mut Vec<u64>);
}

/// The chance that at least `count` of `places` agree, each with a chance of `one`.
fn at_least(count: u32, one: f64, places: u32) -> f64 {
    match count.checked_sub(1) {
        Some(fewer) => Binomial::new(one, places).above(fewer),
        None => 1.0,
    }
}

/// A row of values for each document; documents without features have none.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    width: usize,
    values: Vec<u64>,
    present: Vec<bool>,
}

impl Rows {
    /// Rows of `width` values.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// Values in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Sets the row of document `doc`; rows before it that were never set are
    /// missing.
    pub fn set(&mut self, doc: u32, row: &[u64]) {
        debug_assert_eq!(row.len(), self.width);
        let doc = doc as usize;
        if self.present.len() <= doc {
            self.present.resize(doc + 1, false);
            self.values.resize((doc + 1) * self.width, 0);
        }
        self.present[doc] = true;
        self.values[doc * self.width..][..self.width].copy_from_slice(row);
    }

    /// The row of `doc`; zeros if it is missing.
    pub fn row(&self, doc: u32) -> &[u64] {
        &self.values[doc as usize * self.width..][..self.width]
    }

    /// The row of `doc`, if it has one.
    pub fn get(&self, doc: u32) -> Option<&[u64]> {
        let is_present = self.present.get(doc as usize).copied();
        is_present.unwrap_or(false).then(|| self.row(doc))
    }

    /// The documents that have a row, ascending.
    pub fn docs(&self) -> impl Iterator<Item = u32> + Clone {
        (0u32..)
            .zip(&self.present)
            .filter(|&(_, &present)| present)
            .map(|(doc, _)| doc)
    }
}
