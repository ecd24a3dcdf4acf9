//! Signals on a common scale, and the weights of detectors on it.

use super::{ROW, WIDTH};
use twinsift::Detector;
use twinsift::detector::{Row, Weights};

/// What is learnt of a pair: its scaled signals, 1 for the intercept, and what the first detector
/// sums up of it, which lets all of its weights grow or shrink together.
pub(super) type Features = [f64; WIDTH];

/// Where the intercept stands.
pub(super) const INTERCEPT: usize = ROW;

/// Where the first detector's sum stands.
pub(super) const STRETCH: usize = ROW + 1;

/// The mean and the spread of each signal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    mean: Row,
    spread: Row,
}

impl Scale {
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> Self {
        let count = rows.clone().count().max(1) as f64;
        let (mut mean, mut squares) = ([0.0; ROW], [0.0; ROW]);
        for row in rows.clone() {
            mean.iter_mut()
                .zip(row)
                .for_each(|(sum, x)| *sum += x / count);
        }
        for row in rows {
            for (at, sum) in squares.iter_mut().enumerate() {
                *sum += (row[at] - mean[at]).powi(2) / count;
            }
        }
        let spread = squares.map(|square: f64| match square.sqrt() {
            deviation if deviation > 1e-6 => deviation,
            // A signal that says nothing here stays as it was.
            _ => 1.0,
        });
        Self { mean, spread }
    }

    /// What is learnt of a pair that the first detector sums up so.
    pub(super) fn features(&self, row: &Row, first: f64) -> Features {
        std::array::from_fn(|at| match at {
            INTERCEPT => 1.0,
            STRETCH => first,
            _ => (row[at] - self.mean[at]) / self.spread[at],
        })
    }

    /// The detector that is away from the first one by these weights.
    pub(super) fn detector(&self, first: &Detector, away: &Features) -> Detector {
        let stretch = 1.0 + away[STRETCH];
        let mut intercept = f64::from(first.intercept) * stretch + away[INTERCEPT];
        let weights = std::array::from_fn(|at| {
            let weight = away[at] / self.spread[at];
            intercept -= weight * self.mean[at];
            (f64::from(first.weights.0[at]) * stretch + weight) as f32
        });
        Detector {
            intercept: intercept as f32,
            weights: Weights(weights),
            ..*first
        }
    }
}
