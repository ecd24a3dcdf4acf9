//! Word k-grams ("shingles"); with k = 1, words.
//!
//! A k-gram's value is a polynomial of its words' hashes, rolled along the text
//! (one step costs the same for every k) and then scrambled. A document shorter
//! than k words has one feature: all of its words. So two equal short texts are
//! equal, and nothing shorter than k words resembles anything else.

use super::{Features, Featurise};
use crate::hash;
use crate::tokenise::Tokens;

const BASE: u64 = 0xd1b5_4a32_d192_ed03;

/// Word k-grams as sets or multisets.
#[derive(Clone, Copy, Debug)]
pub struct Shingles {
    k: usize,
    count: bool,
}

impl Shingles {
    /// `k` words to a feature, at least 1; `count` keeps how often each occurs.
    pub fn new(k: usize, count: bool) -> Self {
        Self { k: k.max(1), count }
    }
}

impl Featurise for Shingles {
    fn features(&self, tokens: &Tokens, out: &mut Features) {
        out.collect(self.count, |values| roll(tokens, self.k, values));
    }
}

/// Appends the value of every k-gram, in the order of the text.
///
/// The first pass writes the words' hashes, the second replaces each by the
/// value of the k-gram that begins there.
pub(super) fn roll(tokens: &Tokens, k: usize, values: &mut Vec<u64>) {
    values.extend(tokens.bytes().map(hash::bytes));
    if values.is_empty() {
        return;
    }
    let k_here = k.min(values.len());
    let mut leaving = 1u64;
    let mut rolling = 0u64;
    for &word in &values[..k_here] {
        rolling = rolling.wrapping_mul(BASE).wrapping_add(word);
        leaving = leaving.wrapping_mul(BASE);
    }
    // A text shorter than k must not look like a k-gram of another text.
    let salt = (k_here != k) as u64 * (k_here as u64);
    let last = values.len() - k_here;
    for at in 0..last {
        let first = values[at];
        values[at] = hash::mix(rolling);
        rolling = rolling
            .wrapping_mul(BASE)
            .wrapping_add(values[at + k_here])
            .wrapping_sub(first.wrapping_mul(leaving));
    }
    values[last] = hash::mix(rolling.wrapping_add(salt));
    values.truncate(last + 1);
}

/// The k-grams of `tokens` as text with their values, in order: what `compare`
/// shows. `words` are the words as they are spelled there.
pub fn spelled(tokens: &Tokens, words: &[String], k: usize) -> Vec<(u64, String)> {
    let mut values = Vec::new();
    roll(tokens, k.max(1), &mut values);
    let k = k.max(1).min(words.len());
    values
        .into_iter()
        .zip(words.windows(k.max(1)))
        .map(|(value, gram)| (value, gram.join(" ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn tokens(text: &str) -> Tokens {
        let mut tokens = Tokens::new();
        tokens.read(text);
        tokens
    }

    #[test]
    fn equal_grams_have_equal_values_wherever_they_stand() {
        for k in 1..7 {
            let mut by_text = BTreeMap::new();
            let mut by_value = BTreeMap::new();
            let tokens = tokens("a b c d e f g a b c d e f g b a c e d");
            let words: Vec<String> = tokens.words().map(str::to_owned).collect();
            for (value, gram) in spelled(&tokens, &words, k) {
                assert_eq!(*by_text.entry(gram.clone()).or_insert(value), value);
                assert_eq!(*by_value.entry(value).or_insert(gram.clone()), gram);
            }
        }
    }

    #[test]
    fn counts_add_up() {
        let mut features = Features::new();
        Shingles::new(2, true).features(&tokens("a b a b a b c"), &mut features);
        assert_eq!(features.values().len(), 3);
        let mut counts = features.counts().to_vec();
        counts.sort_unstable();
        assert_eq!(counts, [1, 2, 3]);
        Shingles::new(2, false).features(&tokens("a b a b a b c"), &mut features);
        assert_eq!((features.values().len(), features.counts().len()), (3, 0));
    }

    #[test]
    fn short_documents_are_one_feature() {
        let mut features = Features::new();
        let five = Shingles::new(5, false);
        five.features(&tokens("thank you"), &mut features);
        let short = features.values().to_vec();
        assert_eq!(short.len(), 1);
        five.features(&tokens("Thank  you!"), &mut features);
        assert_eq!(features.values(), short);
        five.features(&tokens("thank you all"), &mut features);
        assert_ne!(features.values(), short);
        five.features(&tokens(""), &mut features);
        assert!(features.values().is_empty());
    }
}
