//! Questions and estimates on made-up pools, whose truth is known.

use super::{Answer, Chooser, Example, Fit, Pool, estimate};
use proptest::prelude::*;

use twinsift::Detector;
use twinsift::detector::{COUNT, Row, Weights};
use twinsift::hash::Stream;

fn uniform(stream: &mut Stream) -> f64 {
    stream.below(1_000_000) as f64 / 1e6
}

/// Pairs whose log-odds are `bias` and something around it, and whether each is the same.
fn pool(pairs: usize, bias: f64, seed: u64) -> (Pool, Vec<bool>) {
    let mut stream = Stream::new(seed);
    let (mut rows, mut same) = (Vec::new(), Vec::new());
    for _ in 0..pairs {
        let odds = bias + 10.0 * (uniform(&mut stream) - 0.5) + 6.0 * (uniform(&mut stream) - 0.5);
        let mut row: Row = std::array::from_fn(|_| 0.2 * uniform(&mut stream));
        row[0] = odds / 10.0;
        rows.push(row);
        same.push(uniform(&mut stream) < 1.0 / (1.0 + (-2.0 * odds).exp()));
    }
    let pool = Pool {
        signatures: Vec::new(),
        pairs: (0..pairs as u32)
            .map(|pair| (2 * pair, 2 * pair + 1))
            .collect(),
        weights: vec![1.0; rows.len()],
        rows,
    };
    (pool, same)
}

/// A detector that sums up `intercept + slope * log-odds`; the best one is `(0, 2)`.
fn detector(intercept: f32, slope: f32) -> Detector {
    let mut weights = [0.0; 2 * COUNT];
    weights[0] = 10.0 * slope;
    Detector {
        candidates: 0.1,
        threshold: 0.5,
        intercept,
        weights: Weights(weights),
    }
}

/// The answers of a person who is asked `number` questions, and the detector that learnt from
/// them, and the chooser.
fn asked(
    pool: &Pool,
    same: &[bool],
    first: Detector,
    number: usize,
    seed: u64,
) -> (Vec<Answer>, Detector, Chooser) {
    let chooser = Chooser::new(pool, &first, seed);
    let fit = Fit::from_labels(first, &pool.rows);
    let (mut answers, mut examples, mut current) = (Vec::new(), Vec::new(), first);
    for _ in 0..number {
        let Some(question) = chooser.next(pool, &current, &answers) else {
            break;
        };
        answers.push(Answer {
            pair: question.pair,
            same: Some(same[question.pair]),
            is_random: question.is_random,
        });
        examples.push(Example {
            row: pool.rows[question.pair],
            same: same[question.pair],
            weight: 1.0,
        });
        current = fit.learn(&examples);
    }
    (answers, current, chooser)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn both_classes_are_among_the_first_ten(
        is_rare in any::<bool>(), seed in any::<u64>(), intercept in -4f32..4.0, slope in 0.3f32..3.0,
    ) {
        let (pool, same) = pool(600, if is_rare { -6.0 } else { 6.0 }, seed);
        let rare = same.iter().filter(|&&same| same == is_rare).count();
        prop_assume!(rare >= 3);
        let (answers, ..) = asked(&pool, &same, detector(intercept, slope), 10, seed);
        let is_there = |same| answers.iter().any(|answer| answer.same == Some(same));
        prop_assert!(is_there(true) && is_there(false), "{rare} of 600");
    }

    #[test]
    fn every_pair_is_asked_about_once(pairs in 1..16usize, seed in any::<u64>()) {
        let (pool, same) = pool(pairs, 0.0, seed);
        let (answers, ..) = asked(&pool, &same, detector(0.0, 1.0), pairs + 5, seed);
        let mut places: Vec<usize> = answers.iter().map(|answer| answer.pair).collect();
        places.sort_unstable();
        prop_assert_eq!(places, (0..pairs).collect::<Vec<_>>());
    }
}

