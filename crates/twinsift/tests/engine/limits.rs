//! Many copies, empty documents, batches, threads and memory.

use crate::{all_pairs, settings};
use twinsift::features::Weights;
use twinsift::recipe::Method;
use twinsift::{
    Choices, ContentKey, Document, Error, Group, Item, Keep, Matches, Place, Recipe, Sifter,
    Skipped, Verdict,
};

const TEXT: &str = "the quick brown fox jumps over the lazy dog and runs into the dark forest";

fn method(method: Method) -> Recipe {
    let choices = Choices {
        method: Some(method),
        ..Choices::default()
    };
    choices.resolve().expect("a preset")
}

const METHODS: [Method; 5] = [
    Method::Exact,
    Method::Shingles,
    Method::MinHash,
    Method::SuperShingles,
    Method::SimHash,
];

/// 10,000 copies make fifty million pairs; nothing of that size is ever built.
#[test]
fn ten_thousand_copies_do_not_blow_up() {
    for name in METHODS {
        let mut sifter = Sifter::new(method(name), settings(2, Some(50 << 20))).expect("valid");
        for at in 0..10_000 {
            sifter
                .add(&Document::new(at.to_string(), TEXT))
                .expect("distinct");
        }
        let matches = sifter.finish().expect("room");
        let clusters = matches.clusters(Group::Connected).expect("readable");
        assert_eq!((clusters.groups(), clusters.largest()), (1, 10_000));
        let verdicts = matches.dedup(Keep::First).expect("readable");
        assert_eq!(verdicts.iter().filter(|&&v| v == Verdict::Kept).count(), 1);
        let mut last = (0, 0);
        for pair in matches.pairs().take(30_000) {
            let pair = pair.expect("readable");
            assert!((pair.a, pair.b) > last && pair.score == 1.0);
            last = (pair.a, pair.b);
        }
        assert_eq!(matches.report().compared, 0);
    }
}

#[test]
fn empty_documents_match_nothing_and_short_ones_only_their_like() {
    for name in METHODS {
        let mut sifter = Sifter::new(method(name), settings(1, None)).expect("valid");
        for (id, text) in [
            ("a", ""),
            ("b", "…"),
            ("c", ""),
            ("d", "thank you"),
            ("e", "Thank you!"),
            ("f", "you thank them"),
        ] {
            sifter.add(&Document::new(id, text)).expect("distinct");
        }
        let matches = sifter.finish().expect("room");
        let pairs: Vec<_> = all_pairs(&matches)
            .iter()
            .map(|pair| (pair.a, pair.b))
            .collect();
        assert_eq!(pairs, [(3, 4)], "{name:?}");
        assert_eq!(matches.report().unjudged, 3);
    }
}

/// Documents of a fixed pseudo-random corpus with many edited copies.
fn corpus() -> Vec<String> {
    let mut stream = twinsift::hash::Stream::new(4);
    let mut texts: Vec<String> = Vec::new();
    for at in 0..600u64 {
        let mut words: Vec<String> = match at % 3 {
            0 if at > 0 => {
                let earlier = stream.next_value() as usize % texts.len();
                texts[earlier].split(' ').map(str::to_owned).collect()
            }
            _ => (0..60 + at % 40)
                .map(|_| format!("w{}", stream.next_value() % 900))
                .collect(),
        };
        for _ in 0..at % 4 {
            let place = stream.next_value() as usize % words.len();
            words[place] = format!("x{}", stream.next_value() % 50);
        }
        texts.push(words.join(" "));
    }
    texts
}

fn in_batches(recipe: &Recipe, texts: &[String], threads: usize, memory: Option<u64>) -> Matches {
    let mut sifter = Sifter::new(recipe.clone(), settings(threads, memory)).expect("valid");
    let batches = texts.chunks(37).enumerate();
    sifter
        .add_batches(
            batches,
            |(number, batch), sink| {
                for (at, text) in batch.iter().enumerate() {
                    let id = (number * 37 + at).to_string();
                    sink(Item::Document(Document::new(id, text.as_str())));
                }
            },
            |_| Ok(()),
        )
        .expect("distinct ids");
    sifter.finish().expect("room")
}

#[test]
fn results_do_not_depend_on_threads_or_memory() {
    let texts = corpus();
    let weighted = Choices {
        weights: Some(Weights::TfIdf),
        threshold: Some(0.4),
        ..Choices::default()
    };
    let mut recipes: Vec<Recipe> = METHODS.map(method).to_vec();
    recipes.push(weighted.resolve().expect("valid"));
    for recipe in recipes {
        let expected = all_pairs(&in_batches(&recipe, &texts, 1, None));
        assert!(!expected.is_empty(), "{recipe}");
        for threads in [1, 2, 8] {
            for memory in [None, Some(1), Some(100_000)] {
                let found = all_pairs(&in_batches(&recipe, &texts, threads, memory));
                assert_eq!(found, expected, "{recipe}, {threads} threads, {memory:?}");
            }
        }
    }
}

