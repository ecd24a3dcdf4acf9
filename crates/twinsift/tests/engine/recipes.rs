//! What makes no recipe, and features that come from elsewhere.

use crate::{all_pairs, settings};
use std::path::Path;
use twinsift::features::shingles::Shingles;
use twinsift::features::spots::SpotRules;
use twinsift::features::{Features, Featurise, Weights};
use twinsift::recipe::{FeatureKind, Matcher, Method, Verify};
use twinsift::similarity::Similarity;
use twinsift::tokenise::Tokens;
use twinsift::{Choices, Document, Recipe, Sifter, hash};

const TEXT: &str = "one two three four five six seven eight nine ten";

#[test]
fn nonsense_is_refused() {
    let exact = |threshold| Recipe::shingles().threshold(threshold);
    let words = || Choices::default().features(FeatureKind::Words);
    let spots = |chain| {
        let mut rules = SpotRules::default();
        rules.specifications[0].chain = chain;
        Recipe::spotsigs().spots(rules.specifications)
    };
    let weak = Verify {
        similarity: Similarity::Cosine,
        threshold: 0.0,
    };
    let cases = [
        (Recipe::shingles().k(0), "`k` must be between 1 and 1000"),
        (words().k(2), "`k` has no meaning here"),
        (exact(0.0), "`threshold` 0"),
        (exact(1.5), "`threshold` 1.5"),
        (exact(f64::NAN), "`threshold` NaN"),
        (Recipe::minhash().bands(0).rows(4), "`bands` times `rows`"),
        (Recipe::simhash().bits(63), "`bits` 63"),
        (Recipe::simhash().distance(64), "`distance`"),
        (Recipe::andd(), "model"),
        (
            Recipe::shingles().matcher(Matcher::Hamming).threshold(0.5),
            "`threshold`",
        ),
        (Recipe::exact().matcher(Matcher::Exact), "whole texts"),
        (
            Recipe::supershingles().features(FeatureKind::Words),
            "super-shingles",
        ),
        (
            Recipe::minhash().weights(Weights::Counts),
            "min-hashes compare sets",
        ),
        (Recipe::shingles().idf([0.5, 0.2]), "`idf` 0.5,0.2"),
        (Recipe::shingles().top_terms(0), "`top_terms`"),
        (spots(0), "chain"),
        (Recipe::imatch().random_lexicons(64), "`random_lexicons` 64"),
        (
            Recipe::imatch().random_lexicons(2).require(4),
            "`require` 4",
        ),
        (Recipe::imatch().drop(1.0), "`drop`"),
        (Recipe::imatch().min_ratio(2.0), "`min_ratio`"),
        (Recipe::imatch().idf([0.5, 2.0]), "`idf` 0.5,2"),
        (Recipe::imatch().verify(weak), "`verify` 0"),
    ];
    for (choices, why) in cases {
        let message = choices.resolve().expect_err(why).to_string();
        assert!(message.contains(why), "{message} instead of {why}");
    }
}

#[test]
fn presets_are_valid() {
    for method in Method::ALL {
        let recipe = Choices::default().method(method).resolve().expect("valid");
        assert_eq!(recipe.method(), method);
    }
}

fn exported(text: &str, k: usize, count: bool) -> Vec<(u64, f32)> {
    let (mut tokens, mut features) = (Tokens::new(), Features::new());
    tokens.read(text);
    Shingles::new(k, count).features(&tokens, &mut features);
    let weights = features
        .counts()
        .iter()
        .map(|&count| count as f32)
        .chain(std::iter::repeat(1.0));
    features.values().iter().copied().zip(weights).collect()
}

#[test]
fn our_own_features_are_those_of_the_text() {
    let text = format!("{TEXT} one two");
    let edited = text.replace("ten", "tenth");
    for (k, weights) in [
        (5, Weights::Binary),
        (1, Weights::Counts),
        (2, Weights::TfIdf),
    ] {
        let recipe = Recipe::shingles().k(k).weights(weights).threshold(0.1);
        let recipe = recipe.resolve().expect("valid");
        let count = weights != Weights::Binary;
        let mut texts = Sifter::new(recipe.clone(), settings(1, None)).expect("valid");
        let mut mixed = Sifter::new(recipe, settings(1, None)).expect("valid");
        for (at, text) in [&text, &text, &edited].into_iter().enumerate() {
            let id = at.to_string();
            let document = Document::new(id.as_str(), text.as_str());
            texts.add(&document).expect("room");
            match at {
                1 => mixed.add_features(&id, &exported(text, k as usize, count)),
                _ => mixed.add(&document),
            }
            .expect("room");
        }
        let expected = all_pairs(&texts.finish().expect("room"));
        assert_eq!(expected.len(), 3);
        assert_eq!(all_pairs(&mixed.finish().expect("room")), expected);
    }
}

#[test]
fn plain_numbers_are_no_features() {
    let mut sifter = Sifter::new(Recipe::default(), settings(1, None)).expect("valid");
    let numbers: Vec<(u64, f32)> = (1..=4).map(|number| (number, 1.0)).collect();
    let refused = sifter.add_features("a", &numbers).expect_err("plain");
    assert!(refused.to_string().contains("hash::spread"), "{refused}");
    let spread: Vec<(u64, f32)> = numbers.iter().map(|&(n, w)| (hash::spread(n), w)).collect();
    assert!(sifter.add_features("a", &spread).is_ok());
}

/// Flags belong to the command; another front end has other names for parameters.
#[test]
fn the_engine_names_no_flags() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("readable");
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                let mut flags = line.split("--").skip(1);
                let is_flag = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
                assert!(!flags.any(is_flag), "{}: {line}", path.display());
            }
        }
    }
}
