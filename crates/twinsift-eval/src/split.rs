//! Parts of a labelled collection to choose on and to report on.
//!
//! A threshold that was chosen on the very pairs it is judged by looks better
//! than it is. So whole clusters go to one part or the other: train and test
//! never share a cluster. Documents of one group stay together as well, for
//! they are versions of one thing: what clusters and groups connect is one unit.
//! Unlabelled documents are in neither part.
//!
//! Units are split at random ([`by_cluster`]), or by a field of the documents
//! ([`by_field`]), such as the time when they were sent: a detector is trained on what
//! came before. A unit then belongs where its earliest document does. What a unit of the first
//! part has from the time of the second is in neither part: it was not known yet, and it is no
//! fair question, for its cluster was seen.

use crate::components::connected;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use twinsift::hash::{Stream, pair};

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

/// Which units go to the first part, by the values of a field.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cut {
    /// About this share of the units, those with the earliest documents.
    Share(f64),
    /// Those with a document before this value.
    Before(String),
    /// Those with these values only. A unit that has others, too, is in neither part.
    Values(Vec<String>),
}

/// Splits by a field: units (see [`by_cluster`]) are ordered by their documents' values,
/// as numbers if all of them are, else as text (which dates such as 2009-01-05 are made
/// for). Documents without a value are in neither part.
pub fn by_field(
    clusters: &[Option<&str>],
    groups: &[Option<&str>],
    values: &[Option<&str>],
    cut: &Cut,
) -> Split {
    let value = |doc: u32| values.get(doc as usize).copied().flatten();
    let known: Vec<Vec<u32>> = units(clusters, groups)
        .into_iter()
        .map(|unit| {
            unit.into_iter()
                .filter(|&doc| value(doc).is_some())
                .collect()
        })
        .filter(|unit: &Vec<u32>| !unit.is_empty())
        .collect();
    let (mut train, mut test) = (Vec::new(), Vec::new());
    match cut {
        Cut::Values(chosen) => {
            let is_chosen =
                |&&doc: &&u32| chosen.iter().any(|name| Some(name.as_str()) == value(doc));
            for unit in known {
                match unit.iter().filter(is_chosen).count() {
                    0 => test.extend(unit),
                    count if count == unit.len() => train.extend(unit),
                    _ => {}
                }
            }
        }
        Cut::Share(_) | Cut::Before(_) => {
            let before = match cut {
                Cut::Before(before) => Some(before.as_str()),
                _ => None,
            };
            let order = Order::of(values.iter().copied().flatten().chain(before));
            let place = |doc: &u32| order.place(value(*doc).unwrap_or_default());
            let earliest = |unit: &Vec<u32>| unit.iter().map(place).min();
            let from = match (cut, before) {
                (Cut::Share(share), _) => {
                    let mut starts: Vec<_> = known.iter().map(earliest).collect();
                    starts.sort_unstable();
                    let first = (starts.len() as f64 * share).round() as usize;
                    starts.get(first).copied().flatten()
                }
                (_, before) => before.map(|before| order.place(before)),
            };
            for unit in known {
                let is_before = |doc: &u32| from.is_none_or(|from| place(doc) < from);
                match unit.iter().any(is_before) {
                    true => train.extend(unit.into_iter().filter(is_before)),
                    false => test.extend(unit),
                }
            }
        }
    }
    train.sort_unstable();
    test.sort_unstable();
    Split { train, test }
}

/// The order of the values of a field.
struct Order<'a> {
    places: HashMap<&'a str, usize>,
}

impl<'a> Order<'a> {
    /// As numbers if all values are, else as text.
    fn of(values: impl Iterator<Item = &'a str>) -> Self {
        let values: BTreeSet<&str> = values.collect();
        let number = |value: &str| value.trim().parse::<f64>().ok().filter(|n| n.is_finite());
        let numbers: Option<Vec<f64>> = values.iter().map(|value| number(value)).collect();
        let places = match numbers {
            None => values.into_iter().zip(0..).collect(),
            Some(numbers) => {
                let mut sorted = numbers.clone();
                sorted.sort_unstable_by(f64::total_cmp);
                // 7 and 7.0 are one number.
                let place = |number: f64| sorted.partition_point(|&other| other < number);
                let places = numbers.into_iter().map(place);
                values.into_iter().zip(places).collect()
            }
        };
        Self { places }
    }

    fn place(&self, value: &str) -> usize {
        self.places.get(value).copied().unwrap_or(0)
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

    const CAMPAIGNS: [Option<&str>; 7] = [
        Some("a"),
        Some("b"),
        Some("a"),
        Some("c"),
        Some("b"),
        Some("c"),
        None,
    ];

    fn parts(values: &[Option<&str>], cut: Cut) -> [Vec<u32>; 2] {
        let split = by_field(&CAMPAIGNS, &[], values, &cut);
        [split.train, split.test]
    }

    #[test]
    fn the_past_trains_and_what_began_later_tests() {
        let sent = [
            "2009-01-01",
            "2009-01-02",
            "2009-01-07",
            "2009-01-06",
            "2009-01-03",
            "2009-01-09",
            "2009-01-01",
        ]
        .map(Some);
        // The second mail of campaign a came after the cut.
        let expected = [vec![0, 1, 4], vec![3, 5]];
        assert_eq!(parts(&sent, Cut::Before("2009-01-05".into())), expected);
        assert_eq!(parts(&sent, Cut::Share(0.67)), expected);
        assert_eq!(parts(&sent, Cut::Share(0.33)), [vec![0], vec![1, 3, 4, 5]]);
        let nothing_later = parts(&sent, Cut::Before("2010".into()));
        assert_eq!(nothing_later, [vec![0, 1, 2, 3, 4, 5], vec![]]);
        // Groups keep campaigns together.
        let groups = [Some("g"), None, None, Some("g")];
        let cut = Cut::Before("2009-01-05".into());
        let split = by_field(&CAMPAIGNS, &groups, &sent, &cut);
        assert_eq!((split.train, split.test), (vec![0, 1, 4], vec![]));
    }

    #[test]
    fn numbers_are_ordered_as_numbers() {
        let sent = ["9", "10", "11", "100", "10.0", "200", "1"].map(Some);
        assert_eq!(
            parts(&sent, Cut::Before("100".into())),
            [vec![0, 1, 2, 4], vec![3, 5]]
        );
        assert_eq!(
            parts(&sent, Cut::Before("10".into())),
            [vec![0], vec![1, 3, 4, 5]]
        );
    }

    #[test]
    fn values_of_a_field_go_to_one_part_and_mixed_clusters_to_none() {
        let site = [
            Some("x"),
            Some("x"),
            Some("x"),
            Some("y"),
            Some("y"),
            Some("z"),
            None,
        ];
        let cut = |names: &[&str]| Cut::Values(names.iter().map(|&name| name.into()).collect());
        assert_eq!(parts(&site, cut(&["x"])), [vec![0, 2], vec![3, 5]]);
        assert_eq!(parts(&site, cut(&["x", "y"])), [vec![0, 1, 2, 4], vec![]]);
        let missing = [Some("x"), None, None, None, Some("y"), None, None];
        assert_eq!(parts(&missing, cut(&["x"])), [vec![0], vec![4]]);
    }

    #[test]
    fn unlabelled_documents_are_in_neither_part() {
        let split = by_cluster(&[Some("a"), None, Some("b")], &[], 0.5, 1);
        assert_eq!(split.train.len() + split.test.len(), 2);
    }
}
