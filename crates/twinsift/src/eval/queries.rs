//! Averages over documents as queries, in the manner of the I-Match papers.
//!
//! Each document asks for its near duplicates. Recall is averaged over documents
//! that have any, precision over documents that found any. A large cluster then
//! counts by its size, not by the square of it.
//!
//! Where documents have classes, such as spam and legitimate mail, the *utility*
//! of a query is what it found of its own class less a price for each document
//! of another (Eq. 5 of the 2008 paper, price 100), for queries of the target
//! class.

use super::curve::Scores;
use super::gold::Gold;
use serde::{Deserialize, Serialize};

/// Counts for each document as a query.
#[derive(Clone, Debug)]
pub(super) struct Queries {
    found: Vec<u32>,
    correct: Vec<u32>,
}

impl Queries {
    pub(super) fn new(documents: usize) -> Self {
        Self {
            found: vec![0; documents],
            correct: vec![0; documents],
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
        let answered = self.found.iter().zip(&self.correct);
        let mut precision = answered
            .filter(|(found, _)| **found > 0)
            .map(|(&found, &correct)| f64::from(correct) / f64::from(found));
        let mut recall = (0u32..).zip(&self.correct).filter_map(|(doc, &correct)| {
            let mates = gold.mate_count(doc);
            (mates > 0).then(|| f64::from(correct) / mates as f64)
        });
        Scores::of_means(mean(&mut precision), mean(&mut recall))
    }
}

/// The class of each document, for utility.
#[derive(Clone, Debug)]
pub struct Classes {
    /// Whether each document is of the target class; `None` if it has no class.
    pub is_target: Vec<Option<bool>>,
}

/// What a document of another class costs, as in the papers.
const PRICE: f64 = 100.0;

/// How useful the answers to queries of the target class are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Utility {
    /// The mean over queries.
    pub mean: f64,
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
    classes: &'a Classes,
    sum: f64,
    found: Vec<bool>,
}

impl<'a> UtilityCount<'a> {
    pub(super) fn new(classes: &'a Classes) -> Self {
        Self {
            classes,
            sum: 0.0,
            found: vec![false; classes.is_target.len()],
        }
    }

    pub(super) fn add(&mut self, a: u32, b: u32) {
        let class = |doc: u32| self.classes.is_target[doc as usize];
        let mark = match (class(a), class(b)) {
            (Some(true), Some(true)) => {
                // Each of the two is a query that found the other.
                self.sum += 2.0;
                [Some(a), Some(b)]
            }
            (Some(true), Some(false)) => {
                self.sum -= PRICE;
                [None, Some(b)]
            }
            (Some(false), Some(true)) => {
                self.sum -= PRICE;
                [Some(a), None]
            }
            _ => [None, None],
        };
        for doc in mark.into_iter().flatten() {
            self.found[doc as usize] = true;
        }
    }

    pub(super) fn utility(&self) -> Utility {
        let both = || self.classes.is_target.iter().zip(&self.found);
        let with = |target: bool| {
            let fits = both().filter(|(class, found)| **found && **class == Some(target));
            fits.count() as u64
        };
        let queries = both().filter(|(class, _)| **class == Some(true)).count();
        Utility {
            mean: self.sum / (queries as f64).max(1.0),
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
        let mut queries = Queries::new(4);
        queries.add(0, 1, true);
        queries.add(1, 3, false);
        let scores = queries.scores(&gold);
        assert_eq!(scores.precision, (1.0 + 0.5 + 0.0) / 3.0);
        assert_eq!(scores.recall, (0.5 + 0.5 + 0.0) / 3.0);
    }

    #[test]
    fn legitimate_mail_is_expensive() {
        let classes = Classes {
            is_target: vec![Some(true), Some(true), Some(false), Some(false), None],
        };
        let mut count = UtilityCount::new(&classes);
        count.add(0, 1);
        count.add(1, 2);
        count.add(2, 3);
        count.add(0, 4);
        let told = count.utility();
        assert_eq!(told.mean, (2.0 - 100.0) / 2.0);
        assert_eq!(
            (told.queries, told.targets_found, told.others_hit),
            (2, 2, 1)
        );
    }
}
