//! The words of a lexicon, and signatures of them.

use super::{AnalysedBatch, Analyser, Scratch};
use crate::features::lexicon::{Terms, counts};
use crate::features::{Featurise, Weights};
use crate::hash;
use crate::sketch::imatch::{Digest, Signed, Signer};

impl Analyser {
    /// Adds the document whose tokens are in `scratch`.
    pub(super) fn lexicon_words(&self, scratch: &mut Scratch, analysed: &mut AnalysedBatch) {
        let mut features = std::mem::take(&mut scratch.features);
        let count = self.recipe.weights != Weights::Binary;
        match &self.signer {
            // Words that are not needed are not sorted.
            Some(signer) if !self.needs_all_words => features.collect(count, |values| {
                let words = scratch.tokens.bytes().map(hash::bytes);
                values.extend(words.filter(|&word| signer.may_be_primary(word)));
            }),
            _ => Terms::new(count).features(&scratch.tokens, &mut features),
        }
        match (&self.signer, self.recipe.imatch_rules()) {
            (Some(signer), Some(rules)) => {
                let signed = match rules.digest {
                    Digest::Sum => {
                        let Scratch { signing, row, .. } = scratch;
                        signer.sign(features.values(), signing, row)
                    }
                    Digest::Sha1 => sign_sha1(signer, scratch),
                };
                self.signed(signed, features.values(), scratch, analysed);
            }
            // Without a lexicon, what counts is known when everything has been read.
            _ => {
                let weights = features.counts().iter().map(|&count| count as f32);
                self.vector(features.values(), weights, scratch, analysed);
            }
        }
        scratch.features = features;
    }

    /// Adds a document whose signatures are in `scratch`.
    fn signed(
        &self,
        signed: Signed,
        words: &[u64],
        scratch: &mut Scratch,
        analysed: &mut AnalysedBatch,
    ) {
        let doc = analysed.digests.len() as u32;
        let Some(imatch) = self.recipe.imatch_matcher() else {
            return;
        };
        if signed.valid.count_ones() < imatch.require {
            if !scratch.tokens.is_empty() {
                analysed.unsigned.push((doc, signed.terms));
            }
            analysed.digests.push(None);
            return;
        }
        analysed.row_docs.push(doc);
        analysed.rows.extend_from_slice(&scratch.row);
        if imatch.verify.is_none() {
            let digest = hash::digest(scratch.row.iter().copied());
            analysed.digests.push(Some(digest));
            return;
        }
        analysed.block.values.extend_from_slice(words);
        analysed.block.end_document(doc, words.len() as f64);
        let digest = hash::digest(words.iter().copied());
        analysed.digests.push(Some(digest));
    }
}

fn sign_sha1(signer: &Signer, scratch: &mut Scratch) -> Signed {
    let mut words: Vec<&[u8]> = scratch.tokens.bytes().filter(|word| counts(word)).collect();
    words.sort_unstable();
    words.dedup();
    let hashes: Vec<u64> = words.iter().map(|word| hash::bytes(word)).collect();
    signer.sign_sha1(&words, &hashes, &mut scratch.signing, &mut scratch.row)
}
