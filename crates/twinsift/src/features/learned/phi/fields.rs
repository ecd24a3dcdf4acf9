//! Whether a k-gram is part of the title or of the address.

/// 1 if all `words` are in `field`, whose hashes ascend.
#[inline]
pub(super) fn all_in(words: &[u64], field: &[u64]) -> f32 {
    let is_in = |word: &u64| field.binary_search(word).is_ok();
    super::shape::flag(!field.is_empty() && words.iter().all(is_in))
}
