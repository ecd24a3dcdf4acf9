//! The paper's example, and spots held against a plain reading of the definition.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn tokens(text: &str) -> Tokens {
    let mut tokens = Tokens::new();
    tokens.read(text);
    tokens
}

fn rules(specifications: &[&str]) -> SpotRules {
    SpotRules {
        specifications: specifications
            .iter()
            .map(|text| text.parse().expect("a specification"))
            .collect(),
        ..SpotRules::default()
    }
}

fn signatures(rules: &SpotRules, text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let words: Vec<String> = tokens.words().map(str::to_owned).collect();
    let spots = Spots::new(rules).spots(&tokens, &words);
    spots.into_iter().map(|spot| spot.signature).collect()
}

/// Section 3.2.
#[test]
fn the_seven_signatures_of_the_paper() {
    let sentence = "At a rally to kick off a weeklong campaign for the South Carolina primary, \
        Obama tried to set the record straight from an attack circulating widely on the Internet \
        that is designed to play into prejudices against Muslims and fears of terrorism.";
    assert_eq!(
        signatures(&rules(&["a an the is:1:2"]), sentence),
        [
            "a:rally:kick",
            "a:weeklong:campaign",
            "the:south:carolina",
            "the:record:straight",
            "an:attack:circulating",
            "the:internet:designed",
            "is:designed:play",
        ]
    );
}

#[test]
fn the_end_of_a_document_cuts_a_chain_but_not_to_nothing() {
    let the = rules(&["the:1:3"]);
    assert_eq!(signatures(&the, "see the red house"), ["the:red:house"]);
    assert_eq!(signatures(&the, "they left the of the"), [""; 0]);
}

#[test]
fn several_specifications_and_distances() {
    let two = rules(&["the:2:2", "was the:1:1"]);
    assert_eq!(
        signatures(&two, "one two the three four five six was seven"),
        ["the:four:six", "the:three", "was:seven"]
    );
}

#[test]
fn lists_can_be_replaced() {
    let own = SpotRules {
        antecedents: Some(vec!["red".into()]),
        stop_words: Some(vec!["green".into()]),
        ..rules(&["1:2"])
    };
    assert_eq!(signatures(&own, "the red green the blue"), ["red:the:blue"]);
}

#[test]
fn each_document_has_the_lists_of_its_language() {
    let rules = rules(&["1:2"]);
    let german =
        "Der Rat hat am Dienstag beschlossen, eine der Brücken für die Arbeiten zu sperren.";
    assert!(signatures(&rules, german).contains(&"der:rat:dienstag".to_owned()));
    let fixed = SpotRules {
        language: Language::of_code("en"),
        ..rules
    };
    assert_eq!(signatures(&fixed, german), [""; 0]);
}

#[test]
fn scripts_without_spaces_have_function_characters() {
    let found = signatures(
        &rules(&["2:2"]),
        "市议会的决定引起市民强烈关注，工程在河流两岸同时展开。",
    );
    assert_eq!(found, ["的:定引:起市", "在:流两:岸同"]);
    let japanese = signatures(
        &rules(&["2:2"]),
        "市議会は火曜日に橋を閉鎖することを決めた。",
    );
    assert!(
        japanese.iter().any(|spot| spot.starts_with("は:")),
        "{japanese:?}"
    );
    let thai = "สภาเมืองตัดสินใจว่าจะปิดสะพานที่เก่าที่สุดสองแห่งในเดือนหน้า";
    assert!(!signatures(&rules(&["2:2"]), thai).is_empty());
    assert_eq!(signatures(&rules(&["2:2"]), "ສະບາຍດີຕອນເຊົ້າ"), [""; 0]);
}

/// The definition, written down without tables, hashes or flags.
fn by_definition(
    words: &[&str],
    antecedents: &[&str],
    stops: &[&str],
    d: usize,
    c: usize,
) -> Vec<String> {
    let mut found = Vec::new();
    for (start, word) in words.iter().enumerate() {
        if !antecedents.contains(word) {
            continue;
        }
        let mut chain = vec![*word];
        let mut at = start;
        for _ in 0..c {
            at += d;
            while at < words.len() && stops.contains(&words[at]) {
                at += 1;
            }
            if at < words.len() {
                chain.push(words[at]);
            }
        }
        if chain.len() > 1 {
            found.push(chain.join(":"));
        }
    }
    found
}

proptest! {
    #[test]
    fn spots_are_those_of_the_definition(
        picks in prop::collection::vec(0usize..9, 0..60),
        d in 1usize..4,
        c in 1usize..5,
    ) {
        let vocabulary = ["the", "is", "of", "to", "red", "blue", "house", "river", "bridge"];
        let words: Vec<&str> = picks.iter().map(|&at| vocabulary[at]).collect();
        let rules = SpotRules {
            stop_words: Some(["the", "is", "of", "to"].map(String::from).to_vec()),
            ..rules(&[&format!("the is:{d}:{c}")])
        };
        let text = words.join(" ");
        let expected = by_definition(&words, &["the", "is"], &["the", "is", "of", "to"], d, c);
        prop_assert_eq!(signatures(&rules, &text), expected.clone());

        let mut features = Features::new();
        Spots::new(&rules).features(&tokens(&text), &mut features);
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        expected.into_iter().for_each(|spot| *counts.entry(spot).or_default() += 1);
        let mut expected: Vec<u32> = counts.into_values().collect();
        let mut found = features.counts().to_vec();
        expected.sort_unstable();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}
