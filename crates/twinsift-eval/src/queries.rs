//! Averages over documents as queries, in the manner of the I-Match papers.
//!
//! Each document, or each of a random [sample], asks for its near duplicates among all
//! documents. Recall is averaged over queries that have any, precision over queries that
//! found any; the query itself is never counted. A large cluster then counts by its
//! size, not by the square of it.
//!
//! Eq. (3) of the 2008 paper (Eq. 2 of 2004) divides *all* that was found by the number
//! of documents with a cosine of at least 0.9, so that wrong answers would raise recall,
//! beyond 1 if there are enough. We count in the numerator only what is true:
//! recall = |found ∩ true| / |true|, precision = |found ∩ true| / |found| (Eq. 4).
//!
//! Where documents have classes, such as spam and legitimate mail, the *utility*
//! of a query is what it found of its own class less a price for each document
//! of another (Eq. 5, where the price is called cost), for queries of the target class.

use crate::curve::Scores;
use crate::gold::Gold;
use serde::{Deserialize, Serialize};
use twinsift::hash::{Stream, pair};

/// Which of `documents` are queries: `count` of them, drawn at random, or all.
pub fn sample(documents: usize, count: Option<usize>, seed: u64) -> Vec<bool> {
    let Some(count) = count.filter(|&count| count < documents) else {
        return vec![true; documents];
    };
    let mut order: Vec<usize> = (0..documents).collect();
    Stream::new(pair(seed, SAMPLE)).shuffle(&mut order);
    let mut is_query = vec![false; documents];
    for &doc in &order[..count] {
        is_query[doc] = true;
    }
    is_query
}

/// Sets the numbers of a sample apart from others drawn with the same seed.
const SAMPLE: u64 = 0x5155_4552;

/// Counts for each document as a query.
#[derive(Clone, Debug)]
pub(super) struct Queries<'a> {
    is_query: &'a [bool],
    found: Vec<u32>,
    correct: Vec<u32>,
}

impl<'a> Queries<'a> {
    /// Nothing found yet by the documents of which `is_query` is true.
    pub(super) fn new(is_query: &'a [bool]) -> Self {
        Self {
            is_query,
            found: vec![0; is_query.len()],
            correct: vec![0; is_query.len()],
        }
    }

    /// Notes a judged pair that was found.
    pub(super) fn add(&mut self, a: u32, b: u32, is_true: bool) {
        for doc in [a, b] {
            self.found[doc as usize] += 1;
            self.correct[doc as usize] += u32::from(is_true);
        }
    }

    pub(super) fn scores(&self, gold: &Gold) -> Scores {
        let mean = |shares: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = shares.fold((0.0, 0.0), |(sum, n), share| (sum + share, n + 1.0));
            if count > 0.0 { sum / count } else { 0.0 }
        };
        let queries = || {
            let queries = (0u32..)
                .zip(self.is_query)
                .filter(|(_, is_query)| **is_query);
            queries.map(|(doc, _)| {
                let at = doc as usize;
                (doc, f64::from(self.found[at]), f64::from(self.correct[at]))
            })
        };
        let mut precision = queries()
            .filter(|&(_, found, _)| found > 0.0)
            .map(|(_, found, correct)| correct / found);
        let mut recall = queries().filter_map(|(doc, _, correct)| {
            let mates = gold.mate_count(doc);
            (mates > 0).then(|| correct / mates as f64)
        });
        Scores::of_means(mean(&mut precision), mean(&mut recall))
    }
}

/// The class of each document, for utility.
#[derive(Clone, Debug)]
pub struct TargetClasses {
    /// Whether each document is of the target class; `None` if it has no class.
    pub is_target: Vec<Option<bool>>,
}

/// What a document of another class costs unless chosen otherwise, as in the papers.
pub const PRICE: f64 = 100.0;

/// How useful the answers to queries of the target class are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Utility {
    /// The mean over queries.
    pub mean: f64,
    /// What a document of another class costs.
    pub price: f64,
    /// Queries: documents of the target class.
    pub queries: u64,
    /// Documents of the target class that found another of it.
    pub targets_found: u64,
    /// Documents of other classes that were found by one of the target class.
    pub others_hit: u64,
}

