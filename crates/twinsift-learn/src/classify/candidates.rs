//! Which of the pairs that another method found are duplicates?
//!
//! A classifier cannot look at every pair of a large collection. Another method finds
//! candidates, at a low threshold; the classifier then decides about each of them. What is
//! no candidate is no duplicate.

use super::Model;
use crate::signals::{Prepared, QueryPair, Signals};
use twinsift::recipe::PairModel;
use twinsift::{Candidates, Error, Matches, Result};

impl Model {
    /// What a recipe has to know of this model.
    pub fn for_recipe(&self) -> PairModel {
        PairModel {
            id: self.id(),
            threshold: self.threshold,
        }
    }
}

/// Has `model`, which must be that of the recipe, decide about candidates. `signals` are those of
/// the model, and `page` says which of `pages` a document is.
pub fn decide(
    candidates: Candidates,
    model: &Model,
    signals: &Signals,
    pages: &[Prepared],
    page: impl Fn(u32) -> u32,
) -> Result<Matches> {
    let wanted = candidates.recipe().classifier().map(|by| by.model.clone());
    if wanted.as_ref() != Some(&model.id()) {
        let model = wanted.unwrap_or_default();
        return Err(Error::Classifier { model });
    }
    candidates.decide(|pairs| {
        let pairs: Vec<QueryPair> = pairs
            .iter()
            .map(|pair| QueryPair {
                a: page(pair.a),
                b: page(pair.b),
                query: None,
            })
            .collect();
        model.scores(signals, pages, &pairs, &[])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::model::tests::small;
    use twinsift::page::Page;
    use twinsift::{Document, Recipe, Settings, Sifter};

    const TEXTS: [&str; 4] = [
        "one two three four five six seven",
        "one two three four five six eight",
        "one two three four five nine ten",
        "nothing of this is in the others",
    ];

    fn sifter(model: PairModel) -> Sifter {
        let recipe = Recipe::signals().classifier(model).resolve();
        let mut sifter = Sifter::new(recipe.expect("valid"), Settings::default()).expect("valid");
        for (number, text) in TEXTS.iter().enumerate() {
            let document = Document::new(number.to_string(), *text);
            sifter.add(&document).expect("room");
        }
        sifter
    }

    /// The result is what the model says of each candidate, and nothing else.
    #[test]
    fn a_model_decides_about_the_candidates_of_its_recipe() {
        let model = small();
        let signals = Signals::new(&model.signals, model.background.clone());
        let pages = TEXTS.map(|text| signals.prepare(Page::plain(text)));
        let candidates = sifter(model.for_recipe()).candidates().expect("room");
        let pairs: Vec<_> = candidates.pairs().map(|pair| pair.expect("room")).collect();
        assert_eq!(pairs.len(), 3);
        let mut expected = Vec::new();
        for pair in pairs {
            let pair_of_pages = QueryPair {
                a: pair.a,
                b: pair.b,
                query: None,
            };
            let score = model.scores(&signals, &pages, &[pair_of_pages], &[])[0];
            if score >= model.threshold {
                expected.push((pair.a, pair.b, score));
            }
        }
        let found = decide(candidates, &model, &signals, &pages, |doc| doc).expect("decided");
        assert_eq!(
            found.recipe().classifier().map(|by| by.model.clone()),
            Some(model.id())
        );
        let found = found.pairs().map(|pair| pair.expect("room"));
        let found: Vec<_> = found.map(|pair| (pair.a, pair.b, pair.score)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn another_model_than_the_recipes_is_refused() {
        let model = small();
        let other = PairModel {
            id: "other".to_owned(),
            threshold: 0.5,
        };
        let candidates = sifter(other).candidates().expect("room");
        let signals = Signals::new(&model.signals, model.background.clone());
        let refused = decide(candidates, &model, &signals, &[], |doc| doc);
        assert!(matches!(refused, Err(Error::Classifier { model }) if model == "other"));
    }
}
