//! The other matchers: exact where they say so, never wrong where they guess.

use crate::{all_pairs, bags, chosen, features, settings, sift};
use proptest::prelude::*;
use twinsift::features::Weights;
use twinsift::matching::hamming::differing;
use twinsift::recipe::{
    ExactJoin, Hamming, Matcher, Matching, MinHashBands, MinHashes, SuperShingles,
};
use twinsift::similarity::Similarity;
use twinsift::sketch::minhash::MinHasher;
use twinsift::sketch::simhash::SimHasher;
use twinsift::sketch::supershingles::SuperShingler;
use twinsift::vector::Vector;
use twinsift::{Pair, Recipe};

type Bags = Vec<Vec<(u64, f32)>>;

fn recipe(matching: Matching) -> Recipe {
    chosen(matching).resolve().expect("valid")
}

/// The values by which a bag is signed.
fn values(bag: &[(u64, f32)]) -> Vec<u64> {
    let mut values: Vec<u64> = bag.iter().map(|&(value, _)| value).collect();
    values.sort_unstable();
    values
}

/// The pairs of bags that have a score, by what `sign` makes of each that is not empty.
fn pairs_by<S>(
    bags: &Bags,
    sign: impl Fn(&[u64]) -> S,
    score: impl Fn(&S, &S) -> Option<f64>,
) -> Vec<Pair> {
    let sets = (0u32..).zip(bags.iter().map(|bag| values(bag)));
    let signed = sets.filter(|(_, set)| !set.is_empty());
    let signed: Vec<(u32, S)> = signed.map(|(doc, set)| (doc, sign(&set))).collect();
    let mut pairs = Vec::new();
    for (at, (a, x)) in signed.iter().enumerate() {
        for (b, y) in &signed[at + 1..] {
            if let Some(score) = score(x, y) {
                pairs.push(Pair {
                    a: *a,
                    b: *b,
                    score,
                });
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
        bits in prop_oneof![Just(64u32), Just(128), Just(384), Just(1024)],
        share in 0.0..0.5f64,
        threads in prop_oneof![Just(1usize), Just(2), Just(8)],
    ) {
        let distance = (f64::from(bits) * share) as u32;
        let bags: Bags = bags.iter().map(|bag| features(bag, false)).collect();
        let recipe = recipe(Matching::Hamming(Hamming { bits, distance }));
        let found = all_pairs(&sift(&recipe, &bags, None, settings(threads, Some(1))));
        let sign = |set: &[u64]| {
            let mut row = Vec::new();
            let vector = Vector { total: 0.0, values: set, weights: &[] };
            SimHasher::new(bits, 0).sign(vector, &mut row);
            row
        };
        let expected = pairs_by(&bags, sign, |x, y| {
            let apart = differing(x, y);
            (apart <= distance).then(|| 1.0 - f64::from(apart) / f64::from(bits))
        });
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn super_shingles_agree_in_some_of_six(
        bags in bags(),
        require in 1u32..=6,
        threads in 1usize..4,
    ) {
        let bags: Bags = bags.iter().map(|bag| features(bag, false)).collect();
        let recipe = recipe(Matching::SuperShingles(SuperShingles { require }));
        let found = all_pairs(&sift(&recipe, &bags, None, settings(threads, None)));
        let sign = |set: &[u64]| SuperShingler::new(0).super_shingles(set);
        let expected = pairs_by(&bags, sign, |x, y| {
            let equal = x.iter().zip(y).filter(|(x, y)| x == y).count();
            (equal >= require as usize).then_some(equal as f64 / 6.0)
        });
        prop_assert_eq!(found, expected);
    }

    /// Without a second look, the share of equal min-hashes is all there is.
    #[test]
    fn unverified_min_hashes_agree_in_a_share(
        bags in bags(),
        threshold in 0.05..=1.0f64,
        values in 1u32..100,
        threads in prop_oneof![Just(1usize), Just(2), Just(8)],
    ) {
        let bags: Bags = bags.iter().map(|bag| features(bag, false)).collect();
        let recipe = recipe(Matching::MinHashes(MinHashes { threshold, values }));
        let found = all_pairs(&sift(&recipe, &bags, None, settings(threads, Some(1))));
        let sign = |set: &[u64]| {
            let mut row = Vec::new();
            MinHasher::new(values, 1, 0).all_of_ascending(set, &mut row);
            row
        };
        let expected = pairs_by(&bags, sign, |x, y| {
            let equal = x.iter().zip(y).filter(|(x, y)| x == y).count() as f64;
            let share = equal / f64::from(values);
            (share >= threshold - 1e-9).then_some(share)
        });
        prop_assert_eq!(found, expected);
    }

    /// Only the heaviest features of a document count, whatever weighs them.
    #[test]
    fn top_terms_are_the_heaviest(
        bags in bags(),
        top in 1u32..8,
        weights in prop_oneof![Just(Weights::Counts), Just(Weights::TfIdf)],
        matching in prop_oneof![
            Just(Matching::Exact(ExactJoin { similarity: Similarity::Cosine, threshold: 0.6 })),
            Just(Matching::Exact(ExactJoin { similarity: Similarity::Jaccard, threshold: 0.3 })),
            Just(Matching::Hamming(Hamming { bits: 128, distance: 30 })),
        ],
        threads in 1usize..4,
        memory in prop_oneof![Just(None), Just(Some(1u64))],
    ) {
        let bags: Bags = bags.iter().map(|bag| features(bag, false)).collect();
        let df = |feature: u64| {
            let has = |bag: &&Vec<(u64, f32)>| bag.iter().any(|&(other, _)| other == feature);
            bags.iter().filter(has).count() as f64
        };
        let weigh = |&(feature, count): &(u64, f32)| match weights {
            Weights::TfIdf => {
                let rarity = (1.0 + bags.len() as f64 / df(feature)).ln();
                (feature, ((1.0 + f64::from(count).ln()) * rarity) as f32)
            }
            _ => (feature, count),
        };
        let heaviest = |bag: &Vec<(u64, f32)>| {
            let mut bag: Vec<(u64, f32)> = bag.iter().map(weigh).collect();
            bag.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
            bag.truncate(top as usize);
            bag
        };
        let cut: Bags = bags.iter().map(heaviest).collect();
        let weighed = |weights| chosen(matching).weights(weights);
        let given = weighed(Weights::Counts).resolve().expect("valid");
        let expected = all_pairs(&sift(&given, &cut, None, settings(1, None)));
        let asked = weighed(weights).top_terms(top).resolve().expect("valid");
        let found = all_pairs(&sift(&asked, &bags, None, settings(threads, memory)));
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
            &recipe(Matching::Exact(ExactJoin { similarity: Default::default(), threshold })),
            &bags, None, settings(1, None),
        ));
        let lsh = recipe(Matching::Lsh(MinHashBands { threshold, bands, rows }));
        let found = all_pairs(&sift(&lsh, &bags, None, settings(1, None)));
        prop_assert!(found.iter().all(|pair| exact.contains(pair)));
        for (threads, memory) in [(2, None), (8, Some(1)), (1, Some(10_000))] {
            prop_assert_eq!(&all_pairs(&sift(&lsh, &bags, None, settings(threads, memory))), &found);
        }
    }

    #[test]
    fn equality_is_equality(bags in bags()) {
        let bags: Bags = bags.iter().map(|bag| features(bag, false)).collect();
        let found = all_pairs(&sift(&recipe(Matching::Hash(Default::default())), &bags, None, settings(2, None)));
        let expected = pairs_by(&bags, <[u64]>::to_vec, |x, y| (x == y).then_some(1.0));
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
    let lsh = recipe(Matching::Lsh(MinHashBands {
        threshold: 0.8,
        bands,
        rows,
    }));
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
    let recipe = |weights, threshold| {
        let matching = Matching::Exact(ExactJoin {
            similarity: Similarity::Cosine,
            threshold,
        });
        chosen(matching).weights(weights).resolve().expect("valid")
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

/// What `lsh` promises of bit signatures holds for vectors of any length, at the threshold
/// itself.
#[test]
fn hyperplanes_find_what_they_promise() {
    let mut stream = twinsift::hash::Stream::new(3);
    for threshold in [0.5, 0.8, 0.95f64] {
        let learned = |matcher| {
            let model = crate::learned::model(Similarity::Cosine);
            let choices = Recipe::andd().model(model).matcher(matcher);
            choices.threshold(threshold).resolve().expect("valid")
        };
        let bits = learned(Matcher::Lsh);
        let promised = bits.expected_recall()[0].1;
        for terms in [2usize, 3, 20, 100] {
            let pairs = 300;
            let mut bags: Bags = Vec::new();
            for _ in 0..pairs {
                // One more term turns the vector as far as the threshold allows, and a hair less.
                let mut bag: Vec<(u64, f32)> =
                    (0..terms).map(|_| (stream.next_value(), 1.0)).collect();
                bags.push(bag.clone());
                let turned = (terms as f64 * ((threshold + 1e-6).powi(-2) - 1.0)).sqrt();
                bag.push((stream.next_value(), turned as f32));
                bags.push(bag);
            }
            let exact = learned(Matcher::Exact);
            assert_eq!(
                all_pairs(&sift(&exact, &bags, None, settings(2, None))).len(),
                pairs
            );
            let found = all_pairs(&sift(&bits, &bags, None, settings(2, None))).len();
            let share = found as f64 / pairs as f64;
            let off = 3.0 * (promised * (1.0 - promised) / pairs as f64).sqrt();
            assert!(
                share > promised - off,
                "{terms} terms at {threshold}: {share} for {promised}"
            );
        }
    }
}
