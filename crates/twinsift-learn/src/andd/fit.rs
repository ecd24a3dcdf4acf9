//! The weights of one fit: those of its best step.
//!
//! With some pairs set apart, the best step is the one with the least loss on these, and the
//! search ends once it has not fallen for a while. Without, it is the last.

use super::loss::Loss;
use super::minimise::{Go, minimise};

/// So many steps without a lower loss on what is set apart end the search.
const PATIENCE: u32 = 12;

/// A step of the training, for the caller's `watch`.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its number, from 0 for the start.
    pub number: u32,
    /// The loss on what is fitted.
    pub loss: f64,
    /// The loss on what was set apart, if anything was.
    pub validation: Option<f64>,
}

/// The best point so far.
pub(super) struct Best {
    pub lambda: Vec<f64>,
    pub step: u32,
    /// The loss at the start, and at this step.
    pub first: f64,
    pub loss: f64,
    /// The loss by which it is the best.
    watched: f64,
}

/// Fits weights from those of the unlearned measure, in at most `steps` steps.
pub(super) fn fit(
    fitting: &Loss<'_>,
    stopping: Option<&Loss<'_>>,
    steps: u32,
    watch: &mut dyn FnMut(Step),
) -> Best {
    let start = fitting.start();
    let mut best = Best {
        lambda: start.clone(),
        step: 0,
        first: 0.0,
        loss: 0.0,
        watched: f64::INFINITY,
    };
    minimise(fitting, start, steps, |number, point, loss| {
        let validation = stopping.map(|stopping| stopping.at(point).0);
        watch(Step {
            number,
            loss,
            validation,
        });
        best.take(number, point, loss, validation.unwrap_or(loss))
    });
    best
}

impl Best {
    fn take(&mut self, step: u32, lambda: &[f64], loss: f64, watched: f64) -> Go {
        if step == 0 {
            self.first = loss;
        }
        if watched < self.watched {
            self.lambda = lambda.to_vec();
            self.step = step;
            self.loss = loss;
            self.watched = watched;
        }
        match step - self.step < PATIENCE {
            true => Go::On,
            false => Go::Stop,
        }
    }
}
