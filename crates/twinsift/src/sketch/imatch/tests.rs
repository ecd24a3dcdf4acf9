use super::*;
use crate::features::lexicon::Terms;
use crate::features::{Features, Featurise};
use crate::lexicon::{Counter, Limits};
use crate::tokenise::Tokens;
use crate::{Document, Settings};
use proptest::prelude::*;
use std::collections::BTreeSet;

const ALL: Limits = Limits {
    min_documents: 1,
    max_terms: usize::MAX,
};

fn counted(texts: &[&str]) -> Lexicon {
    let mut counter = Counter::new(&Settings::default());
    for (at, text) in texts.iter().enumerate() {
        let document = Document::new(at.to_string(), *text);
        counter.add(&document).expect("counted");
    }
    counter.finish(ALL).expect("counted")
}

fn words(text: &str) -> Vec<u64> {
    let (mut tokens, mut features) = (Tokens::new(), Features::new());
    tokens.read(text);
    Terms::default().features(&tokens, &mut features);
    features.values().to_vec()
}

fn row(signer: &Signer, words: &[u64]) -> Vec<u64> {
    let mut row = Vec::new();
    signer.sign(words, &mut Scratch::default(), &mut row);
    row
}

/// English documents whose words of the banner are of middling frequency.
fn english() -> Lexicon {
    let banner = "visit our online store today where quality products await every customer";
    let mut texts = vec![banner; 3];
    texts.extend(["something else entirely without relation"; 3]);
    texts.extend(["lorem ipsum dolor amet"; 20]);
    counted(&texts)
}

const BANNER: &str = "Visit our online store today, where quality products await every customer!";
const GERMAN: [&str; 2] = [
    "Gestern Abend wurde die neue Maschine angeliefert, sie steht jetzt unten im Keller neben dem Schrank",
    "Leider konnte keiner die Rechnung finden, bitte schicke morgen nochmals sämtliche Unterlagen hierher",
];

/// Fig. 1: two German messages with one English banner, and an English lexicon.
#[test]
fn german_messages_match_by_their_banner_unless_a_ratio_is_asked_for() {
    let lexicon = english();
    let messages = GERMAN.map(|text| words(&format!("{text}. {BANNER}")));
    let sign = |rules: Rules| {
        let signer = Signer::new(&lexicon, rules, 0, "");
        messages.clone().map(|words| row(&signer, &words)[0])
    };
    let plain = Rules {
        lexicons: 0,
        ..Rules::default()
    };
    let [a, b] = sign(plain);
    assert!(a != 0 && a == b, "the banner alone decides");
    let modified = Rules {
        min_ratio: 0.7,
        ..plain
    };
    assert_eq!(sign(modified), [0, 0], "no secondary words: no signature");
    // With German words in the secondary lexicon, the messages differ.
    let mut texts = vec![BANNER; 3];
    texts.extend(GERMAN);
    texts.extend(["lorem ipsum dolor amet"; 20]);
    let lexicon = counted(&texts);
    let signer = Signer::new(&lexicon, modified, 0, "");
    let [a, b] = messages.map(|words| row(&signer, &words)[0]);
    assert!(a != 0 && b != 0 && a != b);
}

