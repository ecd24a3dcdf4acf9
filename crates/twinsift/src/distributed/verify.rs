//! From candidates to edges.

use super::candidates::unpack_pairs;
use super::codec::{Input, damaged};
use super::segment::parsed;
use crate::error::Result;
use crate::recipe::Recipe;
use crate::signature::Signature;
use crate::verifier::Verifier;
use std::collections::HashMap;

/// Two documents that are near duplicates, and so are all documents that they represent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The one with the lower number.
    pub x: u64,
    /// The other.
    pub y: u64,
    /// Their score.
    pub score: f64,
}

/// Verifies the candidates of one task.
#[derive(Debug)]
pub struct CandidateVerifier {
    verifier: Verifier,
    signatures: HashMap<u64, Signature>,
    pairs: Vec<(u64, u64)>,
}

impl CandidateVerifier {
    /// A verifier for a recipe.
    pub fn new(recipe: &Recipe) -> Result<Self> {
        Ok(Self {
            verifier: Verifier::new(recipe)?,
            signatures: HashMap::new(),
            pairs: Vec::new(),
        })
    }

    /// Adds signatures that were [fetched](super::fetch::fetch).
    pub fn add_signatures(&mut self, blob: &[u8]) -> Result<()> {
        let mut input = Input(blob);
        while !input.is_empty() {
            let document = u64::from_le_bytes(input.array()?);
            let length = input.number()? as usize;
            let signature = parsed(input.bytes(length)?)?;
            self.signatures.insert(document, signature);
        }
        Ok(())
    }

    /// Adds candidates.
    pub fn add_pairs(&mut self, blob: &[u8]) -> Result<()> {
        unpack_pairs(blob, |x, y| self.pairs.push((x, y)))
    }

    /// The candidates that are near duplicates, and how many were compared.
    pub fn run(mut self) -> Result<(Vec<Edge>, u64)> {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        let mut edges = Vec::new();
        for &(x, y) in &self.pairs {
            let (Some(a), Some(b)) = (self.signatures.get(&x), self.signatures.get(&y)) else {
                return damaged();
            };
            let score = self.verifier.score(a, b);
            edges.extend(score.map(|score| Edge { x, y, score }));
        }
        Ok((edges, self.pairs.len() as u64))
    }
}
