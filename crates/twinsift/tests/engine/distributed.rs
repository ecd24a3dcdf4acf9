//! The steps of a distributed join find what a `Sifter` finds, whatever the partitions and plan.

use crate::extract_keys_verify::{choices, documents, lexicon, statistics, texts};
use crate::{all_pairs, settings};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use twinsift::distributed::candidates::{
    CandidateMerger, VerifyPlan, hot_documents, pairs, request,
};
use twinsift::distributed::classes::{collapse, digests, members};
use twinsift::distributed::fetch::fetch;
use twinsift::distributed::join::Joiner;
use twinsift::distributed::plan::{Goal, Plan};
use twinsift::distributed::route::Router;
use twinsift::distributed::sample::trim;
use twinsift::distributed::segment::{Segment, SegmentWriter};
use twinsift::distributed::verify::{CandidateVerifier, Edge};
use twinsift::distributed::{check, number};
use twinsift::{Document, Extractor, Recipe, Sifter, hash};

/// How a join is spread.
#[derive(Clone, Copy, Debug)]
struct Spread {
    partitions: usize,
    tasks: usize,
    sample: usize,
    least_unit: u64,
    /// Documents from this one on are old.
    old_from: Option<usize>,
}

fn spread() -> impl Strategy<Value = Spread> {
    (1usize..5, 1usize..6, 1usize..30, 1u64..40).prop_map(
        |(partitions, tasks, sample, least_unit)| Spread {
            partitions,
            tasks,
            sample,
            least_unit,
            old_from: None,
        },
    )
}

/// A segment, and the positions of its documents.
type Placed = (Segment, Vec<usize>);