/// The rule of 2004, worked out: three words of the window, a number of terms, and words
/// above the window by falling frequency.
#[test]
fn a_number_of_terms_is_filled_up_by_rank() {
    let mut texts = vec!["alpha bravo charlie"; 8];
    for (word, count) in [("delta", 5), ("echos", 4), ("foxtrot", 3), ("golf", 2)] {
        texts.extend(vec![word; count]);
    }
    texts.extend(["lorem"; 40]);
    let lexicon = counted(&texts);
    let words = words("alpha bravo charlie golf foxtrot echos unheard");
    let plain = Rules {
        // 8 of 62 documents have an idf of 0.50, 5 of them 0.61.
        window: [0.4, 0.55],
        lexicons: 0,
        min_terms: 3,
        ..Rules::default()
    };
    let terms = |rules: Rules| -> Vec<u64> {
        let signer = Signer::new(&lexicon, rules, 0, "");
        let mut scratch = Scratch::default();
        let signed = signer.select(&words, &mut scratch);
        let mut taken: Vec<u64> = scratch
            .places
            .iter()
            .map(|&at| words[at as usize])
            .collect();
        taken.sort_unstable();
        if signed.valid == 0 { Vec::new() } else { taken }
    };
    let hashed = |text: &str| -> Vec<u64> {
        let mut hashes: Vec<u64> = text.split(' ').map(|w| hash::bytes(w.as_bytes())).collect();
        hashes.sort_unstable();
        hashes
    };
    let to = |expand_to: u32| Rules { expand_to, ..plain };
    assert_eq!(terms(plain), hashed("alpha bravo charlie"));
    assert_eq!(
        terms(to(3)),
        hashed("alpha bravo charlie"),
        "enough already"
    );
    assert_eq!(terms(to(4)), hashed("alpha bravo charlie echos"));
    assert_eq!(terms(to(5)), hashed("alpha bravo charlie echos foxtrot"));
    let all = hashed("alpha bravo charlie echos foxtrot golf");
    assert_eq!(terms(to(9)), all, "the number is no reason to reject");
    let strict = Rules {
        min_terms: 9,
        ..to(9)
    };
    assert_eq!(terms(strict), [0; 0], "the least number of terms is");
    let few = Rules {
        secondary: 2,
        ..to(9)
    };
    assert_eq!(
        terms(few),
        hashed("alpha bravo charlie echos"),
        "delta is the other"
    );
    // Both rules: the larger of 4 and 5 of 7 words.
    let both = Rules {
        min_ratio: 0.6,
        ..to(4)
    };
    assert_eq!(terms(both), hashed("alpha bravo charlie echos foxtrot"));
}

#[test]
fn word_order_and_words_outside_the_lexicon_change_nothing() {
    let signer = Signer::new(&english(), Rules::default(), 0, "");
    let plain = row(&signer, &words(BANNER));
    assert!(plain[0] != 0);
    let mut turned: Vec<&str> = BANNER.split(' ').collect();
    turned.reverse();
    let turned = turned.join(" ");
    assert_eq!(row(&signer, &words(&turned)), plain);
    let longer = format!("{turned} zebra xylophone 1234 lorem ipsum");
    assert_eq!(row(&signer, &words(&longer)), plain);
    let other = format!("{BANNER} entirely");
    assert_ne!(row(&signer, &words(&other))[0], plain[0]);
}

#[test]
fn values_of_other_lexicons_rules_and_places_differ() {
    let values = |lexicon: &Lexicon, identity: &str| {
        let signer = Signer::new(lexicon, Rules::default(), 0, identity);
        row(&signer, &words(BANNER))
    };
    let lexicon = english();
    let mut more = vec![BANNER; 3];
    more.extend(["lorem ipsum dolor amet"; 20]);
    let all = [
        values(&lexicon, ""),
        values(&lexicon, "other"),
        values(&counted(&more), ""),
    ]
    .concat();
    let valid = all.iter().filter(|&&value| value != 0);
    let distinct: BTreeSet<_> = valid.clone().collect();
    assert_eq!(distinct.len(), valid.count());
}

#[test]
fn too_little_to_judge_has_no_signature() {
    let lexicon = english();
    let signer = Signer::new(&lexicon, Rules::default(), 0, "");
    for text in ["", "the and of to", "quality products await every"] {
        assert!(row(&signer, &words(text)).iter().all(|&value| value == 0));
    }
    // An empty window signs nothing.
    let nothing = Rules {
        window: [0.999, 0.9991],
        ..Rules::default()
    };
    let signer = Signer::new(&lexicon, nothing, 0, "");
    assert_eq!(row(&signer, &words(BANNER)), [0; 11]);
    // No randomised lexicons: one value.
    let one = Rules {
        lexicons: 0,
        ..Rules::default()
    };
    assert_eq!(
        row(&Signer::new(&lexicon, one, 0, ""), &words(BANNER)).len(),
        1
    );
}