/// Gathers utility from found pairs, judged or not.
#[derive(Clone, Debug)]
pub(super) struct UtilityCount<'a> {
    classes: &'a TargetClasses,
    is_query: &'a [bool],
    price: f64,
    sum: f64,
    found: Vec<bool>,
}

impl<'a> UtilityCount<'a> {
    pub(super) fn new(classes: &'a TargetClasses, is_query: &'a [bool], price: f64) -> Self {
        Self {
            classes,
            is_query,
            price,
            sum: 0.0,
            found: vec![false; classes.is_target.len()],
        }
    }

    pub(super) fn add(&mut self, a: u32, b: u32) {
        for (query, other) in [(a as usize, b as usize), (b as usize, a as usize)] {
            if !self.is_query(query) {
                continue;
            }
            match self.classes.is_target[other] {
                Some(true) => {
                    self.sum += 1.0;
                    self.found[query] = true;
                }
                Some(false) => {
                    self.sum -= self.price;
                    self.found[other] = true;
                }
                None => {}
            }
        }
    }

    fn is_query(&self, doc: usize) -> bool {
        self.is_query[doc] && self.classes.is_target[doc] == Some(true)
    }

    pub(super) fn utility(&self) -> Utility {
        let both = || self.classes.is_target.iter().zip(&self.found);
        let with = |target: bool| {
            let fits = both().filter(|(class, found)| **found && **class == Some(target));
            fits.count() as u64
        };
        let queries = (0..self.found.len()).filter(|&doc| self.is_query(doc));
        let queries = queries.count();
        Utility {
            mean: self.sum / (queries as f64).max(1.0),
            price: self.price,
            queries: queries as u64,
            targets_found: with(true),
            others_hit: with(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_without_mates_or_answers_do_not_count() {
        let gold = Gold::from_clusters(&["x", "x", "x", "y"].map(Some), &[]);
        let is_query = sample(4, None, 0);
        let mut queries = Queries::new(&is_query);
        queries.add(0, 1, true);
        queries.add(1, 3, false);
        let scores = queries.scores(&gold);
        assert_eq!(scores.precision, (1.0 + 0.5 + 0.0) / 3.0);
        assert_eq!(scores.recall, (0.5 + 0.5 + 0.0) / 3.0);
    }

    #[test]
    fn only_the_sample_asks_and_all_may_be_found() {
        let gold = Gold::from_clusters(&["x", "x", "x", "y"].map(Some), &[]);
        let is_query = [false, true, false, false];
        let mut queries = Queries::new(&is_query);
        queries.add(0, 1, true);
        queries.add(1, 3, false);
        queries.add(0, 3, false);
        let scores = queries.scores(&gold);
        assert_eq!((scores.precision, scores.recall), (0.5, 0.5));
        let classes = TargetClasses {
            is_target: vec![Some(true), Some(true), Some(false), Some(false)],
        };
        let mut count = UtilityCount::new(&classes, &is_query, 7.0);
        for (a, b) in [(0, 1), (1, 2), (0, 3)] {
            count.add(a, b);
        }
        let utility = count.utility();
        assert_eq!((utility.mean, utility.price), (1.0 - 7.0, 7.0));
        assert_eq!(
            (utility.queries, utility.targets_found, utility.others_hit),
            (1, 1, 1)
        );
    }

    #[test]
    fn a_sample_has_its_size_and_is_the_same_for_a_seed() {
        let drawn = |seed| sample(1000, Some(100), seed);
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        assert_eq!(drawn(1).iter().filter(|&&is_query| is_query).count(), 100);
        assert_eq!(sample(5, Some(9), 1), [true; 5]);
        assert_eq!(sample(3, Some(0), 1), [false; 3]);
    }

    #[test]
    fn legitimate_mail_is_expensive() {
        let classes = TargetClasses {
            is_target: vec![Some(true), Some(true), Some(false), Some(false), None],
        };
        let is_query = [true; 5];
        let mut count = UtilityCount::new(&classes, &is_query, PRICE);
        count.add(0, 1);
        count.add(1, 2);
        count.add(2, 3);
        count.add(0, 4);
        let utility = count.utility();
        assert_eq!(utility.mean, (2.0 - 100.0) / 2.0);
        assert_eq!(
            (utility.queries, utility.targets_found, utility.others_hit),
            (2, 2, 1)
        );
    }
}