/// All segments, and samples.
fn segments(
    recipe: &Recipe,
    documents: &[Document<'_>],
    spread: Spread,
) -> (Vec<Placed>, Vec<Vec<u8>>) {
    let statistics = statistics(recipe, documents);
    let extractor = Extractor::new(recipe, &statistics).expect("a valid recipe");
    let (mut segments, mut samples) = (Vec::new(), Vec::new());
    for (old, partition) in [false, true]
        .into_iter()
        .flat_map(|old| (0..spread.partitions).map(move |partition| (old, partition)))
    {
        let mut writer = SegmentWriter::new(old, partition as u64, spread.sample);
        let mut positions = Vec::new();
        for (at, document) in documents.iter().enumerate() {
            let is_old = spread.old_from.is_some_and(|from| at >= from);
            let drawn = hash::mix(at as u64) as usize % spread.partitions;
            if is_old != old || drawn != partition {
                continue;
            }
            let id = hash::bytes(document.id.text.as_bytes());
            writer.add(id, &extractor.extract(document));
            positions.push(at);
            if positions.len() == 4 {
                let segment = writer.cut().expect("few").expect("has documents");
                segments.push((segment, std::mem::take(&mut positions)));
            }
        }
        segments.extend(
            writer
                .cut()
                .expect("few")
                .map(|segment| (segment, positions)),
        );
        samples.push(writer.finish());
    }
    (segments, samples)
}

/// Gathers blobs by where they go.
fn gathered<K: Ord>(blobs: impl IntoIterator<Item = (K, Vec<u8>)>) -> BTreeMap<K, Vec<Vec<u8>>> {
    let mut gathered: BTreeMap<K, Vec<Vec<u8>>> = BTreeMap::new();
    for (to, blob) in blobs {
        gathered.entry(to).or_default().push(blob);
    }
    gathered
}

fn slices(blobs: Option<&Vec<Vec<u8>>>) -> impl Iterator<Item = &[u8]> {
    blobs.into_iter().flatten().map(Vec::as_slice)
}

fn redirects(segments: &[Placed], buckets: usize) -> BTreeMap<u64, Vec<Vec<u8>>> {
    let digested = segments.iter().flat_map(|(segment, _)| {
        let blobs = digests(segment.number, &segment.documents, buckets).expect("as written");
        blobs.into_iter().enumerate()
    });
    let mut redirects = Vec::new();
    for blobs in gathered(digested).values() {
        let classes = collapse(slices(Some(blobs))).expect("as written");
        assert!(classes.same_id.is_empty());
        redirects.extend(classes.redirects);
    }
    gathered(redirects)
}

/// The edges between classes.
fn edges(
    recipe: &Recipe,
    segments: &[Placed],
    samples: &[Vec<u8>],
    redirects: &BTreeMap<u64, Vec<Vec<u8>>>,
    spread: Spread,
) -> Vec<Edge> {
    let goal = Goal {
        tasks: spread.tasks,
        most_postings: 1000,
        least_unit: spread.least_unit,
    };
    let documents = segments
        .iter()
        .map(|(segment, _)| u64::from(segment.rows))
        .sum();
    let trimmed = samples
        .iter()
        .map(|sample| trim(sample, documents, spread.sample as u64));
    let samples: Vec<Vec<u8>> = trimmed.collect::<Result<_, _>>().expect("as written");
    let (plan, _) = Plan::new(recipe, samples.iter().map(Vec::as_slice), goal).expect("valid");
    if plan.tasks() == 0 {
        return Vec::new();
    }
    let plan = Plan::from_bytes(&plan.to_bytes()).expect("as written");
    let mut routed = Vec::new();
    for (segment, _) in segments {
        let mut router = Router::new(recipe, plan.clone()).expect("valid");
        let redirects = slices(redirects.get(&segment.number));
        let added = router.add(segment.number, &segment.signatures, redirects);
        added.expect("as written");
        routed.extend(router.send());
    }
    let mut found = Vec::new();
    for blobs in gathered(routed).values() {
        let mut joiner = Joiner::new(recipe, spread.old_from.is_some()).expect("valid");
        for blob in blobs {
            joiner.add(blob).expect("as written");
        }
        let mut joining = joiner.join(spread.tasks);
        while let Some(blobs) = joining.next_blobs() {
            found.extend(blobs);
        }
    }
    let mut candidates = Vec::new();
    for blobs in gathered(found).values() {
        let mut merger = CandidateMerger::default();
        for blob in blobs {
            merger.add(blob).expect("as written");
        }
        candidates.extend(merger.finish().0);
    }
    verified(recipe, segments, &candidates, spread)
}

fn verified(
    recipe: &Recipe,
    segments: &[Placed],
    candidates: &[Vec<u8>],
    spread: Spread,
) -> Vec<Edge> {
    let hot: Vec<(u64, u64)> = (candidates.iter())
        .flat_map(|blob| hot_documents(blob).expect("as written"))
        .chain([(segments[0].0.number, 1 << 20)])
        .collect();
    let plan = VerifyPlan::new(100, spread.tasks, &hot);
    let plan = VerifyPlan::from_bytes(&plan.to_bytes()).expect("as written");
    let (mut pairs, mut requests) = (Vec::new(), Vec::new());
    for blob in candidates {
        let requested = request(blob, &plan).expect("as written");
        pairs.extend(requested.pairs);
        requests.extend(requested.documents);
    }
    let requests = gathered(requests);
    let mut fetched = Vec::new();
    for (segment, _) in segments {
        let requests = slices(requests.get(&segment.number));
        fetched.extend(fetch(segment.number, &segment.signatures, requests).expect("as written"));
    }
    let (pairs, fetched) = (gathered(pairs), gathered(fetched));
    let mut edges = Vec::new();
    for (task, pairs) in &pairs {
        let mut verifier = CandidateVerifier::new(recipe).expect("valid");
        for blob in &fetched[task] {
            verifier.add_signatures(blob).expect("as written");
        }
        for blob in pairs {
            verifier.add_pairs(blob).expect("as written");
        }
        edges.extend(verifier.run().expect("as written").0);
    }
    edges
}

/// All pairs of documents by their positions.
fn by_tasks(
    recipe: &Recipe,
    documents: &[Document<'_>],
    spread: Spread,
) -> BTreeMap<(u32, u32), f64> {
    let (segments, samples) = segments(recipe, documents, spread);
    let redirects = redirects(&segments, spread.tasks);
    let edges = edges(recipe, &segments, &samples, &redirects, spread);
    let mut classes: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (segment, positions) in &segments {
        let ends: Vec<u64> = (edges.iter())
            .flat_map(|edge| [edge.x, edge.y])
            .filter(|&end| number::segment(end) == segment.number)
            .collect();
        let redirects = slices(redirects.get(&segment.number));
        let members = members(segment.number, &segment.documents, redirects, &ends);
        for (row, representative) in members.expect("as written") {
            let class = classes.entry(representative).or_default();
            class.push(positions[row as usize] as u32);
        }
    }
    let mut pairs = BTreeMap::new();
    let mut add = |a: u32, b: u32, score| {
        let old = |at: u32| spread.old_from.is_some_and(|from| at as usize >= from);
        if spread.old_from.is_none() || old(a) != old(b) {
            let before = pairs.insert((a.min(b), a.max(b)), score);
            assert_eq!(before, None, "a pair twice");
        }
    };
    for edge in &edges {
        for (&a, &b) in classes[&edge.x]
            .iter()
            .flat_map(|a| classes[&edge.y].iter().map(move |b| (a, b)))
        {
            add(a, b, edge.score);
        }
    }
    for class in classes.values() {
        for (at, &a) in class.iter().enumerate() {
            class[at + 1..].iter().for_each(|&b| add(a, b, 1.0));
        }
    }
    pairs
}

fn by_sifter(
    recipe: &Recipe,
    documents: &[Document<'_>],
    old_from: Option<usize>,
) -> BTreeMap<(u32, u32), f64> {
    let mut sifter = Sifter::new(recipe.clone(), settings(1, None)).expect("a valid recipe");
    for (at, document) in documents.iter().enumerate() {
        if old_from == Some(at) {
            sifter.begin_old().expect("room");
        }
        sifter.add(document).expect("distinct ids");
    }
    let pairs = all_pairs(&sifter.finish().expect("room"));
    let pair = |pair: twinsift::Pair| ((pair.a, pair.b), pair.score);
    pairs.into_iter().map(pair).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn tasks_find_the_pairs_of_a_sifter(
        texts in texts(),
        threshold in prop_oneof![0.05..1.0f64, Just(0.5), Just(1.0)],
        spread in spread(),
        against in prop::option::of(0.0..1.0f64),
    ) {
        let documents = documents(&texts);
        prop_assume!(!documents.is_empty());
        let old_from = against.map(|share| (share * documents.len() as f64) as usize);
        let spread = Spread { old_from, ..spread };
        for choices in choices(threshold, &lexicon(&documents)) {
            let recipe = choices.resolve().expect("valid");
            if check(&recipe).is_err() {
                continue;
            }
            let found = by_tasks(&recipe, &documents, spread);
            prop_assert_eq!(found, by_sifter(&recipe, &documents, old_from), "{}", recipe);
        }
    }
}

/// Documents that are all alike but for a word, in one size: the key that all have is split.
fn crowd(size: usize) -> Vec<String> {
    let one = |at: usize| format!("all of these documents begin alike and end with {at}");
    (0..size).map(one).collect()
}

#[test]
fn the_keys_of_a_crowd_are_split_evenly() {
    let texts = crowd(600);
    let documents = documents(&texts);
    let recipe = Recipe::shingles().threshold(0.3).resolve().expect("valid");
    let spread = Spread {
        partitions: 3,
        tasks: 4,
        sample: 200,
        least_unit: 100,
        old_from: None,
    };
    let (segments, samples) = segments(&recipe, &documents, spread);
    let goal = Goal {
        tasks: 4,
        most_postings: 1 << 20,
        least_unit: 100,
    };
    let (plan, _) = Plan::new(&recipe, samples.iter().map(Vec::as_slice), goal).expect("valid");
    assert!(plan.splits() > 0);
    let mut routed = Vec::new();
    for (segment, _) in &segments {
        let mut router = Router::new(&recipe, plan.clone()).expect("valid");
        let added = router.add(segment.number, &segment.signatures, [].into_iter());
        added.expect("as written");
        routed.extend(router.send());
    }
    let (mut work, mut found) = (Vec::new(), BTreeSet::new());
    for blobs in gathered(routed).values() {
        let mut joiner = Joiner::new(&recipe, false).expect("valid");
        blobs
            .iter()
            .for_each(|blob| joiner.add(blob).expect("as written"));
        let mut joining = joiner.join(1);
        while let Some(blobs) = joining.next_blobs() {
            found.extend(blobs);
        }
        work.push(joining.report().comparisons);
    }
    work.sort_unstable();
    let (median, most) = (work[work.len() / 2], work[work.len() - 1]);
    assert_eq!(work.len(), 4);
    assert!(most as f64 <= 1.5 * median as f64, "{work:?}");
    assert!(!found.is_empty());
    let pairs = by_tasks(&recipe, &documents, spread);
    assert_eq!(pairs, by_sifter(&recipe, &documents, None));
}

#[test]
fn ids_that_occur_twice_are_found_across_partitions() {
    let recipe = Recipe::default();
    let extractor = Extractor::new(&recipe, &Default::default()).expect("valid");
    let mut blobs = vec![Vec::new(); 3];
    for (old, partition, id) in [(false, 0, 7), (false, 1, 7), (true, 0, 7), (false, 2, 8)] {
        let mut writer = SegmentWriter::new(old, partition, 0);
        writer.add(id, &extractor.extract(&Document::new("", "one two three")));
        let segment = writer.cut().expect("few").expect("a document");
        let packed = digests(segment.number, &segment.documents, 3).expect("as written");
        packed
            .into_iter()
            .zip(&mut blobs)
            .for_each(|(blob, all)| all.push(blob));
    }
    let same: Vec<(u64, u64)> = (blobs.iter())
        .flat_map(|blobs| collapse(slices(Some(blobs))).expect("as written").same_id)
        .collect();
    let first = |partition| number::first_of_segment(false, partition, 0).expect("few");
    assert_eq!(same, [(first(0), first(1))]);
}

proptest! {
    #[test]
    fn nonsense_is_refused_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let recipe = Recipe::default();
        _ = Plan::from_bytes(&bytes);
        _ = VerifyPlan::from_bytes(&bytes);
        _ = digests(0, &bytes, 3);
        _ = collapse([&bytes[..]].into_iter());
        _ = members(0, &bytes, [&bytes[..]].into_iter(), &[5]);
        _ = fetch(0, &bytes, [&bytes[..]].into_iter());
        _ = hot_documents(&bytes);
        _ = pairs(&bytes);
        _ = trim(&bytes, 100, 10);
        let mut joiner = Joiner::new(&recipe, false).expect("valid");
        _ = joiner.add(&bytes);
        _ = CandidateMerger::default().add(&bytes);
        let mut verifier = CandidateVerifier::new(&recipe).expect("valid");
        _ = verifier.add_signatures(&bytes);
        _ = verifier.add_pairs(&bytes);
    }
}
