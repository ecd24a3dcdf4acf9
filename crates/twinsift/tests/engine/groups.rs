//! Groups that can be trusted.

use crate::{all_pairs, bags, chosen, features, settings, sift};
use proptest::prelude::*;
use std::collections::HashMap;
use twinsift::features::Weights;
use twinsift::recipe::{
    ExactJoin, FeatureKind, Hamming, Matching, MinHashBands, MinHashes, SuperShingles,
};
use twinsift::similarity::Similarity;
use twinsift::{
    ContentKey, Document, Error, Group, Keep, Matches, Purpose, Rank, Recipe, Settings, Sifter,
    Verdict,
};

fn recipe(threshold: f64) -> Recipe {
    let choices = Recipe::shingles().threshold(threshold);
    choices.resolve().expect("valid")
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
    fn groups_are_the_closure_of_pairs_or_close_to_a_representative(
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
        let clusters = matches.clusters(Group::Connected).expect("readable");
        let found: Vec<u32> = (0..bags.len() as u32).map(|doc| clusters.first(doc)).collect();
        prop_assert_eq!(&found, &label);
        for doc in 0..bags.len() as u32 {
            let size = label.iter().filter(|&&other| other == label[doc as usize]).count();
            prop_assert_eq!(clusters.size(doc) as usize, size);
        }
        let is_grouped = |a: u32, b: u32| clusters.first(a) == clusters.first(b);
        let count = bags.len() as u32;
        let grouped = (0..count).flat_map(|a| (a + 1..count).filter(move |&b| is_grouped(a, b)));
        prop_assert_eq!(clusters.unverified() as usize, grouped.count() - pairs.len());

        let clusters = matches.clusters(Group::Representative).expect("readable");
        let score = |a: u32, b: u32| {
            let ends = (a.min(b), a.max(b));
            let pair = pairs.iter().find(|pair| (pair.a, pair.b) == ends);
            pair.map(|pair| pair.score)
        };
        let is_old = |doc: u32| old_from.is_some_and(|from| doc as usize >= from);
        let representative = |doc: u32| clusters.representative(doc).expect("verified");
        let kept: Vec<u32> = (0..count).filter(|&doc| representative(doc).0 == doc).collect();
        for doc in 0..count {
            let (own, own_score) = representative(doc);
            prop_assert_eq!(representative(own), (own, 1.0));
            prop_assert_eq!(score(doc, own).unwrap_or(1.0), own_score);
            prop_assert!(own == doc || score(doc, own).is_some());
            // No representative is more similar, and representatives are not near each other.
            for &other in kept.iter().filter(|&&other| other != own && other != doc) {
                let other_score = score(doc, other).unwrap_or(0.0);
                prop_assert!(other_score <= own_score && (own != doc || is_old(doc) || other_score == 0.0));
            }
            let members = (0..count).filter(|&other| representative(other).0 == own);
            prop_assert_eq!(Some(clusters.first(doc)), members.clone().next());
            prop_assert_eq!(clusters.size(doc) as usize, members.count());
        }
        prop_assert_eq!(clusters.unverified(), 0);
        let order = clusters.grouped_order();
        for group in order.chunk_by(|&x, &y| clusters.first(x) == clusters.first(y)) {
            prop_assert_eq!(group[0], representative(group[0]).0);
            prop_assert_eq!(group.len(), clusters.size(group[0]) as usize);
            prop_assert!(group.is_sorted_by_key(|&doc| -representative(doc).1));
        }
    }
}

/// A text, its rank, and the number of another one that it only repeats, if it does.
type Ranked = (String, u8, Option<u8>);

fn ranked(text: &'static str) -> impl Strategy<Value = Ranked> {
    let repeats = prop_oneof![4 => Just(None), 1 => any::<u8>().prop_map(Some)];
    (text, 0u8..4, repeats)
}

