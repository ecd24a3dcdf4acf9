//! I-Match on whole collections, against all pairs looked at one by one.

use crate::{all_pairs, bags, settings};
use proptest::prelude::*;
use std::sync::Arc;
use twinsift::features::lexicon::Terms;
use twinsift::features::{Features, Featurise};
use twinsift::filter::{Answer, Filter};
use twinsift::lexicon::{Counter, Limits};
use twinsift::recipe::{FeatureKind, IMatch, Matcher, Matching, Method, Verify};
use twinsift::similarity::Similarity;
use twinsift::sketch::imatch::{Digest, Scratch, Signer};
use twinsift::tokenise::Tokens;
use twinsift::{
    Choices, Document, Extractor, Id, Lexicon, Pair, Recipe, Settings, Sifter, Signature,
    Statistics,
};

fn counted(texts: &[String]) -> Lexicon {
    let mut counter = Counter::new(&Settings::default());
    for (at, text) in texts.iter().enumerate() {
        let document = Document::new(at.to_string(), text.as_str());
        counter.add(&document).expect("counted");
    }
    let all = Limits {
        min_documents: 1,
        max_terms: usize::MAX,
    };
    counter.finish(all).expect("counted")
}

fn words(text: &str) -> Vec<u64> {
    let (mut tokens, mut features) = (Tokens::new(), Features::new());
    tokens.read(text);
    Terms::default().features(&tokens, &mut features);
    features.values().to_vec()
}

fn cosine(x: &[u64], y: &[u64]) -> f64 {
    let shared = x.iter().filter(|word| y.contains(word)).count();
    shared as f64 / ((x.len() * y.len()) as f64).sqrt()
}

/// Rows and words of all documents.
fn signed(texts: &[String], lexicon: &Lexicon, recipe: &Recipe) -> Vec<(Vec<u64>, Vec<u64>)> {
    let rules = recipe.imatch_rules().expect("imatch");
    let signer = Signer::new(lexicon, rules, recipe.seed(), &recipe.signature_id());
    let sign = |text: &String| {
        let (words, mut row) = (words(text), Vec::new());
        signer.sign(&words, &mut Scratch::default(), &mut row);
        (row, words)
    };
    texts.iter().map(sign).collect()
}

fn score(
    recipe: &Recipe,
    (x, x_words): &(Vec<u64>, Vec<u64>),
    (y, y_words): &(Vec<u64>, Vec<u64>),
) -> Option<f64> {
    let Matching::IMatch(IMatch {
        require, verify, ..
    }) = recipe.matching()
    else {
        panic!("imatch");
    };
    let places = || x.iter().zip(y);
    let equal = places().filter(|(x, y)| x == y && **x != 0).count();
    let present = places().filter(|(x, y)| **x != 0 || **y != 0).count();
    if equal < require as usize {
        return None;
    }
    match verify {
        None => Some(equal as f64 / present as f64),
        Some(verify) => Some(cosine(x_words, y_words)).filter(|&cosine| cosine >= verify.threshold),
    }
}

fn brute_force(texts: &[String], lexicon: &Lexicon, recipe: &Recipe, old_from: usize) -> Vec<Pair> {
    let signed = signed(texts, lexicon, recipe);
    let mut pairs = Vec::new();
    for a in 0..old_from {
        let first = if old_from == texts.len() {
            a + 1
        } else {
            old_from
        };
        for b in first..texts.len() {
            if let Some(score) = score(recipe, &signed[a], &signed[b]) {
                let (a, b) = (a as u32, b as u32);
                pairs.push(Pair { a, b, score });
            }
        }
    }
    pairs
}

fn documents<'a>(names: &'a [String], texts: &'a [String]) -> Vec<Document<'a>> {
    let document =
        |(name, text): (&'a String, &'a String)| Document::new(name.as_str(), text.as_str());
    names.iter().zip(texts).map(document).collect()
}

fn sifted(mut sifter: Sifter, documents: &[Document<'_>], old_from: usize) -> Vec<Pair> {
    for (at, document) in documents.iter().enumerate() {
        if at == old_from {
            sifter.begin_old().expect("begun");
        }
        sifter.add(document).expect("added");
    }
    all_pairs(&sifter.finish().expect("found"))
}

fn same(found: &[Pair], expected: &[Pair]) -> bool {
    found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(x, y)| (x.a, x.b) == (y.a, y.b) && (x.score - y.score).abs() < 1e-12)
}

