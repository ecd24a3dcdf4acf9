//! Learned k-grams from outside: signatures against the vectors that they stand for.

use crate::settings;
use std::collections::HashMap;
use std::f64::consts::PI;
use std::sync::Arc;
use twinsift::features::learned::model::Model;
use twinsift::features::learned::phi;
use twinsift::hash::Stream;
use twinsift::lexicon::{Counter, Limits};
use twinsift::recipe::{Matcher, Method};
use twinsift::similarity::Similarity;
use twinsift::{
    Choices, Document, Extractor, Lexicon, Matches, Recipe, Sifter, Signature, Statistics,
};

/// A model that weighs words by rarity, title and place; some weigh nothing.
pub(crate) fn model(similarity: Similarity) -> Arc<Model> {
    let weight = |name: &String| match name.as_str() {
        "bias" => 0.2,
        "df-0" | "loc-1" => -1.0,
        "in-title" => 0.5,
        _ => 0.1,
    };
    let lambda: Vec<f64> = phi::names(1, false).iter().map(weight).collect();
    Arc::new(Model::new(1, similarity, false, None, &lambda))
}

/// Documents, some of which are edited copies of earlier ones.
pub(crate) fn documents(count: usize) -> Vec<Document<'static>> {
    let mut stream = Stream::new(11);
    let mut bodies: Vec<Vec<String>> = Vec::new();
    for at in 0..count {
        let body = match at > 0 && stream.below(3) > 0 {
            true => {
                let mut body = bodies[stream.below(at)].clone();
                for _ in 0..stream.below(20) {
                    let place = stream.below(body.len());
                    body[place] = format!("w{}", stream.below(3000));
                }
                body
            }
            false => (0..40)
                .map(|_| format!("w{}", stream.below(3000)))
                .collect(),
        };
        bodies.push(body);
    }
    let document = |(at, body): (usize, &Vec<String>)| {
        let mut document = Document::new(at.to_string(), body.join(" "));
        document.title = Some(body[..3].join(" ").into());
        document
    };
    bodies.iter().enumerate().map(document).collect()
}

