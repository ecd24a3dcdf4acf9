//! The engine from outside, against brute force.

mod compare;
mod distributed;
mod exact;
mod extract_keys_verify;
mod fold;
mod groups;
mod imatch;
mod learned;
mod limits;
mod matchers;
mod observer;
mod recipes;
mod spots;
mod window;

use proptest::prelude::*;
use twinsift::features::Weights;
use twinsift::hash;
use twinsift::recipe::{
    ExactJoin, Hamming, Matcher, Matching, MinHashBands, MinHashes, SuperShingles,
};
use twinsift::{Choices, Matches, Pair, Recipe, Settings, Sifter};

/// A document as features: number in a small universe, and weight.
type Bag = Vec<(u8, u8)>;

/// Collections whose documents overlap a lot: few features, and many documents
/// that are edited copies of earlier ones.
fn bags() -> impl Strategy<Value = Vec<Bag>> {
    let feature = (0u8..40, 1u8..5);
    let fresh = prop::collection::vec(feature.clone(), 0..14);
    let edit = prop::collection::vec((any::<u8>(), feature), 0..3);
    prop::collection::vec((fresh, any::<prop::sample::Index>(), 0u8..4, edit), 0..40).prop_map(
        |drafts| {
            let mut bags: Vec<Bag> = Vec::new();
            for (fresh, earlier, kind, edits) in drafts {
                let mut bag = match kind {
                    0 | 1 if !bags.is_empty() => earlier.get(&bags).clone(),
                    _ => fresh,
                };
                for (at, feature) in edits {
                    let at = at as usize % (bag.len() + 1);
                    match at == bag.len() {
                        true => bag.push(feature),
                        false => bag[at] = feature,
                    }
                }
                bag.sort_unstable();
                bag.dedup_by_key(|&mut (feature, _)| feature);
                bags.push(bag);
            }
            bags
        },
    )
}

/// The features of a bag as the engine takes them; uneven weights on demand.
fn features(bag: &Bag, uneven: bool) -> Vec<(u64, f32)> {
    let weight = |weight: u8| match uneven {
        true => f32::from(weight) * 0.37,
        false => f32::from(weight),
    };
    bag.iter()
        .map(|&(feature, count)| (hash::mix(feature.into()), weight(count)))
        .collect()
}

fn settings(threads: usize, memory: Option<u64>) -> Settings {
    Settings {
        threads,
        memory,
        ..Settings::default()
    }
}

/// The choices of a matcher with its parameters, for features of weight 1.
fn chosen(matching: Matching) -> Choices {
    let by = |matcher| Choices::default().matcher(matcher).weights(Weights::Binary);
    match matching {
        Matching::Exact(ExactJoin {
            similarity,
            threshold,
        }) => by(Matcher::Exact)
            .similarity(similarity)
            .threshold(threshold),
        Matching::Lsh(MinHashBands {
            threshold,
            bands,
            rows,
        }) => by(Matcher::Lsh)
            .threshold(threshold)
            .bands(bands)
            .rows(rows),
        Matching::MinHashes(MinHashes { threshold, values }) => by(Matcher::Lsh)
            .no_verify(true)
            .threshold(threshold)
            .bands(values),
        Matching::Hash(_) => Choices::default().matcher(Matcher::Hash),
        Matching::SuperShingles(SuperShingles { require }) => {
            Recipe::supershingles().require(require)
        }
        Matching::Hamming(Hamming { bits, distance }) => {
            by(Matcher::Hamming).bits(bits).distance(distance)
        }
        other => panic!("{other:?} needs more than a matcher"),
    }
}

/// Runs a recipe over bags; everything from `old_from` on is old.
fn sift(
    recipe: &Recipe,
    bags: &[Vec<(u64, f32)>],
    old_from: Option<usize>,
    settings: Settings,
) -> Matches {
    let mut sifter = Sifter::new(recipe.clone(), settings).expect("a valid recipe");
    for (at, bag) in bags.iter().enumerate() {
        if old_from == Some(at) {
            sifter.begin_old().expect("room");
        }
        sifter
            .add_features(&at.to_string(), bag)
            .expect("distinct ids");
    }
    if old_from == Some(bags.len()) {
        sifter.begin_old().expect("room");
    }
    sifter.finish().expect("room")
}

fn all_pairs(matches: &Matches) -> Vec<Pair> {
    matches
        .pairs()
        .map(|pair| pair.expect("readable"))
        .collect()
}
