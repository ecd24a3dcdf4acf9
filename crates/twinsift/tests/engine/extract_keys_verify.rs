//! Extract, keys, verify: together they find what a `Sifter` finds, for every recipe.

use crate::learned::{self, model, with_lexicon};
use crate::{all_pairs, settings};
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;
use twinsift::features::Weights;
use twinsift::features::spots::{Fallback, Language};
use twinsift::hash::Stream;
use twinsift::lexicon::{Counter, Limits};
use twinsift::recipe::{FeatureKind, Matcher, Method, Verify};
use twinsift::similarity::Similarity;
use twinsift::sketch::imatch::Digest;
use twinsift::{
    Choices, Document, Extractor, Keys, Lexicon, Pair, Recipe, Sifter, Signature, Statistics,
    Verifier,
};

const WORDS: [&str; 24] = [
    "the", "a", "is", "was", "of", "river", "bridge", "council", "storm", "coast", "museum",
    "vote", "harbour", "train", "winter", "budget", "school", "mayor", "police", "festival", "and",
    "in", "new", "old",
];

/// Texts, most of which are edited copies of earlier ones; some have no words.
pub(crate) fn texts() -> impl Strategy<Value = Vec<String>> {
    let fresh = prop::collection::vec(0..WORDS.len(), 0..40);
    let edits = prop::collection::vec((any::<u8>(), 0..WORDS.len()), 0..5);
    prop::collection::vec((fresh, any::<prop::sample::Index>(), 0u8..3, edits), 0..24).prop_map(
        |drafts| {
            let mut texts: Vec<Vec<usize>> = Vec::new();
            for (fresh, earlier, kind, edits) in drafts {
                let mut text = match kind > 0 && !texts.is_empty() {
                    true => earlier.get(&texts).clone(),
                    false => fresh,
                };
                for (at, word) in edits {
                    match at as usize % (text.len() + 1) {
                        at if at == text.len() => text.push(word),
                        at => text[at] = word,
                    }
                }
                texts.push(text);
            }
            let spelled = |text: &Vec<usize>| {
                let words: Vec<&str> = text.iter().map(|&at| WORDS[at]).collect();
                words.join(" ")
            };
            texts.iter().map(spelled).collect()
        },
    )
}

pub(crate) fn documents(texts: &[String]) -> Vec<Document<'_>> {
    let document = |(at, text): (usize, &'_ String)| {
        let mut document = Document::new(at.to_string(), text.clone());
        document.title = text
            .split_once(' ')
            .map(|(title, _)| title.to_owned().into());
        document
    };
    texts.iter().enumerate().map(document).collect()
}