fn lexicon(documents: &[Document<'_>]) -> Arc<Lexicon> {
    let mut counter = Counter::new(&settings(1, None));
    for document in documents {
        counter.add(document).expect("room");
    }
    Arc::new(counter.finish(Limits::default()).expect("room"))
}

pub(crate) fn with_lexicon(model: &Model, lexicon: &Lexicon) -> Option<Arc<Model>> {
    let mut model = model.clone();
    model.lexicon = Some(lexicon.id().to_owned());
    Some(Arc::new(model))
}

fn recipe(documents: &[Document<'_>], change: impl FnOnce(&mut Choices)) -> Recipe {
    let lexicon = lexicon(documents);
    let mut choices = Choices {
        method: Some(Method::Andd),
        model: with_lexicon(&model(Similarity::Cosine), &lexicon),
        lexicon: Some(lexicon),
        threshold: Some(0.6),
        ..Choices::default()
    };
    change(&mut choices);
    choices.resolve().expect("valid")
}

fn run(documents: &[Document<'_>], recipe: &Recipe, threads: usize) -> Matches {
    let mut sifter = Sifter::new(recipe.clone(), settings(threads, None)).expect("valid");
    for document in documents {
        sifter.add(document).expect("distinct ids");
    }
    sifter.finish().expect("room")
}

fn pairs(matches: &Matches) -> HashMap<(u32, u32), f64> {
    let pairs = matches.pairs().map(|pair| pair.expect("readable"));
    pairs.map(|pair| ((pair.a, pair.b), pair.score)).collect()
}

#[test]
fn the_exact_join_agrees_with_comparing_two_at_a_time() {
    let documents = documents(40);
    for similarity in [Similarity::Cosine, Similarity::ExtendedJaccard] {
        let recipe = recipe(&documents, |choices| {
            choices.model = with_lexicon(&model(similarity), &lexicon(&documents))
        });
        let found = pairs(&run(&documents, &recipe, 2));
        assert!(found.len() > 5);
        for a in 0..documents.len() {
            for b in a + 1..documents.len() {
                let comparison =
                    twinsift::compare(&documents[a], &documents[b], &recipe).expect("fine");
                let score = comparison.score.unwrap_or_default();
                let pair = found.get(&(a as u32, b as u32));
                assert_eq!(pair.is_some(), score >= 0.6, "{a} {b} {score}");
                if let Some(&found) = pair {
                    assert!((found - score).abs() < 1e-9);
                    let terms = comparison.terms.expect("a model has terms");
                    let shares: f64 = terms.iter().map(|term| term.share).sum();
                    assert!((shares - 1.0).abs() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn verified_signatures_find_nearly_all_and_nothing_wrong() {
    let documents = documents(600);
    let exact = pairs(&run(&documents, &recipe(&documents, |_| {}), 2));
    for bits in [64, 384, 1024] {
        let lsh = |no_verify: bool| {
            recipe(&documents, |choices| {
                choices.matcher = Some(Matcher::Lsh);
                choices.bits = Some(bits);
                choices.no_verify = Some(no_verify);
            })
        };
        let found = pairs(&run(&documents, &lsh(false), 2));
        assert!(found.iter().all(|(pair, score)| exact[pair] == *score));
        let recall = found.len() as f64 / exact.len() as f64;
        assert!(recall >= 0.97, "{bits} bits: {recall}");
        // Estimates are near the cosine: a bit differs with a chance of θ/π.
        let estimated = pairs(&run(&documents, &lsh(true), 2));
        let known = estimated
            .iter()
            .filter_map(|(pair, e)| Some((e, exact.get(pair)?)));
        let errors: Vec<f64> = known.map(|(e, score)| (e - score).abs()).collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        assert!(mean < 1.5 / f64::from(bits).sqrt(), "{bits} bits: {mean}");
    }
}

#[test]
fn weighted_min_hashes_find_nearly_all_and_nothing_wrong() {
    let documents = documents(300);
    let of = |change: &dyn Fn(&mut Choices)| {
        recipe(&documents, |choices| {
            choices.model = with_lexicon(&model(Similarity::ExtendedJaccard), &lexicon(&documents));
            change(choices);
        })
    };
    let exact = pairs(&run(&documents, &of(&|_| {}), 2));
    let verified = of(&|choices| choices.matcher = Some(Matcher::Lsh));
    let found = pairs(&run(&documents, &verified, 2));
    assert!(found.iter().all(|(pair, score)| exact[pair] == *score));
    let recall = found.len() as f64 / exact.len() as f64;
    assert!(recall >= 0.95, "{recall}");
    for values in [32, 256] {
        let estimated = of(&|choices| {
            choices.matcher = Some(Matcher::Lsh);
            choices.no_verify = Some(true);
            choices.bands = Some(values);
        });
        let estimated = pairs(&run(&documents, &estimated, 2));
        let known = estimated
            .iter()
            .filter_map(|(pair, e)| Some((e, exact.get(pair)?)));
        let errors: Vec<f64> = known.map(|(e, score)| (e - score).abs()).collect();
        assert!(errors.len() > 10);
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        assert!(
            mean < 0.02 + 0.6 / f64::from(values).sqrt(),
            "{values} values: {mean}"
        );
    }
}

#[test]
fn signatures_can_be_stored_and_matched_later() {
    stored_and_matched_later(Similarity::Cosine, 6);
    stored_and_matched_later(Similarity::ExtendedJaccard, 128);
}

fn stored_and_matched_later(similarity: Similarity, numbers: usize) {
    let documents = documents(200);
    let recipe = recipe(&documents, |choices| {
        choices.model = with_lexicon(&model(similarity), &lexicon(&documents));
        choices.matcher = Some(Matcher::Lsh);
        choices.no_verify = Some(true);
    });
    let straight = pairs(&run(&documents, &recipe, 2));
    let extractor = Extractor::new(&recipe, &Statistics::default()).expect("valid");
    let mut later = Sifter::of_signatures(recipe.clone(), settings(1, None)).expect("valid");
    for (doc, document) in documents.iter().enumerate() {
        let values = recipe.signature_values(&extractor.extract(document));
        // 384 bits are 48 bytes.
        assert!(values.as_ref().is_none_or(|values| values.len() == numbers));
        let mut stored = Document::new(doc.to_string(), "");
        stored.signature = Some(
            values
                .map_or_else(Signature::default, Signature::of_sketch)
                .into(),
        );
        later.add(&stored).expect("distinct ids");
    }
    assert_eq!(pairs(&later.finish().expect("room")), straight);
}

/// Matches stored signatures of 384 bits, by these alone.
fn match_stored(rows: &[Vec<u64>], threshold: f64, threads: usize) -> Matches {
    let choices = Choices {
        method: Some(Method::Andd),
        model: Some(model(Similarity::Cosine)),
        matcher: Some(Matcher::Lsh),
        no_verify: Some(true),
        threshold: Some(threshold),
        ..Choices::default()
    };
    let recipe = choices.resolve().expect("valid");
    let settings = settings(threads, None);
    let mut sifter = Sifter::of_signatures(recipe, settings).expect("valid");
    for (doc, row) in rows.iter().enumerate() {
        let mut stored = Document::new(doc.to_string(), "");
        stored.signature = Some(Signature::of_sketch(row.clone()).into());
        sifter.add(&stored).expect("distinct ids");
    }
    sifter.finish().expect("room")
}

/// Bands leave most of their groups empty here.
#[test]
fn signatures_that_are_all_alike_or_all_apart() {
    let mut stream = Stream::new(6);
    let unrelated: Vec<Vec<u64>> = (0..12_000)
        .map(|_| (0..6).map(|_| stream.next_value()).collect())
        .collect();
    assert_eq!(pairs(&match_stored(&unrelated, 1.0, 2)).len(), 0);
    // One template of the first five words; the last is the document's own.
    let alike: Vec<Vec<u64>> = (0..9_000)
        .map(|_| [&unrelated[0][..5], &[stream.next_value()]].concat())
        .collect();
    assert_eq!(pairs(&match_stored(&alike, 0.999, 2)).len(), 0);
    assert!(!pairs(&match_stored(&alike, 0.995, 2)).is_empty());
}

/// Copies that differ in as many bits as they may, among unrelated ones.
#[test]
fn few_comparisons_find_nearly_all_pairs_of_signatures() {
    let threshold = 0.8;
    let most = (f64::acos(threshold) / PI * 384.0) as usize;
    let mut stream = Stream::new(4);
    let mut rows: Vec<Vec<u64>> = (0..30_000)
        .map(|_| (0..6).map(|_| stream.next_value()).collect())
        .collect();
    let mut planted = Vec::new();
    for original in 0..500u32 {
        let mut copy = rows[original as usize].clone();
        let mut bits: Vec<usize> = (0..384).collect();
        for _ in 0..most {
            let bit = bits.swap_remove(stream.below(bits.len()));
            copy[bit / 64] ^= 1 << (bit % 64);
        }
        planted.push((original, rows.len() as u32));
        rows.push(copy);
    }
    let run = |threads: usize| match_stored(&rows, threshold, threads);
    let matches = run(2);
    let found = pairs(&matches);
    assert!(found.values().all(|&score| score >= threshold));
    let kept = planted.iter().filter(|pair| found.contains_key(pair));
    let recall = kept.count() as f64 / planted.len() as f64;
    assert!(recall >= 0.96, "{recall}");
    let all = (rows.len() * (rows.len() - 1) / 2) as u64;
    assert!(matches.report().compared < all / 10);
    assert_eq!(pairs(&run(1)), found);
}

#[test]
fn only_the_heaviest_terms_count() {
    let documents = documents(60);
    let cut = recipe(&documents, |choices| choices.top_terms = Some(5));
    let comparison = twinsift::compare(&documents[0], &documents[0], &cut).expect("fine");
    assert_eq!(comparison.terms.map(|terms| terms.len()), Some(5));
    let few = run(&documents, &cut, 1).report().signature_bytes;
    let all = run(&documents, &recipe(&documents, |_| {}), 1)
        .report()
        .signature_bytes;
    assert!(few < all / 4);
}

#[test]
fn what_a_model_cannot_do_is_refused() {
    let documents = documents(3);
    let lexicon = lexicon(&documents);
    let refused = |change: &dyn Fn(&mut Choices)| {
        let mut choices = Choices {
            method: Some(Method::Andd),
            model: Some(model(Similarity::Cosine)),
            ..Choices::default()
        };
        change(&mut choices);
        choices.resolve().expect_err("refused").to_string()
    };
    assert!(refused(&|c| c.model = None).contains("train andd"));
    assert!(refused(&|c| c.k = Some(3)).contains("`k`"));
    assert!(refused(&|c| c.matcher = Some(Matcher::Hash)).contains("join or lsh"));
    assert!(refused(&|c| c.bits = Some(384)).contains("`match` lsh"));
    assert!(refused(&|c| c.top_terms = Some(0)).contains("`top_terms`"));
    assert!(refused(&|c| c.method = Some(Method::MinHash)).contains("`model`"));
    let lsh = |c: &mut Choices, bits| (c.matcher, c.bits) = (Some(Matcher::Lsh), Some(bits));
    assert!(refused(&|c| lsh(c, 100)).contains("multiple of 64"));
    assert!(refused(&|c| lsh(c, 8192)).contains("4096"));
    let of_lexicon = |id: &str| {
        let mut model = (*model(Similarity::Cosine)).clone();
        model.lexicon = Some(id.to_owned());
        Some(Arc::new(model))
    };
    assert!(refused(&|c| c.model = of_lexicon("abc")).contains("`lexicon`"));
    let other = |c: &mut Choices| {
        (c.model, c.lexicon) = (of_lexicon("abc"), Some(lexicon.clone()));
    };
    assert!(refused(&other).contains("trained with the lexicon abc"));
    let needless = |c: &mut Choices| c.lexicon = Some(lexicon.clone());
    assert!(refused(&needless).contains("without a lexicon"));
}
