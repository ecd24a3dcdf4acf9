//! How good is a detector, as far as answers can tell?
//!
//! Only answers to questions that were drawn at random say it without a bias. Each stratum of
//! scores is taken apart by what the detector now says of its pairs, and what share of a
//! cell (`cells.rs`) is the same is drawn from what is believed of it (`belief.rs`) after the answers.
//! Pairs that were asked about count as what was answered. Many draws give precision and recall,
//! with intervals.
//!
//! A detector that learnt from an answer is right about it more often than about others. So each
//! answer is put into the cell where a detector that had not seen it would have put its pair.

use super::active::{Answer, Chooser};
use super::fit::{Example, Fit};
use super::pool::Pool;
use belief::Belief;
use twinsift::Detector;
use twinsift::hash::Stream;

mod belief;
mod cells;
mod draw;

/// Draws of precision and recall.
const DRAWS: usize = 1000;

/// The share of draws that an interval holds.
const HELD: f64 = 0.95;

/// A share with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The middle draw.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What is known of a detector on the candidates of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Of the pairs that it takes for the same, how many are?
    pub precision: Interval,
    /// Of the candidates that are the same, how many does it find?
    pub recall: Interval,
    /// Answers that this is known by.
    pub answers: usize,
}

impl Estimate {
    /// Whether more answers would hardly change what is known.
    pub fn is_settled(&self) -> bool {
        let is_narrow = |interval: Interval| interval.high - interval.low <= 0.1;
        is_narrow(self.precision) && is_narrow(self.recall)
    }
}

/// How good a detector is on the candidates of a pool, by the random ones among the answers.
pub fn estimate(
    pool: &Pool,
    chooser: &Chooser,
    detector: &Detector,
    answers: &[Answer],
    seed: u64,
) -> Estimate {
    let cells = cells::of(pool, chooser, detector, answers);
    let belief = Belief::of(&cells);
    let mut stream = Stream::new(seed);
    let taken: f64 = (cells.iter().filter(|cell| cell.is_taken))
        .map(|cell| cell.left + cell.asked)
        .sum();
    let one = |_| {
        let shares = belief.draw(&cells, &mut stream);
        let (mut found, mut missed) = (0.0, 0.0);
        for (cell, share) in cells.iter().zip(shares) {
            let same = cell.asked_same + cell.left * share;
            *(if cell.is_taken {
                &mut found
            } else {
                &mut missed
            }) += same;
        }
        (found / taken.max(1.0), found / (found + missed).max(1e-12))
    };
    let (precision, recall) = (0..DRAWS).map(one).unzip();
    let random = answers.iter().filter(|answer| answer.is_random);
    Estimate {
        precision: interval(precision),
        recall: interval(recall),
        answers: random.filter(|answer| answer.same.is_some()).count(),
    }
}

fn interval(mut draws: Vec<f64>) -> Interval {
    draws.sort_by(f64::total_cmp);
    let at = |share: f64| draws[(share * (draws.len() - 1) as f64).round() as usize];
    Interval {
        value: at(0.5),
        low: at((1.0 - HELD) / 2.0),
        high: at((1.0 + HELD) / 2.0),
    }
}

/// Folds of [`right_when_held_out`].
const FOLDS: usize = 10;

/// How many examples a detector is right about that has not learnt from them, by ten folds.
pub fn right_when_held_out(fit: &Fit, examples: &[Example]) -> usize {
    let folds = FOLDS.min(examples.len());
    let of_fold = |fold: usize| {
        let held = |at: &usize| at % folds == fold;
        let rest: Vec<Example> = (0..examples.len())
            .filter(|at| !held(at))
            .map(|at| examples[at])
            .collect();
        let detector = fit.learn(&rest);
        let is_right = |at: &usize| {
            let example = &examples[*at];
            (detector.score_of(&example.row) >= detector.threshold) == example.same
        };
        (0..examples.len()).filter(held).filter(is_right).count()
    };
    (0..folds).map(of_fold).sum()
}
