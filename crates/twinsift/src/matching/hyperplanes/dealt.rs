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
        // There may be more threads than shares.
        for part in self.parts.iter().filter(|part| !part.docs.is_empty()) {
            let places = part.places.of(group);
            docs.extend(&part.docs[places.clone()]);
            let words = places.start * self.width..places.end * self.width;
            signatures.extend(&part.signatures[words]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Stream;

    #[test]
    fn groups_are_whole_and_in_order_whatever_the_threads() {
        let mut stream = Stream::new(3);
        let mut rows = Rows::new(2);
        let docs: Vec<u32> = (0..41).map(|doc| doc * 2).collect();
        for &doc in &docs {
            rows.set(doc, &[stream.next_value(), stream.next_value()]);
        }
        let band = Band::draw(2, 4, &mut Vec::new(), &mut stream);
        for threads in [1, 2, 7, 64] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                let mut dealt = Dealt::new(2);
                dealt.deal(&rows, &docs, &band);
                let mut seen = 0;
                for group in 0..band.groups() {
                    let (mut members, mut signatures) = (Vec::new(), Vec::new());
                    dealt.collect(group, &mut members, &mut signatures);
                    let of_group = |doc: &&u32| band.group(rows.row(**doc)) == group as u32;
                    assert!(members.iter().eq(docs.iter().filter(of_group)));
                    let whole = members.iter().flat_map(|&doc| rows.row(doc));
                    assert!(signatures.iter().eq(whole));
                    seen += members.len();
                }
                assert_eq!(seen, docs.len());
            });
        }
    }
}
