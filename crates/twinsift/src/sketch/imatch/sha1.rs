//! Values by SHA-1, as in the papers.

use super::{Scratch, Signed, Signer};
use sha1::{Digest, Sha1};

impl Signer {
    /// As [`sign`](Self::sign), by SHA-1: each value takes three numbers of `row`,
    /// the last of them half empty. `words` are the document's distinct words in
    /// the order of their bytes; `hashes` are their hashes.
    pub fn sign_sha1(
        &self,
        words: &[&[u8]],
        hashes: &[u64],
        scratch: &mut Scratch,
        row: &mut Vec<u64>,
    ) -> Signed {
        let mut taken = vec![0u64; words.len()];
        let signed = self.select(hashes, scratch);
        for (&at, takers) in scratch.places.iter().zip(&scratch.takers) {
            taken[at as usize] |= takers;
        }
        row.clear();
        for place in 0..self.width {
            if signed.valid >> place & 1 == 0 {
                row.extend([0; 3]);
                continue;
            }
            let mut hasher = Sha1::new();
            let taken = words.iter().zip(&taken);
            for (word, _) in taken.filter(|(_, bags)| *bags >> place & 1 == 1) {
                hasher.update(word);
            }
            let mut bytes = [0; 24];
            bytes[..20].copy_from_slice(&hasher.finalize());
            let numbers = bytes.chunks_exact(8);
            row.extend(
                numbers.map(|eight| u64::from_be_bytes(eight.try_into().unwrap_or_default())),
            );
        }
        signed
    }
}
