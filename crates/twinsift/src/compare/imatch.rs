//! The words of a lexicon in two documents.

use super::{Measured, Side};
use crate::analyse;
use crate::error::{Result, refuse};
use crate::features::lexicon::{Terms, counts};
use crate::features::{Features, Featurise, Weights};
use crate::hash;
use crate::matching::agree::Agreement;
use crate::recipe::{FeatureKind, Recipe};
use crate::sketch::imatch::{Digest, Scratch, Signer};

/// The words of a document that I-Match compares.
#[derive(Clone, Debug, Default)]
pub(super) struct LexiconWords {
    /// All words that count.
    pub(super) all: Features,
    /// Those of the primary lexicon.
    pub(super) words: Features,
    /// The same, with their spelling, in the order of the text.
    pub(super) spelled: Vec<(u64, String)>,
    row: Vec<u64>,
}

/// The signer of a recipe that compares the words of a lexicon.
pub(super) fn signer(recipe: &Recipe) -> Result<Option<Signer>> {
    if recipe.features() == FeatureKind::Lexicon && recipe.lexicon().is_none() {
        return refuse(
            "two documents have no statistics of their own: name a lexicon with ‹lexicon›, or their collection with ‹in›",
        );
    }
    Ok(analyse::signer(recipe))
}

impl Side {
    pub(super) fn read_lexicon(&mut self, signer: Option<&Signer>, weights: Weights) {
        let Some(signer) = signer else {
            return;
        };
        let lexicon = &mut self.lexicon;
        let count = weights != Weights::Binary;
        Terms::new(count).features(&self.tokens, &mut lexicon.all);
        lexicon.words = lexicon.all.clone();
        lexicon.words.retain(|word| signer.is_primary(word));
        let words = self.tokens.bytes().zip(&self.shown);
        let words = words.map(|(word, shown)| (hash::bytes(word), word, shown));
        lexicon.spelled = words
            .filter(|(hash, word, _)| counts(word) && signer.is_primary(*hash))
            .map(|(hash, _, shown)| (hash, shown.clone()))
            .collect();
        // Equal words give equal signatures by any hash.
        signer.sign(
            lexicon.all.values(),
            &mut Scratch::default(),
            &mut lexicon.row,
        );
    }
}

/// How many signatures agree, where the recipe makes some.
pub(super) fn agreement(sides: &[Side; 2], recipe: &Recipe) -> Option<Measured> {
    let require = recipe.imatch_matcher()?.require;
    // Spots have no lexicon but their collection's.
    recipe.lexicon()?;
    let [x, y] = [&sides[0].lexicon, &sides[1].lexicon];
    let agreement = Agreement::of(&x.row, &y.row, Digest::Sum.lanes());
    let note = match agreement.present {
        0 => "neither has enough words of the lexicon for a signature".to_owned(),
        _ => format!(
            "{} of {} equal, {require} needed; {} and {} words of the lexicon",
            agreement.equal,
            x.row.len(),
            x.words.values().len(),
            y.words.values().len()
        ),
    };
    Some(Measured {
        name: "I-Match signatures".into(),
        value: agreement.score(),
        note,
    })
}
