//! Randomised lexicons: which words each of them has.

use crate::hash::{self, Stream};
use serde::{Deserialize, Serialize};

/// How a randomised lexicon is drawn from the original.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Bags {
    /// As many draws with replacement as the lexicon has words, each kept once:
    /// 36.8 % of the words are left out. (The paper says 33 %.)
    #[default]
    Bootstrap,
    /// Each word is left out with this chance, whatever becomes of the others. So
    /// lexicons that share words agree on them.
    Drop(f64),
}

impl Bags {
    /// The share of words that a randomised lexicon leaves out.
    pub fn dropped(self) -> f64 {
        match self {
            Bags::Bootstrap => (-1f64).exp(),
            Bags::Drop(share) => share,
        }
    }

    /// The lexicons that each of `words` is in, as bits: bit 0 is the original, which
    /// has them all. The words must come in an order that is always the same.
    pub(super) fn draw(self, words: &[u64], lexicons: u32, seed: u64) -> Vec<u64> {
        let mut bags = vec![1; words.len()];
        for bag in 1..=lexicons {
            let seed = hash::pair(seed, u64::from(bag));
            match self {
                Bags::Bootstrap => {
                    let mut stream = Stream::new(seed);
                    for _ in 0..words.len() {
                        bags[stream.below(words.len())] |= 1 << bag;
                    }
                }
                Bags::Drop(share) => {
                    for (&word, bags) in words.iter().zip(&mut bags) {
                        let chance = (hash::pair(seed, word) >> 11) as f64 / (1u64 << 53) as f64;
                        *bags |= u64::from(chance >= share) << bag;
                    }
                }
            }
        }
        bags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bags_leave_out_what_they_promise() {
        let words: Vec<u64> = (0..20_000).map(hash::mix).collect();
        for how in [Bags::Bootstrap, Bags::Drop(0.33), Bags::Drop(0.5)] {
            let bags = how.draw(&words, 20, 7);
            assert!(bags.iter().all(|bags| bags & 1 == 1 && bags >> 21 == 0));
            for bag in 1..=20 {
                let out = bags.iter().filter(|&bags| bags >> bag & 1 == 0).count();
                let share = out as f64 / words.len() as f64;
                assert!((share - how.dropped()).abs() < 0.02, "{how:?}: {share}");
            }
            assert_eq!(bags, how.draw(&words, 20, 7));
            assert_ne!(bags, how.draw(&words, 20, 8));
            // More lexicons leave the first ones as they are.
            let fewer = how.draw(&words, 5, 7);
            assert!(
                bags.iter()
                    .zip(fewer)
                    .all(|(&more, fewer)| more & 63 == fewer)
            );
        }
    }

    #[test]
    fn dropped_words_do_not_depend_on_the_others() {
        let words: Vec<u64> = (0..100).map(hash::mix).collect();
        let all = Bags::Drop(0.4).draw(&words, 8, 3);
        let some = Bags::Drop(0.4).draw(&words[50..], 8, 3);
        assert_eq!(all[50..], some);
    }
}
