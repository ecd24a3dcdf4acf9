//! Whether a k-gram is part of the title or of the address.

/// Whether all `words` are in `field`, whose hashes ascend.
#[inline]
pub(super) fn all_in(words: &[u64], field: &[u64]) -> bool {
    let is_in = |word: &u64| field.binary_search(word).is_ok();
    !field.is_empty() && words.iter().all(is_in)
}
