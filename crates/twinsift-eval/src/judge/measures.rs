//! nDCG, average precision and precision at a cut-off, as `trec_eval` has them.
//!
//! The gain of a result is its relevance (nothing below 0), discounted by
//! `log2(rank + 1)`; nDCG divides by what the judged documents could have earned in the
//! best order. For precision and average precision a document is relevant from 1 on;
//! average precision looks at the whole ranking and divides by all relevant documents,
//! found or not. A query without relevant documents is worth 0.

/// Figures about a ranking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Normalised discounted cumulative gain at the cut-off.
    pub ndcg: f64,
    /// Average precision over the whole ranking.
    pub average_precision: f64,
    /// Precision at the cut-off; places without a result count as wrong.
    pub precision: f64,
}

impl Measures {
    /// Measures a ranking by the relevance of its results, where the judged documents
    /// of the query have the relevances `judged`.
    pub fn of(results: &[i64], judged: &[i64], cut: usize) -> Self {
        let mut best = judged.to_vec();
        best.sort_unstable_by(|a, b| b.cmp(a));
        let ideal = discounted(&best, cut);
        let relevant = judged.iter().filter(|&&relevance| relevance > 0).count();
        let (mut found, mut precisions) = (0, 0.0);
        for (rank, _) in (1..).zip(results).filter(|(_, relevance)| **relevance > 0) {
            found += 1;
            precisions += f64::from(found) / f64::from(rank);
        }
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let hits = results.iter().take(cut).filter(|&&relevance| relevance > 0);
        Self {
            ndcg: share(discounted(results, cut), ideal),
            average_precision: share(precisions, relevant as f64),
            precision: share(hits.count() as f64, cut as f64),
        }
    }
}

/// Discounted cumulative gain.
fn discounted(gains: &[i64], cut: usize) -> f64 {
    (2u32..)
        .zip(gains)
        .take(cut)
        .map(|(place, &gain)| gain.max(0) as f64 / f64::from(place).log2())
        // From 0, for the sum of nothing is -0.
        .fold(0.0, |sum, gain| sum + gain)
}

/// The mean of each figure; nothing for no figures.
pub fn mean(all: impl IntoIterator<Item = Measures>) -> Measures {
    let mut sum = Measures::default();
    let mut count = 0.0;
    for one in all {
        sum.ndcg += one.ndcg;
        sum.average_precision += one.average_precision;
        sum.precision += one.precision;
        count += 1.0;
    }
    let share = |part: f64| if count > 0.0 { part / count } else { 0.0 };
    Measures {
        ndcg: share(sum.ndcg),
        average_precision: share(sum.average_precision),
        precision: share(sum.precision),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let measures = Measures::of(&[0, 2, 1], &[1, 2, 0, 3], 3);
        let dcg = 2.0 / 3f64.log2() + 1.0 / 4f64.log2();
        let ideal = 3.0 + 2.0 / 3f64.log2() + 1.0 / 4f64.log2();
        assert!((measures.ndcg - dcg / ideal).abs() < 1e-12);
        assert!((measures.average_precision - (0.5 + 2.0 / 3.0) / 3.0).abs() < 1e-12);
        assert!((measures.precision - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_relevant_or_nothing_found_is_worth_nothing() {
        assert_eq!(Measures::of(&[0, 0], &[0], 10), Measures::default());
        assert_eq!(Measures::of(&[], &[1, 2], 10), Measures::default());
        assert_eq!(Measures::of(&[-1], &[-1], 10), Measures::default());
        assert_eq!(mean([]), Measures::default());
    }
}
