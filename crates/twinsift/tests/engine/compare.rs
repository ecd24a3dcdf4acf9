//! A pair looked at by itself has the score and the verdict that a run gives it.

use crate::{all_pairs, chosen, settings};
use proptest::prelude::*;
use twinsift::features::Weights;
use twinsift::recipe::{ExactJoin, FeatureKind, Hamming, Matching};
use twinsift::similarity::Similarity;
use twinsift::{Document, Recipe, Sifter, Statistics, compare_in};

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
    let by = |similarity, threshold| {
        Matching::Exact(ExactJoin {
            similarity,
            threshold,
        })
    };
    let hamming = Matching::Hamming(Hamming {
        bits: 64,
        distance: 12,
    });
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
                let mut counter = Statistics::counter_for(&recipe, [&left, &right]);
                texts.iter().for_each(|text| counter.add(&Document::new("", text.as_str())));
                let comparison = compare_in(&left, &right, &recipe, &counter.finish());
                let comparison = comparison.expect("valid");
                let pair = found.iter().find(|pair| (pair.a, pair.b) == (a, b));
                prop_assert_eq!(comparison.near_duplicates, pair.is_some(), "{} and {}", a, b);
                if let Some(pair) = pair {
                    prop_assert_eq!(comparison.score, Some(pair.score));
                } else if let Some(threshold) = comparison.threshold {
                    prop_assert!(comparison.score.is_none_or(|score| score < threshold));
                }
                // Only documents without anything to compare have no score.
                let has_words = [a, b].iter().all(|&doc| !texts[doc as usize].is_empty());
                prop_assert!(recipe.weights() != Weights::TfIdf || comparison.score.is_some() == has_words);
            }
        }
    }
}
