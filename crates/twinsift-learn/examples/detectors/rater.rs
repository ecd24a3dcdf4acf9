//! A simulated rater: how many labels make a detector how good?

use crate::collection::{FOLDS, Labelled};
use crate::{learn, weighed};
use twinsift::Detector;
use twinsift::hash::Stream;
use twinsift_learn::detect::{Answer, Chooser, Estimate, Example, Fit, Pool, estimate};

/// Labels at which a detector is judged.
const STEPS: [usize; 7] = [0, 10, 20, 30, 50, 100, 200];

/// Runs, each with a seed of its own.
const SEEDS: u64 = 10;

/// How the next pair is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Strategy {
    Ours,
    Uncertainty,
    Random,
}

/// What a run came to at each step.
struct Outcome {
    f1: Vec<f64>,
    /// Whether the intervals of precision and recall held the truth, after each tenth answer.
    held: Vec<[bool; 2]>,
}

/// Prints F1 over the number of labels for each collection, from a detector on that was trained on
/// other clusters of all collections, and from one of other collections only.
pub(crate) fn print(sets: &[Labelled], first: Detector) {
    println!(
        "| collection | titles | first detector | questions | {} | intervals that held precision, recall |",
        STEPS.map(|n| n.to_string()).join(" | ")
    );
    println!("|---|---|---|---|{}---|", "---|".repeat(STEPS.len()));
    for set in sets {
        let apart = weighed(sets, |other, pair| {
            other.folds[pair].iter().all(|&fold| fold * 2 < FOLDS)
        });
        let foreign = weighed(sets, |other, _| other.name != set.name);
        print_from(set, "other clusters", learn(first, &apart));
        if !foreign.is_empty() {
            print_from(set, "other collections", learn(first, &foreign));
        }
    }
}

fn print_from(set: &Labelled, trained_on: &str, detector: Detector) {
    for strategy in [Strategy::Ours, Strategy::Uncertainty, Strategy::Random] {
        let runs: Vec<Outcome> = (0..SEEDS)
            .map(|seed| run(set, detector, strategy, seed))
            .collect();
        let mean = |at: usize| runs.iter().map(|run| run.f1[at]).sum::<f64>() / SEEDS as f64;
        let cells: Vec<String> = (0..STEPS.len())
            .map(|at| format!("{:.4}", mean(at)))
            .collect();
        let held = [0, 1].map(|at| {
            let all: Vec<bool> =
                (runs.iter().flat_map(|run| &run.held).map(|held| held[at])).collect();
            let right = all.iter().filter(|&&held| held).count();
            format!("{:.2}", right as f64 / all.len().max(1) as f64)
        });
        println!(
            "| {} | {:?} | {trained_on} | {strategy:?} | {} | {} |",
            set.name,
            set.titles,
            cells.join(" | "),
            held.join(", ")
        );
    }
}

/// One rater, on the pairs whose clusters the first detector has not seen.
fn run(set: &Labelled, first: Detector, strategy: Strategy, seed: u64) -> Outcome {
    let seen: Vec<usize> = (0..set.examples.len())
        .filter(|&pair| set.folds[pair].iter().all(|&fold| fold * 2 >= FOLDS))
        .collect();
    let examples: Vec<Example> = seen.iter().map(|&pair| set.examples[pair]).collect();
    let pool = Pool {
        signatures: Vec::new(),
        pairs: seen.iter().map(|&pair| set.pairs[pair]).collect(),
        rows: examples.iter().map(|example| example.row).collect(),
    };
    let missed =
        set.same_in(|fold| fold * 2 >= FOLDS) - examples.iter().filter(|one| one.same).count();
    let chooser = Chooser::new(&pool, &first, seed);
    let fit = Fit::from_labels(first, &pool.rows);
    let mut stream = Stream::new(seed);
    let (mut answers, mut current): (Vec<Answer>, Detector) = (Vec::new(), first);
    let mut outcome = Outcome {
        f1: Vec::new(),
        held: Vec::new(),
    };
    for number in 0..=STEPS[STEPS.len() - 1] {
        if STEPS.contains(&number) {
            outcome.f1.push(truth(&examples, missed, &current).2);
        }
        if number > 0 && number % 10 == 0 && strategy == Strategy::Ours {
            let said = estimate(&pool, &chooser, &current, &answers, seed);
            outcome.held.push(holds(&examples, &current, &said));
        }
        let asked = |pair: usize| answers.iter().any(|answer: &Answer| answer.pair == pair);
        let (pair, is_random) = match strategy {
            Strategy::Ours => match chooser.next(&pool, &current, &answers) {
                Some(question) => (question.pair, question.is_random),
                None => continue,
            },
            Strategy::Uncertainty => (uncertain(&pool, &current, asked), false),
            Strategy::Random => (drawn(&mut stream, pool.pairs.len(), asked), true),
        };
        answers.push(Answer {
            pair,
            same: Some(examples[pair].same),
            is_random,
        });
        let labelled: Vec<Example> = answers.iter().map(|answer| examples[answer.pair]).collect();
        current = fit.learn(&labelled);
    }
    outcome
}

fn uncertain(pool: &Pool, current: &Detector, asked: impl Fn(usize) -> bool) -> usize {
    let doubt = |pair: &usize| (current.score_of(&pool.rows[*pair]) - current.threshold).abs();
    let left = (0..pool.pairs.len()).filter(|&pair| !asked(pair));
    left.min_by(|x, y| doubt(x).total_cmp(&doubt(y)))
        .unwrap_or_default()
}

fn drawn(stream: &mut Stream, pairs: usize, asked: impl Fn(usize) -> bool) -> usize {
    loop {
        let pair = (stream.next_value() % pairs as u64) as usize;
        if !asked(pair) {
            return pair;
        }
    }
}

/// Precision and recall among candidates, and F1 over all pairs.
fn truth(examples: &[Example], missed: usize, detector: &Detector) -> (f64, f64, f64) {
    let taken = |one: &&Example| detector.score_of(&one.row) >= detector.threshold;
    let all = examples.iter().filter(taken).count() as f64;
    let right = examples.iter().filter(taken).filter(|one| one.same).count() as f64;
    let same = examples.iter().filter(|one| one.same).count() as f64;
    let (precision, recall) = (right / all.max(1.0), right / (same + missed as f64));
    let f1 = 2.0 * precision * recall / (precision + recall).max(1e-12);
    (precision, right / same, f1)
}

fn holds(examples: &[Example], detector: &Detector, said: &Estimate) -> [bool; 2] {
    let (precision, recall, _) = truth(examples, 0, detector);
    let holds = |interval: twinsift_learn::detect::Interval, value: f64| {
        // Ends are rounded as they are shown.
        (interval.low - 0.005..=interval.high + 0.005).contains(&value)
    };
    [holds(said.precision, precision), holds(said.recall, recall)]
}
