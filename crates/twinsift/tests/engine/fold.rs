//! Disguises of words undone, for every method that compares words.

use crate::{all_pairs, settings};
use proptest::prelude::*;
use std::sync::Arc;
use twinsift::features::spots::SpotRules;
use twinsift::features::{Weights, spots::Spots};
use twinsift::filter::{Answer, Filter};
use twinsift::lexicon::{Counter, Limits};
use twinsift::recipe::{FeatureKind, Matcher, Method};
use twinsift::tokenise::Tokens;
use twinsift::{Choices, Document, Error, Id, Lexicon, Recipe, Settings, Sifter, compare};

/// The ways to disguise a word of at least five letters.
const WAYS: usize = 6;

fn disguised(word: &str, way: usize, at: usize) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let inner = 1 + at % (letters.len() - 2);
    let alike = |c: char| match c {
        'a' => '@',
        'e' => '3',
        'i' | 'l' => '1',
        'o' => '0',
        's' => '$',
        't' => '7',
        other => other,
    };
    match way {
        0 => letters.insert(inner, '-'),
        1 => letters.insert(inner, '.'),
        2 => letters[inner] = alike(letters[inner]),
        3 => letters.insert(inner, '\u{ad}'),
        4 if letters[inner] == 'o' => letters[inner] = 'ö',
        5 => {
            let last = letters.len() - 1;
            letters[1..last].reverse();
        }
        _ => letters[0] = letters[0].to_ascii_uppercase(),
    }
    letters.into_iter().collect()
}

/// A text of stop words and longer ones, and the same text in disguise.
fn texts() -> impl Strategy<Value = (String, String)> {
    let stop = prop::sample::select(vec!["the", "is", "have", "a", "would", "of"]);
    let long = "[a-eilnorst]{5,9}";
    let word = (stop, long, 0..WAYS, 0usize..9, any::<bool>());
    prop::collection::vec(word, 12..40).prop_map(|words| {
        let (mut plain, mut disguise) = (String::new(), String::new());
        for (stop, long, way, at, both) in words {
            plain += &format!("{stop} {long} ");
            let stop = if both && stop.len() > 4 {
                disguised(stop, way, at)
            } else {
                stop.to_owned()
            };
            disguise += &format!("{stop} {} ", disguised(&long, way, at));
        }
        (plain, disguise)
    })
}

fn lexicon(texts: &[&str], fold: bool) -> Arc<Lexicon> {
    let mut counter = Counter::new(&Settings::default()).folding(fold);
    for (at, text) in texts.iter().enumerate() {
        counter
            .add(&Document::new(at.to_string(), *text))
            .expect("counted");
    }
    let all = Limits {
        min_documents: 1,
        ..Limits::default()
    };
    Arc::new(counter.finish(all).expect("counted"))
}

/// Every way to compare words, by the lexicon of `plain` where it takes one.
fn every_way(plain: &str, fold: bool) -> Vec<Recipe> {
    let of = |method| Choices {
        method: Some(method),
        fold: fold.then_some(true),
        ..Choices::default()
    };
    let mut all: Vec<Choices> = Method::ALL.into_iter().map(of).collect();
    for features in [FeatureKind::Words, FeatureKind::Lexicon] {
        all.push(Choices {
            features: Some(features),
            matcher: Some(Matcher::Exact),
            weights: Some(Weights::Counts),
            ..of(Method::default())
        });
    }
    all.push(Choices {
        features: Some(FeatureKind::Spots),
        matcher: Some(Matcher::Hash),
        ..of(Method::SpotSigs)
    });
    // A third text, so that not every word is in all of them.
    let others = [plain, plain, "something else of other words"];
    all.into_iter()
        .map(|mut choices| {
            let is_lexicon = choices.features == Some(FeatureKind::Lexicon);
            if is_lexicon {
                choices.method = Some(Method::IMatch);
            }
            if choices.method == Some(Method::IMatch) {
                choices.lexicon = Some(lexicon(&others, fold));
                choices.idf = Some([0.0, 1.0]);
            }
            choices.resolve().expect("valid")
        })
        .collect()
}

