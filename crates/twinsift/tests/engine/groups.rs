//! Groups that can be trusted.

use crate::{all_pairs, bags, features, settings, sift};
use proptest::prelude::*;
use std::collections::HashMap;
use twinsift::recipe::Matching;
use twinsift::{Document, Group, Keep, Rank, Recipe, Sifter, Verdict};

fn recipe(threshold: f64) -> Recipe {
    Recipe {
        matching: Matching::Exact {
            similarity: Default::default(),
            threshold,
        },
        ..Recipe::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Each removed document is a near duplicate of the very document kept for
    /// it, and no two survivors are near duplicates.
    #[test]
    fn dedup_keeps_its_promise(
        bags in bags(),
        threshold in 0.05..=1.0f64,
        memory in prop_oneof![Just(None), Just(Some(1u64))],
        old_share in prop_oneof![Just(None), (0.0..=1.0f64).prop_map(Some)],
    ) {
        let bags: Vec<_> = bags.iter().map(|bag| features(bag, false)).collect();
        let old_from = old_share.map(|share| (share * bags.len() as f64) as usize);
        let matches = sift(&recipe(threshold), &bags, old_from, settings(2, memory));
        let pairs: HashMap<(u32, u32), f64> = all_pairs(&matches)
            .into_iter()
            .map(|pair| ((pair.a, pair.b), pair.score))
            .collect();
        for keep in [Keep::First, Keep::Longest, Keep::MaxRank] {
            let verdicts = matches.dedup(keep).expect("readable");
            let kept = |doc: u32| verdicts[doc as usize] == Verdict::Kept;
            for (doc, verdict) in (0u32..).zip(&verdicts) {
                if let Verdict::DuplicateOf { doc: other, score } = *verdict {
                    prop_assert!(kept(other));
                    prop_assert_eq!(pairs.get(&(doc.min(other), doc.max(other))), Some(&score));
                    prop_assert!(old_from.is_none_or(|from| (doc as usize) < from));
                }
            }
            prop_assert!(pairs.keys().all(|&(a, b)| !(kept(a) && kept(b))));
        }
    }

    #[test]
    fn components_are_the_closure_of_pairs_and_stars_are_close(
        bags in bags(),
        threshold in 0.05..=1.0f64,
        old_share in prop_oneof![Just(None), (0.0..=1.0f64).prop_map(Some)],
    ) {
        let bags: Vec<_> = bags.iter().map(|bag| features(bag, false)).collect();
        let old_from = old_share.map(|share| (share * bags.len() as f64) as usize);
        let matches = sift(&recipe(threshold), &bags, old_from, settings(1, None));
        let pairs = all_pairs(&matches);
        let mut label: Vec<u32> = (0..bags.len() as u32).collect();
        for _ in 0..bags.len() {
            for pair in &pairs {
                let least = label[pair.a as usize].min(label[pair.b as usize]);
                label[pair.a as usize] = least;
                label[pair.b as usize] = least;
            }
        }
        let clusters = matches.clusters(Group::Components).expect("readable");
        let found: Vec<u32> = (0..bags.len() as u32).map(|doc| clusters.first(doc)).collect();
        prop_assert_eq!(&found, &label);
        for doc in 0..bags.len() as u32 {
            let size = label.iter().filter(|&&other| other == label[doc as usize]).count();
            prop_assert_eq!(clusters.size(doc) as usize, size);
        }
        // An old document may be the centre of a star; it comes behind the new ones.
        let stars = matches.clusters(Group::Star).expect("readable");
        for doc in 0..bags.len() as u32 {
            let centre = stars.first(doc);
            let ends = (centre.min(doc), centre.max(doc));
            let close = pairs.iter().any(|pair| (pair.a, pair.b) == ends);
            prop_assert!(centre == doc || close);
            prop_assert_eq!(stars.first(centre), centre);
        }
    }
}

fn chain() -> Vec<Vec<(u64, f32)>> {
    // A~B and B~C at 9 of 11, A and C at 8 of 12.
    (0..3)
        .map(|start| {
            (start..start + 10)
                .map(|at| (twinsift::hash::mix(at), 1.0))
                .collect()
        })
        .collect()
}

#[test]
fn a_chain_never_removes_its_far_end() {
    let matches = sift(&recipe(0.8), &chain(), None, settings(1, None));
    let clusters = matches.clusters(Group::Components).expect("readable");
    assert_eq!((clusters.groups(), clusters.largest()), (1, 3));
    let stars = matches.clusters(Group::Star).expect("readable");
    assert_eq!((stars.first(1), stars.first(2)), (0, 2));
    let verdicts = matches.dedup(Keep::First).expect("readable");
    assert_eq!(verdicts[0], Verdict::Kept);
    assert!(matches!(verdicts[1], Verdict::DuplicateOf { doc: 0, .. }));
    assert_eq!(verdicts[2], Verdict::Kept);
}

#[test]
fn the_keep_rule_decides_who_stays() {
    let mut sifter = Sifter::new(Recipe::default(), settings(1, None)).expect("valid");
    let text = "one two three four five six seven eight nine ten";
    let years = [
        Some(Rank::Number(2001.0)),
        None,
        Some(Rank::Number(2020.0)),
        Some(Rank::Number(1999.0)),
    ];
    for (at, rank) in years.into_iter().enumerate() {
        let spaces = " ".repeat(if at == 1 { 9 } else { 0 });
        let mut document = Document::new(at.to_string(), format!("{text}{spaces}"));
        document.rank = rank;
        sifter.add(&document).expect("distinct ids");
    }
    let matches = sifter.finish().expect("room");
    let kept = |keep| {
        let verdicts = matches.dedup(keep).expect("readable");
        verdicts
            .iter()
            .position(|&verdict| verdict == Verdict::Kept)
    };
    assert_eq!(kept(Keep::First), Some(0));
    assert_eq!(kept(Keep::Longest), Some(1));
    assert_eq!(kept(Keep::MaxRank), Some(2));
    assert_eq!(kept(Keep::MinRank), Some(3));
}
