//! `twinsift filter` answers as `twinsift pairs --against` does, by every method.

use super::Folder;
use serde_json::Value;
use std::collections::HashMap;

/// Known pages and new ones, with near duplicates between them, and a model.
pub fn corpus() -> Folder {
    let folder = Folder::new();
    folder
        .run("demo --documents 160 --seed 7 --show 0 --quiet --out pages.jsonl")
        .ok();
    let pages = folder.text("pages.jsonl");
    let part = |rest: usize| -> String {
        let lines = pages.lines().enumerate();
        let kept = lines.filter(|(at, _)| at % 3 % 2 == rest);
        kept.map(|(_, line)| format!("{line}\n")).collect()
    };
    folder.add("known.jsonl", part(0));
    folder.add("new.jsonl", part(1));
    folder
        .run("lexicon known.jsonl --min-df 1 -q -o known.lexicon")
        .ok();
    folder
        .run("train andd known.jsonl --labels story --steps 10 -q -o pages.model")
        .ok();
    folder
}

pub fn rows(text: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).unwrap();
    text.lines().map(parse).collect()
}

#[test]
fn a_filter_and_pairs_say_the_same_by_every_method() {
    let folder = corpus();
    for method in [
        "--method exact",
        "--method shingles",
        "--method shingles --weights counts --similarity cosine --threshold 0.6",
        "--method spotsigs",
        "--method spotsigs --fallback shingles --min-spots 30",
        "--method minhash",
        "--method minhash --no-verify",
        "--method supershingles",
        "--method supershingles --require 3",
        "--method imatch --lexicon known.lexicon",
        "--method imatch --lexicon known.lexicon --require 2 --verify cosine:0.8",
        "--method simhash --weights counts --distance 12",
        "--method andd --model pages.model",
        "--method andd --model pages.model --match lsh",
    ] {
        let found = folder
            .run(&format!(
                "pairs new.jsonl --against known.jsonl {method} -q -o pairs.jsonl"
            ))
            .ok();
        let mut scores: HashMap<(String, String), f64> = HashMap::new();
        for pair in rows(&folder.text("pairs.jsonl")) {
            let name = |field: &str| pair[field].as_str().unwrap().to_owned();
            scores.insert((name("a"), name("b")), pair["score"].as_f64().unwrap());
        }
        assert!(method.ends_with("exact") || !scores.is_empty(), "{found:?}");
        let ran = folder
            .run(&format!(
                "filter new.jsonl --against known.jsonl {method} -q"
            ))
            .ok();
        for answer in rows(ran.text()) {
            let id = answer["id"].as_str().unwrap();
            let has_pair = scores.keys().any(|(a, b)| a == id || b == id);
            let is_duplicate = answer["verdict"] == "duplicate";
            assert_eq!(is_duplicate, has_pair, "{method}: {answer}");
            if is_duplicate {
                let of = answer["duplicate_of"].as_str().unwrap();
                let pairs = [(id, of), (of, id)].map(|(a, b)| (a.to_owned(), b.to_owned()));
                let score = pairs.iter().find_map(|pair| scores.get(pair)).copied();
                assert_eq!(answer["score"].as_f64(), score, "{method}: {answer}");
            }
        }
    }
}

#[test]
fn how_common_features_are_is_counted_in_the_known_documents() {
    let folder = corpus();
    for method in [
        "--method simhash --distance 12",
        "--features words --match join --weights tfidf --similarity cosine",
        "--method shingles --idf 0.1,1",
    ] {
        let line = format!("filter new.jsonl --against known.jsonl {method}");
        let ran = folder.run(&line).ok();
        assert!(ran.err.contains("is counted from the known documents"));
        assert!(ran.text().contains("\"verdict\":\"duplicate\""), "{ran:?}");
    }
    folder
        .run("filter new.jsonl --learn --method simhash")
        .refuses(2);
}