fn score(recipe: &Recipe, texts: [&str; 2]) -> Option<f64> {
    let mut sifter = Sifter::new(recipe.clone(), settings(1, None)).expect("valid");
    for (id, text) in ["a", "b"].into_iter().zip(texts) {
        sifter.add(&Document::new(id, text)).expect("room");
    }
    let pairs = all_pairs(&sifter.finish().expect("room"));
    pairs.first().map(|pair| pair.score)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What is compared of a text in disguise is what is compared of the plain one.
    #[test]
    fn a_text_in_disguise_is_the_plain_text((plain, disguise) in texts()) {
        for recipe in every_way(&plain, true) {
            let alone = score(&recipe, [&plain, &plain]);
            prop_assert_eq!(score(&recipe, [&plain, &disguise]), alone, "{} for {}", recipe, disguise);
            let (a, b) = (Document::new("a", plain.as_str()), Document::new("b", disguise.as_str()));
            let comparison = compare(&a, &b, &recipe).expect("valid");
            prop_assert!(comparison.only_a.is_empty() && comparison.only_b.is_empty(), "{:?}", comparison);
            let Ok(mut filter) = Filter::new(&recipe) else { continue };
            if filter.insert(&a).expect("room") {
                let answer = filter.answer(&b);
                prop_assert_eq!(answer, Answer::DuplicateOf { id: Id::text("a"), score: 1.0 });
            }
        }
    }

    /// Spots are found behind the same antecedents.
    #[test]
    fn spots_stand_behind_the_same_words((plain, disguise) in texts()) {
        let spots = Spots::folding(&SpotRules::default(), true);
        let of = |text: &str| {
            let mut tokens = Tokens::new();
            tokens.read_as(text, true);
            let words: Vec<String> = tokens.words().map(str::to_owned).collect();
            spots.spots(&tokens, &words)
        };
        prop_assert!(!of(&plain).is_empty());
        prop_assert_eq!(of(&plain), of(&disguise));
    }

    /// Counts of words do not know in which disguise each came.
    #[test]
    fn lexicons_of_disguises_are_those_of_plain_words((plain, disguise) in texts()) {
        prop_assert_eq!(lexicon(&[&plain], true), lexicon(&[&disguise], true));
        prop_assert_ne!(lexicon(&[&plain], true), lexicon(&[&plain], false));
    }
}

#[test]
fn nothing_changes_unless_it_is_asked_for() {
    // The ids of plain recipes, which a new field must not change.
    let exact = Choices {
        method: Some(Method::Exact),
        ..Choices::default()
    };
    assert_eq!(exact.resolve().expect("valid").id(), "efdd567eea8e70f4");
    assert_eq!(Recipe::default().id(), "7ea5e6325be2d52e");
    for method in Method::ALL {
        let plain = Choices {
            method: Some(method),
            ..Choices::default()
        };
        let id = plain.resolve().expect("valid").id();
        let folded = Choices {
            method: Some(method),
            fold: Some(true),
            ..Choices::default()
        };
        let folded = folded.resolve().expect("valid");
        assert_ne!(folded.id(), id);
        assert!(folded.to_string().contains("disguises undone"), "{folded}");
    }
    assert_eq!(
        score(
            &Recipe::default(),
            [
                "the c@rtridges are cheap today",
                "the cartridges are cheap today"
            ]
        ),
        None
    );
}

#[test]
fn words_are_shown_as_they_stand() {
    let recipe = Recipe::shingles().fold(true).resolve().expect("valid");
    let a = Document::new("a", "thermal c@rtr1dges for actual customers");
    let b = Document::new("b", "thermal cartridges for actual customers");
    let comparison = compare(&a, &b, &recipe).expect("valid");
    assert_eq!(
        comparison.shared,
        ["thermal c@rtr1dges for actual customers"]
    );
    assert!(comparison.near_duplicates);
}

#[test]
fn a_lexicon_of_the_other_kind_is_refused() {
    let texts = ["toner cartridges", "ink cartridges"];
    for fold in [false, true] {
        let choices = Choices {
            method: Some(Method::IMatch),
            lexicon: Some(lexicon(&texts, !fold)),
            fold: Some(fold),
            ..Choices::default()
        };
        let Err(Error::Recipe(why)) = choices.resolve() else {
            panic!("it must be refused");
        };
        assert!(why.to_string().contains("`fold`"), "{why}");
    }
    let counted = |fold| Arc::into_inner(lexicon(&texts, fold)).expect("one owner");
    let both = Lexicon::merge(&[counted(true), counted(false)], Limits::default());
    assert!(both.expect_err("refused").to_string().contains("`fold`"));
    let merged = Lexicon::merge(&[counted(true), counted(true)], Limits::default());
    assert!(merged.expect("of one kind").is_folded());
}