/// Worked out with another implementation of SHA-1.
#[test]
fn sha1_is_of_the_sorted_words() {
    let rules = Rules {
        lexicons: 0,
        digest: Digest::Sha1,
        ..Rules::default()
    };
    let signer = Signer::new(&english(), rules, 0, "");
    let mut spelled = ["visit", "online", "store", "zebra", "today", "quality"];
    spelled.sort_unstable();
    let spelled = spelled.map(str::as_bytes);
    let hashes: Vec<u64> = spelled.iter().map(|word| hash::bytes(word)).collect();
    let mut row = Vec::new();
    signer.sign_sha1(&spelled, &hashes, &mut Scratch::default(), &mut row);
    // SHA-1 of "onlinequalitystoretodayvisit".
    assert_eq!(row, SHA1);
}

const SHA1: [u64; 3] = [
    0xf6a5_f571_c82f_b37b,
    0x7472_868d_4d3b_d224,
    0x8a34_ef79_0000_0000,
];

/// What the paper says, with sets: the words of each value, or `None`.
fn reference(
    lexicon: &Lexicon,
    rules: Rules,
    seed: u64,
    words: &[u64],
) -> Vec<Option<BTreeSet<u64>>> {
    let window = Window::new(lexicon, rules.window);
    let hashes = |places: Vec<usize>| -> Vec<u64> {
        places.iter().map(|&at| lexicon.hashes()[at]).collect()
    };
    let primary = hashes(window.primary().collect());
    let secondary = match rules.min_ratio > 0.0 || rules.expand_to > 0 {
        true => hashes(window.secondary(rules.secondary as usize).collect()),
        false => Vec::new(),
    };
    let in_primary = rules
        .bags
        .draw(&primary, rules.lexicons, hash::pair(seed, 1));
    let in_secondary = rules
        .bags
        .draw(&secondary, rules.lexicons, hash::pair(seed, 2));
    let document: BTreeSet<u64> = words.iter().copied().collect();
    (0..=rules.lexicons)
        .map(|bag| {
            let of = |list: &[u64], bags: &[u64]| -> Vec<u64> {
                let list = list.iter().zip(bags);
                list.filter(|(word, bags)| *bags >> bag & 1 == 1 && document.contains(word))
                    .map(|(&word, _)| word)
                    .collect()
            };
            let mut chosen: BTreeSet<u64> = of(&primary, &in_primary).into_iter().collect();
            let is_short = |chosen: &BTreeSet<u64>| {
                (chosen.len() as f64) / (document.len() as f64) < rules.min_ratio
            };
            for word in of(&secondary, &in_secondary) {
                if is_short(&chosen) || chosen.len() < rules.expand_to as usize {
                    chosen.insert(word);
                }
            }
            let rejected = document.len() < LEAST_WORDS
                || chosen.len() < rules.min_terms.max(1) as usize
                || is_short(&chosen);
            (!rejected).then_some(chosen)
        })
        .collect()
}

proptest! {
    /// Values are equal exactly where the sets behind them are.
    #[test]
    fn values_stand_for_the_sets_of_the_paper(
        texts in prop::collection::vec("[a-e]{4}( [a-e]{4}){0,12}", 4..16),
        letters in prop::collection::vec("[a-c]{4}( [a-c]{4}){3,20}", 2..5),
        least in 0.0..0.5f64,
        width in 0.0..0.7f64,
        min_ratio in prop::sample::select(vec![0.0, 0.25, 0.5, 0.8]),
        expand_to in prop::sample::select(vec![0u32, 0, 1, 3, 6, 40]),
        min_terms in 0u32..4,
        secondary in 0u32..20,
        lexicons in 0u32..5,
        seed in 0u64..4,
    ) {
        let mut all: Vec<&str> = texts.iter().map(String::as_str).collect();
        all.extend(letters.iter().map(String::as_str));
        let lexicon = counted(&all);
        let rules = Rules {
            window: [least, least + width],
            min_terms,
            min_ratio,
            expand_to,
            secondary,
            lexicons,
            bags: if seed % 2 == 0 { Bags::Bootstrap } else { Bags::Drop(0.3) },
            digest: Digest::Sum,
        };
        let signer = Signer::new(&lexicon, rules, seed, "");
        let documents: Vec<Vec<u64>> = letters.iter().map(|text| words(text)).collect();
        let rows: Vec<Vec<u64>> = documents.iter().map(|words| row(&signer, words)).collect();
        let sets: Vec<_> = documents
            .iter()
            .map(|words| reference(&lexicon, rules, seed, words))
            .collect();
        for (row, sets) in rows.iter().zip(&sets) {
            for (value, set) in row.iter().zip(sets) {
                prop_assert_eq!(*value != 0, set.is_some());
            }
        }
        for (x, x_sets) in rows.iter().zip(&sets) {
            for (y, y_sets) in rows.iter().zip(&sets) {
                for place in 0..x.len() {
                    if x[place] != 0 && y[place] != 0 {
                        prop_assert_eq!(x[place] == y[place], x_sets[place] == y_sets[place]);
                    }
                }
            }
        }
    }
}

