use super::*;
use crate::error::Error;
use crate::recipe::Recipe;
use serde_json::{Value, json};

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

fn parameter(name: &str) -> &'static Parameter {
    Choices::parameter(name).expect("a parameter")
}

#[test]
fn parameters_say_what_a_front_end_needs() {
    let plain = |name: &str| format!("<{name}>");
    let names = |name: &str| match &parameter(name).kind {
        Kind::Name(names) => names.iter().map(|name| name.name).collect(),
        _ => Vec::new(),
    };
    assert_eq!(
        names("features"),
        ["words", "shingles", "spots", "lexicon", "learned"]
    );
    assert_eq!(names("weights"), ["binary", "counts", "tfidf"]);
    assert_eq!(
        names("similarity"),
        ["jaccard", "cosine", "extended-jaccard"]
    );
    assert!(!names("candidates").contains(&"signals"));
    let bands = parameter("bands");
    assert_eq!((bands.name, &bands.kind), ("bands", &Kind::Whole));
    assert_eq!(bands.belongs_to(plain).as_deref(), Some("<match> lsh"));
    assert!(bands.about(plain).starts_with("Bands of <match> lsh; "));
    assert_eq!(parameter("seed").belongs_to(plain), None);
    for parameter in Choices::parameters() {
        let about = parameter.about(plain);
        assert!(about.len() > 10 && !about.ends_with('.'), "{about}");
        assert!(!about.contains("  "), "{about}");
    }
}

#[test]
fn a_parameter_is_set_by_text() {
    let mut choices = Choices::default();
    for (name, text) in [
        ("match", "lsh"),
        ("idf", "0.2, 0.8"),
        ("fold", "true"),
        ("spots", "the a:2:3"),
        ("spots", "1:2"),
        ("language", "de"),
        ("verify", "cosine:0.9"),
    ] {
        parameter(name).set(&mut choices, text).expect("a value");
    }
    let again: Choices = serde_json::from_value(json!({
        "match": "lsh", "idf": [0.2, 0.8], "fold": true, "spots": ["the a:2:3", "1:2"],
        "language": "de", "verify": "cosine:0.9",
    }))
    .expect("choices");
    assert_eq!(choices, again);
    for (name, text, why) in [
        ("k", "x", "invalid digit"),
        ("k", "99999999999", "is not in 0..=4294967295"),
        ("threshold", "high", "invalid float"),
        ("method", "magic", "expected one of `exact`"),
        ("fold", "maybe", "neither true nor false"),
        ("idf", "0.2", "two numbers"),
        ("language", "xx", "no lists"),
    ] {
        let told = parameter(name).set(&mut choices, text).expect_err("wrong");
        assert!(told.contains(why), "{told}");
    }
    let refused = Choices::from_pairs([("idf", "0.2")]).expect_err("wrong");
    assert!(refused.to_string().starts_with("`idf`: \"0.2\" is not two"));
}

#[test]
fn earlier_names_are_understood() {
    let by = |pairs| Choices::from_pairs(pairs).expect("choices");
    let old = by([("match", "exact"), ("lexicons", "3")]);
    let new = by([("match", "join"), ("random_lexicons", "3")]);
    assert_eq!(old, new);
    let config = json!({"match": "exact", "lexicons": 3});
    assert_eq!(
        serde_json::from_value::<Choices>(config.clone()).ok(),
        Some(new)
    );
    assert!(faults(&Choices::schema(), &config).is_empty());
    assert_eq!(parameter("lexicons").name, "random_lexicons");
    let Kind::Name(matchers) = &parameter("match").kind else {
        panic!("matchers have names");
    };
    let names: Vec<_> = matchers.iter().map(|matcher| matcher.name).collect();
    assert_eq!(names, ["join", "lsh", "hash", "hamming"]);
    assert_eq!(matchers[0].earlier, ["exact"]);
    // What is written down stays as it was.
    let recipe = Recipe::default().to_json();
    assert!(recipe.contains("\"match\":{\"by\":\"exact\""), "{recipe}");
    let imatch = Recipe::imatch().resolve().expect("valid").to_json();
    assert!(imatch.contains("\"lexicons\":10"), "{imatch}");
}

/// What a schema has to say against a config, as far as ours go.
fn faults(schema: &Value, config: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for (key, value) in config.as_object().expect("a table") {
        let Some(schema) = schema["properties"].get(key) else {
            faults.push(format!("{key} is unknown"));
            continue;
        };
        let is_type = |kind: &Value, value: &Value| match kind.as_str() {
            Some("boolean") => value.is_boolean(),
            Some("integer") => value.is_u64(),
            Some("number") => value.is_number(),
            Some("string") => value.is_string(),
            Some("array") => value.is_array(),
            _ => false,
        };
        let named = schema.get("enum").and_then(Value::as_array);
        let mut items = value.as_array().into_iter().flatten();
        let length = items.clone().count() as u64;
        let fits = is_type(&schema["type"], value)
            && named.is_none_or(|names| names.contains(value))
            && items.all(|item| is_type(&schema["items"]["type"], item))
            && schema["minItems"]
                .as_u64()
                .is_none_or(|least| length >= least)
            && schema["maxItems"]
                .as_u64()
                .is_none_or(|most| length <= most);
        if !fits {
            faults.push(format!("{key} is wrong"));
        }
    }
    faults
}

#[test]
fn the_schema_takes_what_choices_take() {
    let schema = Choices::schema();
    assert_eq!(schema["additionalProperties"], false);
    for (config, expected) in [
        (json!({}), vec![]),
        (
            json!({"method": "spotsigs", "threshold": 0.4, "spots": ["2:3"]}),
            vec![],
        ),
        (
            json!({"match": "lsh", "bands": 4, "no_verify": true, "idf": [0, 0.8]}),
            vec![],
        ),
        (
            json!({"digest": "sha1", "verify": "cosine:0.9", "language": "de"}),
            vec![],
        ),
        (json!({"treshold": 0.4}), vec!["treshold is unknown"]),
        (json!({"matcher": "lsh"}), vec!["matcher is unknown"]),
        (json!({"lexicon": "a"}), vec!["lexicon is unknown"]),
        (json!({"method": "magic"}), vec!["method is wrong"]),
        (json!({"threshold": "high"}), vec!["threshold is wrong"]),
        (json!({"k": -1}), vec!["k is wrong"]),
        (json!({"k": 2.5}), vec!["k is wrong"]),
        (json!({"idf": [0.2]}), vec!["idf is wrong"]),
        (json!({"spots": [7]}), vec!["spots is wrong"]),
        (json!({"fold": "yes"}), vec!["fold is wrong"]),
    ] {
        assert_eq!(faults(&schema, &config), expected, "{config}");
        let taken = serde_json::from_value::<Choices>(config.clone());
        assert_eq!(taken.is_ok(), expected.is_empty(), "{config}");
    }
    let bands = schema["properties"]["bands"]["description"].as_str();
    assert_eq!(
        bands,
        Some("Bands of `match` lsh; chosen from the threshold if left out; belongs to `match` lsh")
    );
}
