//! A sample of documents, by which work is planned.
//!
//! Documents are drawn by a hash of their digest: a task keeps those with the lowest hashes, and
//! says below which hash it has kept all. Below the lowest such mark of all tasks, what they have
//! kept together is a fair sample of the collection, whatever its partitions.

use super::codec::{Input, put};
use super::segment::parsed;
use crate::error::Result;
use crate::hash;
use crate::signature::Signature;
use std::collections::BinaryHeap;

/// The most bytes of the sample of a task.
const MOST_BYTES: usize = 8 << 20;

/// Draws the sample of a task.
#[derive(Debug)]
pub(super) struct Sampler {
    most: usize,
    /// Documents that were offered, and the bytes of their signatures.
    documents: u64,
    bytes: u64,
    kept: BinaryHeap<(u64, Vec<u8>)>,
    kept_bytes: usize,
    /// All documents with a lower hash are among the kept ones.
    mark: u64,
}

impl Sampler {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            documents: 0,
            bytes: 0,
            kept: BinaryHeap::new(),
            kept_bytes: 0,
            mark: u64::MAX,
        }
    }

    /// Counts a document, and keeps it if its hash is low.
    pub(super) fn offer(&mut self, digest: u128, stored: Vec<u8>) {
        self.documents += 1;
        self.bytes += stored.len() as u64;
        let drawn = hash::spread(digest as u64);
        if drawn >= self.mark {
            return;
        }
        self.kept_bytes += stored.len();
        self.kept.push((drawn, stored));
        while self.kept.len() > self.most || self.kept_bytes > MOST_BYTES {
            let Some((highest, stored)) = self.kept.pop() else {
                break;
            };
            self.kept_bytes -= stored.len();
            self.mark = highest;
        }
    }

    /// What is sent to the driver.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.kept_bytes + 16 * self.kept.len() + 32);
        [self.documents, self.bytes, self.mark]
            .iter()
            .for_each(|&number| put(&mut out, number));
        for (drawn, stored) in self.kept.into_sorted_vec() {
            put(&mut out, drawn);
            put(&mut out, stored.len() as u64);
            out.extend(stored);
        }
        out
    }
}

/// The part of a task's sample that a collection of so many documents needs for a sample of
/// about `wanted` of them. Hashes are spread evenly, so a mark can be set without asking others.
pub fn trim(sample: &[u8], documents: u64, wanted: u64) -> Result<Vec<u8>> {
    let share = wanted as f64 / documents.max(1) as f64;
    let most = match share < 1.0 {
        true => (share * 2f64.powi(64)) as u64,
        false => u64::MAX,
    };
    let mut input = Input(sample);
    let numbers = [input.number()?, input.number()?, input.number()?.min(most)];
    let mut out = Vec::new();
    numbers.iter().for_each(|&number| put(&mut out, number));
    while !input.is_empty() {
        let drawn = input.number()?;
        let length = input.number()?;
        let stored = input.bytes(length as usize)?;
        if drawn >= most {
            break;
        }
        put(&mut out, drawn);
        put(&mut out, length);
        out.extend(stored);
    }
    Ok(out)
}

/// A fair sample of a collection.
#[derive(Debug, Default)]
pub(super) struct Sample {
    /// Documents of the collection, and the bytes of their signatures.
    pub(super) documents: u64,
    pub(super) bytes: u64,
    pub(super) signatures: Vec<Signature>,
}

impl Sample {
    /// The sample of a collection, from those of its tasks.
    pub(super) fn new<'a>(samples: impl Iterator<Item = &'a [u8]>) -> Result<Self> {
        let mut sample = Self::default();
        let (mut drawn, mut mark) = (Vec::new(), u64::MAX);
        for bytes in samples {
            let mut input = Input(bytes);
            sample.documents += input.number()?;
            sample.bytes += input.number()?;
            mark = mark.min(input.number()?);
            while !input.is_empty() {
                let hash = input.number()?;
                let length = input.number()? as usize;
                drawn.push((hash, input.bytes(length)?));
            }
        }
        drawn.retain(|&(hash, _)| hash < mark);
        drawn.sort_unstable();
        // Copies in different segments are drawn together.
        drawn.dedup();
        let signatures = drawn.iter().map(|(_, stored)| parsed(stored));
        sample.signatures = signatures.collect::<Result<_>>()?;
        Ok(sample)
    }

    /// How many documents of the collection each one of the sample stands for.
    pub(super) fn scale(&self) -> f64 {
        match self.signatures.len() {
            0 => 1.0,
            sampled => (self.documents as f64 / sampled as f64).max(1.0),
        }
    }
}
