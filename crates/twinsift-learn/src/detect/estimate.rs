//! How good is a detector, as far as answers can tell?
//!
//! Only answers to questions that were drawn at random say it without a bias. Each stratum of
//! scores is taken apart by what the detector now says of its pairs; what share of a part is the
//! same has a beta distribution, from the answers in it and, worth two answers, the detector's
//! own scores. Draws from all of these give precision and recall, with intervals.

use super::active::{Answer, Chooser};
use super::fit::{Example, Fit};
use super::pool::Pool;
use statrs::distribution::{Beta, ContinuousCDF};
use twinsift::Detector;
use twinsift::hash::Stream;

/// Draws of precision and recall.
const DRAWS: usize = 400;

/// How many answers the detector's own scores are worth in a part of a stratum.
const PRIOR: f64 = 2.0;

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

/// A part of a stratum: pairs that the detector takes for the same, or for different.
#[derive(Default)]
struct Part {
    pairs: f64,
    scores: f64,
    answered: f64,
    same: f64,
}

impl Part {
    fn share(&self) -> Option<Beta> {
        let expected = (self.scores / self.pairs).clamp(0.001, 0.999);
        let (same, other) = (self.same, self.answered - self.same);
        Beta::new(PRIOR * expected + same, PRIOR * (1.0 - expected) + other).ok()
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
    let random = answers.iter().filter(|answer| answer.is_random);
    let known: Vec<(usize, bool)> = random
        .filter_map(|answer| Some((answer.pair, answer.same?)))
        .collect();
    let mut parts: Vec<[Part; 2]> = Vec::new();
    for stratum in chooser.strata() {
        let mut of_stratum = [Part::default(), Part::default()];
        for &pair in stratum {
            let score = detector.score_of(&pool.rows[pair]);
            let part = &mut of_stratum[usize::from(score >= detector.threshold)];
            part.pairs += 1.0;
            part.scores += score;
        }
        for &(pair, same) in known
            .iter()
            .filter(|(pair, _)| stratum.binary_search(pair).is_ok())
        {
            let score = detector.score_of(&pool.rows[pair]);
            let part = &mut of_stratum[usize::from(score >= detector.threshold)];
            part.answered += 1.0;
            part.same += f64::from(same);
        }
        parts.push(of_stratum);
    }
    let (precision, recall) = draws(&parts, seed);
    Estimate {
        precision: interval(precision),
        recall: interval(recall),
        answers: known.len(),
    }
}

/// Draws of precision and recall.
fn draws(parts: &[[Part; 2]], seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(seed);
    let mut uniform = || ((stream.next_value() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let shares: Vec<[Option<Beta>; 2]> = parts
        .iter()
        .map(|both| [0, 1].map(|at| both[at].share().filter(|_| both[at].pairs > 0.0)))
        .collect();
    let taken: f64 = parts.iter().map(|[_, taken]| taken.pairs).sum();
    let one = |_| {
        let mut same = [0.0, 0.0];
        for (part, share) in parts.iter().zip(&shares) {
            for at in [0, 1] {
                if let Some(share) = &share[at] {
                    same[at] += part[at].pairs * share.inverse_cdf(uniform());
                }
            }
        }
        let [missed, found] = same;
        (found / taken.max(1.0), found / (found + missed).max(1e-12))
    };
    (0..DRAWS).map(one).unzip()
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