/// Texts that overlap a lot.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let word = |&(number, _): &(u8, u8)| {
        let [tens, ones] = [number / 10, number % 10].map(|digit| char::from(b'a' + digit));
        format!("word{tens}{ones}")
    };
    let text = move |bag: &Vec<(u8, u8)>| bag.iter().map(word).collect::<Vec<_>>().join(" ");
    bags().prop_map(move |bags| bags.iter().map(text).collect())
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let verify = prop_oneof![Just(None), (0.3..=1.0f64).prop_map(Some)];
    let ratio = prop::sample::select(vec![0.0, 0.0, 0.3, 0.9]);
    let filled = prop::sample::select(vec![0u32, 0, 6, 12]);
    (
        0u32..6,
        1u32..4,
        verify,
        ratio,
        filled,
        0u32..6,
        any::<bool>(),
    )
        .prop_map(
            |(lexicons, require, verify, min_ratio, expand_to, min_terms, drop)| {
                let choices = Choices {
                    method: Some(Method::IMatch),
                    idf: Some([0.1, 0.9]),
                    random_lexicons: Some(lexicons),
                    require: Some(require.min(lexicons + 1)),
                    min_terms: Some(min_terms),
                    min_ratio: Some(min_ratio),
                    expand_to: Some(expand_to),
                    drop: (drop && lexicons > 0).then_some(0.4),
                    verify: verify.map(|threshold| Verify {
                        similarity: Similarity::Cosine,
                        threshold,
                    }),
                    ..Choices::default()
                };
                choices.resolve().expect("valid")
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_pair_of_equal_signatures_is_found(
        texts in texts(),
        own in recipes(),
        old in prop::option::of(0usize..10),
        threads in prop_oneof![Just(1usize), Just(2), Just(8)],
        memory in prop_oneof![Just(None), Just(Some(1))],
    ) {
        let lexicon = Arc::new(counted(&texts));
        let given = own.with_lexicon(lexicon.clone()).expect("valid");
        let old_from = old.unwrap_or(texts.len()).min(texts.len());
        let names: Vec<String> = (0..texts.len()).map(|at| at.to_string()).collect();
        let documents = documents(&names, &texts);
        // All words count here, so that both lexicons are the same.
        for recipe in [&own, &given] {
            let expected = brute_force(&texts, &lexicon, recipe, old_from);
            let sifter = Sifter::new(recipe.clone(), settings(threads, memory)).expect("valid");
            let found = sifted(sifter, &documents, old_from);
            prop_assert!(same(&found, &expected), "{found:?} for {expected:?}");
        }
        // The same from stored signatures.
        let Matching::IMatch(IMatch { verify: None, .. }) = given.matching() else {
            return Ok(());
        };
        let expected = brute_force(&texts, &lexicon, &given, old_from);
        let extractor = Extractor::new(&given, &Statistics::default()).expect("valid");
        let stored: Vec<Document<'_>> = documents.iter().map(|document| {
            let mut stored = Document::new(document.id.text.clone(), "");
            let values = given.signature_values(&extractor.extract(document));
            stored.signature = Some(values.map_or_else(Signature::default, Signature::of_sketch).into());
            stored
        }).collect();
        let sifter = Sifter::of_signatures(given, settings(threads, memory));
        let found = sifted(sifter.expect("valid"), &stored, old_from);
        prop_assert!(same(&found, &expected), "{found:?} for {expected:?}");
    }

    /// A filter says yes exactly where some known document is a pair of the stream's,
    /// names one that is, and gives that pair's score.
    #[test]
    fn a_filter_answers_like_a_batch(texts in texts(), own in recipes(), learn in any::<bool>(), remember in 0usize..6) {
        let lexicon = Arc::new(counted(&texts));
        let recipe = own.with_lexicon(lexicon.clone()).expect("valid");
        let signed = signed(&texts, &lexicon, &recipe);
        let known = texts.len() / 2;
        let mut filter = Filter::new(&recipe).expect("valid");
        filter.remember(remember);
        for (at, text) in texts[..known].iter().enumerate() {
            filter.insert(&Document::new(at.to_string(), text.as_str())).expect("known");
        }
        // Numbers of documents in the stream that were learnt.
        let mut learnt: Vec<usize> = Vec::new();
        for at in known..texts.len() {
            let document = Document::new(at.to_string(), texts[at].as_str());
            let answer = match learn {
                true => filter.answer_and_learn(&document).expect("learnt"),
                false => filter.answer(&document),
            };
            let recent = &learnt[learnt.len().saturating_sub(remember)..];
            let pairs: Vec<(usize, f64)> = (0..known)
                .chain(recent.iter().copied())
                .filter_map(|other| Some((other, score(&recipe, &signed[at], &signed[other])?)))
                .collect();
            match &answer {
                Answer::DuplicateOf { id, score } => {
                    let other: usize = id.text.parse().expect("a number");
                    let is_pair = pairs.iter().any(|&(known, right)| known == other && (right - score).abs() < 1e-12);
                    prop_assert!(is_pair, "{answer:?} of {pairs:?}");
                }
                Answer::Unknown | Answer::NotJudged => prop_assert!(pairs.is_empty(), "{pairs:?}"),
            }
            if learn && answer != Answer::NotJudged {
                learnt.push(at);
            }
        }
    }
}

