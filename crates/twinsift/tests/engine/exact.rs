//! The exact join finds precisely the pairs that comparing all finds.

use crate::{all_pairs, bags, chosen, features, settings, sift};
use proptest::prelude::*;
use twinsift::features::Weights;
use twinsift::recipe::{ExactJoin, Matching};
use twinsift::settings::Join;
use twinsift::similarity::Similarity;
use twinsift::{Pair, Recipe, Settings, hash};

fn recipe(similarity: Similarity, weights: Weights, threshold: f64) -> Recipe {
    let matching = Matching::Exact(ExactJoin {
        similarity,
        threshold,
    });
    chosen(matching).weights(weights).resolve().expect("valid")
}

/// The definition, written down without any of the engine's code.
fn brute_force(
    bags: &[Vec<(u64, f32)>],
    old_from: Option<usize>,
    similarity: Similarity,
    weighted: bool,
    threshold: f64,
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let weight = |w: f32| if weighted { f64::from(w) } else { 1.0 };
    for a in 0..bags.len() {
        for b in a + 1..bags.len() {
            if old_from.is_some_and(|from| a >= from || b < from) {
                continue;
            }
            let score = score(&bags[a], &bags[b], similarity, weight);
            if score.is_some_and(|score| score >= threshold) {
                pairs.push(Pair {
                    a: a as u32,
                    b: b as u32,
                    score: score.unwrap_or_default(),
                });
            }
        }
    }
    pairs
}

fn score(
    x: &[(u64, f32)],
    y: &[(u64, f32)],
    similarity: Similarity,
    weight: impl Fn(f32) -> f64,
) -> Option<f64> {
    if x.is_empty() || y.is_empty() {
        return None;
    }
    let sorted = |bag: &[(u64, f32)]| {
        let mut bag = bag.to_vec();
        bag.sort_by_key(|&(feature, _)| feature);
        bag
    };
    let (x, y) = (sorted(x), sorted(y));
    let common = x.iter().filter_map(|&(feature, left)| {
        let right = y.iter().find(|&&(other, _)| other == feature)?.1;
        Some((weight(left), weight(right)))
    });
    let sum = |bag: &[(u64, f32)], f: fn(f64) -> f64| -> f64 {
        bag.iter().map(|&(_, w)| f(weight(w))).sum()
    };
    Some(match similarity {
        Similarity::Jaccard => {
            let shared: f64 = common.map(|(left, right)| left.min(right)).sum();
            shared / (sum(&x, |w| w) + sum(&y, |w| w) - shared)
        }
        Similarity::Cosine => {
            let dot: f64 = common.map(|(left, right)| left * right).sum();
            (dot / (sum(&x, |w| w * w) * sum(&y, |w| w * w)).sqrt()).min(1.0)
        }
        Similarity::ExtendedJaccard => {
            let dot: f64 = common.map(|(left, right)| left * right).sum();
            (dot / (sum(&x, |w| w * w) + sum(&y, |w| w * w) - dot)).min(1.0)
        }
        other => panic!("{other:?} has no definition here"),
    })
}

fn any_similarity() -> impl Strategy<Value = Similarity> {
    prop_oneof![
        Just(Similarity::Jaccard),
        Just(Similarity::Cosine),
        Just(Similarity::ExtendedJaccard)
    ]
}

