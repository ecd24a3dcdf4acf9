//! L-BFGS, by the `argmin` crate, one step at a time.
//!
//! The steps are driven from here, so that the caller can stop them: that is how
//! training stops early.

use super::loss::Loss;
use argmin::core::{CostFunction, Error, Gradient, IterState, Problem, Solver, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use std::sync::Mutex;

/// Steps whose curvature is remembered.
const MEMORY: usize = 10;

/// A step that lowers the loss by less ends the search.
const LEAST_GAIN: f64 = 1e-9;

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// On.
    On,
    /// No further.
    Stop,
}

/// Lowers the loss from `start`, at most `steps` steps. `watch` sees each point,
/// the start included, with its loss, and may stop the search.
pub fn minimise(
    loss: &Loss<'_>,
    start: Vec<f64>,
    steps: u32,
    mut watch: impl FnMut(u32, &[f64], f64) -> Go,
) {
    let mut problem = Problem::new(CachedLoss {
        loss,
        last: Mutex::new(None),
    });
    let mut solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY);
    let state: IterState<Vec<f64>, Vec<f64>, (), (), (), f64> = IterState::new().param(start);
    let Ok((mut state, _)) = solver.init(&mut problem, state) else {
        return;
    };
    let mut last = f64::INFINITY;
    for step in 0..=steps {
        let cost = state.get_cost();
        let Some(point) = state.get_param() else {
            return;
        };
        if !cost.is_finite() || last - cost < LEAST_GAIN || watch(step, point, cost) == Go::Stop {
            return;
        }
        last = cost;
        match solver.next_iter(&mut problem, state) {
            Ok((next, _)) => state = next,
            Err(_) => return,
        }
        state.increment_iter();
    }
}

/// The line search asks for value and gradient of one point one after the other;
/// they are computed together.
struct CachedLoss<'a> {
    loss: &'a Loss<'a>,
    last: Mutex<Option<EvaluatedPoint>>,
}

/// A point with its value and gradient.
type EvaluatedPoint = (Vec<f64>, f64, Vec<f64>);

impl CachedLoss<'_> {
    fn at(&self, point: &[f64]) -> (f64, Vec<f64>) {
        let mut last = self
            .last
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((known, value, gradient)) = &*last
            && known == point
        {
            return (*value, gradient.clone());
        }
        let (value, gradient) = self.loss.at(point);
        *last = Some((point.to_vec(), value, gradient.clone()));
        (value, gradient)
    }
}

impl CostFunction for CachedLoss<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.at(point).0)
    }
}

impl Gradient for CachedLoss<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, point: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.at(point).1)
    }
}
