//! A pair looked at by itself has the score and the verdict that a run gives it.

use crate::{all_pairs, chosen, settings};
use proptest::prelude::*;
use twinsift::features::Weights;
use twinsift::matching::similarity::Similarity;
use twinsift::recipe::{FeatureKind, Matching};
use twinsift::{Document, Recipe, Sifter, compare_in};

fn collected(recipe: &Recipe, texts: &[String]) -> Sifter {
    let mut sifter = Sifter::new(recipe.clone(), settings(1, None)).expect("a valid recipe");
    for (at, text) in texts.iter().enumerate() {
        let document = Document::new(at.to_string(), text.as_str());
        sifter.add(&document).expect("room");
    }
    sifter
}

/// Recipes whose scores depend on the collection.
fn recipes() -> impl Strategy<Value = Recipe> {
    let by = |similarity, threshold| Matching::Exact {
        similarity,
        threshold,
    };
    let hamming = Matching::Hamming {
        bits: 64,
        distance: 12,
    };
    let words = |matching| chosen(matching).features(FeatureKind::Words);
    let recipe = |matching| {
        let choices = words(matching).weights(Weights::TfIdf);
        choices.resolve().expect("valid")
    };
    let narrowed = words(by(Similarity::Jaccard, 0.4)).idf([0.2, 0.9]);
    let narrowed = narrowed.resolve().expect("valid");
    prop_oneof![
        Just(recipe(by(Similarity::Cosine, 0.5))),
        Just(recipe(by(Similarity::Jaccard, 0.3))),
        Just(recipe(hamming)),
        Just(narrowed),
    ]
}

/// A text that was read before has no features of its own.
#[test]
fn copies_are_compared_too() {
    let text = "one two three four five six seven";
    let texts = [text, "something else altogether, and longer", text, text].map(str::to_owned);
    let [a, b] = [2, 3].map(|doc: u32| Document::new(doc.to_string(), text));
    let told = compare_in(collected(&Recipe::default(), &texts), [2, 3], &a, &b);
    assert_eq!(told.expect("room").score, Some(1.0));
    let told = compare_in(collected(&Recipe::default(), &texts), [2, 1], &a, &b);
    assert!(!told.expect("room").near_duplicates);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_pair_by_itself_is_what_a_run_says(
        texts in prop::collection::vec("([a-h] ){0,9}", 2..8),
        recipe in recipes(),
    ) {
        prop_assert!(recipe.needs_collection());
        let matches = collected(&recipe, &texts).finish().expect("room");
        let found = all_pairs(&matches);
        for b in 1..texts.len() as u32 {
            for a in 0..b {
                let [left, right] = [a, b].map(|doc| Document::new(doc.to_string(), texts[doc as usize].as_str()));
                let told = compare_in(collected(&recipe, &texts), [a, b], &left, &right);
                let told = told.expect("room");
                let pair = found.iter().find(|pair| (pair.a, pair.b) == (a, b));
                prop_assert_eq!(told.near_duplicates, pair.is_some(), "{} and {}", a, b);
                if let Some(pair) = pair {
                    prop_assert_eq!(told.score, Some(pair.score));
                } else if let Some(threshold) = told.threshold {
                    prop_assert!(told.score.is_some_and(|score| score < threshold));
                }
            }
        }
    }
}
