//! Signatures of a collection by its own statistics, once it has been read.

use super::{Scratch, Signed, Signer};
use crate::collection::store::Store;
use crate::error::Result;
use crate::features::idf;
use crate::lexicon::Lexicon;
use crate::settings::{Budget, Settings};
use rayon::prelude::*;

/// How many documents of `store` have each word. The result stays in memory, 12
/// bytes to a distinct word.
pub(crate) fn lexicon(store: &Store, documents: usize, settings: &Settings) -> Result<Lexicon> {
    let budget = Budget::new(settings.memory);
    let passes = (store.features() * idf::COUNTER_BYTES)
        .div_ceil(budget.frequencies())
        .max(1);
    let parts = rayon::current_num_threads();
    let (mut hashes, mut frequencies) = (Vec::new(), Vec::new());
    for pass in 0..passes {
        let counted: Vec<Vec<(u64, u32)>> = (0..parts)
            .into_par_iter()
            .map(|part| {
                let range = idf::slice(pass * parts + part, passes * parts);
                let mut words: Vec<(u64, u32)> = idf::count(store, &range)?.into_iter().collect();
                words.sort_unstable();
                Ok(words)
            })
            .collect::<Result<_>>()?;
        for (hash, frequency) in counted.into_iter().flatten() {
            hashes.push(hash);
            frequencies.push(frequency);
        }
    }
    Ok(Lexicon::of_hashes(documents as u64, hashes, frequencies))
}

/// Signs every document of `store` and hands on what became of it, in order.
pub(crate) fn sign(
    store: &Store,
    signer: &Signer,
    mut then: impl FnMut(u32, Signed, &[u64]),
) -> Result<()> {
    let together = rayon::current_num_threads() * 4;
    for start in (0..store.len()).step_by(together) {
        let signed: Vec<Vec<(u32, Signed, Vec<u64>)>> = (start..store.len().min(start + together))
            .into_par_iter()
            .map(|at| {
                let block = store.lend(at)?;
                let mut scratch = Scratch::default();
                let sign = |at: usize| {
                    let mut row = Vec::new();
                    let signed = signer.sign(block.vector(at).values, &mut scratch, &mut row);
                    (block.docs[at], signed, row)
                };
                Ok((0..block.len()).map(sign).collect())
            })
            .collect::<Result<_>>()?;
        for (doc, signed, row) in signed.into_iter().flatten() {
            then(doc, signed, &row);
        }
    }
    Ok(())
}
