//! Which pair teaches most?
//!
//! The one that a committee is least sure of: of all detectors that the answers allow, each as
//! probable as they make it. Their mean score has a closed form (MacKay's), so none of them has to
//! be drawn. It is near the middle for pairs near the threshold, and for pairs whose like nobody
//! was asked about. Pairs of documents that were asked about already count less.
//!
//! As long as all answers are of one class, pairs ever farther on the other side of the threshold
//! are asked about, up to the last, so that both classes are among the first ten answers where a
//! detector knows at all what is more alike.

use crate::detect::active::Answer;
use crate::detect::fit::{Posterior, sum_of};
use crate::detect::pool::Pool;
use std::collections::{HashMap, HashSet};
use twinsift::Detector;

/// Pairs near the threshold that are looked at closely, and as many of the others.
const LOOKED_AT: usize = 600;

/// How much each question about a document makes the next about it count less.
const REPETITION: f64 = 0.3;

/// After so many answers of one class, the most extreme pair is asked about.
const SEARCHES: usize = 7;

/// A pair, and what a detector sums up of it, above its threshold.
type Summed = (f64, usize);

/// The pair to ask about that is not for measuring.
pub(super) fn most(
    pool: &Pool,
    current: &Detector,
    posterior: &Posterior<'_>,
    answers: &[Answer],
    asked: &HashSet<usize>,
) -> Option<usize> {
    let threshold = (current.threshold / (1.0 - current.threshold)).ln();
    let left = (0..pool.pairs.len()).filter(|pair| !asked.contains(pair));
    let left: Vec<Summed> = left
        .map(|pair| (sum_of(current, &pool.rows[pair]) - threshold, pair))
        .collect();
    let has = |same| answers.iter().any(|answer| answer.same == Some(same));
    match (has(false), has(true)) {
        (false, true) => farther(left, answers.len(), -1.0),
        (true, false) => farther(left, answers.len(), 1.0),
        _ => doubtful(pool, posterior, answers, left),
    }
}

/// A pair on one side of the threshold, the farther the more answers there were.
fn farther(left: Vec<Summed>, answers: usize, side: f64) -> Option<usize> {
    let mut left: Vec<Summed> = left
        .into_iter()
        .map(|(sum, pair)| (sum * side, pair))
        .collect();
    left.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    let beyond = left.partition_point(|one| one.0 < 0.0);
    let steps = (left.len().checked_sub(1)?.saturating_sub(beyond)) * answers.min(SEARCHES);
    let at = (beyond + steps / SEARCHES).min(left.len() - 1);
    Some(left[at].1)
}

/// The pair that the committee is least sure of.
fn doubtful(
    pool: &Pool,
    posterior: &Posterior<'_>,
    answers: &[Answer],
    mut left: Vec<Summed>,
) -> Option<usize> {
    let mut times = HashMap::<u32, u32>::new();
    for answer in answers {
        let (a, b) = pool.pairs[answer.pair];
        *times.entry(a).or_default() += 1;
        *times.entry(b).or_default() += 1;
    }
    let times = |doc: u32| f64::from(times.get(&doc).copied().unwrap_or(0));
    let doubt = |&(sum, pair): &Summed| {
        let (a, b) = pool.pairs[pair];
        let variance = posterior.variance(&pool.rows[pair]);
        let score =
            1.0 / (1.0 + (-sum / (1.0 + std::f64::consts::PI * variance / 8.0).sqrt()).exp());
        score * (1.0 - score) / (1.0 + REPETITION * (times(a) + times(b)))
    };
    let nearer = |x: &Summed, y: &Summed| x.0.abs().total_cmp(&y.0.abs()).then(x.1.cmp(&y.1));
    if left.len() > LOOKED_AT {
        left.select_nth_unstable_by(LOOKED_AT, nearer);
    }
    let closely = LOOKED_AT.min(left.len());
    let (near, far) = left.split_at_mut(closely);
    near.sort_unstable_by(nearer);
    far.sort_unstable_by_key(|one| one.1);
    let some = far.iter().step_by((far.len() / LOOKED_AT).max(1));
    let doubts = near.iter().chain(some).map(|one| (doubt(one), one.1));
    doubts
        .max_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1)))
        .map(|(_, pair)| pair)
}
