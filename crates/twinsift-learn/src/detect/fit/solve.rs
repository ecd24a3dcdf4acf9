//! Linear equations of a positive definite matrix, by Cholesky's method.

/// The `x` of `matrix * x = right`; only the lower triangle of the matrix is looked at, and it is
/// overwritten.
pub(super) fn solve<const N: usize>(matrix: &mut [[f64; N]; N], right: [f64; N]) -> [f64; N] {
    for row in 0..N {
        for column in 0..=row {
            let known: f64 = (0..column)
                .map(|at| matrix[row][at] * matrix[column][at])
                .sum();
            let rest = matrix[row][column] - known;
            matrix[row][column] = match row == column {
                true => rest.max(f64::MIN_POSITIVE).sqrt(),
                false => rest / matrix[column][column],
            };
        }
    }
    let mut x = right;
    for row in 0..N {
        let known: f64 = (0..row).map(|at| matrix[row][at] * x[at]).sum();
        x[row] = (x[row] - known) / matrix[row][row];
    }
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|at| matrix[at][row] * x[at]).sum();
        x[row] = (x[row] - known) / matrix[row][row];
    }
    x
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
            let x = solve(&mut matrix.clone(), right);
            for (line, expected) in matrix.iter().zip(right) {
                let got: f64 = line.iter().zip(x).map(|(a, x)| a * x).sum();
                prop_assert!((got - expected).abs() < 1e-6, "{} {}", got, expected);
            }
        }
    }
}
