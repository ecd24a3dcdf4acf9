//! Short names of recipes, by which results and stored files are told apart.

use super::{Matching, Recipe, is_default};
use crate::hash;
use crate::sketch::{simhash, supershingles};
use crate::tokenise;

impl Recipe {
    /// A short name that changes whenever anything in the recipe does, or what words and
    /// the bits of signatures are.
    pub fn id(&self) -> String {
        let spelled = serde_json::to_string(self).unwrap_or_default();
        let mut spelled = format!("{spelled} {}", tokenise::VERSION);
        if let Matching::Hyperplanes { .. } | Matching::Hamming { .. } = self.matching {
            spelled += &format!(" {}", simhash::VERSION);
        }
        format!("{:016x}", hash::bytes(spelled.as_bytes()))
    }

    /// A short name of all that signatures depend on. It leaves out how many must be
    /// equal and whether pairs are verified, which can be chosen for each run.
    pub fn signature_id(&self) -> String {
        let mut signing = self.clone();
        match &mut signing.matching {
            Matching::IMatch { .. } => signing.matching = Matching::Hash,
            Matching::SuperShingles { require } => *require = supershingles::REQUIRED,
            Matching::MinHashes { threshold, .. } => *threshold = 1.0,
            Matching::Hyperplanes {
                threshold, verify, ..
            }
            | Matching::WeightedMinHash {
                threshold, verify, ..
            } => (*threshold, *verify) = (1.0, false),
            _ => {}
        }
        signing.id()
    }

    /// A number that changes with what features are: their kind, words and folding. How they
    /// are compared does not matter.
    pub(crate) fn features_id(&self) -> u64 {
        let what = (self.features, self.fold, self.k, &self.spots);
        let mut spelled = serde_json::to_string(&what).unwrap_or_default();
        if !is_default(&self.content) || !is_default(&self.body) {
            let read = (self.content, self.body);
            spelled += &serde_json::to_string(&read).unwrap_or_default();
        }
        hash::bytes(format!("{spelled} {}", tokenise::VERSION).as_bytes())
    }
}
