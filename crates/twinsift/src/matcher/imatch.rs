//! Some of several I-Match signatures equal.

use super::ranges::check_require;
use super::{
    BlockingKeys, KeyRule, Measure, PairMatcher, Search, VectorKind, Verify, check_idf,
    check_similarity,
};
use crate::error::{Result, out_of_range, refuse};
use crate::features::FeatureKind;
use crate::matching::lsh::{self, Check};
use crate::matching::{MatcherReport, agree};
use crate::similarity::Similarity;
use crate::sketch::imatch::bags::Bags;
use crate::sketch::imatch::{self, MOST_LEXICONS, Rules};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Some of several I-Match signatures equal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct IMatch {
    /// How signatures are made. A recipe writes them down by themselves.
    #[serde(skip)]
    pub rules: Rules,
    /// How many must be equal.
    pub require: u32,
    /// What such pairs must reach besides.
    pub verify: Option<Verify>,
}

impl IMatch {
    /// Signatures of a document: of the lexicon itself, and of its randomised copies.
    fn signatures(&self) -> u32 {
        self.rules.lexicons + 1
    }

    /// The chance that a pair is found whose documents differ in some number of lexicon words,
    /// as (words, chance).
    pub(crate) fn expected_survival(&self) -> Vec<(u32, f64)> {
        let Rules { bags, lexicons, .. } = self.rules;
        let chance = |changes| imatch::survival(changes, bags.dropped(), lexicons, self.require);
        [1, 2, 3, 5]
            .map(|changes| (changes, chance(changes)))
            .to_vec()
    }

    fn check_rules(&self) -> Result<()> {
        let rules = &self.rules;
        check_idf(rules.window)?;
        if rules.lexicons > MOST_LEXICONS {
            return out_of_range(format!(
                "‹random_lexicons› {} is too many: at most {MOST_LEXICONS}",
                rules.lexicons
            ));
        }
        if let Bags::Drop(share) = rules.bags
            && !(0.0 < share && share < 1.0)
        {
            return out_of_range("‹drop› must be above 0 and below 1");
        }
        if !(0.0..=1.0).contains(&rules.min_ratio) {
            return out_of_range("‹min_ratio› must be from 0 to 1");
        }
        if 0 < rules.expand_to && rules.expand_to < rules.min_terms {
            return refuse(format!(
                "‹expand_to› {} makes signatures that ‹min_terms› {} rejects: give it at least {1}",
                rules.expand_to, rules.min_terms
            ));
        }
        Ok(())
    }
}

impl PairMatcher for IMatch {
    fn find(&self, search: Search<'_>) -> Result<MatcherReport> {
        let (lanes, require) = (self.rules.digest.lanes(), self.require as usize);
        let found = match self.verify {
            None => agree::agree(search.job, search.rows, lanes, require, search.sink)?,
            Some(Verify {
                similarity,
                threshold,
            }) => {
                let check = Check {
                    require,
                    lanes,
                    similarity,
                    threshold,
                };
                lsh::lsh(search.job, check, &search.store, search.rows, search.sink)?
            }
        };
        Ok(MatcherReport::compared(found))
    }

    fn keys(&self, _: &VectorKind) -> BlockingKeys {
        let (places, lanes) = (self.signatures() as usize, self.rules.digest.lanes());
        BlockingKeys::certain(KeyRule::places(places, self.require, lanes))
    }

    fn measure(&self) -> Measure {
        Measure::Agreement {
            require: self.require as usize,
            lanes: self.rules.digest.lanes(),
            verify: self.verify,
        }
    }

    fn check(&self, vectors: &VectorKind) -> Result<()> {
        vectors.refuse_learned()?;
        if !matches!(vectors.features, FeatureKind::Lexicon | FeatureKind::Spots) {
            return refuse("I-Match signatures are made of the words of a lexicon, or of spots");
        }
        self.check_rules()?;
        check_require(self.require, self.signatures())?;
        self.verify.map_or(Ok(()), |verify| {
            check_similarity("verify", verify.threshold)
        })
    }

    fn row_width(&self) -> usize {
        self.signatures() as usize * self.rules.digest.lanes()
    }

    fn signature_width(&self) -> usize {
        self.signatures() as usize
    }

    fn keeps_features(&self) -> bool {
        self.verify.is_some()
    }

    fn similarity(&self) -> Similarity {
        self.verify
            .map_or_else(Similarity::default, |verify| verify.similarity)
    }

    fn threshold_mut(&mut self) -> Option<&mut f64> {
        self.verify.as_mut().map(|verify| &mut verify.threshold)
    }
}

impl fmt::Display for IMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (require, signatures) = (self.require, self.signatures());
        write!(f, "{require} of {signatures} signatures equal")?;
        match self.rules.bags {
            _ if self.rules.lexicons == 0 => {}
            Bags::Bootstrap => write!(f, " (bootstrap)")?,
            Bags::Drop(share) => write!(f, " ({} % dropped)", share * 100.0)?,
        }
        match self.verify {
            None => Ok(()),
            Some(Verify {
                similarity,
                threshold,
            }) => write!(f, ", verified {} ≥ {threshold}", similarity.name()),
        }
    }
}
