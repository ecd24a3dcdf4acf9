//! The documents of the load, made from a seed.
//!
//! Any document can be made at any time from its number alone, so a million of
//! them need no memory and a process of its own sees the same ones. Which
//! documents share a key follows from the seed as well: [`Truth`] says what the
//! right answer to a query is, and every answer of every store is held to it.

use std::collections::BTreeSet;
use std::ops::Range;

/// Keys of a document.
pub const KEYS: usize = 60;
/// Bytes of a signature.
pub const SIGNATURE: usize = 2_000;

/// A seed, from which documents are made.
#[derive(Clone, Copy)]
pub struct Corpus {
    pub seed: u64,
}

/// What is put into a store.
pub struct Document {
    pub number: u32,
    pub id: String,
    pub keys: [u64; KEYS],
    pub signature: Vec<u8>,
}

/// Scatters the bits of a number (the finaliser of SplitMix64).
fn scatter(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Corpus {
    /// The `index`th of an endless row of random numbers called `name`.
    pub fn random(self, name: &str, index: u64) -> u64 {
        let stream = name
            .bytes()
            .fold(self.seed, |h, b| scatter(h ^ u64::from(b)));
        scatter(scatter(stream ^ index))
    }

    /// Where the first key of a document is copied from, for every second
    /// document: an earlier document and one of its own keys.
    fn copied(self, number: u32) -> Option<(u32, usize)> {
        let random = self.random("copied", number.into());
        (number > 0 && random & 1 == 0).then(|| {
            let source = ((random >> 1) & 0xffff_ffff) % u64::from(number);
            (source as u32, 1 + (random >> 40) as usize % (KEYS - 1))
        })
    }

    pub fn keys(self, number: u32) -> [u64; KEYS] {
        let stream = self.random("keys", number.into());
        let mut keys = std::array::from_fn(|slot| scatter(stream ^ slot as u64));
        if let Some((source, slot)) = self.copied(number) {
            keys[0] = scatter(self.random("keys", source.into()) ^ slot as u64);
        }
        keys
    }

    pub fn id(self, number: u32) -> String {
        format!("doc-{:016x}", self.random("id", number.into()))
    }

    pub fn document(self, number: u32) -> Document {
        let stream = self.random("signature", number.into());
        let words = (0..SIGNATURE as u64 / 8).map(|word| scatter(stream ^ word));
        Document {
            number,
            id: self.id(number),
            keys: self.keys(number),
            signature: words.flat_map(u64::to_le_bytes).collect(),
        }
    }

    pub fn documents(self, numbers: Range<u32>) -> Vec<Document> {
        numbers.map(|number| self.document(number)).collect()
    }

    /// All (key, number) pairs of the first `count` documents, sorted.
    pub fn sorted_postings(self, count: u32) -> Vec<(u64, u32)> {
        let mut pairs = Vec::with_capacity(count as usize * KEYS);
        for number in 0..count {
            pairs.extend(self.keys(number).map(|key| (key, number)));
        }
        pairs.sort_unstable();
        pairs
    }

    /// All (id, number) pairs of the first `count` documents, sorted.
    pub fn sorted_ids(self, count: u32) -> Vec<(String, u32)> {
        let mut pairs: Vec<_> = (0..count).map(|number| (self.id(number), number)).collect();
        pairs.sort_unstable();
        pairs
    }
}

/// Which documents share keys, among the first so many of a corpus.
pub struct Truth {
    corpus: Corpus,
    copies: BTreeSet<(u32, usize, u32)>,
}

impl Truth {
    pub fn new(corpus: Corpus, count: u32) -> Self {
        let copies = (0..count).filter_map(|number| {
            let (source, slot) = corpus.copied(number)?;
            Some((source, slot, number))
        });
        Self {
            corpus,
            copies: copies.collect(),
        }
    }

    /// The numbers a query with the keys of a document has to find, sorted.
    pub fn answer(&self, number: u32) -> Vec<u32> {
        let mut found = vec![number];
        if let Some((source, slot)) = self.corpus.copied(number) {
            found.push(source);
            found.extend(self.within((source, slot, 0)..(source, slot + 1, 0)));
        }
        found.extend(self.within((number, 0, 0)..(number + 1, 0, 0)));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn within(&self, range: Range<(u32, usize, u32)>) -> impl Iterator<Item = u32> {
        self.copies.range(range).map(|&(_, _, copier)| copier)
    }
}
