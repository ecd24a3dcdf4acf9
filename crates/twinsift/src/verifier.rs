//! The score of two signatures, by the recipe's own measure.

use crate::error::Result;
use crate::matcher::Measure;
use crate::recipe::{Recipe, THRESHOLD};
use crate::signature::Signature;
use crate::similarity::Similarity;

/// Compares two signatures: the very arithmetic that a [`Sifter`](crate::Sifter) ends with, to
/// the last bit of the score.
///
/// ```
/// use twinsift::{Document, Extractor, Recipe, Statistics, Verifier};
///
/// let recipe = Recipe::default();
/// let extractor = Extractor::new(&recipe, &Statistics::default())?;
/// let signature = |text| extractor.extract(&Document::new("", text));
/// let verifier = Verifier::new(&recipe)?;
/// let monday = signature("The council approved the new bridge over the river.");
/// let tuesday = signature("A storm is expected to reach the coast by tomorrow.");
/// assert_eq!(verifier.score(&monday, &tuesday), None);
/// assert_eq!(verifier.score(&monday, &monday), Some(1.0));
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    measure: Measure,
}

impl Verifier {
    /// The verifier of a recipe.
    pub fn new(recipe: &Recipe) -> Result<Self> {
        recipe.refuse_classifier()?;
        Ok(Self {
            measure: recipe.matcher().measure(),
        })
    }

    /// How alike two documents are by the recipe's own measure, whether or not that is enough;
    /// `None` if one of them has nothing to be compared by, or something else than the other.
    pub fn similarity(&self, a: &Signature, b: &Signature) -> Option<f64> {
        let (x, y) = (a.digest?, b.digest?);
        match (a.is_fallback, b.is_fallback) {
            (false, true) | (true, false) => None,
            _ if x == y => Some(1.0),
            (true, true) => Some(Similarity::Jaccard.of(a.vector(), b.vector())),
            (false, false) => Some(self.measure.similarity(a, b)),
        }
    }

    /// The score of two documents, if they are near duplicates. Whether they share a
    /// [key](crate::Keys) does not matter here.
    pub fn score(&self, a: &Signature, b: &Signature) -> Option<f64> {
        let (x, y) = (a.digest?, b.digest?);
        match (a.is_fallback, b.is_fallback) {
            (false, true) | (true, false) => None,
            _ if x == y => Some(1.0),
            (true, true) => Similarity::Jaccard.reaching(THRESHOLD, a.vector(), b.vector()),
            (false, false) => self.measure.score(a, b),
        }
    }
}
