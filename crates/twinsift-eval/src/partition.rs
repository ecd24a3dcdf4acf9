//! How well groups agree with the true clusters.
//!
//! Pair measures weigh a cluster by the square of its size; these look at
//! documents and at groups as wholes. All are computed over labelled documents
//! only. With a truth that is not made of clusters, only what needs no clusters
//! is said.

use crate::curve::Scores;
use crate::gold::{Gold, pairs_among};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use twinsift::Clustering;

/// Measures of a grouping.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupScores {
    /// Groups of at least two documents.
    pub groups: u64,
    /// Documents in the largest group.
    pub largest: u64,
    /// Pairs that are in one group though no pair of near duplicates themselves:
    /// they are near duplicates of the same document.
    pub chained_pairs: u64,
    /// The share of groups of at least two without a single wrong pair; missing
    /// if there are no groups.
    pub pure: Option<f64>,
    /// Agreement with the true clusters, corrected for chance.
    pub adjusted_rand: Option<f64>,
    /// B-cubed precision, recall and F1.
    pub b_cubed: Option<Scores>,
    /// How many groups there are of each size, singles included.
    pub sizes: BTreeMap<u64, u64>,
}

/// The measures of `groups`, within which `pairs` pairs are near duplicates
/// themselves.
pub fn score(groups: &Clustering, pairs: u64, gold: &Gold) -> GroupScores {
    let group: Vec<u32> = (0..gold.documents() as u32)
        .map(|doc| groups.first(doc))
        .collect();
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (doc, &first) in (0u32..).zip(&group) {
        members.entry(first).or_default().push(doc);
    }
    let mut sizes = BTreeMap::new();
    for list in members.values() {
        *sizes.entry(list.len() as u64).or_default() += 1;
    }
    let together: u64 = members.values().map(|m| pairs_among(m.len() as u64)).sum();
    let several: Vec<&Vec<u32>> = members.values().filter(|list| list.len() > 1).collect();
    let pure = several.iter().filter(|list| is_pure(list, gold)).count();
    let labelled = gold.clusters().map(|clusters| {
        let both = clusters.iter().zip(&group);
        let labelled = both.filter_map(|(cluster, &group)| Some(((*cluster)?, group)));
        labelled.unzip::<u32, u32, Vec<u32>, Vec<u32>>()
    });
    GroupScores {
        groups: several.len() as u64,
        largest: sizes.keys().next_back().copied().unwrap_or(0),
        chained_pairs: together.saturating_sub(pairs),
        pure: (!several.is_empty()).then(|| pure as f64 / several.len() as f64),
        adjusted_rand: labelled
            .as_ref()
            .map(|(truth, found)| adjusted_rand(truth, found)),
        b_cubed: labelled
            .as_ref()
            .map(|(truth, found)| b_cubed(truth, found)),
        sizes,
    }
}

fn is_pure(members: &[u32], gold: &Gold) -> bool {
    members.iter().enumerate().all(|(at, &a)| {
        let mut later = members[at + 1..].iter();
        later.all(|&b| gold.judge(a, b) != Some(false))
    })
}

/// Sizes of the classes of two labellings, and of what they have in common.
fn table(truth: &[u32], found: &[u32]) -> [HashMap<(u32, u32), u64>; 3] {
    let mut tables = [HashMap::new(), HashMap::new(), HashMap::new()];
    for (&truth, &found) in truth.iter().zip(found) {
        for (table, key) in tables
            .iter_mut()
            .zip([(truth, 0), (found, 0), (truth, found)])
        {
            *table.entry(key).or_default() += 1;
        }
    }
    tables
}

/// The adjusted Rand index of two labellings: 1 if they are the same, about 0 if
/// they agree as two labellings would by chance.
pub fn adjusted_rand(truth: &[u32], found: &[u32]) -> f64 {
    let pairs = |table: &HashMap<(u32, u32), u64>| -> f64 {
        table.values().map(|&size| pairs_among(size)).sum::<u64>() as f64
    };
    let tables = table(truth, found);
    let [in_truth, in_found, in_both] = tables.each_ref().map(pairs);
    let all = pairs_among(truth.len() as u64) as f64;
    if all == 0.0 {
        return 1.0;
    }
    let by_chance = in_truth * in_found / all;
    let at_most = (in_truth + in_found) / 2.0;
    match at_most - by_chance {
        // Both put everything together, or both keep everything apart.
        0.0 => 1.0,
        room => (in_both - by_chance) / room,
    }
}

/// B-cubed: for each document, how much of its group belongs to its cluster, and
/// how much of its cluster is in its group; then the mean over documents.
pub fn b_cubed(truth: &[u32], found: &[u32]) -> Scores {
    let [in_truth, in_found, in_both] = table(truth, found);
    let (mut precision, mut recall) = (0.0, 0.0);
    let mut cells: Vec<_> = in_both.into_iter().collect();
    // Sums of fractions depend on their order, and a hash map has none.
    cells.sort_unstable();
    for ((truth, found), size) in cells {
        let squared = (size * size) as f64;
        precision += squared / in_found[&(found, 0)] as f64;
        recall += squared / in_truth[&(truth, 0)] as f64;
    }
    match truth.len() as f64 {
        0.0 => Scores::default(),
        count => Scores::of_means(precision / count, recall / count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labellings_agree_whatever_the_names() {
        let (truth, found) = ([0, 0, 1, 1, 2], [7, 7, 3, 3, 9]);
        assert_eq!(adjusted_rand(&truth, &found), 1.0);
        assert_eq!(b_cubed(&truth, &found).f1, 1.0);
    }

    #[test]
    fn extremes_have_known_values() {
        let (truth, single, apart) = ([0, 0, 1, 1], [5, 5, 5, 5], [1, 2, 3, 4]);
        assert_eq!(adjusted_rand(&truth, &single), 0.0);
        assert_eq!(adjusted_rand(&truth, &apart), 0.0);
        assert_eq!(adjusted_rand(&single, &single), 1.0);
        assert_eq!(adjusted_rand(&[], &[]), 1.0);
        let scores = b_cubed(&truth, &single);
        assert_eq!((scores.precision, scores.recall), (0.5, 1.0));
        let scores = b_cubed(&truth, &apart);
        assert_eq!((scores.precision, scores.recall), (1.0, 0.5));
    }
}