/// Numbers stay numbers, and a signature that does not fit is no silent miss.
#[test]
fn a_filter_names_what_it_knows_as_it_was_named() {
    let choices = Choices {
        method: Some(Method::Exact),
        ..Choices::default()
    };
    let mut filter = Filter::new(&choices.resolve().expect("valid")).expect("valid");
    let mut known = Document::new("", "some words");
    known.id = Id::number("7");
    filter.insert(&known).expect("known");
    let score = 1.0;
    let answer = filter.answer_and_learn(&Document::new("x", "some words"));
    let id = Id::number("7");
    assert_eq!(answer.expect("learnt"), Answer::DuplicateOf { id, score });
    known.signature = Some(Signature::of_sketch(vec![1; 3]).into());
    assert!(filter.insert(&known).is_err());
}

/// The next collection has other statistics.
#[test]
fn signatures_by_a_collections_own_words_are_not_stored() {
    for features in [None, Some(FeatureKind::Spots)] {
        let choices = Choices {
            method: features.is_none().then_some(Method::IMatch),
            features,
            matcher: Some(Matcher::Hash),
            random_lexicons: Some(3),
            ..Choices::default()
        };
        let recipe = choices.resolve().expect("valid");
        assert!(recipe.check_signing().is_err(), "{features:?}");
    }
}

#[test]
fn sha1_finds_the_same_pairs() {
    let texts: Vec<String> = (0..40)
        .map(|at| {
            let word = |n: usize| format!("word{}", char::from(b'a' + (n % 26) as u8));
            (0..12)
                .map(|n| word(n * (1 + at % 7) + at / 20))
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let lexicon = Arc::new(counted(&texts));
    let find = |digest| {
        let choices = Choices {
            method: Some(Method::IMatch),
            lexicon: Some(lexicon.clone()),
            idf: Some([0.0, 0.95]),
            digest: Some(digest),
            ..Choices::default()
        };
        let recipe = choices.resolve().expect("valid");
        let sifter = Sifter::new(recipe, Settings::default()).expect("valid");
        let names: Vec<String> = (0..texts.len()).map(|at| at.to_string()).collect();
        let documents = documents(&names, &texts);
        sifted(sifter, &documents, texts.len())
    };
    let found = find(Digest::Sum);
    assert!(!found.is_empty());
    assert_eq!(found, find(Digest::Sha1));
}

#[test]
fn a_recipe_that_cannot_filter_is_refused() {
    let of = |choices: Choices| Filter::new(&choices.resolve().expect("valid")).err();
    assert!(of(Choices::default()).is_none());
    let simhash = Choices {
        method: Some(Method::SimHash),
        ..Choices::default()
    };
    let why = of(simhash).expect("refused").to_string();
    assert!(why.contains("`weights` binary"), "{why}");
    let no_lexicon = Choices {
        method: Some(Method::IMatch),
        ..Choices::default()
    };
    let why = of(no_lexicon).expect("refused").to_string();
    assert!(why.contains("`lexicon`"), "{why}");
}
