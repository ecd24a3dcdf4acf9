//! The words of a page with their weights: what the similarity hash and the tf-idf
//! distance are made of.

use super::background::Background;
use super::simhash::SimHash;
use super::tfidf::TopTerms;
use twinsift::features::Features;
use twinsift::hash;
use twinsift::tokenise::Tokens;
use twinsift::vector::Vector;

/// Terms that weigh their count times their inverse document frequency.
#[derive(Clone, Debug)]
pub struct Terms {
    values: Vec<u64>,
    weights: Vec<f32>,
}

impl Terms {
    /// The terms of a page; `None` if it has no words.
    pub fn of(tokens: &Tokens, background: &Background) -> Option<Self> {
        let mut words = Features::new();
        words.collect(true, |values| {
            values.extend(tokens.bytes().map(hash::bytes));
        });
        if words.values().is_empty() {
            return None;
        }
        let weighted = words.values().iter().zip(words.counts());
        let weight = |(&word, &count): (&u64, &u32)| background.idf(word) * f64::from(count);
        Some(Self {
            weights: weighted.map(|term| weight(term) as f32).collect(),
            values: words.values().to_vec(),
        })
    }

    /// The similarity hash.
    pub fn simhash(&self) -> SimHash {
        SimHash::of(Vector {
            total: 0.0,
            values: &self.values,
            weights: &self.weights,
        })
    }

    /// The heaviest terms.
    pub fn top(&self) -> TopTerms {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_unstable_by(|&x, &y| {
            let heavier = self.weights[y].total_cmp(&self.weights[x]);
            heavier.then(self.values[x].cmp(&self.values[y]))
        });
        TopTerms::new(order.into_iter().map(|at| self.values[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Terms {
        let mut tokens = Tokens::new();
        tokens.read(text);
        Terms::of(&tokens, &Background::of(&["the cat", "the dog"])).expect("words")
    }

    #[test]
    fn rare_and_frequent_terms_come_first() {
        let top = terms("the the the the cat cat unseen").top();
        let position = |word: &str| top.position(hash::bytes(word.as_bytes()));
        assert_eq!(position("cat"), Some(1));
        assert_eq!(position("the"), Some(2));
        assert_eq!(position("unseen"), Some(3));
        assert_eq!(position("dog"), None);
    }

    #[test]
    fn the_order_of_words_means_nothing() {
        let (x, y) = (terms("the cat sat"), terms("cat the SAT"));
        assert_eq!(x.simhash().distance(y.simhash()), 0.0);
        assert_eq!(x.top().distance(&y.top()), 0.0);
    }

    #[test]
    fn a_page_without_words_has_no_terms() {
        assert!(Terms::of(&Tokens::new(), &Background::default()).is_none());
    }
}
