//! Draws from distributions, from a stream of well-mixed numbers.

use twinsift::hash::Stream;

/// From 0 to 1, both left out.
pub(super) fn uniform(stream: &mut Stream) -> f64 {
    ((stream.next_value() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// From the standard normal distribution, by Box and Muller.
fn normal(stream: &mut Stream) -> f64 {
    let length = (-2.0 * uniform(stream).ln()).sqrt();
    length * (std::f64::consts::TAU * uniform(stream)).cos()
}

/// The logarithm of a draw from a gamma distribution, by Marsaglia and Tsang.
fn ln_gamma(stream: &mut Stream, shape: f64) -> f64 {
    if shape < 1.0 {
        return ln_gamma(stream, shape + 1.0) + uniform(stream).ln() / shape;
    }
    let base = shape - 1.0 / 3.0;
    loop {
        let x = normal(stream);
        let cube = (1.0 + x / (9.0 * base).sqrt()).powi(3);
        let bound = 0.5 * x * x + base * (1.0 - cube + cube.max(f64::MIN_POSITIVE).ln());
        if cube > 0.0 && uniform(stream).ln() < bound {
            return (base * cube).ln();
        }
    }
}

/// From a beta distribution.
pub(super) fn beta(stream: &mut Stream, a: f64, b: f64) -> f64 {
    let (x, y) = (ln_gamma(stream, a), ln_gamma(stream, b));
    1.0 / (1.0 + (y - x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_mean_and_the_variance_of_their_distribution() {
        let mut stream = Stream::new(1);
        for (a, b) in [(0.02, 2.0), (0.5, 0.5), (3.0, 1.0), (40.0, 7.0)] {
            let draws: Vec<f64> = (0..20_000).map(|_| beta(&mut stream, a, b)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let squares = draws.iter().map(|draw| (draw - mean).powi(2));
            let variance = squares.sum::<f64>() / draws.len() as f64;
            let expected = a * b / ((a + b).powi(2) * (a + b + 1.0));
            assert!((mean - a / (a + b)).abs() < 0.01, "{a} {b}: {mean}");
            assert!((variance - expected).abs() < 0.01, "{a} {b}: {variance}");
        }
    }
}
