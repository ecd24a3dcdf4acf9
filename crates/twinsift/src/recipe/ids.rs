//! Short names of recipes, by which results and stored files are told apart.

use super::spelled::Spelled;
use super::{Equality, Matching, Recipe, is_default};
use crate::hash;
use crate::sketch::simhash;
use crate::tokenise;

impl Recipe {
    /// A short name that changes whenever anything in the recipe does, or what words and
    /// the bits of signatures are.
    pub fn id(&self) -> String {
        Spelled::of(self).id()
    }

    /// A short name of all that signatures depend on. It leaves out how many must be
    /// equal and whether pairs are verified, which can be chosen for each run.
    pub fn signature_id(&self) -> String {
        let mut signing = Spelled::of(self);
        match &mut signing.matching {
            Matching::IMatch(_) => signing.matching = Matching::Hash(Equality::default()),
            other => other.matcher_mut().forget_comparison(),
        }
        signing.id()
    }

    /// A number that changes with what features are: their kind, words and folding. How they
    /// are compared does not matter.
    pub(crate) fn features_id(&self) -> u64 {
        let what = (self.features(), self.fold, self.k(), self.spot_rules());
        let mut spelled = serde_json::to_string(&what).unwrap_or_default();
        if !is_default(&self.content) || !is_default(&self.body) {
            let read = (self.content, self.body);
            spelled += &serde_json::to_string(&read).unwrap_or_default();
        }
        hash::bytes(format!("{spelled} {}", tokenise::VERSION).as_bytes())
    }
}

impl Spelled {
    fn id(&self) -> String {
        let spelled = serde_json::to_string(self).unwrap_or_default();
        let mut spelled = format!("{spelled} {}", tokenise::VERSION);
        if let Matching::Hyperplanes(_) | Matching::Hamming(_) = self.matching {
            spelled += &format!(" {}", simhash::VERSION);
        }
        format!("{:016x}", hash::bytes(spelled.as_bytes()))
    }
}
