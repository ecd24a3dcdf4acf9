//! Linear equations of a positive definite matrix, by Cholesky's method.

/// The lower triangle whose product with its own transpose is a matrix.
pub(super) struct Cholesky<const N: usize>(Box<[[f64; N]; N]>);

impl<const N: usize> Cholesky<N> {
    /// Of a matrix whose lower triangle is looked at.
    pub(super) fn of(mut matrix: Box<[[f64; N]; N]>) -> Self {
        for row in 0..N {
            let (above, below) = matrix.split_at_mut(row);
            let line = &mut below[0];
            for column in 0..row {
                let known = product(&above[column][..column], &line[..column]);
                line[column] = (line[column] - known) / above[column][column];
            }
            let rest = line[row] - product(&line[..row], &line[..row]);
            line[row] = rest.max(f64::MIN_POSITIVE).sqrt();
        }
        Self(matrix)
    }

    /// The `x` of `triangle * x = right`: its length is that of `right` by the inverse.
    pub(super) fn half(&self, right: &[f64; N]) -> [f64; N] {
        let mut x = *right;
        for (row, line) in self.0.iter().enumerate() {
            x[row] = (x[row] - product(&line[..row], &x[..row])) / line[row];
        }
        x
    }

    /// The `x` of `matrix * x = right`.
    pub(super) fn solve(&self, right: &[f64; N]) -> [f64; N] {
        let mut x = self.half(right);
        for row in (0..N).rev() {
            let known: f64 = (row + 1..N).map(|at| self.0[at][row] * x[at]).sum();
            x[row] = (x[row] - known) / self.0[row][row];
        }
        x
    }

    /// The logarithm of the determinant.
    pub(super) fn log_determinant(&self) -> f64 {
        2.0 * (0..N).map(|at| self.0[at][at].ln()).sum::<f64>()
    }
}

/// The sum of the products of values in the same places.
pub(super) fn product(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solutions_solve(entries in prop::array::uniform4(prop::array::uniform4(-3.0..3.0)),
                           right in prop::array::uniform4(-5.0..5.0)) {
            let product = |i: usize, j: usize| -> f64 {
                (0..4).map(|k| entries[i][k] * entries[j][k]).sum()
            };
            let matrix: [[f64; 4]; 4] = std::array::from_fn(|i| {
                std::array::from_fn(|j| product(i, j) + f64::from(u8::from(i == j)))
            });
            let triangle = Cholesky::of(Box::new(matrix));
            let x = triangle.solve(&right);
            for (line, expected) in matrix.iter().zip(right) {
                let got: f64 = line.iter().zip(x).map(|(a, x)| a * x).sum();
                prop_assert!((got - expected).abs() < 1e-6, "{} {}", got, expected);
            }
            let half = triangle.half(&right);
            let length: f64 = half.iter().map(|x| x * x).sum();
            let by_inverse: f64 = right.iter().zip(x).map(|(r, x)| r * x).sum();
            prop_assert!((length - by_inverse).abs() < 1e-6 * (1.0 + length));
        }
    }
}