/// Thresholds all over (0, 1], among them those that small sets hit exactly.
fn any_threshold() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => (1u32..=12, 1u32..=12).prop_map(|(a, b)| f64::from(a.min(b)) / f64::from(a.max(b))),
        2 => (1u32..=100).prop_map(|percent| f64::from(percent) / 100.0),
        1 => Just(1.0),
        1 => 1e-9..1.0f64,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn precisely_the_pairs_of_brute_force(
        bags in bags(),
        similarity in any_similarity(),
        weights in prop_oneof![Just(Weights::Binary), Just(Weights::Counts)],
        uneven in any::<bool>(),
        threshold in any_threshold(),
        threads in prop_oneof![Just(1usize), Just(2), Just(8)],
        memory in prop_oneof![Just(None), Just(Some(1u64)), Just(Some(20_000))],
        old_share in prop_oneof![Just(None), (0.0..=1.0f64).prop_map(Some)],
    ) {
        let bags: Vec<_> = bags.iter().map(|bag| features(bag, uneven)).collect();
        let old_from = old_share.map(|share| (share * bags.len() as f64) as usize);
        let recipe = recipe(similarity, weights, threshold);
        let found = all_pairs(&sift(&recipe, &bags, old_from, settings(threads, memory)));
        let weighted = weights == Weights::Counts;
        let expected = brute_force(&bags, old_from, similarity, weighted, threshold);
        prop_assert_eq!(&found, &expected);
        if similarity == Similarity::Jaccard {
            for join in [Join::SpotSigs, Join::NoPart, Join::NoPrune] {
                let paper = Settings {
                    join: Some(join),
                    ..settings(threads, None)
                };
                let found = all_pairs(&sift(&recipe, &bags, old_from, paper));
                prop_assert_eq!(&found, &expected, "{:?}", join);
            }
        }
    }
}

#[test]
fn ties_at_the_threshold_are_pairs() {
    let bag = |range: std::ops::Range<u64>| -> Vec<(u64, f32)> {
        range.map(|at| (hash::mix(at), 1.0)).collect()
    };
    // 4 of 5, exactly 0.8; and 5 of 7, just below.
    let bags = [bag(0..5), bag(0..4), bag(100..106), bag(101..107)];
    let recipe = recipe(Similarity::Jaccard, Weights::Binary, 0.8);
    let pairs = all_pairs(&sift(&recipe, &bags, None, settings(2, None)));
    assert_eq!(
        pairs,
        [Pair {
            a: 0,
            b: 1,
            score: 0.8
        }]
    );
}

/// Section 4.3.2 of the SpotSigs paper: multisets, threshold 0.8, one pair.
#[test]
fn worked_example_of_the_spotsigs_paper() {
    let bag = |counts: [f32; 3]| -> Vec<(u64, f32)> {
        let features = (1..).map(hash::mix).zip(counts);
        features.filter(|&(_, count)| count > 0.0).collect()
    };
    let bags = [
        bag([5.0, 4.0, 4.0]),
        bag([8.0, 4.0, 0.0]),
        bag([4.0, 5.0, 5.0]),
    ];
    let recipe = recipe(Similarity::Jaccard, Weights::Counts, 0.8);
    let pairs = all_pairs(&sift(&recipe, &bags, None, settings(1, None)));
    assert_eq!(
        pairs,
        [Pair {
            a: 0,
            b: 2,
            score: 0.8
        }]
    );
}

/// So many documents, and so alike, that they are compared feature by feature.
#[test]
fn a_crowd_is_compared_as_exactly() {
    let mut stream = hash::Stream::new(5);
    let mut bags: Vec<Vec<(u64, f32)>> = Vec::new();
    for _ in 0..700 {
        let mut bag: Vec<(u64, f32)> = (0..20)
            .map(|_| {
                let feature = hash::mix(stream.below(90) as u64);
                (feature, 0.1 + stream.below(40) as f32 * 0.37)
            })
            .collect();
        bag.sort_by_key(|&(feature, _)| feature);
        bag.dedup_by_key(|&mut (feature, _)| feature);
        bags.push(bag);
    }
    for similarity in [
        Similarity::Jaccard,
        Similarity::Cosine,
        Similarity::ExtendedJaccard,
    ] {
        for (weights, threshold, old_from) in [
            (Weights::Counts, 0.05, None),
            (Weights::Counts, 0.15, Some(300)),
            (Weights::Binary, 0.05, None),
        ] {
            let weighted = weights != Weights::Binary;
            let expected = brute_force(&bags, old_from, similarity, weighted, threshold);
            assert!(expected.len() > 100);
            let recipe = recipe(similarity, weights, threshold);
            for threads in [1, 3] {
                let found = sift(&recipe, &bags, old_from, settings(threads, None));
                assert_eq!(all_pairs(&found), expected);
            }
        }
    }
}
