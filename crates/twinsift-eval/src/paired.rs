//! Is one method better than another, or was it luck?
//!
//! Two methods are scored on the same splits; the paired t-test asks how likely
//! differences like these would be if there were none. Random splits of one
//! collection overlap, so that their scores are not independent and the chance
//! is stated too low: a large p says that nothing was shown, a small one is a hint.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A paired t-test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedTest {
    /// The mean difference, second less first.
    pub difference: f64,
    /// Student's t; missing if all differences are the same.
    pub t: Option<f64>,
    /// The chance of differences at least this large, either way, if there were
    /// none in truth.
    pub p: Option<f64>,
}

/// Compares two lists of scores on the same splits. `None` with fewer than two.
pub fn paired_test(first: &[f64], second: &[f64]) -> Option<PairedTest> {
    let count = first.len().min(second.len());
    if count < 2 {
        return None;
    }
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| b - a).collect();
    let mean = differences.iter().sum::<f64>() / count as f64;
    let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
    let error = (squares / (count - 1) as f64 / count as f64).sqrt();
    // Differences that are all the same differ by rounding alone.
    if error <= 1e-12 {
        return Some(PairedTest {
            difference: mean,
            t: None,
            p: (mean.abs() <= 1e-12).then_some(1.0),
        });
    }
    let t = mean / error;
    let students = StudentsT::new(0.0, 1.0, (count - 1) as f64).ok()?;
    Some(PairedTest {
        difference: mean,
        t: Some(t),
        p: Some(2.0 * students.sf(t.abs())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's own data of 1908: hours of sleep gained with two drugs; the
    /// values of t and p are those every textbook gives.
    #[test]
    fn agrees_with_the_textbook() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let test = paired_test(&first, &second).expect("ten pairs");
        assert!((test.difference - 1.58).abs() < 1e-12);
        assert!((test.t.expect("t") - 4.0621).abs() < 1e-4);
        assert!((test.p.expect("p") - 0.002833).abs() < 1e-6);
    }

    #[test]
    fn no_spread_is_no_test() {
        assert_eq!(paired_test(&[0.5], &[0.6]), None);
        let equal = paired_test(&[0.5, 0.7], &[0.5, 0.7]).expect("two");
        assert_eq!((equal.t, equal.p), (None, Some(1.0)));
        let shifted = paired_test(&[0.5, 0.7, 0.3], &[0.6, 0.8, 0.4]).expect("three");
        assert_eq!((shifted.t, shifted.p), (None, None));
    }
}
