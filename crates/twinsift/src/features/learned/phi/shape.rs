//! Numbers about a k-gram and its document that need nothing else: how often, how
//! long, yes or no.

/// How often it occurs.
#[inline]
pub(super) fn tf(count: u32) -> f32 {
    (f64::from(count) + 1.0).log2().min(4.0) as f32 / 4.0
}

/// How long the document is.
#[inline]
pub(super) fn len(words: usize) -> f32 {
    (words.max(1) as f64).log10().min(5.0) as f32 / 5.0
}

/// Yes or no.
#[inline]
pub(super) fn flag(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}
