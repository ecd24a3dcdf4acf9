//! Where a k-gram stands in its document.

use super::knots;

/// Shares of the document. The beginning and the end are finer: that is where the
/// frames of pages and the signatures of mails are.
const KNOTS: [f32; 6] = [0.0, 0.1, 0.3, 0.6, 0.9, 1.0];

pub(super) fn names() -> Vec<String> {
    knots::names("loc", &KNOTS)
}

/// How many features there are.
pub(super) const WIDTH: usize = KNOTS.len();

/// Emits the place of the k-gram whose first word is number `first` of `words`.
#[inline]
pub(super) fn emit_values(first: usize, words: usize, emit: impl FnMut(usize, f32)) {
    knots::spread(first as f32 / words.max(1) as f32, &KNOTS, emit);
}
