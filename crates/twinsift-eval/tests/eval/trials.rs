//! Evaluation against brute force over all pairs, and against scikit-learn.

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};
use twinsift::hash::Stream;
use twinsift::recipe::FeatureKind;
use twinsift::{Choices, Document, Settings};
use twinsift_eval::curve::ScoredPairs;
use twinsift_eval::partition::{adjusted_rand, b_cubed};
use twinsift_eval::{Gold, Scores, Trial, paired_test};

/// Documents as sets of words, each with a label or none, and perhaps a group.
type Labelled = (Vec<u8>, Option<u8>, Option<u8>);

fn collections() -> impl Strategy<Value = Vec<Labelled>> {
    let words = prop::collection::vec(0u8..12, 0..9);
    let label = prop::option::weighted(0.9, 0u8..4);
    let group = prop::option::weighted(0.5, 0u8..3);
    prop::collection::vec((words, label, group), 0..14)
}

fn jaccard(a: &[u8], b: &[u8]) -> f64 {
    let [a, b]: [BTreeSet<u8>; 2] = [a, b].map(|words| words.iter().copied().collect());
    let shared = a.intersection(&b).count();
    match a.is_empty() || b.is_empty() {
        true => 0.0,
        false => shared as f64 / (a.len() + b.len() - shared) as f64,
    }
}

fn judge(x: &Labelled, y: &Labelled) -> Option<bool> {
    let same = x.1? == y.1?;
    match same {
        true => Some(true),
        false if x.2.is_some() && x.2 == y.2 => None,
        false => Some(false),
    }
}

/// Precision, recall and F1 of everything that scores at least `threshold`, by
/// their definitions.
fn by_definition(scored: &[(f64, bool)], threshold: f64) -> Scores {
    let found: Vec<_> = scored.iter().filter(|(s, _)| *s >= threshold).collect();
    let correct = found.iter().filter(|(_, label)| *label).count() as f64;
    let positives = scored.iter().filter(|(_, label)| *label).count() as f64;
    let share = |whole: f64| if whole > 0.0 { correct / whole } else { 0.0 };
    let (precision, recall) = (share(found.len() as f64), share(positives));
    let sum = precision + recall;
    Scores {
        precision,
        recall,
        f1: if sum > 0.0 {
            2.0 * precision * recall / sum
        } else {
            0.0
        },
    }
}

