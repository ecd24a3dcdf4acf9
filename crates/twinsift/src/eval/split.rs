//! Parts of a labelled collection to choose on and to report on.
//!
//! A threshold that was chosen on the very pairs it is judged by looks better
//! than it is. So whole clusters go to one part or the other: train and test
//! never share a cluster. Documents of one group stay together as well, for
//! they are versions of one thing: what clusters and groups connect is one unit.
//! Unlabelled documents are in neither part.

use super::partition::connected;
use crate::hash::{Stream, pair};
use std::collections::{BTreeMap, HashMap};

/// Two parts of a collection, by document number, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// To choose on.
    pub train: Vec<u32>,
    /// To report on.
    pub test: Vec<u32>,
}

/// Splits by cluster (and by group, where there is one), with about a share of
/// `train` of the clusters in the first part. The same seed gives the same split.
pub fn by_cluster(
    clusters: &[Option<&str>],
    groups: &[Option<&str>],
    train: f64,
    seed: u64,
) -> Split {
    let mut units: Vec<Vec<u32>> = units(clusters, groups);
    Stream::new(pair(seed, SPLIT)).shuffle(&mut units);
    let first = (units.len() as f64 * train).round() as usize;
    let gather = |units: &[Vec<u32>]| {
        let mut docs = units.concat();
        docs.sort_unstable();
        docs
    };
    let first = first.min(units.len());
    Split {
        train: gather(&units[..first]),
        test: gather(&units[first..]),
    }
}

/// Labelled documents by what clusters and groups connect, ordered by the first.
fn units(clusters: &[Option<&str>], groups: &[Option<&str>]) -> Vec<Vec<u32>> {
    let mut first_of_cluster: HashMap<&str, u32> = HashMap::new();
    let mut first_of_group: HashMap<&str, u32> = HashMap::new();
    let mut links = Vec::new();
    let mut labelled = Vec::new();
    for (doc, cluster) in (0u32..).zip(clusters) {
        let Some(cluster) = cluster else { continue };
        labelled.push(doc);
        links.push((doc, *first_of_cluster.entry(cluster).or_insert(doc)));
        if let Some(group) = groups.get(doc as usize).copied().flatten() {
            links.push((doc, *first_of_group.entry(group).or_insert(doc)));
        }
    }
    let component = connected(clusters.len(), links.into_iter());
    let mut units: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for doc in labelled {
        units.entry(component[doc as usize]).or_default().push(doc);
    }
    units.into_values().collect()
}

/// Sets the numbers of a split apart from others drawn with the same seed.
const SPLIT: u64 = 0x5350_4c49;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn parts_never_share_a_cluster_or_a_group() {
        let clusters: Vec<String> = (0..90).map(|doc| format!("c{}", doc / 3)).collect();
        let groups: Vec<String> = (0..90).map(|doc| format!("g{}", doc / 6)).collect();
        let view = |names: &'_ [String]| -> Vec<Option<String>> {
            names.iter().map(|name| Some(name.clone())).collect()
        };
        let (clusters, groups) = (view(&clusters), view(&groups));
        let as_str = |names: &[Option<String>]| -> Vec<Option<&'static str>> {
            let leak = |name: &String| -> &'static str { name.clone().leak() };
            names.iter().map(|name| name.as_ref().map(leak)).collect()
        };
        let (clusters, groups) = (as_str(&clusters), as_str(&groups));
        let mut seen = HashSet::new();
        for seed in 0..20 {
            let split = by_cluster(&clusters, &groups, 0.4, seed);
            assert_eq!(split, by_cluster(&clusters, &groups, 0.4, seed));
            assert_eq!(split.train.len() + split.test.len(), 90);
            assert_eq!(split.train.len(), 36);
            let names = |docs: &[u32]| -> HashSet<_> {
                docs.iter().map(|&doc| groups[doc as usize]).collect()
            };
            assert!(names(&split.train).is_disjoint(&names(&split.test)));
            seen.insert(split.train);
        }
        assert!(seen.len() > 15, "seeds make different splits");
    }

    #[test]
    fn a_cluster_that_spans_groups_keeps_them_together() {
        let clusters: Vec<Option<&str>> = ["a", "a", "b", "b", "g1"].map(Some).to_vec();
        let groups = [Some("g1"), Some("g2"), Some("g2"), Some("g3"), None];
        for seed in 0..20 {
            let split = by_cluster(&clusters, &groups, 0.5, seed);
            let mut sizes = [split.train.len(), split.test.len()];
            sizes.sort_unstable();
            assert_eq!(sizes, [1, 4], "{split:?}");
        }
    }

    #[test]
    fn unlabelled_documents_are_in_neither_part() {
        let split = by_cluster(&[Some("a"), None, Some("b")], &[], 0.5, 1);
        assert_eq!(split.train.len() + split.test.len(), 2);
    }
}
