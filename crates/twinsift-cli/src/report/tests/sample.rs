//! Evaluations made by hand, to be rendered.

use crate::evaluate::outcome::*;
use std::collections::BTreeMap;
use twinsift::collection::feature_counts::FeatureCounts;
use twinsift_eval::{Cohesion, GroupScores, Interval, Intervals, PairedTest, Scores, Utility};

/// Two collections, many methods, everything filled in.
pub fn rich() -> Outcome {
    let names = [
        "words similarity=cosine",
        "shingles k=1",
        "shingles k=2",
        "shingles k=3",
        "shingles k=5",
        "minhash k=3",
        "simhash",
        "imatch lexicons=1",
        "imatch lexicons=2",
        "imatch lexicons=5",
        "imatch lexicons=10",
    ];
    let data = ["town-news", "mail-campaigns"];
    let mut outcome = Outcome {
        title: "Methods on labelled news and mail".to_owned(),
        version: "0.1.0".to_owned(),
        data: vec![collection(data[0], 1134), collection(data[1], 9820)],
        ..Outcome::default()
    };
    for (at, data) in data.iter().enumerate() {
        for (order, name) in names.iter().enumerate() {
            outcome.methods.push(method(data, name, order + 3 * at));
        }
        for (order, other) in names.iter().enumerate().skip(1) {
            outcome.comparisons.push(MethodComparison {
                data: (*data).to_owned(),
                best: names[0].to_owned(),
                other: (*other).to_owned(),
                test: PairedTest {
                    difference: -0.012 * order as f64,
                    t: (order != 3).then_some(-1.1 * order as f64),
                    p: (order != 3).then_some(0.3 / (order * order * order) as f64),
                },
            });
        }
    }
    outcome
}

fn collection(name: &str, documents: u64) -> DataOutcome {
    DataOutcome {
        name: name.to_owned(),
        gold: format!("field \"cluster\" of {name}.jsonl"),
        documents,
        labelled: documents - 12,
        clusters: Some(documents / 9),
        true_pairs: documents * 4,
        judged_pairs: documents * (documents - 1) / 2,
        cohesion: Some(Cohesion {
            mean: 0.64,
            clusters: (1..=20u8).map(|at| 0.3 + 0.034 * f64::from(at)).collect(),
        }),
        reading_seconds: 0.31,
        notes: vec!["12 documents have no label; their pairs are not judged.".to_owned()],
    }
}