fn close(x: Scores, y: Scores) -> bool {
    let parts = |scores: Scores| [scores.precision, scores.recall, scores.f1];
    parts(x)
        .into_iter()
        .zip(parts(y))
        .all(|(x, y)| (x - y).abs() < 1e-12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Scores at the threshold, the curve, the averages and the mistakes are what
    /// their definitions say, for pairs below the floor too.
    #[test]
    fn a_trial_says_what_all_pairs_say(
        collection in collections(),
        threshold in prop::sample::select(vec![0.25, 0.5, 0.8, 1.0]),
        floor in prop::sample::select(vec![0.01, 0.2, 0.5]),
    ) {
        let names: Vec<[Option<String>; 2]> = collection
            .iter()
            .map(|(_, label, group)| [label, group].map(|name| name.map(|n| n.to_string())))
            .collect();
        let column = |at: usize| -> Vec<Option<&str>> {
            names.iter().map(|name| name[at].as_deref()).collect()
        };
        let gold = Gold::from_clusters(&column(0), &column(1));
        let documents: Vec<Document<'_>> = collection
            .iter()
            .enumerate()
            .map(|(doc, (words, ..))| {
                let words: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
                Document::new(doc.to_string(), words.join(" "))
            })
            .collect();
        let settings = Settings { threads: 2, ..Settings::default() };
        let mut trial = Trial::new(&documents, &gold, &settings);
        trial.floor = floor;
        trial.resamples = 20;
        let choices = Choices {
            features: Some(FeatureKind::Words),
            threshold: Some(threshold),
            ..Choices::default()
        };
        let recipe = choices.resolve().expect("valid");
        let evaluation = trial.score(&trial.find(&recipe).expect("runs")).expect("scores");

        let mut scored = Vec::new();
        let mut missed = 0;
        for (at, a) in collection.iter().enumerate() {
            for b in &collection[at + 1..] {
                if let Some(label) = judge(a, b) {
                    let score = jaccard(&a.0, &b.0);
                    scored.push((score, label));
                    missed += usize::from(label && score < threshold);
                }
            }
        }
        prop_assert_eq!(gold.judged(), scored.len() as u64);
        let expected = by_definition(&scored, threshold);
        prop_assert!(close(evaluation.scores, expected), "{evaluation:?} {expected:?}");
        let reached = floor.min(threshold);
        let mut thresholds: Vec<f64> = scored
            .iter()
            .map(|&(score, _)| score)
            .filter(|&score| score >= reached)
            .collect();
        thresholds.sort_unstable_by(|a, b| b.total_cmp(a));
        thresholds.dedup();
        let points: Vec<_> = evaluation.curve.points().collect();
        let thresholds: Vec<f64> = points.iter().map(|point| point.threshold).collect();
        prop_assert_eq!(&thresholds, &thresholds);
        for point in points {
            let expected = by_definition(&scored, point.threshold);
            prop_assert!(close(evaluation.curve.scores(point), expected));
        }
        let best = thresholds
            .iter()
            .map(|&threshold| by_definition(&scored, threshold).f1)
            .fold(0.0, f64::max);
        let found = evaluation.curve.best();
        let found = found.map_or(0.0, |point| evaluation.curve.scores(point).f1);
        prop_assert!((best - found).abs() < 1e-12);
        prop_assert_eq!(evaluation.missed.is_empty(), missed == 0);
        for mistake in &evaluation.missed {
            let (a, b) = (&collection[mistake.a as usize], &collection[mistake.b as usize]);
            prop_assert_eq!(judge(a, b), Some(true));
            let score = jaccard(&a.0, &b.0);
            prop_assert!(score < threshold);
            match mistake.score {
                Some(thresholds) => prop_assert!((thresholds - score).abs() < 1e-12),
                None => prop_assert!(score < reached),
            }
        }
        for mistake in &evaluation.wrong {
            let (a, b) = (&collection[mistake.a as usize], &collection[mistake.b as usize]);
            prop_assert_eq!(judge(a, b), Some(false));
            prop_assert!(jaccard(&a.0, &b.0) >= threshold);
        }
    }
}

/// Random labellings and scores with many ties, and the corner cases: one class,
/// one cluster, everything apart, nothing found.
fn cases() -> Vec<serde_json::Value> {
    let mut stream = Stream::new(20_260);
    let mut below = |count: u64| stream.next_value() % count;
    (0..300)
        .map(|case| {
            let documents = 2 + below(30);
            let (true_classes, found_classes) = match case % 6 {
                0 => (1, 1 + below(5)),
                1 => (1 + below(5), 1),
                2 => (documents, 1 + below(8)),
                _ => (1 + below(8), 1 + below(8)),
            };
            let steps = 1 + below(10);
            let pairs = 2 + below(60);
            let truth: Vec<u64> = (0..documents).map(|_| below(true_classes)).collect();
            let found: Vec<u64> = (0..documents).map(|_| below(found_classes)).collect();
            let mut labels: Vec<u64> = (0..pairs).map(|_| u64::from(below(3) == 0)).collect();
            labels[0] = 1;
            let scores: Vec<f64> = (0..pairs)
                .map(|_| below(steps + 1) as f64 / steps as f64)
                .collect();
            let mut random = || {
                (0..5)
                    .map(|_| below(1000) as f64 / 1000.0)
                    .collect::<Vec<f64>>()
            };
            let (first, second) = (random(), random());
            serde_json::json!({
                "truth": truth, "found": found, "labels": labels, "scores": scores,
                "threshold": below(steps + 2) as f64 / steps as f64,
                "first": first, "second": second,
            })
        })
        .collect()
}

/// Our measures of a case, in the order in which the script prints its own.
fn measures(case: &serde_json::Value) -> Vec<f64> {
    let numbers = |name: &str| -> Vec<f64> {
        let list = case[name].as_array().expect("a list").iter();
        list.map(|value| value.as_f64().expect("a number"))
            .collect()
    };
    let classes = |name: &str| -> Vec<u32> {
        numbers(name)
            .into_iter()
            .map(|number| number as u32)
            .collect()
    };
    let (labels, scores) = (numbers("labels"), numbers("scores"));
    let mut scored = ScoredPairs::default();
    for (&label, &score) in labels.iter().zip(&scores) {
        scored.push(score, label == 1.0);
    }
    let positives = labels.iter().filter(|&&label| label == 1.0).count() as u64;
    let curve = scored.curve(positives);
    let at = curve.scores(curve.at(case["threshold"].as_f64().expect("a number")));
    let best = curve.scores(curve.best().expect("scored pairs"));
    let (truth, found) = (classes("truth"), classes("found"));
    let cubed = b_cubed(&truth, &found);
    let test = paired_test(&numbers("first"), &numbers("second")).expect("five pairs");
    vec![
        at.precision,
        at.recall,
        at.f1,
        best.f1,
        curve.average_precision(),
        adjusted_rand(&truth, &found),
        cubed.precision,
        cubed.recall,
        test.t.expect("spread"),
        test.p.expect("spread"),
    ]
}

/// What a script of this folder answers to some cases. `cargo xtask test` names a Python
/// that has what it needs; without one there is nothing to compare with.
pub(crate) fn ask_python(script: &str, cases: &[serde_json::Value]) -> Option<Vec<Vec<f64>>> {
    let Some(python) = std::env::var_os("TWINSIFT_PYTHON") else {
        eprintln!("skipped: TWINSIFT_PYTHON names no Python to compare with");
        return None;
    };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/eval");
    let mut child = Command::new(python)
        .arg(format!("{folder}/{script}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let input = serde_json::to_vec(cases).expect("JSON");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(&input).expect("written");
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

#[test]
fn measures_agree_with_scikit_learn() {
    let cases = cases();
    let Some(theirs) = ask_python("measures.py", &cases) else {
        return;
    };
    assert_eq!(theirs.len(), cases.len());
    for (case, theirs) in cases.iter().zip(theirs) {
        let ours = measures(case);
        assert_eq!(ours.len(), theirs.len());
        for (at, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert!(
                (ours - theirs).abs() < 1e-9,
                "measure {at}: {ours} {theirs}\n{case}"
            );
        }
    }
}
