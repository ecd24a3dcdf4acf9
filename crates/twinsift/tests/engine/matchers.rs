//! The other matchers: exact where they say so, never wrong where they guess.

use crate::{all_pairs, bags, features, settings, sift};
use proptest::prelude::*;
use twinsift::collection::block::Vector;
use twinsift::features::Weights;
use twinsift::matching::hamming::differing;
use twinsift::recipe::{FeatureKind, Matching, Method};
use twinsift::sketch::simhash::SimHasher;
use twinsift::sketch::supershingles::SuperShingler;
use twinsift::{Pair, Recipe};

type Bags = Vec<Vec<(u64, f32)>>;

fn recipe(matching: Matching) -> Recipe {
    Recipe {
        matching,
        ..Recipe::default()
    }
}

/// The values by which a bag is signed.
fn values(bag: &[(u64, f32)]) -> Vec<u64> {
    let mut values: Vec<u64> = bag.iter().map(|&(value, _)| value).collect();
    values.sort_unstable();
    values
}

fn pairs_by(bags: &Bags, score: impl Fn(&[u64], &[u64]) -> Option<f64>) -> Vec<Pair> {
    let sets: Vec<Vec<u64>> = bags.iter().map(|bag| values(bag)).collect();
    let mut pairs = Vec::new();
    for (a, x) in (0u32..).zip(&sets) {
        for (b, y) in (0u32..).zip(&sets).skip(a as usize + 1) {
            if let (false, false, Some(score)) = (x.is_empty(), y.is_empty(), score(x, y)) {
                pairs.push(Pair { a, b, score });
            }
        }
    }
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn hamming_finds_every_pair_within_the_distance(
        bags in bags(),
        bits in prop_oneof![Just(64u32), Just(128)],
        distance in 0u32..64,
        threads in prop_oneof![Just(1usize), Just(2), Just(8)],
    ) {
        let bags: Bags = bags.iter().map(|bag| features(bag, false)).collect();
        let recipe = Recipe {
            method: Method::SimHash,
            features: FeatureKind::Words,
            k: 1,
            ..recipe(Matching::Hamming { bits, distance })
        };
        let found = all_pairs(&sift(&recipe, &bags, None, settings(threads, Some(1))));
        let sign = |set: &[u64]| {
            let mut row = Vec::new();
            let vector = Vector { total: 0.0, values: set, weights: &[] };
            SimHasher::new(bits, 0).sign(vector, &mut row);
            row
        };
        let expected = pairs_by(&bags, |x, y| {
            let apart = differing(&sign(x), &sign(y));
            (apart <= distance).then(|| 1.0 - f64::from(apart) / f64::from(bits))
        });
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn super_shingles_agree_in_two_of_six(bags in bags(), threads in 1usize..4) {
        let bags: Bags = bags.iter().map(|bag| features(bag, false)).collect();
        let found = all_pairs(&sift(&recipe(Matching::SuperShingles), &bags, None, settings(threads, None)));
        let expected = pairs_by(&bags, |x, y| {
            let shingler = SuperShingler::new(0);
            let (x, y) = (shingler.super_shingles(x), shingler.super_shingles(y));
            let equal = x.iter().zip(&y).filter(|(x, y)| x == y).count();
            (equal >= 2).then_some(equal as f64 / 6.0)
        });
        prop_assert_eq!(found, expected);
    }

    /// Every pair that min-hash bands report is right, and nothing depends on
    /// threads or memory.
    #[test]
    fn lsh_reports_only_true_pairs(
        bags in bags(),
        threshold in 0.05..=1.0f64,
        bands in 1u32..30,
        rows in 1u32..6,
    ) {
        let bags: Bags = bags.iter().map(|bag| features(bag, false)).collect();
        let exact = all_pairs(&sift(
            &recipe(Matching::Exact { similarity: Default::default(), threshold }),
            &bags, None, settings(1, None),
        ));
        let lsh = recipe(Matching::Lsh { threshold, bands, rows });
        let found = all_pairs(&sift(&lsh, &bags, None, settings(1, None)));
        prop_assert!(found.iter().all(|pair| exact.contains(pair)));
        for (threads, memory) in [(2, None), (8, Some(1)), (1, Some(10_000))] {
            prop_assert_eq!(&all_pairs(&sift(&lsh, &bags, None, settings(threads, memory))), &found);
        }
    }

    #[test]
    fn equality_is_equality(bags in bags()) {
        let bags: Bags = bags.iter().map(|bag| features(bag, false)).collect();
        let found = all_pairs(&sift(&recipe(Matching::Hash), &bags, None, settings(2, None)));
        let expected = pairs_by(&bags, |x, y| (x == y).then_some(1.0));
        prop_assert_eq!(found, expected);
    }
}

/// With many values, nearly every pair well above the threshold is found.
#[test]
fn lsh_finds_what_it_promises() {
    let mut stream = twinsift::hash::Stream::new(9);
    let mut bags: Bags = Vec::new();
    for _ in 0..400 {
        let base: Vec<u64> = (0..200).map(|_| stream.next_value()).collect();
        let mut copy = base.clone();
        copy[..20]
            .iter_mut()
            .for_each(|value| *value = stream.next_value());
        bags.extend(
            [base, copy].map(|values| values.into_iter().map(|value| (value, 1.0)).collect()),
        );
    }
    let (bands, rows) = twinsift::matching::lsh::bands_for(0.8, 128);
    let lsh = recipe(Matching::Lsh {
        threshold: 0.8,
        bands,
        rows,
    });
    let found = all_pairs(&sift(&lsh, &bags, None, settings(2, None)));
    // Similarity is 180 / 220 = 0.818; 98.6 % is promised at 0.8.
    assert!(found.len() >= 385, "{} of 400", found.len());
}

/// Rare features count more: two documents that share only what all share fall
/// apart, two that share rare ones stay together.
#[test]
fn tf_idf_weighs_by_rarity() {
    let feature = |at: u64| (twinsift::hash::mix(at), 1.0);
    let common: Vec<(u64, f32)> = (0..5).map(feature).collect();
    let mut bags: Bags = (0..20u64)
        .map(|doc| {
            common
                .iter()
                .copied()
                .chain((0..5).map(|at| feature(100 + doc * 10 + at)))
                .collect()
        })
        .collect();
    bags.push(
        bags[0]
            .iter()
            .skip(1)
            .copied()
            .chain([feature(9999)])
            .collect(),
    );
    let recipe = |weights, threshold| Recipe {
        weights,
        matching: Matching::Exact {
            similarity: twinsift::matching::similarity::Similarity::Cosine,
            threshold,
        },
        ..Recipe::default()
    };
    let plain = all_pairs(&sift(
        &recipe(Weights::Counts, 0.5),
        &bags,
        None,
        settings(2, None),
    ));
    assert!(plain.len() > 100);
    let weighted = recipe(Weights::TfIdf, 0.5);
    let found = all_pairs(&sift(&weighted, &bags, None, settings(2, None)));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].a, found[0].b), (0, 20));
    let spilled = all_pairs(&sift(&weighted, &bags, None, settings(8, Some(1))));
    assert_eq!(spilled, found);
}
