//! A number spread over knots: what can be weighed by any curve.
//!
//! A number between two knots belongs to both, the more the nearer. A weight for each
//! knot is then a curve of straight lines between them. With the number itself as
//! a feature there would be a single straight line, which cannot prefer the middle.

/// Emits the two knots that `x` belongs to, and how much it does. The knots ascend.
#[inline]
pub(super) fn spread<const N: usize>(x: f32, knots: &[f32; N], mut emit: impl FnMut(usize, f32)) {
    // What is no number is at the end.
    let x = if x.is_nan() { knots[N - 1] } else { x };
    // Without a branch, because it could not be predicted.
    let reached = knots.iter().filter(|&&knot| knot >= x).count();
    let above = (N - reached).clamp(1, N - 1);
    let (from, to) = (knots[above - 1], knots[above]);
    let share = ((x - from) / (to - from)).clamp(0.0, 1.0);
    emit(above - 1, 1.0 - share);
    emit(above, share);
}

/// Names of a feature at its knots.
pub(super) fn names<const N: usize>(name: &str, knots: &[f32; N]) -> Vec<String> {
    knots.iter().map(|knot| format!("{name}-{knot}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_belongs_to_its_neighbours() {
        let knots = [0.0, 0.5, 1.0];
        let of = |x: f32| {
            let mut out = vec![0.0; 3];
            spread(x, &knots, |at, share| out[at] = share);
            out
        };
        assert_eq!(of(-1.0), [1.0, 0.0, 0.0]);
        assert_eq!(of(0.25), [0.5, 0.5, 0.0]);
        assert_eq!(of(0.5), [0.0, 1.0, 0.0]);
        assert_eq!(of(7.0), [0.0, 0.0, 1.0]);
        assert_eq!(of(f32::NAN), [0.0, 0.0, 1.0]);
        assert_eq!(names("x", &knots), ["x-0", "x-0.5", "x-1"]);
    }
}