#[test]
fn questions_are_the_same_for_a_seed_and_others_for_another() {
    let (pool, same) = pool(500, -1.0, 3);
    let run = |seed| asked(&pool, &same, detector(1.0, 1.0), 30, seed).0;
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

/// Precision and recall of a detector.
fn truth(pool: &Pool, same: &[bool], detector: &Detector) -> [f64; 2] {
    let taken = |pair: &usize| detector.score_of(&pool.rows[*pair]) >= detector.threshold;
    let all = (0..same.len()).filter(taken).count() as f64;
    let of_same = (0..same.len()).filter(|&pair| same[pair]);
    let right = of_same.clone().filter(taken).count() as f64;
    [right / all.max(1.0), right / of_same.count() as f64]
}

/// Of the pairs about which a detector is sure one in so many, which stands for the others.
fn sample(pool: Pool, same: Vec<bool>, first: &Detector, one_in: usize) -> (Pool, Vec<bool>) {
    let mut kept = Pool {
        signatures: Vec::new(),
        pairs: Vec::new(),
        rows: Vec::new(),
        weights: Vec::new(),
    };
    let mut same_of_kept = Vec::new();
    let chooser = Chooser::new(&pool, first, 0);
    let last = chooser.strata().len() - 1;
    for (at, stratum) in chooser.strata().iter().enumerate() {
        let step = if at == 0 || at == last { one_in } else { 1 };
        let chosen: Vec<usize> = stratum.iter().copied().step_by(step).collect();
        for &pair in &chosen {
            kept.pairs.push(pool.pairs[pair]);
            kept.rows.push(pool.rows[pair]);
            (kept.weights).push(stratum.len() as f64 / chosen.len() as f64);
            same_of_kept.push(same[pair]);
        }
    }
    (kept, same_of_kept)
}

/// In what share of runs do intervals of precision and recall hold the truth, and is the estimate
/// settled? Answers to random questions alone, for a detector that stays as it is. Of the
/// candidates about which it is sure, one in `sampled` is in the pool.
fn held(detector: Detector, number: usize, sampled: usize) -> ([f64; 2], f64) {
    const RUNS: u64 = 40;
    let (mut held, mut settled) = ([0.0; 2], 0.0);
    for seed in 0..RUNS {
        let (all, same) = pool(600, -1.0, seed);
        let truths = truth(&all, &same, &detector);
        let (pool, same) = sample(all, same, &detector, sampled);
        let chooser = Chooser::new(&pool, &detector, seed);
        let mut answers: Vec<Answer> = Vec::new();
        for _ in 0..number {
            let pair = chooser.random(&pool, &detector, &answers).expect("left");
            answers.push(Answer {
                pair,
                same: Some(same[pair]),
                is_random: true,
            });
        }
        let said = estimate(&pool, &chooser, &detector, &answers, seed);
        for (at, said) in [said.precision, said.recall].into_iter().enumerate() {
            let holds = (said.low - 0.005..=said.high + 0.005).contains(&truths[at]);
            held[at] += f64::from(u8::from(holds)) / RUNS as f64;
        }
        settled += f64::from(u8::from(said.is_settled())) / RUNS as f64;
    }
    (held, settled)
}

#[test]
fn intervals_hold_the_truth_even_if_scores_are_far_off() {
    for (intercept, slope) in [(0.0, 2.0), (4.0, 2.0), (-4.0, 2.0), (0.0, 12.0)] {
        for sampled in [1, 6] {
            let (held, _) = held(detector(intercept, slope), 20, sampled);
            let is_enough = held.iter().all(|&held| held >= 0.9);
            assert!(
                is_enough,
                "{intercept} + {slope} z, 1 in {sampled}: {held:?}"
            );
        }
    }
}

#[test]
fn enough_answers_settle_an_estimate_and_few_do_not() {
    let (_, settled) = held(detector(0.0, 2.0), 150, 1);
    assert!(settled >= 0.9, "{settled}");
    let (_, settled) = held(detector(0.0, 2.0), 4, 1);
    assert!(settled <= 0.1, "{settled}");
}

#[test]
fn first_labels_hardly_change_a_good_detector_and_many_replace_a_bad_one() {
    let (pool, same) = pool(600, -1.0, 5);
    let wrong = |detector: &Detector| {
        let is_taken = |pair: usize| detector.score_of(&pool.rows[pair]) >= detector.threshold;
        (0..same.len())
            .filter(|&pair| is_taken(pair) != same[pair])
            .count()
    };
    let (good, bad) = (detector(0.0, 2.0), detector(2.0, -1.0));
    for number in [1, 3, 6, 10] {
        let (_, current, _) = asked(&pool, &same, good, number, 1);
        assert!(
            wrong(&current) <= wrong(&good) + same.len() / 50,
            "{number} labels"
        );
    }
    let (_, current, _) = asked(&pool, &same, bad, 60, 1);
    assert!(
        wrong(&current) * 4 < wrong(&bad),
        "{} {}",
        wrong(&current),
        wrong(&bad)
    );
}