pub(crate) fn lexicon(documents: &[Document<'_>]) -> Arc<Lexicon> {
    let mut counter = Counter::new(&settings(1, None));
    for document in documents {
        counter.add(document).expect("room");
    }
    let all = Limits {
        min_documents: 1,
        max_terms: usize::MAX,
    };
    Arc::new(counter.finish(all).expect("room"))
}

/// Choices for every method, matcher, weight and measure that there is.
pub(crate) fn choices(threshold: f64, lexicon: &Arc<Lexicon>) -> Vec<Choices> {
    let of = |method| Choices {
        method: Some(method),
        ..Choices::default()
    };
    let at = |method| Choices {
        threshold: Some(threshold),
        ..of(method)
    };
    let measures = [
        Similarity::Jaccard,
        Similarity::Cosine,
        Similarity::ExtendedJaccard,
    ];
    let mut all = vec![of(Method::Exact), of(Method::SuperShingles)];
    for similarity in measures {
        for weights in [Weights::Binary, Weights::Counts, Weights::TfIdf] {
            for features in [
                FeatureKind::Shingles,
                FeatureKind::Words,
                FeatureKind::Spots,
            ] {
                all.push(Choices {
                    features: Some(features),
                    matcher: Some(Matcher::Exact),
                    k: (features == FeatureKind::Shingles).then_some(2),
                    weights: Some(weights),
                    similarity: Some(similarity),
                    threshold: Some(threshold),
                    ..Choices::default()
                });
            }
        }
    }
    let english = Language::of_code("en");
    let spots = |matcher, fallback| Choices {
        matcher: Some(matcher),
        language: english,
        min_spots: Some(3),
        fallback,
        ..of(Method::SpotSigs)
    };
    let shingles = Some(Fallback::Shingles);
    all.extend([
        spots(Matcher::Exact, shingles),
        spots(Matcher::Exact, None),
        spots(Matcher::Lsh, shingles),
        spots(Matcher::Hash, shingles),
        Choices {
            random_lexicons: Some(4),
            ..spots(Matcher::Hash, None)
        },
    ]);
    let window = Some([0.1, 0.8]);
    let words = |matcher| Choices {
        features: Some(FeatureKind::Words),
        matcher: Some(matcher),
        ..Choices::default()
    };
    all.extend([
        Choices {
            idf: window,
            ..at(Method::Shingles)
        },
        Choices {
            idf: window,
            ..at(Method::MinHash)
        },
        Choices {
            idf: window,
            ..of(Method::SuperShingles)
        },
        Choices {
            idf: window,
            ..words(Matcher::Hash)
        },
        Choices {
            idf: window,
            no_verify: Some(true),
            ..at(Method::MinHash)
        },
        Choices {
            require: Some(4),
            ..of(Method::SuperShingles)
        },
        Choices {
            no_verify: Some(true),
            ..at(Method::MinHash)
        },
        Choices {
            bands: Some(7),
            rows: Some(3),
            ..at(Method::MinHash)
        },
        Choices {
            fold: Some(true),
            k: Some(3),
            ..at(Method::Shingles)
        },
        Choices {
            weights: Some(Weights::TfIdf),
            top_terms: Some(4),
            similarity: Some(Similarity::Cosine),
            threshold: Some(threshold),
            ..words(Matcher::Exact)
        },
        Choices {
            distance: Some(9),
            ..of(Method::SimHash)
        },
        Choices {
            bits: Some(256),
            distance: Some(20),
            idf: window,
            ..of(Method::SimHash)
        },
        words(Matcher::Hash),
    ]);
    let verify = Some(Verify {
        similarity: Similarity::Cosine,
        threshold,
    });
    for lexicon in [None, Some(lexicon.clone())] {
        let imatch = Choices {
            lexicon: lexicon.clone(),
            idf: Some([0.0, 0.99]),
            min_terms: Some(2),
            random_lexicons: Some(5),
            ..of(Method::IMatch)
        };
        all.extend([
            Choices {
                min_ratio: Some(0.2),
                ..imatch.clone()
            },
            Choices {
                require: Some(3),
                verify,
                ..imatch.clone()
            },
        ]);
        if lexicon.is_some() {
            all.push(Choices {
                digest: Some(Digest::Sha1),
                require: Some(2),
                ..imatch
            });
        }
    }
    for (similarity, matcher) in [
        (Similarity::Cosine, Matcher::Exact),
        (Similarity::ExtendedJaccard, Matcher::Exact),
        (Similarity::Cosine, Matcher::Lsh),
        (Similarity::ExtendedJaccard, Matcher::Lsh),
    ] {
        let learned = Choices {
            model: with_lexicon(&model(similarity), lexicon),
            lexicon: Some(lexicon.clone()),
            matcher: Some(matcher),
            ..at(Method::Andd)
        };
        if matcher == Matcher::Lsh && similarity == Similarity::ExtendedJaccard {
            all.push(Choices {
                no_verify: Some(true),
                ..learned.clone()
            });
        }
        all.push(learned);
    }
    all
}

pub(crate) fn statistics(recipe: &Recipe, documents: &[Document<'_>]) -> Statistics {
    // Counted in two parts, as on two machines.
    let part = |documents: &[Document<'_>]| {
        let mut counter = Statistics::counter(recipe);
        documents.iter().for_each(|document| counter.add(document));
        let stored = counter.finish().to_bytes();
        Statistics::from_bytes(&stored).expect("as it was stored")
    };
    let (left, right) = documents.split_at(documents.len() / 3);
    let (left, right) = (part(left), part(right));
    let merged = left.merge(&right).expect("of one recipe");
    let ranges = left.split(3).into_iter().zip(right.split(3));
    let ranges = ranges.map(|(left, right)| left.merge(&right).expect("of one recipe"));
    assert_eq!(Statistics::concatenate(ranges), merged);
    merged
}

fn signatures(recipe: &Recipe, documents: &[Document<'_>]) -> Vec<Signature> {
    let statistics = statistics(recipe, documents);
    let extractor = Extractor::new(recipe, &statistics).expect("a valid recipe");
    let extract = |document| {
        let stored = extractor.extract(document).to_bytes();
        Signature::from_bytes(&stored).expect("as it was stored")
    };
    documents.iter().map(extract).collect()
}

/// What a sifter finds that is given signatures in place of documents.
fn by_signatures(recipe: &Recipe, documents: &[Document<'_>]) -> Vec<Pair> {
    let mut sifter = Sifter::of_signatures(recipe.clone(), settings(2, None)).expect("valid");
    for (document, signature) in documents.iter().zip(signatures(recipe, documents)) {
        let mut signed = Document::new(document.id.text.clone(), "");
        signed.signature = Some(signature.into());
        sifter.add(&signed).expect("distinct ids");
    }
    all_pairs(&sifter.finish().expect("room"))
}

/// All pairs that share a key and are accepted; and those that are accepted alone.
fn by_keys(recipe: &Recipe, documents: &[Document<'_>]) -> [Vec<Pair>; 2] {
    let signatures = signatures(recipe, documents);
    let keys = Keys::new(recipe).expect("a valid recipe");
    let keys: Vec<HashSet<u64>> = (signatures.iter())
        .map(|signature| keys.of(signature).into_iter().collect())
        .collect();
    let verifier = Verifier::new(recipe).expect("a valid recipe");
    let mut found = [Vec::new(), Vec::new()];
    for a in 0..signatures.len() {
        for b in a + 1..signatures.len() {
            let Some(score) = verifier.score(&signatures[a], &signatures[b]) else {
                continue;
            };
            assert_eq!(verifier.score(&signatures[b], &signatures[a]), Some(score));
            let pair = Pair {
                a: a as u32,
                b: b as u32,
                score,
            };
            if !keys[a].is_disjoint(&keys[b]) {
                found[0].push(pair);
            }
            found[1].push(pair);
        }
    }
    found
}

fn by_sifter(recipe: &Recipe, documents: &[Document<'_>]) -> Vec<Pair> {
    let mut sifter = Sifter::new(recipe.clone(), settings(2, None)).expect("a valid recipe");
    for document in documents {
        sifter.add(document).expect("distinct ids");
    }
    all_pairs(&sifter.finish().expect("room"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn a_shared_key_and_a_score_make_the_pairs_of_a_sifter(
        texts in texts(),
        threshold in prop_oneof![0.05..1.0f64, Just(0.5), Just(1.0)],
    ) {
        let documents = documents(&texts);
        prop_assume!(!documents.is_empty());
        for choices in choices(threshold, &lexicon(&documents)) {
            let recipe = choices.resolve().expect("valid");
            let spelled = recipe.to_json();
            let again = Recipe::from_json(&spelled, choices.lexicon, choices.model);
            prop_assert_eq!(again.expect("as it was"), recipe.clone(), "{}", spelled);
            let [found, accepted] = by_keys(&recipe, &documents);
            let sifted = by_sifter(&recipe, &documents);
            prop_assert_eq!(&found, &sifted, "{}", &recipe);
            prop_assert_eq!(&by_signatures(&recipe, &documents), &sifted, "{}", &recipe);
            if Keys::new(&recipe).expect("valid").recall() == Some(1.0) {
                prop_assert_eq!(&found, &accepted, "{}", recipe);
            }
        }
    }
}

/// The property above says something only where there are pairs.
#[test]
fn every_recipe_finds_pairs() {
    let mut stream = Stream::new(3);
    let mut drafts: Vec<Vec<&str>> = Vec::new();
    for at in 0..40 {
        let fresh = (0..30).map(|_| WORDS[stream.below(WORDS.len())]).collect();
        let mut draft = if at < 5 {
            fresh
        } else {
            drafts[at % 5].clone()
        };
        (0..at / 10).for_each(|_| draft[stream.below(30)] = WORDS[stream.below(WORDS.len())]);
        drafts.push(draft);
    }
    let texts: Vec<String> = drafts.iter().map(|draft| draft.join(" ")).collect();
    let documents = documents(&texts);
    for choices in choices(0.3, &lexicon(&documents)) {
        let recipe = choices.resolve().expect("valid");
        let [found, _] = by_keys(&recipe, &documents);
        assert!(!found.is_empty(), "{recipe}");
        assert_eq!(found, by_sifter(&recipe, &documents), "{recipe}");
        assert_eq!(found, by_signatures(&recipe, &documents), "{recipe}");
    }
}

#[test]
fn bands_of_bits_keep_their_promise() {
    let documents = learned::documents(600);
    let lexicon = lexicon(&documents);
    for threshold in [0.9, 0.7, 0.5] {
        let choices = Choices {
            method: Some(Method::Andd),
            matcher: Some(Matcher::Lsh),
            no_verify: Some(true),
            model: with_lexicon(&model(Similarity::Cosine), &lexicon),
            lexicon: Some(lexicon.clone()),
            threshold: Some(threshold),
            ..Choices::default()
        };
        let recipe = choices.resolve().expect("valid");
        let promised = Keys::new(&recipe).expect("valid").recall().expect("known");
        assert!(promised >= 0.97);
        let [found, accepted] = by_keys(&recipe, &documents);
        assert_eq!(accepted, by_sifter(&recipe, &documents));
        assert!(accepted.len() > 100, "{}", accepted.len());
        let share = found.len() as f64 / accepted.len() as f64;
        assert!(share >= promised - 0.02, "{threshold}: {share}");
    }
}

#[test]
fn statistics_are_asked_for_and_must_be_of_the_same_features() {
    let by = |features, weights| {
        let choices = Choices {
            features: Some(features),
            matcher: Some(Matcher::Exact),
            weights: Some(weights),
            ..Choices::default()
        };
        choices.resolve().expect("valid")
    };
    let (words, pairs) = (
        by(FeatureKind::Words, Weights::TfIdf),
        by(FeatureKind::Shingles, Weights::TfIdf),
    );
    let none = Statistics::default();
    assert!(Extractor::new(&words, &none).is_err());
    assert!(Extractor::new(&by(FeatureKind::Words, Weights::Counts), &none).is_ok());
    let texts = ["one two three".to_owned(), "two three four".to_owned()];
    let counted = statistics(&words, &documents(&texts));
    assert_eq!((counted.documents(), counted.features()), (2, 4));
    assert!(Extractor::new(&words, &counted).is_ok());
    assert!(Extractor::new(&pairs, &counted).is_err());
    let others = statistics(&pairs, &documents(&["a b c d e f".to_owned()]));
    assert!(counted.merge(&others).is_err());
    assert_eq!(counted.merge(&none).expect("nothing to merge"), counted);
    let mut stored = counted.to_bytes();
    stored[20] ^= 1;
    assert_eq!(Statistics::from_bytes(&stored), None);
}

#[test]
fn extractors_are_shared_by_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let recipe = Recipe::default();
    let extractor = Extractor::new(&recipe, &Statistics::default()).expect("valid");
    shared(&extractor);
    shared(&Keys::new(&recipe).expect("valid"));
    shared(&Verifier::new(&recipe).expect("valid"));
    let document = Document::new("a", "one two three four five six");
    let alone = extractor.extract(&document);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| assert_eq!(extractor.extract(&document), alone)));
        }
    });
}
