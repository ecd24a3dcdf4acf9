//! Digests and sketches of features that have changed since they were read.

use crate::collection::block::Vector;
use crate::collection::store::Store;
use crate::error::Result;
use crate::hash;
use crate::recipe::{Matching, Recipe};
use crate::sketch::Rows;
use crate::sketch::minhash::MinHasher;
use crate::sketch::supershingles::{SUPER_SHINGLES, SuperShingler};

/// The digests of all documents in `store`, made again; `None` for those with
/// nothing left. And their min-hashes or super-shingles, if the recipe asks for them.
pub(crate) fn sign(store: &Store, recipe: &Recipe, digests: &mut [Option<u128>]) -> Result<Rows> {
    let mut signer = FeatureSigner::new(recipe);
    let mut signed = Rows::new(signer.width);
    for number in 0..store.len() {
        let block = store.load(number)?;
        for (at, &doc) in block.docs.iter().enumerate() {
            let digest = signer.sign(block.vector(at));
            digests[doc as usize] = digest;
            if digest.is_some() && signer.width > 0 {
                signed.set(doc, signer.row());
            }
        }
    }
    Ok(signed)
}

/// Makes digests and sketches of features that have changed since they were read.
#[derive(Debug)]
pub(crate) struct FeatureSigner {
    matching: Matching,
    /// Values of a sketch; 0 for none.
    width: usize,
    min_hasher: MinHasher,
    shingler: SuperShingler,
    row: Vec<u64>,
}

impl FeatureSigner {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        let (width, bands, rows) = match recipe.matching {
            Matching::Lsh { bands, rows, .. } => (bands as usize, bands, rows),
            Matching::MinHashes { values, .. } => (values as usize, values, 1),
            Matching::SuperShingles { .. } => (SUPER_SHINGLES, 1, 1),
            _ => (0, 1, 1),
        };
        Self {
            matching: recipe.matching,
            width,
            min_hasher: MinHasher::new(bands, rows, recipe.seed),
            shingler: SuperShingler::new(recipe.seed),
            row: Vec::new(),
        }
    }

    /// The digest of a document; `None` if no features are left. Its sketch is the
    /// [`row`](Self::row).
    pub(crate) fn sign(&mut self, vector: Vector<'_>) -> Option<u128> {
        self.row.clear();
        if vector.values.is_empty() {
            return None;
        }
        match self.matching {
            _ if self.width == 0 => {}
            Matching::MinHashes { .. } => {
                self.min_hasher
                    .all_of_ascending(vector.values, &mut self.row);
            }
            Matching::SuperShingles { .. } => {
                self.row.extend(self.shingler.super_shingles(vector.values));
            }
            _ => self
                .min_hasher
                .bands_of_ascending(vector.values, &mut self.row),
        }
        let weights = vector.weights.iter();
        let weights = weights.map(|weight| u64::from(weight.to_bits()));
        Some(hash::digest(vector.values.iter().copied().chain(weights)))
    }

    /// The sketch of the document that was signed last.
    pub(crate) fn row(&self) -> &[u64] {
        &self.row
    }
}
