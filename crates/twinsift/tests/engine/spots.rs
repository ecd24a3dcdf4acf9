//! Spots through the whole engine: the same answer whatever the threads and the
//! memory, and no document lost on the way.

use crate::{all_pairs, settings};
use proptest::prelude::*;
use twinsift::features::spots::Fallback;
use twinsift::recipe::{FeatureKind, Matcher};
use twinsift::{Choices, Document, Matches, Recipe, Settings, Sifter};

const WORDS: [&str; 12] = [
    "the", "a", "is", "was", "of", "river", "bridge", "council", "storm", "coast", "museum", "vote",
];

fn sift(recipe: &Recipe, texts: &[String], settings: Settings) -> Matches {
    let mut sifter = Sifter::new(recipe.clone(), settings).expect("a valid recipe");
    for (at, text) in texts.iter().enumerate() {
        let document = Document::new(at.to_string(), text.as_str());
        sifter.add(&document).expect("distinct ids");
    }
    sifter.finish().expect("room")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn documents_with_few_spots_are_the_pairs_of_shingles(
        drafts in prop::collection::vec(prop::collection::vec(0usize..WORDS.len(), 0..30), 1..25),
        repeats in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        matcher in prop_oneof![Just(Matcher::Exact), Just(Matcher::Lsh), Just(Matcher::Hash)],
        min_spots in 1u32..6,
    ) {
        let mut texts: Vec<String> = drafts
            .iter()
            .map(|draft| draft.iter().map(|&at| WORDS[at]).collect::<Vec<_>>().join(" "))
            .collect();
        for repeat in repeats {
            let copy = repeat.get(&texts).clone();
            texts.push(format!("{copy} harbour"));
        }
        let choices = Choices {
            features: Some(FeatureKind::Spots),
            matcher: Some(matcher),
            min_spots: Some(min_spots),
            fallback: Some(Fallback::Shingles),
            language: twinsift::features::spots::Language::of_code("en"),
            ..Choices::default()
        };
        let recipe = choices.resolve().expect("valid");
        let matches = sift(&recipe, &texts, settings(1, None));
        let found = all_pairs(&matches);
        for (threads, memory) in [(2, None), (8, Some(1))] {
            let again = sift(&recipe, &texts, settings(threads, memory));
            prop_assert_eq!(&all_pairs(&again), &found);
            prop_assert_eq!(again.unsigned(), matches.unsigned());
        }
        let unsigned: Vec<u32> = matches.unsigned().iter().map(|&(doc, _)| doc).collect();
        let few = |doc: u32| unsigned.contains(&doc);
        prop_assert!(found.iter().all(|pair| few(pair.a) == few(pair.b)));
        // Among those with few spots: precisely the pairs of the method shingles.
        let shingles = all_pairs(&sift(&Recipe::default(), &texts, settings(1, None)));
        let expected: Vec<_> = shingles.into_iter().filter(|pair| few(pair.a) && few(pair.b)).collect();
        let handed_on: Vec<_> = found.into_iter().filter(|pair| few(pair.a)).collect();
        prop_assert_eq!(handed_on, expected);
    }
}
