//! Digests and sketches of features that have changed since they were read.

use crate::collection::store::Store;
use crate::error::Result;
use crate::hash;
use crate::recipe::Recipe;
use crate::sketch::{Rows, Sketcher};
use crate::vector::Vector;

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

/// Makes the sketch of features that have got their weights, where it has to wait for these.
pub(crate) fn late_sketcher(recipe: &Recipe) -> Option<Box<dyn Sketcher>> {
    let matcher = recipe.matcher();
    let sketcher = matcher.sketcher(recipe.seed);
    sketcher.filter(|_| !matcher.sketches_while_reading())
}

/// Makes digests and sketches of features that have changed since they were read.
#[derive(Debug)]
pub(crate) struct FeatureSigner {
    sketcher: Option<Box<dyn Sketcher>>,
    /// Values of a sketch; 0 for none.
    width: usize,
    row: Vec<u64>,
}

impl FeatureSigner {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        let matcher = recipe.matcher();
        let sketcher = matcher.sketcher(recipe.seed);
        let sketcher = sketcher.filter(|_| matcher.sketches_while_reading());
        Self {
            width: sketcher.as_ref().map_or(0, |_| matcher.row_width()),
            sketcher,
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
        if let Some(sketcher) = &mut self.sketcher {
            sketcher.sketch(vector, &mut self.row);
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
