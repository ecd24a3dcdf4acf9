//! The signatures of a pass, grouped by a bit sample. They are copied group by group, because
//! it costs far more to fetch each from its row.

use super::bit_samples::{BitSample, Places};
use crate::sketch::Rows;
use rayon::prelude::*;

/// Signatures and their documents, group by group. Each thread groups a share of them.
pub(super) struct GroupedSignatures {
    shares: Vec<Share>,
    width: usize,
}

#[derive(Default)]
struct Share {
    places: Places,
    docs: Vec<u32>,
    signatures: Vec<u64>,
}

impl GroupedSignatures {
    pub(super) fn new(width: usize) -> Self {
        let shares = (0..rayon::current_num_threads()).map(|_| Share::default());
        Self {
            shares: shares.collect(),
            width,
        }
    }

    /// Groups `docs` by a bit sample, in place of those grouped before.
    pub(super) fn regroup(&mut self, rows: &Rows, docs: &[u32], sample: &BitSample) {
        let size = docs.len().div_ceil(self.shares.len()).max(1);
        let width = self.width;
        let docs_of_shares = docs.par_chunks(size).zip(&mut self.shares);
        docs_of_shares.for_each(|(docs, share)| {
            share.docs.resize(docs.len(), 0);
            share.signatures.resize(docs.len() * width, 0);
            let signatures = docs.iter().map(|&doc| rows.row(doc));
            share
                .places
                .assign(signatures, sample, |signature, number, place| {
                    share.docs[place] = docs[number];
                    share.signatures[place * width..][..width].copy_from_slice(signature);
                });
        });
    }

    /// Copies a group into `docs` and `signatures`, in the order of the documents.
    pub(super) fn collect(&self, group: usize, docs: &mut Vec<u32>, signatures: &mut Vec<u64>) {
        docs.clear();
        signatures.clear();
        // There may be more threads than shares.
        for share in self.shares.iter().filter(|share| !share.docs.is_empty()) {
            let places = share.places.of(group);
            docs.extend(&share.docs[places.clone()]);
            let words = places.start * self.width..places.end * self.width;
            signatures.extend(&share.signatures[words]);
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
        let sample = BitSample::draw(2, 4, &mut Vec::new(), &mut stream);
        for threads in [1, 2, 7, 64] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                let mut grouped = GroupedSignatures::new(2);
                grouped.regroup(&rows, &docs, &sample);
                let mut seen = 0;
                for group in 0..sample.groups() {
                    let (mut members, mut signatures) = (Vec::new(), Vec::new());
                    grouped.collect(group, &mut members, &mut signatures);
                    let of_group = |doc: &&u32| sample.group(rows.row(**doc)) == group as u32;
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
