//! Numbers about a k-gram and its document that need nothing else: how often, how long.

/// More occurrences than these count as these.
pub(super) const MOST_COUNTED: usize = 15;

/// How often it occurs.
pub(super) fn tf(count: usize) -> f32 {
    (count as f64 + 1.0).log2() as f32 / 4.0
}

/// How long the document is.
pub(in crate::features::learned) fn len(words: usize) -> f32 {
    (words.max(1) as f64).log10().min(5.0) as f32 / 5.0
}
