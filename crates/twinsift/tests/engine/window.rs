//! A window on idf does what dropping the features beforehand does.

use crate::{all_pairs, bags, chosen, features, settings, sift};
use proptest::prelude::*;
use std::collections::HashMap;
use twinsift::features::Weights;
use twinsift::recipe::{ExactJoin, Hamming, Matching, MinHashBands, MinHashes, SuperShingles};
use twinsift::similarity::Similarity;

/// The bags with only the features whose normalised idf is in the window.
fn narrowed(bags: &[Vec<(u64, f32)>], window: [f64; 2]) -> Vec<Vec<(u64, f32)>> {
    let mut df: HashMap<u64, f64> = HashMap::new();
    for bag in bags {
        bag.iter()
            .for_each(|&(feature, _)| *df.entry(feature).or_default() += 1.0);
    }
    let n = bags.len() as f64;
    let idf = |feature: u64| match bags.len() {
        1 => 1.0,
        _ => (n / df[&feature]).ln() / n.ln(),
    };
    let mut out = bags.to_vec();
    for bag in &mut out {
        bag.retain(|&(feature, _)| (window[0]..=window[1]).contains(&idf(feature)));
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_window_is_dropping_features_beforehand(
        bags in bags(),
        window in (0.0..0.6f64, 0.3..=1.0f64).prop_map(|(least, most)| [least, least.max(most)]),
        weights in prop_oneof![Just(Weights::Binary), Just(Weights::Counts)],
        matching in prop_oneof![
            Just(Matching::Exact(ExactJoin { similarity: Similarity::Jaccard, threshold: 0.4 })),
            Just(Matching::Exact(ExactJoin { similarity: Similarity::Cosine, threshold: 0.7 })),
            Just(Matching::Lsh(MinHashBands { threshold: 0.4, bands: 16, rows: 2 })),
            Just(Matching::MinHashes(MinHashes { threshold: 0.4, values: 30 })),
            Just(Matching::SuperShingles(SuperShingles { require: 1 })),
            Just(Matching::Hash(Default::default())),
            Just(Matching::Hamming(Hamming { bits: 64, distance: 9 })),
        ],
        threads in 1usize..4,
        memory in prop_oneof![Just(None), Just(Some(1u64))],
    ) {
        let bags: Vec<_> = bags.iter().map(|bag| features(bag, false)).collect();
        // Other matchers compare sets.
        let choices = match matching {
            Matching::Exact(_) | Matching::Hamming(_) => chosen(matching).weights(weights),
            _ => chosen(matching),
        };
        let plain = choices.clone().resolve().expect("valid");
        let expected = sift(&plain, &narrowed(&bags, window), None, settings(1, None));
        let recipe = choices.idf(window).resolve().expect("valid");
        let found = sift(&recipe, &bags, None, settings(threads, memory));
        prop_assert_eq!(all_pairs(&found), all_pairs(&expected));
        let left = found.report().unjudged + found.report().emptied;
        prop_assert_eq!(left, expected.report().unjudged);
    }
}
