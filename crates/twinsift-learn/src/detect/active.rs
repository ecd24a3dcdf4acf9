//! Which pair to ask about next?
//!
//! Two of three questions are those that teach most: pairs that a detector is least sure of,
//! spread over documents, and at first from both sides of the threshold, so that both classes are
//! among the first ten answers. One of three is drawn at random from strata of scores: only
//! these say [how good](super::estimate) the detector is.

use super::pool::Pool;
use std::collections::HashSet;
use twinsift::Detector;
use twinsift::hash::{self, Stream};

/// One question in so many is drawn at random.
const RANDOM_EVERY: usize = 3;

/// Questions at first that alternate between pairs that are probably the same, and probably not.
const ALTERNATING: usize = 8;

/// Scores at which strata begin.
const STRATA: [f64; 6] = [0.0, 0.02, 0.2, 0.5, 0.8, 0.98];

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
    /// How uncertain the first detector is of a pair of each stratum.
    doubt: Vec<f64>,
    seed: u64,
}

impl Chooser {
    /// A chooser for a pool, stratified by the detector that is there at first.
    pub fn new(pool: &Pool, first: &Detector, seed: u64) -> Self {
        let mut strata = vec![Vec::new(); STRATA.len()];
        let mut doubt = vec![0.0; STRATA.len()];
        for (pair, row) in pool.rows.iter().enumerate() {
            let score = first.score_of(row);
            let stratum = STRATA.partition_point(|&from| from <= score).max(1) - 1;
            strata[stratum].push(pair);
            doubt[stratum] += score * (1.0 - score);
        }
        for (doubt, pairs) in doubt.iter_mut().zip(&strata) {
            *doubt = (*doubt / pairs.len().max(1) as f64).sqrt();
        }
        Self {
            strata,
            doubt,
            seed,
        }
    }

    /// The pairs of each stratum.
    pub fn strata(&self) -> &[Vec<usize>] {
        &self.strata
    }

    /// The next question, after these answers; `None` if all was asked.
    pub fn next(&self, pool: &Pool, current: &Detector, answers: &[Answer]) -> Option<Question> {
        let asked: HashSet<usize> = answers.iter().map(|answer| answer.pair).collect();
        if asked.len() >= pool.pairs.len() {
            return None;
        }
        let is_random = answers.len() % RANDOM_EVERY == RANDOM_EVERY - 1;
        let random = || self.random(answers, &asked).map(|pair| (pair, true));
        let teaching = || teaching(pool, current, answers, &asked).map(|pair| (pair, false));
        let chosen = match is_random {
            true => random().or_else(teaching),
            false => teaching().or_else(random),
        };
        chosen.map(|(pair, is_random)| Question { pair, is_random })
    }

    /// A random pair of the stratum of which too little is known.
    fn random(&self, answers: &[Answer], asked: &HashSet<usize>) -> Option<usize> {
        let known = |stratum: &[usize]| {
            let drawn = answers.iter().filter(|answer| answer.is_random);
            drawn
                .filter(|answer| stratum.binary_search(&answer.pair).is_ok())
                .count()
        };
        let need = |at: &usize| {
            let pairs = &self.strata[*at];
            pairs.len() as f64 * (self.doubt[*at] + 0.02) / (known(pairs) + 1) as f64
        };
        let mut order: Vec<usize> = (0..self.strata.len()).collect();
        order.sort_by(|x, y| need(y).total_cmp(&need(x)));
        let mut stream = Stream::new(hash::pair(self.seed, answers.len() as u64));
        order.into_iter().find_map(|at| {
            let left: Vec<usize> = (self.strata[at].iter().copied())
                .filter(|pair| !asked.contains(pair))
                .collect();
            (!left.is_empty()).then(|| left[(stream.next_value() % left.len() as u64) as usize])
        })
    }
}

/// The pair that the detector is least sure of, away from documents that were asked about.
fn teaching(
    pool: &Pool,
    current: &Detector,
    answers: &[Answer],
    asked: &HashSet<usize>,
) -> Option<usize> {
    let mut times = std::collections::HashMap::<u32, u32>::new();
    for answer in answers {
        let (a, b) = pool.pairs[answer.pair];
        *times.entry(a).or_default() += 1;
        *times.entry(b).or_default() += 1;
    }
    let seen = |doc: u32| f64::from(times.get(&doc).copied().unwrap_or(0));
    // At first both sides of the threshold are looked at, a little apart from it.
    let wanted = match answers.len() {
        number if number >= ALTERNATING => current.threshold,
        number if number % 2 == 0 => current.threshold + 0.3 * (1.0 - current.threshold),
        _ => current.threshold * 0.7,
    };
    let distance = |pair: usize| {
        let (a, b) = pool.pairs[pair];
        let score = current.score_of(&pool.rows[pair]);
        (score - wanted).abs() + 0.1 * (seen(a) + seen(b))
    };
    (0..pool.pairs.len())
        .filter(|pair| !asked.contains(pair))
        .map(|pair| (distance(pair), pair))
        .min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)))
        .map(|(_, pair)| pair)
}
