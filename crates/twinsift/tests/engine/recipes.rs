//! Recipes that were put together by hand, and features that come from elsewhere.

use crate::{all_pairs, settings};
use twinsift::eval::{Gold, Trial};
use twinsift::features::shingles::Shingles;
use twinsift::features::spots::SpotRules;
use twinsift::features::{Features, Featurise, Weights};
use twinsift::filter::Filter;
use twinsift::matching::similarity::Similarity;
use twinsift::recipe::{Classified, FeatureKind, Matching, Method, Verify};
use twinsift::sketch::imatch;
use twinsift::tokenise::Tokens;
use twinsift::{Choices, Document, Error, Recipe, Sifter, compare, hash};

const TEXT: &str = "one two three four five six seven eight nine ten";

/// What every way in says to a recipe.
fn told(recipe: &Recipe) -> Vec<String> {
    let document = Document::new("a", TEXT);
    let gold = Gold::from_clusters(&[None], &[]);
    let (settings, documents) = (settings(1, None), [document.clone()]);
    let trial = Trial::new(&documents, &gold, &settings);
    let errors = [
        Sifter::new(recipe.clone(), settings.clone()).err(),
        Sifter::of_signatures(recipe.clone(), settings.clone(), 6).err(),
        Filter::new(recipe).err(),
        compare(&document, &document, recipe).err(),
        trial.find(recipe).err(),
        trial.curve(recipe).err(),
    ];
    let sentence = |error: Option<Error>| error.map(|error| error.to_string());
    errors
        .into_iter()
        .map(|error| sentence(error).unwrap_or_default())
        .collect()
}

#[test]
fn every_way_in_refuses_nonsense() {
    let exact = |threshold| Matching::Exact {
        similarity: Similarity::Jaccard,
        threshold,
    };
    let by = |matching| Recipe {
        matching,
        ..Recipe::default()
    };
    let signed = |rules: imatch::Rules, require, verify| Recipe {
        method: Method::IMatch,
        features: FeatureKind::Lexicon,
        k: 1,
        imatch: Some(rules),
        matching: Matching::IMatch { require, verify },
        ..Recipe::default()
    };
    let rules = imatch::Rules::default();
    let spots = |chain| {
        let mut rules = SpotRules::default();
        rules.specifications[0].chain = chain;
        Recipe {
            method: Method::SpotSigs,
            features: FeatureKind::Spots,
            k: 1,
            spots: Some(rules),
            ..Recipe::default()
        }
    };
    let cases = [
        (
            Recipe {
                k: 0,
                ..Recipe::default()
            },
            "--k must be between 1 and 1000",
        ),
        (
            Recipe {
                features: FeatureKind::Words,
                ..Recipe::default()
            },
            "--k has no meaning here",
        ),
        (by(exact(0.0)), "threshold 0"),
        (by(exact(1.5)), "threshold 1.5"),
        (by(exact(f64::NAN)), "threshold NaN"),
        (
            by(Matching::Lsh {
                threshold: 0.5,
                bands: 0,
                rows: 4,
            }),
            "--bands times --rows",
        ),
        (
            by(Matching::Hamming {
                bits: 63,
                distance: 3,
            }),
            "--bits 63",
        ),
        (
            by(Matching::Hamming {
                bits: 64,
                distance: 64,
            }),
            "--distance",
        ),
        (
            by(Matching::Hyperplanes {
                bits: 64,
                threshold: 0.5,
                verify: true,
            }),
            "model",
        ),
        (
            by(Matching::IMatch {
                require: 1,
                verify: None,
            }),
            "belong together",
        ),
        (
            Recipe {
                idf: Some([0.7, 0.2]),
                ..Recipe::default()
            },
            "--idf 0.7,0.2",
        ),
        (
            Recipe {
                features: FeatureKind::Text,
                k: 1,
                ..Recipe::default()
            },
            "--match hash",
        ),
        (
            Recipe {
                features: FeatureKind::Spots,
                k: 1,
                ..Recipe::default()
            },
            "spots need rules",
        ),
        (
            Recipe {
                features: FeatureKind::Learned,
                ..Recipe::default()
            },
            "needs a model",
        ),
        (
            Recipe {
                method: Method::SpotSigs,
                ..Recipe::default()
            },
            "spotsigs compares spots",
        ),
        (
            Recipe {
                method: Method::Signals,
                ..Recipe::default()
            },
            "needs a classifier",
        ),
        (
            Recipe {
                weights: Weights::Learned,
                ..Recipe::default()
            },
            "--weights",
        ),
        (
            Recipe {
                weights: Weights::Counts,
                ..by(Matching::SuperShingles { require: 2 })
            },
            "--weights",
        ),
        (
            Recipe {
                top_terms: Some(3),
                ..Recipe::default()
            },
            "--top-terms",
        ),
        (spots(0), "chain length"),
        (signed(rules, 99, None), "--require 99"),
        (
            signed(
                imatch::Rules {
                    min_ratio: -1.0,
                    ..rules
                },
                1,
                None,
            ),
            "--min-ratio",
        ),
        (
            signed(
                imatch::Rules {
                    window: [0.5, 2.0],
                    ..rules
                },
                1,
                None,
            ),
            "--idf 0.5,2",
        ),
        (
            signed(
                rules,
                1,
                Some(Verify {
                    similarity: Similarity::Cosine,
                    threshold: 0.0,
                }),
            ),
            "threshold 0",
        ),
    ];
    for (recipe, why) in cases {
        assert!(recipe.check().is_err());
        for told in told(&recipe) {
            assert!(told.contains(why), "{told} instead of {why}");
        }
    }
}

#[test]
fn presets_are_valid_and_so_are_their_candidates() {
    for method in Method::ALL {
        let recipe = Choices {
            method: Some(method),
            ..Choices::default()
        }
        .resolve();
        let recipe = recipe.expect("valid");
        assert!(recipe.check().is_ok());
        assert_eq!(recipe.candidates(), recipe);
        let decided = Recipe {
            method: Method::Signals,
            classifier: Some(Classified {
                model: "m".into(),
                threshold: 0.5,
                candidates: method,
            }),
            ..recipe.clone()
        };
        assert!(decided.check().is_ok());
        assert_eq!(decided.candidates(), recipe);
    }
}

/// It would only list the candidates.
#[test]
fn a_classifier_is_not_ignored() {
    let recipe = Recipe {
        method: Method::Signals,
        classifier: Some(Classified {
            model: "m".into(),
            threshold: 0.5,
            candidates: Method::Shingles,
        }),
        ..Recipe::default()
    };
    for told in told(&recipe) {
        assert!(told.contains("Recipe::candidates"), "{told}");
    }
    let refused = Sifter::new(recipe, settings(1, None));
    assert!(matches!(refused, Err(Error::Classifier { model }) if model == "m"));
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
        let recipe = Recipe {
            k,
            weights,
            matching: Matching::Exact {
                similarity: Similarity::Jaccard,
                threshold: 0.1,
            },
            ..Recipe::default()
        };
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