/// What is found of ranked texts for one purpose, where any collection is crowded.
fn found_for(
    purpose: Purpose,
    recipe: &Recipe,
    texts: &[Ranked],
    old_from: Option<usize>,
    settings: Settings,
) -> Matches {
    let settings = Settings {
        crowd: 0,
        ..settings
    };
    let mut sifter = Sifter::new(recipe.clone(), settings).expect("a valid recipe");
    for (at, (text, rank, repeats)) in texts.iter().enumerate() {
        if old_from == Some(at) {
            sifter.begin_old().expect("room");
        }
        let (text, content_key) = match repeats {
            Some(other) if at > 0 => ("", ContentKey::Repeats(u64::from(*other) % at as u64)),
            _ => (text.as_str(), ContentKey::Holds(at as u64)),
        };
        let document = Document {
            rank: Some(Rank::Number(f64::from(*rank))),
            content_keys: vec![content_key],
            ..Document::new(at.to_string(), text)
        };
        sifter.add(&document).expect("room");
    }
    sifter.finish_for(purpose).expect("room")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// What is found for one purpose is enough for it: the same follows from it as from
    /// all pairs.
    #[test]
    fn a_purpose_is_served_as_all_pairs_would(
        texts in prop::collection::vec(ranked("([a-h] ){1,9}"), 0..40),
        threshold in 0.05..=1.0f64,
        similarity in prop_oneof![
            Just(Similarity::Jaccard),
            Just(Similarity::Cosine),
            Just(Similarity::ExtendedJaccard),
        ],
        weights in prop_oneof![Just(Weights::Binary), Just(Weights::Counts), Just(Weights::TfIdf)],
        keep in prop_oneof![Just(Keep::First), Just(Keep::Longest), Just(Keep::MaxRank), Just(Keep::MinRank)],
        threads in 1usize..4,
        memory in prop_oneof![Just(None), Just(None), Just(Some(1u64))],
        old_share in prop_oneof![Just(None), Just(None), (0.0..=1.0f64).prop_map(Some)],
    ) {
        let choices = chosen(Matching::Exact(ExactJoin { similarity, threshold })).weights(weights);
        let recipe = choices.features(FeatureKind::Words).resolve().expect("valid");
        let old_from = old_share.map(|share| (share * texts.len() as f64) as usize);
        let run = |purpose| found_for(purpose, &recipe, &texts, old_from, settings(threads, memory));
        let all = run(Purpose::Pairs);
        prop_assert_eq!(
            run(Purpose::Dedup(keep)).dedup(keep).expect("readable"),
            all.dedup(keep).expect("readable")
        );
        for group in [Group::Representative, Group::Connected] {
            prop_assert_eq!(
                run(Purpose::Groups(group)).clusters(group).expect("readable"),
                all.clusters(group).expect("readable")
            );
        }
    }

    /// So it is in a crowd, where not every document looks for near duplicates.
    #[test]
    fn groups_of_a_crowd_follow_from_part_of_its_pairs(
        texts in prop::collection::vec(ranked("([a-i] ){3,9}"), 100..200),
        threshold in 0.05..=0.6f64,
        threads in 1usize..4,
        memory in prop_oneof![Just(None), Just(Some(1u64))],
    ) {
        let similarity = Similarity::Jaccard;
        let choices = chosen(Matching::Exact(ExactJoin { similarity, threshold }));
        let recipe = choices.features(FeatureKind::Words).resolve().expect("valid");
        let run = |purpose| found_for(purpose, &recipe, &texts, None, settings(threads, memory));
        let group = Group::Representative;
        prop_assert_eq!(
            run(Purpose::Groups(group)).clusters(group).expect("readable"),
            run(Purpose::Pairs).clusters(group).expect("readable")
        );
    }

    /// The other matchers know no crowds, but they too keep only what connects something.
    #[test]
    fn groups_follow_from_what_any_matcher_finds_for_them(
        texts in prop::collection::vec(ranked("([a-f] ){1,6}"), 0..30),
        matching in prop_oneof![
            Just(Matching::Lsh(MinHashBands { threshold: 0.5, bands: 16, rows: 2 })),
            Just(Matching::SuperShingles(SuperShingles { require: 2 })),
            Just(Matching::MinHashes(MinHashes { threshold: 0.5, values: 20 })),
            Just(Matching::Hamming(Hamming { bits: 64, distance: 12 })),
        ],
        threads in 1usize..4,
        old_share in prop_oneof![Just(None), (0.0..=1.0f64).prop_map(Some)],
    ) {
        let choices = match matching {
            Matching::Hamming(_) => chosen(matching).weights(Weights::TfIdf),
            _ => chosen(matching),
        };
        let recipe = choices.k(1).resolve().expect("valid");
        let old_from = old_share.map(|share| (share * texts.len() as f64) as usize);
        let run = |purpose| found_for(purpose, &recipe, &texts, old_from, settings(threads, None));
        for group in [Group::Representative, Group::Connected] {
            let clusters = |matches: Matches| matches.clusters(group).expect("readable");
            prop_assert_eq!(clusters(run(Purpose::Groups(group))), clusters(run(Purpose::Pairs)));
        }
    }
}

#[test]
fn matches_serve_no_other_purpose_than_theirs() {
    let texts = [("a b".to_owned(), 0, None), ("a b".to_owned(), 0, None)];
    let run = |purpose| found_for(purpose, &recipe(0.8), &texts, None, settings(1, None));
    let refused = |error: Option<Error>| assert!(matches!(error, Some(Error::Purpose)));
    let connected = run(Purpose::Groups(Group::Connected));
    refused(connected.pairs().next().and_then(Result::err));
    assert_eq!(connected.pairs().count(), 1);
    refused(connected.clusters(Group::Representative).err());
    refused(connected.dedup(Keep::First).err());
    let longest = run(Purpose::Dedup(Keep::Longest));
    refused(longest.dedup(Keep::First).err());
    refused(longest.clusters(Group::Connected).err());
    assert!(longest.dedup(Keep::Longest).is_ok());
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
    let clusters = matches.clusters(Group::Connected).expect("readable");
    assert_eq!((clusters.groups(), clusters.largest()), (1, 3));
    assert_eq!(clusters.unverified(), 1);
    let clusters = matches.clusters(Group::Representative).expect("readable");
    let around_b = |doc| clusters.representative(doc).map(|(other, _)| other) == Some(1);
    assert!((0..3).all(around_b) && clusters.first(2) == 0);
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
