//! Logistic regression that starts from what is known already.
//!
//! Signals are scaled to a common spread, and every weight is drawn towards a first detector's,
//! or towards 0 without one. So a few labels move a detector a little, and many decide alone. The
//! loss has one minimum, which Newton's method finds in a few steps.

use solve::solve;
use twinsift::Detector;
use twinsift::detector::{COUNT, Row, Weights};

mod solve;

/// Weights that are learnt: those of the row, and the intercept.
const WIDTH: usize = 2 * COUNT + 1;

/// How strongly weights are drawn to those of the built-in detector, when people label.
const LABELS_PULL: f64 = 1.0;

/// Newton steps at most; ten are usual.
const STEPS: usize = 50;

/// The search ends when no weight changes by more.
const LEAST_CHANGE: f64 = 1e-9;

/// A labelled pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// Its signals.
    pub row: Row,
    /// Whether it is the same.
    pub same: bool,
    /// How much it counts.
    pub weight: f64,
}

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// The detector that weights are drawn to, and that says what candidates are.
    pub first: Detector,
    /// How strongly: a weight that is off by one spread of its signal costs half of this.
    pub pull: f64,
    scale: Scale,
}

/// The mean and the spread of each signal.
#[derive(Clone, Copy, Debug)]
struct Scale {
    mean: [f64; WIDTH],
    spread: [f64; WIDTH],
}

impl Scale {
    fn of<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> Self {
        let count = rows.clone().count().max(1) as f64;
        let (mut mean, mut spread) = ([0.0; WIDTH], [1.0; WIDTH]);
        for at in 0..WIDTH - 1 {
            mean[at] = rows.clone().map(|row| row[at]).sum::<f64>() / count;
            let squares = rows.clone().map(|row| (row[at] - mean[at]).powi(2));
            let deviation = (squares.sum::<f64>() / count).sqrt();
            // A signal that says nothing here stays as it was.
            spread[at] = if deviation > 1e-6 { deviation } else { 1.0 };
        }
        Self { mean, spread }
    }

    fn scaled(&self, row: &Row) -> [f64; WIDTH] {
        std::array::from_fn(|at| match row.get(at) {
            Some(value) => (value - self.mean[at]) / self.spread[at],
            None => 1.0,
        })
    }

    /// The weights of a detector, for scaled rows.
    fn weights_of(&self, detector: &Detector) -> [f64; WIDTH] {
        let mut weights = [f64::from(detector.intercept); WIDTH];
        for (at, &weight) in detector.weights.0.iter().enumerate() {
            weights[at] = f64::from(weight) * self.spread[at];
            weights[WIDTH - 1] += f64::from(weight) * self.mean[at];
        }
        weights
    }

    /// The detector of weights for scaled rows.
    fn detector(&self, weights: &[f64; WIDTH], first: &Detector) -> Detector {
        let mut intercept = weights[WIDTH - 1];
        let plain = std::array::from_fn(|at| {
            let weight = weights[at] / self.spread[at];
            intercept -= weight * self.mean[at];
            weight as f32
        });
        Detector {
            intercept: intercept as f32,
            weights: Weights(plain),
            ..*first
        }
    }
}

impl Fit {
    /// Learns from a first detector on; `rows` are typical pairs, whose signals say what is much.
    pub fn new<'a>(
        first: Detector,
        pull: f64,
        rows: impl Iterator<Item = &'a Row> + Clone,
    ) -> Self {
        Self {
            first,
            pull,
            scale: Scale::of(rows),
        }
    }

    /// How a person's labels are learnt: from a built-in detector on, with weights that a few
    /// dozen labels move. `rows` are the candidates of the collection.
    pub fn from_labels(first: Detector, rows: &[Row]) -> Self {
        Self::new(first, LABELS_PULL, rows.iter())
    }

    /// The detector that explains the labels best. Without any, the first one.
    pub fn learn(&self, examples: &[Example]) -> Detector {
        if examples.is_empty() {
            return self.first;
        }
        let first = self.scale.weights_of(&self.first);
        let scaled: Vec<([f64; WIDTH], f64, f64)> = examples
            .iter()
            .map(|example| {
                let label = f64::from(example.same);
                (self.scale.scaled(&example.row), label, example.weight)
            })
            .collect();
        let loss = Loss {
            examples: &scaled,
            first: &first,
            pull: self.pull,
        };
        self.scale.detector(&loss.minimum(), &self.first)
    }
}

/// The loss of weights.
struct Loss<'a> {
    examples: &'a [([f64; WIDTH], f64, f64)],
    first: &'a [f64; WIDTH],
    pull: f64,
}

impl Loss<'_> {
    fn minimum(&self) -> [f64; WIDTH] {
        let mut weights = *self.first;
        let mut value = self.value(&weights);
        for _ in 0..STEPS {
            let (gradient, mut curvature) = self.slope(&weights);
            let step = solve(&mut curvature, gradient);
            let mut length = 1.0;
            let moved = loop {
                let moved: [f64; WIDTH] = std::array::from_fn(|at| weights[at] - length * step[at]);
                if length < 1e-6 || self.value(&moved) <= value {
                    break moved;
                }
                length /= 2.0;
            };
            let change = (0..WIDTH).map(|at| (moved[at] - weights[at]).abs());
            let change = change.fold(0.0, f64::max);
            (weights, value) = (moved, self.value(&moved));
            if change < LEAST_CHANGE {
                break;
            }
        }
        weights
    }

    fn value(&self, weights: &[f64; WIDTH]) -> f64 {
        let apart = (0..WIDTH).map(|at| (weights[at] - self.first[at]).powi(2));
        let pulled = 0.5 * self.pull * apart.sum::<f64>();
        let of_labels = self.examples.iter().map(|(row, label, weight)| {
            let sum = product(row, weights);
            // ln(1 + e^sum) - label * sum, without overflow.
            weight * (sum.max(0.0) + (-sum.abs()).exp().ln_1p() - label * sum)
        });
        pulled + of_labels.sum::<f64>()
    }

    fn slope(&self, weights: &[f64; WIDTH]) -> ([f64; WIDTH], Box<[[f64; WIDTH]; WIDTH]>) {
        let mut gradient = std::array::from_fn(|at| self.pull * (weights[at] - self.first[at]));
        let mut curvature = Box::new([[0.0; WIDTH]; WIDTH]);
        for (at, line) in curvature.iter_mut().enumerate() {
            line[at] = self.pull;
        }
        for (row, label, weight) in self.examples {
            let score = 1.0 / (1.0 + (-product(row, weights)).exp());
            let (error, certainty) = (weight * (score - label), weight * score * (1.0 - score));
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

fn product(row: &[f64; WIDTH], weights: &[f64; WIDTH]) -> f64 {
    row.iter().zip(weights).map(|(x, y)| x * y).sum()
}
