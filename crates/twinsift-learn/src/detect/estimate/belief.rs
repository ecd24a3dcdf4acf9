//! What is believed of the shares of cells, after answers.
//!
//! A detector's scores may be too high or too low, too sure or not sure enough, and wrong
//! about some pairs however sure they are: what share of a pair's like is the same is
//! `d + (1 - d - e) s(a + b z)`, where `z` is what the detector sums up and `s` the logistic
//! function. The share of a cell is around
//! the mean of that (a beta distribution that is worth `n` answers), and the answers in it are
//! binomial. What `a`, `b`, `d`, `e` and `n` are is not known: each combination on a grid is believed
//! as much as it explains the answers of all cells. So cells without answers learn from others, and
//! no score is trusted that answers do not bear out.

use super::cells::Cell;
use super::draw;
use statrs::function::gamma::ln_gamma;
use twinsift::hash::Stream;

/// How much too low sums are, with how much that is believed before any answer.
const SHIFTS: [(f64, f64); 7] = [
    (-3.0, 0.05),
    (-2.0, 0.12),
    (-1.0, 0.2),
    (0.0, 0.26),
    (1.0, 0.2),
    (2.0, 0.12),
    (3.0, 0.05),
];

/// How much too small sums are.
const STRETCHES: [(f64, f64); 6] = [
    (0.1, 0.05),
    (0.2, 0.1),
    (0.35, 0.2),
    (0.6, 0.25),
    (1.0, 0.25),
    (1.5, 0.15),
];

/// What share of what looks the same is not.
const EXCEPTIONS: [(f64, f64); 5] = [
    (0.0, 0.4),
    (0.02, 0.2),
    (0.05, 0.2),
    (0.1, 0.12),
    (0.2, 0.08),
];

/// What share of what looks different is the same.
const SURPRISES: [(f64, f64); 3] = [(0.0, 0.5), (0.005, 0.25), (0.02, 0.25)];

/// How many answers the curve is worth in a cell.
const WORTHS: [(f64, f64); 3] = [(2.0, 0.33), (8.0, 0.34), (32.0, 0.33)];

/// Shares of 0 and 1 are not believed.
const LEAST: f64 = 1e-6;

/// Believed shares of cells.
pub(super) struct Belief {
    /// Beta distributions of all cells before their answers, and how much is believed up to here.
    points: Vec<(Vec<[f64; 2]>, f64)>,
}

impl Belief {
    pub(super) fn of(cells: &[Cell]) -> Self {
        let mut points = Vec::new();
        for ((shift, of_shift), (stretch, of_stretch)) in pairs(&SHIFTS, &STRETCHES) {
            let means: Vec<f64> = cells
                .iter()
                .map(|cell| mean(&cell.sums, shift, stretch))
                .collect();
            for ((except, of_except), (surprise, of_surprise)) in pairs(&EXCEPTIONS, &SURPRISES) {
                for (worth, of_worth) in WORTHS {
                    let before = |mean: &f64| {
                        let mean = surprise + mean * (1.0 - except - surprise);
                        let mean = mean.clamp(LEAST, 1.0 - LEAST);
                        [worth * mean, worth * (1.0 - mean)]
                    };
                    let around: Vec<[f64; 2]> = means.iter().map(before).collect();
                    let prior: f64 = of_shift * of_stretch * of_except * of_surprise * of_worth;
                    let explains: f64 = cells.iter().zip(&around).map(explained).sum();
                    points.push((around, prior.ln() + explains));
                }
            }
        }
        let most = points.iter().map(|point| point.1).fold(f64::MIN, f64::max);
        let mut sum = 0.0;
        for (_, believed) in &mut points {
            sum += (*believed - most).exp();
            *believed = sum;
        }
        Self { points }
    }

    /// A draw of the shares of all cells.
    pub(super) fn draw(&self, cells: &[Cell], stream: &mut Stream) -> Vec<f64> {
        let wanted = draw::uniform(stream) * self.points.last().map_or(0.0, |point| point.1);
        let at = self.points.partition_point(|point| point.1 < wanted);
        let before = &self.points[at.min(self.points.len() - 1)].0;
        let one = |(cell, [same, other]): (&Cell, &[f64; 2])| {
            let different = cell.drawn - cell.drawn_same;
            draw::beta(stream, same + cell.drawn_same, other + different)
        };
        cells.iter().zip(before).map(one).collect()
    }
}

/// Each with each.
fn pairs<'a>(
    some: &'a [(f64, f64)],
    others: &'a [(f64, f64)],
) -> impl Iterator<Item = ((f64, f64), (f64, f64))> + 'a {
    some.iter()
        .flat_map(move |&one| others.iter().map(move |&other| (one, other)))
}

/// The mean of calibrated scores.
fn mean(sums: &[f64], shift: f64, stretch: f64) -> f64 {
    let scores = sums
        .iter()
        .map(|sum| 1.0 / (1.0 + (-shift - stretch * sum).exp()));
    scores.sum::<f64>() / sums.len().max(1) as f64
}

/// How well a beta distribution explains the answers of a cell: the logarithm of their
/// beta-binomial probability, but for a constant.
fn explained((cell, [same, other]): (&Cell, &[f64; 2])) -> f64 {
    let ln_beta = |x: f64, y: f64| ln_gamma(x) + ln_gamma(y) - ln_gamma(x + y);
    match cell.drawn > 0.0 {
        true => {
            let different = cell.drawn - cell.drawn_same;
            ln_beta(same + cell.drawn_same, other + different) - ln_beta(*same, *other)
        }
        false => 0.0,
    }
}