/// A text that was read before is not read again, which must show nowhere. In a memory
/// of one byte no text is remembered.
#[test]
fn repeated_texts_count_like_any_others() {
    let mut stream = twinsift::hash::Stream::new(11);
    let mut texts = corpus();
    texts.extend(["", "thank you", "thank you!"].map(str::to_owned));
    let texts: Vec<String> = (0..3000)
        .map(|_| texts[stream.below(texts.len())].clone())
        .collect();
    for method in [Method::Shingles, Method::MinHash] {
        for weights in [Weights::Binary, Weights::Counts] {
            let choices = Choices {
                method: Some(method),
                weights: Some(weights),
                ..Choices::default()
            };
            let Ok(recipe) = choices.resolve() else {
                continue;
            };
            let forgetful = in_batches(&recipe, &texts, 2, Some(1));
            let expected = all_pairs(&forgetful);
            assert!(expected.len() > 3000, "{recipe}");
            let mut one_by_one = Sifter::new(recipe.clone(), settings(1, None)).expect("valid");
            for (at, text) in texts.iter().enumerate() {
                let document = Document::new(at.to_string(), text.as_str());
                one_by_one.add(&document).expect("distinct");
            }
            let one_by_one = one_by_one.finish().expect("room");
            let threads = [1, 2, 8].map(|threads| in_batches(&recipe, &texts, threads, None));
            for matches in threads.iter().chain([&one_by_one]) {
                assert_eq!(all_pairs(matches), expected, "{recipe}");
                let counted = |matches: &Matches| {
                    let report = matches.report();
                    let read = (report.words, report.short, report.unjudged);
                    (read, report.signature_bytes)
                };
                assert_eq!(counted(matches), counted(&forgetful), "{recipe}");
                assert_eq!(matches.report(), one_by_one.report(), "{recipe}");
            }
        }
    }
}

/// The first document of a class may be in either collection, and its repetitions too.
#[test]
fn repeated_texts_are_compared_across_collections() {
    let near = format!("{TEXT} today");
    let run = |new: &[&str], old: &[&str]| {
        let mut sifter = Sifter::new(Recipe::default(), settings(2, None)).expect("valid");
        let add = |sifter: &mut Sifter, side: &str, texts: &[&str]| {
            sifter
                .add_batches(
                    texts.iter().enumerate(),
                    |&(at, text), sink| {
                        sink(Item::Document(Document::new(format!("{side}{at}"), *text)));
                    },
                    |_| Ok(()),
                )
                .expect("distinct");
        };
        add(&mut sifter, "new", new);
        sifter.begin_old().expect("room");
        add(&mut sifter, "old", old);
        let pairs = all_pairs(&sifter.finish().expect("room"));
        pairs
            .iter()
            .map(|pair| (pair.a, pair.b))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        run(&[TEXT, TEXT], &[TEXT, &near]),
        [(0, 2), (0, 3), (1, 2), (1, 3)]
    );
    assert_eq!(run(&["a b c d e f"], &[TEXT, TEXT]), []);
    assert_eq!(run(&[&near], &[TEXT, "other", TEXT]), [(0, 1), (0, 3)]);
}

#[test]
fn a_tiny_memory_works_in_bands_on_disk() {
    let matches = in_batches(&Recipe::default(), &corpus(), 2, Some(1));
    assert!(matches.report().size_bands > 1);
    assert!(matches.report().spilled_bytes > 0);
}

#[test]
fn broken_records_are_handed_on_and_may_stop_the_run() {
    let run = |strict: bool| {
        let mut sifter = Sifter::new(Recipe::default(), settings(2, None)).expect("valid");
        let mut seen = Vec::new();
        let outcome = sifter.add_batches(
            0..20u64,
            |&record, sink| {
                let place = Place { source: 0, record };
                sink(match record % 5 {
                    3 => Item::Skipped(Skipped::one(place, "broken")),
                    _ => Item::Document(Document::new(record.to_string(), TEXT)),
                });
            },
            |skipped| {
                seen.push(skipped.place.record);
                if strict {
                    Err(Error::Cancelled)
                } else {
                    Ok(())
                }
            },
        );
        (outcome.is_ok(), seen)
    };
    assert_eq!(run(false), (true, vec![3, 8, 13, 18]));
    assert_eq!(run(true), (false, vec![3]));
}

#[test]
fn a_revisit_is_the_page_that_it_repeats() {
    let mut sifter = Sifter::new(Recipe::default(), settings(1, None)).expect("valid");
    for (id, text, content_key) in [
        ("again", "", Some(ContentKey::Repeats(5))),
        ("page", TEXT, Some(ContentKey::Holds(5))),
        (
            "other",
            "something else entirely that has never been written before",
            None,
        ),
        ("lost", "", Some(ContentKey::Repeats(6))),
    ] {
        let mut document = Document::new(id, text);
        document.content_keys.extend(content_key);
        sifter.add(&document).expect("distinct");
    }
    let matches = sifter.finish().expect("room");
    let pairs: Vec<_> = all_pairs(&matches)
        .iter()
        .map(|pair| (pair.a, pair.b))
        .collect();
    assert_eq!(pairs, [(0, 1)]);
    assert_eq!(matches.report().orphan_revisits, 1);
}