/// Eq. (1): simulated insertions and deletions of lexicon words.
#[test]
fn stability_agrees_with_the_paper() {
    for bags in [Bags::Drop(0.33), Bags::Drop(0.5), Bags::Bootstrap] {
        let simulated = simulate(bags);
        for lexicons in [1, 2, 5, 10] {
            for (changes, survived) in (1..).zip(&simulated) {
                let expected = survival(changes, bags.dropped(), lexicons, 1);
                let kept = survived.iter().filter(|&&first| first <= lexicons).count();
                let share = kept as f64 / survived.len() as f64;
                // Four standard errors, and a little for a lexicon of finite size.
                let error = 4.0 * (expected * (1.0 - expected) / survived.len() as f64).sqrt();
                assert!(
                    (share - expected).abs() < error + 0.004,
                    "{bags:?}, {lexicons} lexicons, {changes} changes: {share} for {expected}"
                );
            }
        }
    }
}

/// For 1 to 10 words of the lexicon that are added or removed, and each of many
/// documents: the first randomised signature that survived, or a large number.
fn simulate(bags: Bags) -> Vec<Vec<u32>> {
    let mut hashes: Vec<u64> = (0..2_000).map(hash::mix).collect();
    hashes.sort_unstable();
    let lexicon = Lexicon::of_hashes(100, hashes.clone(), vec![10; hashes.len()]);
    let rules = Rules {
        lexicons: 10,
        bags,
        min_terms: 1,
        ..Rules::default()
    };
    let mut survived = vec![Vec::new(); 10];
    for seed in 0..40 {
        let signer = Signer::new(&lexicon, rules, seed, "");
        let mut random = hash::Stream::new(seed);
        let mut pick = || hashes[random.next_value() as usize % hashes.len()];
        for _ in 0..50 {
            let mut document = BTreeSet::new();
            while document.len() < 100 {
                document.insert(pick());
            }
            let before = row(&signer, &document.iter().copied().collect::<Vec<_>>());
            let mut changed = BTreeSet::new();
            for survived in &mut survived {
                while !changed.insert(pick()) {}
                let after: Vec<u64> = document.symmetric_difference(&changed).copied().collect();
                let after = row(&signer, &after);
                assert_ne!(before[0], after[0]);
                let same = |bag: &u32| before[*bag as usize] == after[*bag as usize];
                survived.push((1..=10).find(same).unwrap_or(u32::MAX));
            }
        }
    }
    survived
}

#[test]
fn survival_is_equation_one_and_a_binomial_tail() {
    assert_eq!(survival(0, 0.33, 5, 1), 1.0);
    for (changes, lexicons) in [(1, 1), (2, 5), (5, 10)] {
        let expected = 1.0 - (1.0 - 0.33f64.powi(changes)).powi(lexicons);
        assert!((survival(changes as u32, 0.33, lexicons as u32, 1) - expected).abs() < 1e-12);
    }
    // Two of three: 3 p² (1 - p) + p³.
    assert!((survival(1, 0.5, 3, 2) - 0.5).abs() < 1e-12);
    assert_eq!(survival(3, 0.5, 2, 3), 0.0);
    assert_eq!(survival(1, 0.5, 0, 1), 0.0);
}
