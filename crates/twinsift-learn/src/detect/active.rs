//! Which pair to ask about next?
//!
//! Three of four questions are those that teach most (`teaching.rs`). One of four is drawn at random
//! from strata of scores: only these say [how good](mod@super::estimate) the detector is.

use super::fit::{Example, Fit};
use super::pool::Pool;
use std::collections::HashSet;
use twinsift::Detector;
use twinsift::hash::{self, Stream};

mod teaching;

/// One question in so many is drawn at random.
const RANDOM_EVERY: usize = 4;

/// Scores at which strata begin. In the first and in the last, a detector is sure.
pub(super) const STRATA: [f64; 6] = [0.0, 0.02, 0.2, 0.5, 0.8, 0.98];

/// No detector is believed to be surer of a cell.
const LEAST_DEVIATION: f64 = 0.05;

/// An answer about a pair of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The pair, by its place in the pool.
    pub pair: usize,
    /// What was said; `None` if unsure.
    pub same: Option<bool>,
    /// Whether the pair was drawn at random.
    pub is_random: bool,
}

/// The next question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The pair, by its place in the pool.
    pub pair: usize,
    /// Whether it was drawn at random.
    pub is_random: bool,
}

/// Chooses questions about the pairs of a pool.
#[derive(Debug)]
pub struct Chooser {
    /// The pairs of each stratum by the first detector's score, which stays as it is.
    strata: Vec<Vec<usize>>,
    fit: Fit,
    seed: u64,
}

impl Chooser {
    /// A chooser for a pool, stratified by the detector that is there at first.
    pub fn new(pool: &Pool, first: &Detector, seed: u64) -> Self {
        let mut strata = vec![Vec::new(); STRATA.len()];
        for (pair, row) in pool.rows.iter().enumerate() {
            let score = first.score_of(row);
            strata[STRATA.partition_point(|&from| from <= score).max(1) - 1].push(pair);
        }
        Self {
            strata,
            fit: Fit::from_labels(*first, &pool.rows),
            seed,
        }
    }

    /// The pairs of each stratum.
    pub fn strata(&self) -> &[Vec<usize>] {
        &self.strata
    }

    /// How answers are learnt.
    pub(super) fn fit(&self) -> &Fit {
        &self.fit
    }

    /// The next question, after these answers; `None` if all was asked.
    pub fn next(&self, pool: &Pool, current: &Detector, answers: &[Answer]) -> Option<Question> {
        let asked: HashSet<usize> = answers.iter().map(|answer| answer.pair).collect();
        if asked.len() >= pool.pairs.len() {
            return None;
        }
        let is_random = answers.len() % RANDOM_EVERY == RANDOM_EVERY - 1;
        let random = || self.random(pool, current, answers).map(|pair| (pair, true));
        let teaching = || {
            let learnt = examples(pool, answers);
            let posterior = self.fit.posterior(&learnt);
            let pair = teaching::most(pool, current, &posterior, answers, &asked);
            pair.map(|pair| (pair, false))
        };
        let chosen = match is_random {
            true => random().or_else(teaching),
            false => teaching().or_else(random),
        };
        chosen.map(|(pair, is_random)| Question { pair, is_random })
    }

    /// A random pair of the cell of which too little is known: of one stratum, and what the
    /// detector now says.
    pub(super) fn random(
        &self,
        pool: &Pool,
        current: &Detector,
        answers: &[Answer],
    ) -> Option<usize> {
        let asked: HashSet<usize> = answers.iter().map(|answer| answer.pair).collect();
        let drawn: HashSet<usize> = (answers.iter())
            .filter(|answer| answer.is_random)
            .map(|answer| answer.pair)
            .collect();
        let mut cells: Vec<Cell> = Vec::new();
        for stratum in &self.strata {
            let mut both = [Cell::default(), Cell::default()];
            for pair in stratum {
                let score = current.score_of(&pool.rows[*pair]);
                let cell = &mut both[usize::from(score >= current.threshold)];
                let weight = pool.weights[*pair];
                cell.pairs += weight;
                cell.variance += weight * score * (1.0 - score);
                cell.drawn += f64::from(u8::from(drawn.contains(pair)));
                if !asked.contains(pair) {
                    cell.left.push(*pair);
                }
            }
            cells.extend(both);
        }
        let cells = cells.into_iter().filter(|cell| !cell.left.is_empty());
        let neediest = cells.max_by(|x, y| x.need().total_cmp(&y.need()))?;
        let mut stream = Stream::new(hash::pair(self.seed, answers.len() as u64));
        Some(neediest.left[stream.below(neediest.left.len())])
    }
}

/// Pairs of one stratum about which a detector says the same.
#[derive(Default)]
struct Cell {
    pairs: f64,
    /// How uncertain the detector is of them, in all.
    variance: f64,
    drawn: f64,
    left: Vec<usize>,
}

impl Cell {
    /// What one more answer helps, after Neyman: many pairs, uncertain ones, and few answers.
    fn need(&self) -> f64 {
        let deviation = (self.variance / self.pairs).sqrt();
        self.pairs * (deviation + LEAST_DEVIATION) / (self.drawn + 1.0)
    }
}

/// What answers teach.
pub(super) fn examples(pool: &Pool, answers: &[Answer]) -> Vec<Example> {
    let of = |answer: &Answer| {
        Some(Example {
            row: pool.rows[answer.pair],
            same: answer.same?,
            weight: 1.0,
        })
    };
    answers.iter().filter_map(of).collect()
}
