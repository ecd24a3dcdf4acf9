//! Logistic regression that starts from what is known already.
//!
//! Signals are scaled to a common spread, and what is learnt is how far weights are from a first
//! detector's: each by itself, all of them together, and the intercept. Each is drawn to 0, so a
//! few labels move a detector a little, and many decide alone. How strongly, the labels say
//! themselves: weights are averaged over several pulls, each as probable as it makes the labels
//! (the evidence, by Laplace's approximation). While there are few labels of one class, only
//! strong pulls are taken: a good detector must not get worse by its first labels. For one pull
//! the loss has one minimum, which Newton's method finds in a few steps.

use loss::{Loss, Minimum, Sample};
use scale::{Features, INTERCEPT, STRETCH, Scale};
use twinsift::Detector;
use twinsift::detector::{COUNT, Row};

mod loss;
mod scale;
mod solve;

/// Weights of a row.
const ROW: usize = 2 * COUNT;

/// Weights that are learnt: those of the row, the intercept, and one for all weights at once.
pub(super) const WIDTH: usize = ROW + 2;

/// How strongly weights may be drawn to those of the first detector when people label.
const LABELS_PULLS: [f64; 5] = [30.0, 10.0, 3.0, 1.0, 0.3];

/// How much less probable each of them is than the one before, by its logarithm, before labels.
const LEAN: f64 = 0.5;

/// How many more pulls each label of the rarer class allows.
const PULLS_A_LABEL: usize = 1;

/// Labels of the rarer class from which the intercept, and all weights at once, are drawn less.
const ENOUGH: usize = 3;

/// How strongly the intercept is drawn at most.
const INTERCEPT_PULL: f64 = 1.0;

/// How strongly all weights at once are drawn at most.
const STRETCH_PULL: f64 = 0.3;

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
#[derive(Clone, Debug)]
pub struct Fit {
    /// The detector that weights are drawn to, and that says what candidates are.
    pub first: Detector,
    /// How strongly, at choice: a weight that is off by one spread of its signal costs half of
    /// this.
    pulls: Vec<f64>,
    scale: Scale,
}

/// What is known of weights after some labels: those that explain them best, and how sure each
/// combination of them is.
pub(super) struct Posterior<'a> {
    fit: &'a Fit,
    minimum: Minimum,
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
            pulls: vec![pull],
            scale: Scale::of(rows),
        }
    }

    /// How a person's labels are learnt: from a built-in detector on, with weights that a few
    /// dozen labels move. `rows` are the candidates of the collection.
    pub fn from_labels(first: Detector, rows: &[Row]) -> Self {
        Self {
            pulls: LABELS_PULLS.to_vec(),
            ..Self::new(first, 1.0, rows.iter())
        }
    }

    /// The detector that explains the labels best. Without any, the first one.
    pub fn learn(&self, examples: &[Example]) -> Detector {
        match examples {
            [] => self.first,
            _ => self.posterior(examples).detector(),
        }
    }

    /// What labels tell of weights.
    pub(super) fn posterior(&self, examples: &[Example]) -> Posterior<'_> {
        let samples: Vec<Sample> = examples.iter().map(|one| self.sample(one)).collect();
        let same = examples.iter().filter(|example| example.same).count();
        let rarer = same.min(examples.len() - same);
        let mut near = [0.0; WIDTH];
        let of_pull = |(place, &pull): (usize, &f64)| {
            let mut pulls = [pull; WIDTH];
            if rarer >= ENOUGH {
                pulls[INTERCEPT] = pull.min(INTERCEPT_PULL);
                pulls[STRETCH] = pull.min(STRETCH_PULL);
            }
            let loss = Loss {
                samples: &samples,
                pulls,
            };
            let minimum = loss.minimum(near);
            near = minimum.away;
            (minimum.evidence(&pulls) - LEAN * place as f64, minimum)
        };
        let allowed = self.pulls.iter().take(1 + PULLS_A_LABEL * rarer);
        Posterior {
            fit: self,
            minimum: averaged(allowed.enumerate().map(of_pull).collect()),
        }
    }

    fn sample(&self, example: &Example) -> Sample {
        let first = sum_of(&self.first, &example.row);
        Sample {
            features: self.scale.features(&example.row, first),
            first,
            label: f64::from(example.same),
            weight: example.weight,
        }
    }
}

/// The most probable of some minima, with the weights of all, averaged by how probable each is.
fn averaged(minima: Vec<(f64, Minimum)>) -> Minimum {
    let most = (minima.iter().map(|one| one.0)).fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = minima.iter().map(|one| (one.0 - most).exp()).collect();
    let total: f64 = shares.iter().sum();
    let away = std::array::from_fn(|at| {
        let of_all = minima.iter().zip(&shares);
        of_all
            .map(|(one, share)| share / total * one.1.away[at])
            .sum()
    });
    let best = (minima.into_iter()).max_by(|x, y| x.0.total_cmp(&y.0));
    let (_, best) = best.expect("the first pull is always allowed");
    Minimum { away, ..best }
}

impl Posterior<'_> {
    /// The detector that explains the labels best.
    pub(super) fn detector(&self) -> Detector {
        let fit = self.fit;
        fit.scale.detector(&fit.first, &self.minimum.away)
    }

    fn features(&self, row: &Row) -> Features {
        self.fit.scale.features(row, sum_of(&self.fit.first, row))
    }

    /// How much what is summed up of a pair may vary.
    pub(super) fn variance(&self, row: &Row) -> f64 {
        let half = self.minimum.curvature.half(&self.features(row));
        solve::product(&half, &half)
    }
}

/// What a detector sums up of a pair: the log-odds of its score.
pub(super) fn sum_of(detector: &Detector, row: &Row) -> f64 {
    let weighed = detector.weights.0.iter().zip(row);
    let sum: f64 = weighed
        .map(|(&weight, value)| f64::from(weight) * value)
        .sum();
    f64::from(detector.intercept) + sum
}
