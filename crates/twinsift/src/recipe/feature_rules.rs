//! What is compared, with the rules of each kind of feature.

use crate::error::{Result, misplaced, out_of_range, refuse};
use crate::features::FeatureKind;
use crate::features::learned::model::Model;
use crate::features::spots::{MOST_SPECIFICATIONS, SpotRules};
use crate::lexicon::Lexicon;
use std::sync::Arc;

/// The most words to a shingle.
const LONGEST: u32 = 1000;

/// What is compared. Each kind of feature has its own rules, and no others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FeatureRules {
    /// The whole text, normalised.
    Text,
    /// Words.
    Words,
    /// Word k-grams.
    Shingles {
        /// Words to a shingle.
        k: u32,
    },
    /// Chains of words behind stop words.
    Spots(SpotRules),
    /// Words of a lexicon; without one, of the collection's own statistics.
    Lexicon(Option<Arc<Lexicon>>),
    /// K-grams weighed by a model, which may need a lexicon.
    Learned {
        model: Arc<Model>,
        lexicon: Option<Arc<Lexicon>>,
    },
    /// What a detector compares.
    Profile,
}

impl FeatureRules {
    pub(crate) fn kind(&self) -> FeatureKind {
        match self {
            Self::Text => FeatureKind::Text,
            Self::Words => FeatureKind::Words,
            Self::Shingles { .. } => FeatureKind::Shingles,
            Self::Spots(_) => FeatureKind::Spots,
            Self::Lexicon(_) => FeatureKind::Lexicon,
            Self::Learned { .. } => FeatureKind::Learned,
            Self::Profile => FeatureKind::Profile,
        }
    }

    /// Words to a feature.
    pub(crate) fn k(&self) -> u32 {
        match self {
            Self::Shingles { k } => *k,
            Self::Learned { model, .. } => model.k,
            _ => 1,
        }
    }

    pub(crate) fn lexicon(&self) -> Option<&Arc<Lexicon>> {
        match self {
            Self::Lexicon(lexicon) | Self::Learned { lexicon, .. } => lexicon.as_ref(),
            _ => None,
        }
    }

    /// The same with a lexicon, where it has a meaning.
    pub(crate) fn with_lexicon(self, lexicon: Option<Arc<Lexicon>>) -> Result<Self> {
        match (self, lexicon) {
            (Self::Lexicon(_), lexicon) => Ok(Self::Lexicon(lexicon)),
            (Self::Learned { model, .. }, lexicon) => Ok(Self::Learned { model, lexicon }),
            (other, None) => Ok(other),
            (_, Some(_)) => misplaced(
                "‹lexicon› has no meaning here: it belongs to ‹method› imatch, ‹method› andd and ‹features› lexicon",
            ),
        }
    }

    /// Refuses rules that make no sense, for words whose disguises are undone or not.
    pub(super) fn check(&self, fold: bool) -> Result<()> {
        match self {
            Self::Text | Self::Words | Self::Lexicon(None) => Ok(()),
            Self::Profile if fold => misplaced(
                "‹fold› has no meaning here: a detector compares words both as they are written and with disguises undone",
            ),
            Self::Profile => Ok(()),
            Self::Shingles { k: 1..=LONGEST } => Ok(()),
            Self::Shingles { .. } => out_of_range(format!("‹k› must be between 1 and {LONGEST}")),
            Self::Spots(rules) => check_spots(rules),
            Self::Lexicon(Some(lexicon)) => lexicon.check_folding(fold),
            Self::Learned { model, lexicon } => {
                check_learned(model, fold)?;
                model.check_lexicon(lexicon.as_deref())
            }
        }
    }
}

fn check_learned(model: &Model, fold: bool) -> Result<()> {
    match (model.fold, fold) {
        (true, false) => refuse(
            "the model was trained with ‹fold›: compare with it too, or train the model again without",
        ),
        (false, true) => refuse(
            "the model was trained without ‹fold›: leave it out, or train the model again with it",
        ),
        _ => Ok(()),
    }
}

fn check_spots(rules: &SpotRules) -> Result<()> {
    match rules.specifications.len() {
        0 => return out_of_range("‹spots› names no spots"),
        1..=MOST_SPECIFICATIONS => {}
        count => {
            return out_of_range(format!(
                "‹spots› is given {count} times: at most {MOST_SPECIFICATIONS} can be used at once"
            ));
        }
    }
    let mut wrong = rules.specifications.iter().filter_map(|spot| spot.check());
    wrong.next().map_or(Ok(()), refuse)
}
