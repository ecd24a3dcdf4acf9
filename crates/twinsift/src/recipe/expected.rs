//! What a recipe that goes by chance is expected to find.

use super::{Matching, Recipe};
use crate::matching::{hyperplanes, lsh};
use crate::sketch::{imatch, minhash, simhash, supershingles};

impl Recipe {
    /// Where the method is a matter of chance: how likely it is that pairs of some
    /// similarities are found, as (similarity, chance). For min-hashes and
    /// super-shingles the similarity is Jaccard, for bits cosine.
    pub fn expected_recall(&self) -> Vec<(f64, f64)> {
        let at = |similarities: &[f64], chance: &dyn Fn(f64) -> f64| {
            similarities.iter().map(|&s| (s, chance(s))).collect()
        };
        match self.matching {
            Matching::Lsh {
                threshold,
                bands,
                rows,
            } => at(&[threshold], &|s| lsh::recall(s, bands, rows)),
            Matching::MinHashes { threshold, values } => {
                at(&[threshold], &|s| minhash::recall(s, values, threshold))
            }
            Matching::SuperShingles { require } => {
                at(&[0.8, 0.9, 0.95], &|s| supershingles::recall(s, require))
            }
            Matching::Hyperplanes {
                bits,
                threshold,
                verify,
            } => at(&[threshold], &|s| {
                hyperplanes::recall(s, bits, threshold, verify)
            }),
            Matching::Hamming { bits, distance } => {
                at(&[0.9, 0.95, 0.99], &|s| simhash::recall(s, bits, distance))
            }
            // Its min-hashes are of another measure, which is lower.
            Matching::WeightedMinHash { .. }
            | Matching::Exact { .. }
            | Matching::Hash
            | Matching::IMatch { .. } => Vec::new(),
        }
    }

    /// For I-Match: the chance that a pair is found whose documents differ in some
    /// number of lexicon words, as (words, chance).
    pub fn expected_survival(&self) -> Vec<(u32, f64)> {
        let (Some(rules), Matching::IMatch { require, .. }) = (&self.imatch, self.matching) else {
            return Vec::new();
        };
        let chance =
            |changes| imatch::survival(changes, rules.bags.dropped(), rules.lexicons, require);
        [1, 2, 3, 5]
            .map(|changes| (changes, chance(changes)))
            .to_vec()
    }
}
