//! How good are search engines, if the same page twice is not twice as good?
//!
//! From *Multiple-Signal Duplicate Detection for Search Evaluation* (Huffman et al.
//! 2007), section 1. Among the results for a query, of all engines together, duplicates
//! are found and put into classes ([`classes`]). Relevance is then measured as usual,
//! and once more with a page that repeats an earlier one earning nothing
//! ([`measures`]). Members of one class that were rated differently are reported.

pub mod classes;
pub mod measures;
pub mod trec;

pub use classes::{Contradiction, DuplicateClasses};
pub use measures::{Measures, mean};

use std::collections::BTreeMap;

/// Relevance judgements: by query and document. What is not there is not relevant.
pub type Qrels = BTreeMap<String, BTreeMap<String, i64>>;

/// An engine's results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Its name.
    pub name: String,
    /// By query, the documents in order, the best first; none twice.
    pub rankings: BTreeMap<String, Vec<String>>,
}

/// What one engine's results for one query are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judged {
    /// As usual.
    pub usual: Measures,
    /// With a repeated document earning nothing.
    pub distinct: Measures,
    /// Results within the cut-off that repeat an earlier one.
    pub repeated: usize,
}

/// Measures a ranking against the judgements of its query, at a cut-off.
pub fn judge(
    ranking: &[String],
    judgements: &BTreeMap<String, i64>,
    classes: &DuplicateClasses,
    cut: usize,
) -> Judged {
    let relevance = |doc: &String| judgements.get(doc).copied().unwrap_or(0);
    let gains: Vec<i64> = ranking.iter().map(relevance).collect();
    let ideal: Vec<i64> = judgements.values().copied().collect();
    let mut of_class: BTreeMap<&str, i64> = BTreeMap::new();
    for (doc, &relevance) in judgements {
        let best = of_class.entry(classes.class(doc)).or_insert(relevance);
        *best = relevance.max(*best);
    }
    let mut seen = std::collections::BTreeSet::new();
    let is_new: Vec<bool> = ranking
        .iter()
        .map(|doc| seen.insert(classes.class(doc)))
        .collect();
    let once = ranking.iter().zip(&is_new).map(|(doc, &is_new)| {
        let relevance = of_class.get(classes.class(doc)).copied();
        relevance.filter(|_| is_new).unwrap_or(0)
    });
    let once: Vec<i64> = once.collect();
    let ideal_once: Vec<i64> = of_class.into_values().collect();
    Judged {
        usual: Measures::of(&gains, &ideal, cut),
        distinct: Measures::of(&once, &ideal_once, cut),
        repeated: is_new.iter().take(cut).filter(|is_new| !**is_new).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn docs(names: &str) -> Vec<String> {
        names.split(' ').map(str::to_owned).collect()
    }

    fn judgements(list: &[(&str, i64)]) -> BTreeMap<String, i64> {
        list.iter().map(|&(doc, r)| (doc.to_owned(), r)).collect()
    }

    #[test]
    fn four_copies_of_a_page_are_worth_one() {
        let judgements = judgements(&[("a", 1), ("b", 1), ("c", 1), ("d", 1), ("x", 1)]);
        let classes = DuplicateClasses::of(&docs("a b c d x y"), &[(0, 1), (1, 2), (3, 2)]);
        let judged = judge(&docs("a b c d y"), &judgements, &classes, 5);
        assert_eq!(judged.repeated, 3);
        assert_eq!(judged.usual.precision, 0.8);
        assert_eq!(judged.distinct.precision, 0.2);
        // Two distinct pages are relevant; one was found, at rank 1.
        assert_eq!(judged.distinct.average_precision, 0.5);
        let better = judge(&docs("a x y b c"), &judgements, &classes, 5);
        assert_eq!(better.distinct.average_precision, 1.0);
        assert_eq!(better.distinct.ndcg, 1.0);
    }

    #[test]
    fn without_duplicates_nothing_changes() {
        let judgements = judgements(&[("a", 2), ("b", 0), ("c", 1)]);
        let judged = judge(
            &docs("b a z c"),
            &judgements,
            &DuplicateClasses::default(),
            3,
        );
        assert_eq!(judged.usual, judged.distinct);
        assert_eq!(judged.repeated, 0);
    }

    #[test]
    fn an_unjudged_copy_is_worth_what_its_class_is() {
        let judgements = judgements(&[("a", 2)]);
        let classes = DuplicateClasses::of(&docs("a copy"), &[(0, 1)]);
        let judged = judge(&docs("copy a"), &judgements, &classes, 2);
        assert_eq!(judged.distinct.ndcg, 1.0);
        assert!(judged.usual.ndcg < 1.0);
    }
}
