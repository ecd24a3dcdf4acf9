//! Pairs that a detector takes for the same.

use super::{BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind, check_similarity};
use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::detector::Detector;
use crate::error::{Result, refuse};
use crate::features::FeatureKind;
use crate::features::profile::{self, Kind};
use crate::matching::confirm::Confirmer;
use crate::matching::join::{self, Rule};
use crate::matching::{Job, MatcherReport};
use crate::similarity::Similarity;
use std::fmt;

impl PairMatcher for Detector {
    /// An exact join finds the candidates, and the sink has them confirmed.
    fn find(&self, search: Search<'_>) -> Result<MatcherReport> {
        let grams = grams(&search.store, search.job)?;
        let documents = search.job.classes.len();
        (search.sink).confirm_by(Confirmer::new(*self, search.store, documents)?);
        let rule = Rule::new(Similarity::Cosine, self.candidates, false);
        join::join(search.job, &rule, grams, search.sink)
    }

    fn keys(&self, _: &VectorKind) -> BlockingKeys {
        BlockingKeys::certain(KeyRule::ProfilePrefix {
            threshold: self.candidates,
        })
    }

    fn measure(&self) -> Measure {
        Measure::Detector(*self)
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        if vectors.features != FeatureKind::Profile {
            return refuse(
                "a detector compares profiles, and they are compared by a detector alone: leave out ‹features› and ‹match›",
            );
        }
        check_similarity("threshold", self.threshold)?;
        check_similarity("candidates", self.candidates)
    }

    fn threshold_mut(&mut self) -> Option<&mut f64> {
        Some(&mut self.threshold)
    }
}

impl fmt::Display for Detector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            threshold,
            candidates,
            ..
        } = self;
        write!(
            f,
            "score ≥ {threshold}, candidates: exact join, cosine ≥ {candidates}"
        )
    }
}

/// The folded 3-grams of all profiles, which candidates are found by.
fn grams(profiles: &Store, job: &Job<'_>) -> Result<Store> {
    let mut grams = Store::new(job.budget.weighted(), job.settings);
    for number in 0..profiles.len() {
        let block = profiles.lend(number)?;
        let mut of_block = Block::default();
        for (at, &doc) in block.docs.iter().enumerate() {
            let values = Kind::FoldedGrams.of(block.vector(at)).values;
            of_block
                .values
                .extend(values.iter().map(|&value| profile::spread(value)));
            of_block.end_document(doc, values.len() as f64);
        }
        of_block.shrink_to_fit();
        grams.push(of_block)?;
    }
    Ok(grams)
}
