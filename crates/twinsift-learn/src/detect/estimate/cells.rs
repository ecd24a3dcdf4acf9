//! Pairs of one stratum that a detector takes for the same, or for different.

use crate::detect::active::{Answer, Chooser, examples};
use crate::detect::fit::{Posterior, sum_of};
use crate::detect::pool::Pool;
use std::collections::HashMap;
use twinsift::Detector;
use twinsift::detector::Row;

/// How many sums stand for those of all pairs of a cell.
const SUMS: usize = 64;

/// A part of a stratum.
#[derive(Debug, Default)]
pub(super) struct Cell {
    /// Whether the detector takes its pairs for the same.
    pub(super) is_taken: bool,
    /// Pairs that nobody was asked about.
    pub(super) left: f64,
    /// What the detector sums up of them, above its threshold: evenly chosen ones of all.
    pub(super) sums: Vec<f64>,
    /// Pairs that were asked about, at random or not.
    pub(super) asked: f64,
    /// Those that are the same.
    pub(super) asked_same: f64,
    /// Answers to random questions.
    pub(super) drawn: f64,
    /// Those that are the same.
    pub(super) drawn_same: f64,
}

/// The cells of a pool that have pairs.
pub(super) fn of(
    pool: &Pool,
    chooser: &Chooser,
    detector: &Detector,
    answers: &[Answer],
) -> Vec<Cell> {
    let answered: HashMap<usize, &Answer> = (answers.iter())
        .filter(|answer| answer.same.is_some())
        .map(|answer| (answer.pair, answer))
        .collect();
    let learnt = examples(pool, answers);
    let posterior = chooser.fit().posterior(&learnt);
    let has_learnt = posterior.detector() == *detector;
    let threshold = (detector.threshold / (1.0 - detector.threshold)).ln();
    let mut all = Vec::new();
    for stratum in chooser.strata() {
        let mut both = [false, true].map(|is_taken| Cell {
            is_taken,
            ..Cell::default()
        });
        for &pair in stratum {
            let row = &pool.rows[pair];
            let sum = sum_of(detector, row) - threshold;
            let cell = &mut both[usize::from(sum >= 0.0)];
            let answer = answered.get(&pair);
            // The others that a pair stands for were not asked about.
            let others = pool.weights[pair] - f64::from(u8::from(answer.is_some()));
            if others > 0.0 {
                cell.left += others;
                cell.sums.push(sum);
            }
            let Some(answer) = answer else {
                continue;
            };
            let same = answer.same == Some(true);
            cell.asked += 1.0;
            cell.asked_same += f64::from(same);
            if answer.is_random {
                let sum = match has_learnt {
                    true => without(&posterior, row, sum, same),
                    false => sum,
                };
                let cell = &mut both[usize::from(sum >= 0.0)];
                cell.drawn += 1.0;
                cell.drawn_same += f64::from(same);
            }
        }
        all.extend(both);
    }
    all.iter_mut().for_each(|cell| thin(&mut cell.sums));
    all.retain(|cell| cell.left + cell.asked + cell.drawn > 0.0);
    all
}

/// What a detector that had not learnt from a pair would have summed up of it, by one Newton step
/// back.
fn without(posterior: &Posterior<'_>, row: &Row, sum: f64, same: bool) -> f64 {
    let spread = posterior.variance(row);
    let score = 1.0 / (1.0 + (-sum).exp());
    let rest = 1.0 - score * (1.0 - score) * spread;
    sum - spread * (f64::from(same) - score) / rest.max(0.05)
}

/// Leaves evenly chosen ones of many values.
fn thin(values: &mut Vec<f64>) {
    values.sort_by(f64::total_cmp);
    if values.len() > SUMS {
        let middle = |at: usize| values[(2 * at + 1) * values.len() / (2 * SUMS)];
        *values = (0..SUMS).map(middle).collect();
    }
}
