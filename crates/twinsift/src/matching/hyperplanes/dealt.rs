//! A pass: all signatures, dealt out by a band. They are copied group by group, because it
//! costs far more to fetch each from where it lies.

use super::bands::{Band, Places};
use crate::sketch::Rows;
use rayon::prelude::*;

/// Signatures and their documents, group by group. Each thread deals out a part of them.
pub(super) struct Dealt {
    parts: Vec<Part>,
    width: usize,
}

#[derive(Default)]
struct Part {
    places: Places,
    docs: Vec<u32>,
    signatures: Vec<u64>,
}

impl Dealt {
    pub fn new(width: usize) -> Self {
        let parts = (0..rayon::current_num_threads()).map(|_| Part::default());
        Self {
            parts: parts.collect(),
            width,
        }
    }

    /// Deals `docs` out by a band, in place of what was dealt before.
    pub fn deal(&mut self, rows: &Rows, docs: &[u32], band: &Band) {
        let size = docs.len().div_ceil(self.parts.len()).max(1);
        let width = self.width;
        let shares = docs.par_chunks(size).zip(&mut self.parts);
        shares.for_each(|(docs, part)| {
            part.docs.resize(docs.len(), 0);
            part.signatures.resize(docs.len() * width, 0);
            let signatures = docs.iter().map(|&doc| rows.row(doc));
            part.places
                .deal(signatures, band, |signature, number, place| {
                    part.docs[place] = docs[number];
                    part.signatures[place * width..][..width].copy_from_slice(signature);
                });
        });
    }

    /// Puts a group in one piece, in the order of the documents.
    pub fn collect(&self, group: usize, docs: &mut Vec<u32>, signatures: &mut Vec<u64>) {
        docs.clear();
        signatures.clear();
        for part in &self.parts {
            let places = part.places.of(group);
            docs.extend(&part.docs[places.clone()]);
            let words = places.start * self.width..places.end * self.width;
            signatures.extend(&part.signatures[words]);
        }
    }
}
