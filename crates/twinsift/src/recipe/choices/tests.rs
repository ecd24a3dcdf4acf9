use super::*;

#[test]
fn presets_resolve_to_the_methods_table() {
    let of = |method| {
        let choices = Choices {
            method: Some(method),
            ..Choices::default()
        };
        choices.resolve().expect("a preset is valid").to_string()
    };
    assert_eq!(of(Method::Exact), "exact: normalised text, equality");
    assert_eq!(
        of(Method::Shingles),
        "shingles: word 5-grams, exact join, Jaccard ≥ 0.8"
    );
    assert_eq!(
        of(Method::SpotSigs),
        "spotsigs: spots (2, 3) with counts, exact join, Jaccard ≥ 0.35"
    );
    assert_eq!(
        of(Method::MinHash),
        "minhash: word 5-grams, min-hash 18 bands x 7 rows, verified Jaccard ≥ 0.8"
    );
    assert_eq!(
        of(Method::SuperShingles),
        "supershingles: word 5-grams, at least 2 of 6 super-shingles equal"
    );
    assert_eq!(
        of(Method::SimHash),
        "simhash: words by tf-idf, at most 3 of 64 bits differ"
    );
    let unverified = Choices {
        method: Some(Method::MinHash),
        no_verify: Some(true),
        bands: Some(84),
        ..Choices::default()
    };
    assert_eq!(
        unverified.resolve().expect("valid").to_string(),
        "minhash: word 5-grams, 84 min-hashes, estimated Jaccard ≥ 0.8"
    );
    let heaviest = Choices {
        features: Some(FeatureKind::Words),
        weights: Some(Weights::TfIdf),
        similarity: Some(Similarity::Cosine),
        top_terms: Some(20),
        idf: Some([0.2, 0.9]),
        ..Choices::default()
    };
    assert_eq!(
        heaviest.resolve().expect("valid").to_string(),
        "shingles: words by tf-idf, normalised idf 0.2 to 0.9, the 20 heaviest, exact join, cosine ≥ 0.8"
    );
    let default = Choices::default().resolve().expect("valid");
    assert_eq!(default, Recipe::default());
}

#[test]
fn a_classifier_needs_a_model_and_finds_candidates_low() {
    let signals = |model: bool, candidates| Choices {
        method: Some(Method::Signals),
        classifier: model.then(|| PairModel {
            id: "m1".to_owned(),
            threshold: 0.5,
        }),
        candidates,
        ..Choices::default()
    };
    let refused = signals(false, None).resolve().expect_err("no model");
    assert!(refused.to_string().contains("twinsift train signals"));
    let recipe = signals(true, None).resolve().expect("valid");
    let id = recipe.classifier.as_ref().map(|by| by.model.clone());
    assert_eq!(
        recipe.to_string(),
        format!(
            "signals: score of model {} ≥ 0.5, on candidates by word 5-grams, exact join, Jaccard ≥ 0.2",
            id.unwrap_or_default()
        )
    );
    assert!(signals(true, Some(Method::Exact)).resolve().is_ok());
    assert!(signals(true, Some(Method::Signals)).resolve().is_err());
    let misplaced = Choices {
        candidates: Some(Method::Exact),
        ..Choices::default()
    };
    assert!(misplaced.resolve().is_err());
}

#[test]
fn nonsense_is_refused_with_a_reason() {
    let refused = |choices: Choices| match choices.resolve() {
        Err(Error::Recipe(why)) => why.to_string(),
        other => panic!("{other:?}"),
    };
    let zero = Choices {
        threshold: Some(0.0),
        ..Choices::default()
    };
    assert!(refused(zero).contains("above 0"));
    let distance = Choices {
        distance: Some(3),
        ..Choices::default()
    };
    assert!(refused(distance).contains("`match` hamming"));
    let weighted = Choices {
        method: Some(Method::MinHash),
        weights: Some(Weights::TfIdf),
        ..Choices::default()
    };
    assert!(refused(weighted).contains("sets"));
    let method = |method| Choices {
        method: Some(method),
        ..Choices::default()
    };
    let unverified = |choices| Choices {
        no_verify: Some(true),
        ..choices
    };
    assert!(refused(unverified(Choices::default())).contains("`match` lsh"));
    assert!(refused(unverified(method(Method::SimHash))).contains("`match` lsh"));
    let counted = Choices {
        features: Some(FeatureKind::Spots),
        matcher: Some(Matcher::Lsh),
        weights: Some(Weights::Counts),
        ..Choices::default()
    };
    assert!(counted.resolve().is_ok());
    assert!(refused(unverified(counted)).contains("sets"));
    let require = |require, choices| Choices {
        require: Some(require),
        ..choices
    };
    assert!(refused(require(1, Choices::default())).contains("supershingles"));
    assert!(refused(require(7, method(Method::SuperShingles))).contains("there are 6"));
    assert!(require(3, method(Method::SuperShingles)).resolve().is_ok());
    let top = |top, weights, choices| Choices {
        top_terms: Some(top),
        weights,
        ..choices
    };
    let counts = Some(Weights::Counts);
    assert!(refused(top(5, None, Choices::default())).contains("must have weights"));
    assert!(refused(top(5, None, method(Method::MinHash))).contains("must have weights"));
    assert!(refused(top(0, counts, Choices::default())).contains("at least 1"));
    assert!(top(5, counts, Choices::default()).resolve().is_ok());
    assert!(top(5, None, method(Method::SimHash)).resolve().is_ok());
    let bits = |bits| Choices {
        bits: Some(bits),
        ..method(Method::SimHash)
    };
    assert!(refused(bits(100)).contains("multiple of 64"));
    assert!(bits(4096).resolve().is_ok());
    let whole = Choices {
        method: Some(Method::Exact),
        matcher: Some(Matcher::Exact),
        ..Choices::default()
    };
    assert!(refused(whole).contains("`match` hash"));
}