/// A method that is the worse the higher `order` is.
pub fn method(data: &str, name: &str, order: usize) -> MethodOutcome {
    let quality = 1.0 - 0.035 * (order % 17) as f64;
    let preset = name.split(' ').next().unwrap_or_default();
    let curve = curve(quality, if preset == "imatch" { 5 } else { 400 });
    let best = curve
        .iter()
        .max_by(|a, b| a.scores.f1.total_cmp(&b.scores.f1));
    let best = *best.expect("a curve has points");
    let ran = curve[curve.len() * 2 / 5];
    let interval = |value: f64| Interval {
        low: value - 0.021,
        high: (value + 0.018).min(1.0),
    };
    let settings = name.split(' ').filter_map(|word| word.split_once('='));
    let parameters: BTreeMap<String, f64> = settings
        .filter_map(|(key, value)| Some((key.to_owned(), value.parse().ok()?)))
        .collect();
    MethodOutcome {
        data: data.to_owned(),
        name: name.to_owned(),
        method: preset.to_owned(),
        description: format!("{preset} of words, weighted by rarity, compared in full"),
        recipe: format!("r{order:04}"),
        parameters,
        threshold: (preset != "simhash").then_some(ran.threshold),
        scores: ran.scores,
        intervals: Some(Intervals {
            precision: interval(ran.scores.precision),
            recall: interval(ran.scores.recall),
            f1: interval(ran.scores.f1),
        }),
        found_pairs: 3800 + 40 * order as u64,
        correct_pairs: 3700 - 90 * order as u64,
        unjudged_pairs: 14,
        max_f1: best.scores.f1,
        max_f1_threshold: Some(best.threshold),
        max_f1_precision: best.scores.precision,
        max_f1_recall: best.scores.recall,
        average_precision: quality * 0.96,
        floor: 0.05,
        per_query: ran.scores,
        groups: groups(order as u64, quality),
        utility: (data == "mail-campaigns").then_some(Utility {
            mean: 41.5 - 20.0 * order as f64,
            price: 100.0,
            queries: 800,
            targets_found: 780 - 11 * order as u64,
            others_hit: order as u64,
        }),
        seconds: 0.2 + 2.0 * quality * quality,
        cpu_seconds: Some(0.35 + 3.7 * quality * quality),
        peak_mb: Some(12.0 + 30.0 * quality),
        signature_bytes: 16.0 * (1 + order * 37 % 64) as f64,
        candidates: 12_000 * (order as u64 * 7 % 13),
        features: (preset != "simhash").then(|| FeatureCounts {
            distinct: 6848,
            mean: 31.5,
            median: 28,
            sizes: [(0, 3), (1, 12), (20, 300), (90, 40 + order as u64)].into(),
        }),
        curve,
        false_positives: (0..3)
            .map(|at| mistake(at, Some(0.81 - 0.02 * at as f64)))
            .collect(),
        false_negatives: (0..2)
            .map(|at| mistake(at + 5, (at == 0).then_some(0.07)))
            .collect(),
        splits: (0..5u64)
            .map(|seed| {
                let off = 0.004 * seed as f64;
                let scores = Scores {
                    f1: best.scores.f1 - off,
                    ..best.scores
                };
                let max_f1 = best.scores.f1;
                SplitOutcome {
                    seed,
                    train_documents: 500,
                    test_documents: 600,
                    threshold: Some(0.31),
                    scores,
                    max_f1,
                    max_f1_precision: best.scores.precision,
                    max_f1_recall: best.scores.recall,
                }
            })
            .collect(),
    }
}

/// From the highest threshold to the lowest, with as many points.
fn curve(quality: f64, points: usize) -> Vec<CurvePoint> {
    let point = |at: usize| {
        let threshold = 1.0 - 0.95 * (at + 1) as f64 / points as f64;
        let recall = quality * (1.0 - threshold.powf(1.5 * quality));
        let precision = 1.0 - (1.0 - threshold).powf(9.0 * quality) * 0.97;
        let f1 = 2.0 * precision * recall / (precision + recall);
        let scores = Scores {
            precision,
            recall,
            f1,
        };
        CurvePoint { threshold, scores }
    };
    (0..points).map(point).collect()
}

fn groups(order: u64, quality: f64) -> GroupScores {
    let sizes = [
        (1, 700),
        (2, 41 + order),
        (3, 22),
        (4, 11),
        (6, 9),
        (11, 5),
        (19, 1),
        (40, order % 3),
    ];
    GroupScores {
        groups: 90 + order,
        largest: 40,
        chained_pairs: 31 * order,
        pure: Some(quality),
        adjusted_rand: Some(quality * 0.97),
        b_cubed: Some(Scores {
            precision: quality,
            recall: 0.9,
            f1: 0.9 * quality,
        }),
        sizes: BTreeMap::from(sizes),
    }
}

fn mistake(at: usize, score: Option<f64>) -> MistakeOutcome {
    let text = |town: &str, day: &str| {
        format!(
            "The council of {town} has agreed to open the new harbour on {day}. The mayor said that \
             the work had taken longer than expected, and thanked all who had a part in it. \
             Ferries will run every hour from the first morning on; tickets are sold at the quay."
        )
    };
    let excerpt = |id: String, text: String| Excerpt {
        url: Some(format!("https://{id}.example/harbour/{at}")),
        title: Some("Harbour to open".to_owned()),
        cluster: Some(format!("c{}", at % 4)),
        id,
        text,
    };
    MistakeOutcome {
        a: excerpt(format!("news-{at}"), text("Port Ellery", "Monday")),
        b: excerpt(
            format!("post-{at}"),
            text("Marrow Bay", "a day yet to be named"),
        ),
        score,
    }
}
