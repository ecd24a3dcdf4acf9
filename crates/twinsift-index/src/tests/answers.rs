//! An index by every kind of recipe, against documents compared one by one.

use crate::index::{Batch, Index};
use crate::record::{Record, Time};
use crate::searcher::Searcher;
use std::sync::Arc;
use twinsift::hash::Stream;
use twinsift::lexicon::{Counter, Limits};
use twinsift::{Choices, Document, Extractor, Keys, Recipe, Settings, Statistics, Verifier};

fn texts() -> Vec<String> {
    let mut random = Stream::new(5);
    let stop = ["the", "a", "is", "was", "to", "will"];
    // I-Match looks at no words with digits.
    let letter = |at: usize| char::from(b'a' + at as u8);
    let word = |random: &mut Stream, family: usize, at: usize| match random.below(25) {
        0 => format!("other{}", letter(random.below(26))),
        _ if at.is_multiple_of(4) => stop[at / 4 % stop.len()].to_owned(),
        _ => format!(
            "word{}{}{}",
            letter(family),
            letter(at / 26),
            letter(at % 26)
        ),
    };
    let mut texts: Vec<String> = Vec::new();
    for number in 0..120 {
        let words = (0..40).map(|at| word(&mut random, number / 6, at));
        texts.push(words.collect::<Vec<_>>().join(" "));
    }
    texts[7] = texts[3].clone();
    texts[50] = String::new();
    texts
}

/// Builds an index by log, import and merges; every answer must be that of the documents whose
/// keys are shared, verified one by one.
fn agrees(name: &str, recipe: &Recipe, statistics: &Statistics) {
    let texts = texts();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.idx");
    let mut index = Index::create(&path, recipe, statistics).expect("an index");
    index.set_log_bytes(4_000);
    let extractor = Extractor::new(recipe, statistics).expect("an extractor");
    let signature = |at: usize| extractor.extract(&Document::new("", &*texts[at]));
    let record = |at: usize| {
        let id = twinsift::Id::text(format!("d{at}"));
        Record::new(id, signature(at), Time::now())
    };
    let mut import = index.import().expect("an import");
    (0..60)
        .try_for_each(|at| import.push(&record(at)))
        .expect("documents");
    import.finish().expect("documents");
    for at in 60..120 {
        let mut batch = Batch::default();
        batch.add(record(at));
        index.commit(batch).expect("a commit");
    }
    index.close().expect("a closed index");
    let searcher = Searcher::open(&path).expect("an index");
    assert_eq!(searcher.recipe().id(), recipe.id());
    let (keys, verifier) = (Keys::new(recipe), Verifier::new(recipe));
    let (keys, verifier) = (keys.expect("keys"), verifier.expect("a verifier"));
    let mut pairs = 0;
    for asked in 0..120 {
        let of_asked = signature(asked);
        let own = keys.of(&of_asked);
        let mut expected = Vec::new();
        for at in 0..120 {
            let other = signature(at);
            let shares = keys.of(&other).iter().any(|key| own.contains(key));
            if let Some(score) = verifier.score(&of_asked, &other).filter(|_| shares) {
                expected.push((format!("d{at}"), score));
            }
        }
        expected.sort_by(|a, b| b.1.total_cmp(&a.1));
        pairs += expected.len();
        let answer = searcher
            .search(&of_asked, usize::MAX, Time::now())
            .expect("an answer");
        assert_eq!(answer.is_judged, of_asked.is_judged());
        let found = answer.matches.into_iter();
        let found: Vec<_> = found.map(|one| (one.id.to_string(), one.score)).collect();
        assert_eq!(found, expected, "{name}: document {asked}");
    }
    assert!(pairs > 130, "{name}: {pairs} pairs");
}

#[test]
fn answers_are_those_of_documents_compared_one_by_one() {
    let settings = Settings::default();
    let mut counter = Counter::new(&settings);
    let texts = texts();
    let documents = texts.iter().map(|text| Document::new("", &**text));
    documents
        .clone()
        .try_for_each(|one| counter.add(&one))
        .expect("counted words");
    let lexicon = Arc::new(counter.finish(Limits::default()).expect("a lexicon"));
    let by = |pairs: &[(&str, &str)]| Choices::from_pairs(pairs.iter().copied()).expect("choices");
    for pairs in [
        &[("method", "shingles"), ("k", "2"), ("threshold", "0.3")][..],
        &[
            ("method", "shingles"),
            ("features", "words"),
            ("weights", "counts"),
            ("similarity", "cosine"),
            ("threshold", "0.5"),
        ],
        &[("method", "spotsigs"), ("threshold", "0.3")],
        &[("method", "minhash"), ("k", "2"), ("threshold", "0.4")],
        &[("method", "supershingles"), ("k", "1")],
        &[
            ("method", "simhash"),
            ("weights", "binary"),
            ("distance", "10"),
        ],
        &[("method", "exact")],
    ] {
        let recipe = by(pairs).resolve().expect("a recipe");
        agrees(&format!("{pairs:?}"), &recipe, &Statistics::default());
    }
    let imatch = by(&[("method", "imatch"), ("idf", "0, 1")])
        .resolve()
        .expect("a recipe");
    let imatch = imatch.with_lexicon(lexicon).expect("a recipe");
    agrees("imatch", &imatch, &Statistics::default());
    let frozen = by(&[
        ("features", "words"),
        ("weights", "tfidf"),
        ("similarity", "cosine"),
        ("threshold", "0.4"),
    ]);
    let frozen = frozen.resolve().expect("a recipe");
    let mut counter = Statistics::counter(&frozen);
    documents.for_each(|one| counter.add(&one));
    agrees("words by tf-idf", &frozen, &counter.finish());
}
