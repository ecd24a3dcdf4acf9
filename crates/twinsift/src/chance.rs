//! Chances: the binomial and the normal distribution, as far as sketches need them.

use std::f64::consts::SQRT_2;

/// How often something happens in some independent trials.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binomial {
    chance: f64,
    trials: u32,
}

impl Binomial {
    /// For trials of a chance from 0 to 1.
    pub(crate) fn new(chance: f64, trials: u32) -> Self {
        Self { chance, trials }
    }

    /// The chance that it happens exactly `times`.
    pub(crate) fn exactly(self, times: u32) -> f64 {
        let Self { chance, trials } = self;
        if times > trials {
            return 0.0;
        }
        let factorial = |n: u32| libm::lgamma(f64::from(n) + 1.0);
        let ways = factorial(trials) - factorial(times) - factorial(trials - times);
        // Nothing happens 0 times at any chance.
        let power = |times: u32, ln: f64| match times {
            0 => 0.0,
            times => f64::from(times) * ln,
        };
        (ways + power(times, chance.ln()) + power(trials - times, (-chance).ln_1p())).exp()
    }

    /// The chance that it happens at most `times`.
    pub(crate) fn at_most(self, times: u32) -> f64 {
        if f64::from(times) >= self.mean() {
            return 1.0 - self.above(times);
        }
        // Each term follows from the one before it, and they fall.
        let odds = (1.0 - self.chance) / self.chance;
        let fewer = |times: u32| f64::from(times) / f64::from(self.trials - times + 1) * odds;
        sum_of_falling(self.exactly(times), (1..=times).rev().map(fewer))
    }

    /// The chance that it happens more than `times`.
    pub(crate) fn above(self, times: u32) -> f64 {
        if f64::from(times) < self.mean() {
            return 1.0 - self.at_most(times);
        }
        let odds = self.chance / (1.0 - self.chance);
        let more = |times: u32| f64::from(self.trials - times) / f64::from(times + 1) * odds;
        sum_of_falling(self.exactly(times + 1), (times + 1..self.trials).map(more))
    }

    fn mean(self) -> f64 {
        self.chance * f64::from(self.trials)
    }
}

/// The sum of terms that fall: the first one, and by how much each is multiplied for the next.
fn sum_of_falling(first: f64, factors: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut term) = (first, first);
    for factor in factors {
        term *= factor;
        sum += term;
        if term <= sum * f64::EPSILON / 4.0 {
            break;
        }
    }
    sum
}

/// The value that a standard normal variable is below with a chance of `share`, at least a
/// half.
pub(crate) fn normal_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    loop {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        // The upper tail keeps its digits where the share is near 1.
        match libm::erfc(middle / SQRT_2) / 2.0 > 1.0 - share {
            true => low = middle,
            false => high = middle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, Discrete, DiscreteCDF, Normal};

    #[test]
    fn chances_are_those_of_statrs() {
        for trials in [0, 1, 6, 64, 384, 4096] {
            for chance in [0.0, 1e-9, 0.1, 0.3333, 0.5, 0.9, 1.0] {
                let ours = Binomial::new(chance, trials);
                let theirs = statrs::distribution::Binomial::new(chance, u64::from(trials));
                let theirs = theirs.expect("valid");
                for times in (0..=trials).step_by(1 + trials as usize / 50) {
                    let wide = u64::from(times);
                    let close = |x: f64, y: f64| assert!((x - y).abs() < 1e-9, "{x} {y}");
                    close(ours.exactly(times), theirs.pmf(wide));
                    close(ours.at_most(times), theirs.cdf(wide));
                    close(ours.above(times), theirs.sf(wide));
                }
            }
        }
    }

    #[test]
    fn quantiles_are_those_of_statrs() {
        let normal = Normal::standard();
        for level in 2048..4096 {
            let share = (f64::from(level) + 0.5) / 4096.0;
            let (ours, theirs) = (normal_quantile(share), normal.inverse_cdf(share));
            assert!((ours - theirs).abs() < 1e-9, "{share}: {ours} {theirs}");
            assert_eq!((ours * 8000.0).round(), (theirs * 8000.0).round());
        }
    }
}
