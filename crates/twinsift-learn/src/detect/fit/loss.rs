//! The loss of weights, and where it is least.

use super::WIDTH;
use super::scale::Features;
use super::solve::{Cholesky, product};

/// Newton steps at most; ten are usual.
const STEPS: usize = 50;

/// The search ends when no weight changes by more.
const LEAST_CHANGE: f64 = 1e-9;

/// A labelled pair as it is learnt from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) features: Features,
    /// What the first detector sums up of it.
    pub(super) first: f64,
    pub(super) label: f64,
    pub(super) weight: f64,
}

/// The logistic loss of weights that are added to a first detector's, and drawn to 0.
pub(super) struct Loss<'a> {
    pub(super) samples: &'a [Sample],
    /// How strongly each weight is drawn.
    pub(super) pulls: Features,
}

/// Where the loss is least.
pub(super) struct Minimum {
    pub(super) away: Features,
    pub(super) value: f64,
    pub(super) curvature: Cholesky<WIDTH>,
}

impl Loss<'_> {
    /// The least loss, by Newton's method from weights that may be near.
    pub(super) fn minimum(&self, near: Features) -> Minimum {
        let mut away = near;
        let mut value = self.value(&away);
        for _ in 0..STEPS {
            let (gradient, curvature) = self.slope(&away);
            let step = Cholesky::of(curvature).solve(&gradient);
            let mut length = 1.0;
            let (moved, reached) = loop {
                let moved: Features = std::array::from_fn(|at| away[at] - length * step[at]);
                let reached = self.value(&moved);
                if length < 1e-6 || reached <= value {
                    break (moved, reached);
                }
                length /= 2.0;
            };
            let change = (0..WIDTH).map(|at| (moved[at] - away[at]).abs());
            let change = change.fold(0.0, f64::max);
            (away, value) = (moved, reached);
            if change < LEAST_CHANGE {
                break;
            }
        }
        Minimum {
            away,
            value,
            curvature: Cholesky::of(self.slope(&away).1),
        }
    }

    fn value(&self, away: &Features) -> f64 {
        let pulled = (0..WIDTH).map(|at| 0.5 * self.pulls[at] * away[at].powi(2));
        let of_labels = self.samples.iter().map(|sample| {
            let sum = sample.first + product(&sample.features, away);
            // ln(1 + e^sum) - label * sum, without overflow.
            sample.weight * (sum.max(0.0) + (-sum.abs()).exp().ln_1p() - sample.label * sum)
        });
        pulled.sum::<f64>() + of_labels.sum::<f64>()
    }

    fn slope(&self, away: &Features) -> (Features, Box<[Features; WIDTH]>) {
        let mut gradient = std::array::from_fn(|at| self.pulls[at] * away[at]);
        let mut curvature = Box::new([[0.0; WIDTH]; WIDTH]);
        for (at, line) in curvature.iter_mut().enumerate() {
            line[at] = self.pulls[at];
        }
        for sample in self.samples {
            let row = &sample.features;
            let score = 1.0 / (1.0 + (-sample.first - product(row, away)).exp());
            let error = sample.weight * (score - sample.label);
            let certainty = sample.weight * score * (1.0 - score);
            for (at, line) in curvature.iter_mut().enumerate() {
                gradient[at] += error * row[at];
                let share = certainty * row[at];
                for (sum, value) in line[..=at].iter_mut().zip(row) {
                    *sum += share * value;
                }
            }
        }
        (gradient, curvature)
    }
}

impl Minimum {
    /// How probable these pulls make the labels, by its logarithm and Laplace's approximation.
    pub(super) fn evidence(&self, pulls: &Features) -> f64 {
        let before: f64 = pulls.iter().map(|pull| pull.ln()).sum();
        0.5 * (before - self.curvature.log_determinant()) - self.value
    }
}
