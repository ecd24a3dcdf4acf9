//! What is true: which pairs are near duplicates, which are not, and which
//! are not judged.
//!
//! Labels come as clusters (the usual way), as a list of judged pairs, or as the
//! answer of another method that is taken for the truth. All of them answer the
//! same few questions, so that the measures need not know which it was.

use crate::components::connected;
use std::collections::HashMap;

/// The truth about a collection, by document number.
#[derive(Clone, Debug)]
pub struct Gold {
    truth: Truth,
    positives: u64,
    judged: u64,
}

#[derive(Clone, Debug)]
enum Truth {
    /// Same cluster: a pair. Same group but another cluster: not judged.
    Clusters {
        cluster: Vec<Option<u32>>,
        group: Vec<Option<u32>>,
        /// Members of each cluster, ascending.
        members: Vec<Vec<u32>>,
    },
    /// Only what is listed is judged.
    Listed {
        /// The label of a pair, and its place in the list.
        labels: HashMap<(u32, u32), (bool, u32)>,
        /// True partners of each document, ascending.
        partners: Vec<Vec<u32>>,
    },
    /// What another method found; every other pair is none.
    Reference {
        /// The same for documents that are connected by pairs.
        component: Vec<u32>,
        /// True partners of each document, ascending.
        partners: Vec<Vec<u32>>,
    },
}

impl Gold {
    /// Clusters by name, one entry per document; `None` is a document without a
    /// label. Pairs of one group but different clusters are not judged.
    pub fn from_clusters(clusters: &[Option<&str>], groups: &[Option<&str>]) -> Self {
        let cluster = numbered(clusters);
        let mut group = numbered(groups);
        group.resize(cluster.len(), None);
        let count = cluster.iter().flatten().max().map_or(0, |&last| last + 1);
        let mut members = vec![Vec::new(); count as usize];
        for (doc, cluster) in (0u32..).zip(&cluster) {
            if let Some(cluster) = cluster {
                members[*cluster as usize].push(doc);
            }
        }
        let positives = members.iter().map(|m| pairs_among(m.len() as u64)).sum();
        let labelled: usize = members.iter().map(Vec::len).sum();
        Self {
            judged: pairs_among(labelled as u64) - unjudged(&cluster, &group),
            positives,
            truth: Truth::Clusters {
                cluster,
                group,
                members,
            },
        }
    }

    /// Judged pairs: two documents and whether they are near duplicates. A pair
    /// that is labelled both ways is taken for not judged; such pairs are
    /// returned beside the truth.
    pub fn from_pairs(
        documents: usize,
        pairs: impl IntoIterator<Item = (u32, u32, bool)>,
    ) -> (Self, Vec<(u32, u32)>) {
        let mut labels: HashMap<(u32, u32), (bool, u32)> = HashMap::new();
        let mut contradictions = Vec::new();
        for (at, (a, b, label)) in (0u32..).zip(pairs) {
            let key = (a.min(b), a.max(b));
            let known = labels.entry(key).or_insert((label, at));
            if known.0 != label {
                contradictions.push(key);
            }
        }
        contradictions.sort_unstable();
        contradictions.dedup();
        for key in &contradictions {
            labels.remove(key);
        }
        let positives = labels.iter().filter(|(_, (label, _))| *label);
        let gold = Self {
            positives: positives.clone().count() as u64,
            judged: labels.len() as u64,
            truth: Truth::Listed {
                partners: partners(documents, positives.map(|(&pair, _)| pair)),
                labels,
            },
        };
        (gold, contradictions)
    }

    /// The pairs of a method that is taken for the truth; every other pair of the
    /// collection is none.
    pub fn from_reference(documents: usize, pairs: &[(u32, u32)]) -> Self {
        Self {
            positives: pairs.len() as u64,
            judged: pairs_among(documents as u64),
            truth: Truth::Reference {
                partners: partners(documents, pairs.iter().copied()),
                component: connected(documents, pairs.iter().copied()),
            },
        }
    }

    /// Whether two documents are near duplicates; `None` if they are not judged.
    pub fn judge(&self, a: u32, b: u32) -> Option<bool> {
        match &self.truth {
            Truth::Clusters { cluster, group, .. } => {
                let (x, y) = (cluster[a as usize]?, cluster[b as usize]?);
                let same_group = || {
                    let known = group[a as usize].is_some();
                    known && group[a as usize] == group[b as usize]
                };
                match x == y {
                    true => Some(true),
                    false if same_group() => None,
                    false => Some(false),
                }
            }
            Truth::Listed { labels, .. } => {
                labels.get(&(a.min(b), a.max(b))).map(|&(label, _)| label)
            }
            Truth::Reference { .. } => Some(self.mates(a).binary_search(&b).is_ok()),
        }
    }

    /// Number of true pairs.
    pub fn positives(&self) -> u64 {
        self.positives
    }

    /// Number of pairs that are judged, true or not.
    pub fn judged(&self) -> u64 {
        self.judged
    }

    /// The number of documents, whether labelled or not.
    pub fn documents(&self) -> usize {
        match &self.truth {
            Truth::Clusters { cluster, .. } => cluster.len(),
            Truth::Listed { partners, .. } | Truth::Reference { partners, .. } => partners.len(),
        }
    }

    /// The documents that are true partners of one, ascending. With clusters, the
    /// document itself is among them.
    pub fn mates(&self, doc: u32) -> &[u32] {
        match &self.truth {
            Truth::Clusters {
                cluster, members, ..
            } => cluster[doc as usize].map_or(&[], |cluster| &members[cluster as usize]),
            Truth::Listed { partners, .. } | Truth::Reference { partners, .. } => {
                &partners[doc as usize]
            }
        }
    }

    /// How many true partners a document has.
    pub fn mate_count(&self, doc: u32) -> u64 {
        self.mates(doc).iter().filter(|&&mate| mate != doc).count() as u64
    }

    /// The cluster of each document, where the truth is made of clusters.
    pub fn clusters(&self) -> Option<&[Option<u32>]> {
        match &self.truth {
            Truth::Clusters { cluster, .. } => Some(cluster),
            _ => None,
        }
    }

    /// The two units that a pair belongs to: what is drawn as a whole when
    /// the collection is resampled. Pairs of one cluster depend on each other,
    /// so a cluster is a unit; a list of pairs is a sample of pairs.
    pub(super) fn units(&self, a: u32, b: u32) -> Option<[u32; 2]> {
        match &self.truth {
            Truth::Clusters { cluster, .. } => Some([cluster[a as usize]?, cluster[b as usize]?]),
            Truth::Listed { labels, .. } => labels
                .get(&(a.min(b), a.max(b)))
                .map(|&(_, place)| [place, place]),
            Truth::Reference { component, .. } => {
                Some([component[a as usize], component[b as usize]])
            }
        }
    }

    /// Every true pair once: the first document, then its later partners.
    pub(super) fn each_positive(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.documents() as u32).flat_map(|doc| {
            let mates = self.mates(doc);
            let later = &mates[mates.partition_point(|&mate| mate <= doc)..];
            later.iter().map(move |&mate| (doc, mate))
        })
    }
}

/// Pairs among `count` things.
pub(crate) fn pairs_among(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

/// Names as numbers, in the order of their first use.
fn numbered(names: &[Option<&str>]) -> Vec<Option<u32>> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    names
        .iter()
        .map(|name| {
            let next = numbers.len() as u32;
            name.map(|name| *numbers.entry(name).or_insert(next))
        })
        .collect()
}

/// Pairs of one group but different clusters.
fn unjudged(cluster: &[Option<u32>], group: &[Option<u32>]) -> u64 {
    let mut in_group: HashMap<u32, u64> = HashMap::new();
    let mut in_both: HashMap<(u32, u32), u64> = HashMap::new();
    for (cluster, group) in cluster.iter().zip(group) {
        if let (Some(cluster), Some(group)) = (*cluster, *group) {
            *in_group.entry(group).or_default() += 1;
            *in_both.entry((group, cluster)).or_default() += 1;
        }
    }
    let sum = |counts: &mut dyn Iterator<Item = u64>| counts.map(pairs_among).sum::<u64>();
    sum(&mut in_group.into_values()) - sum(&mut in_both.into_values())
}

fn partners(documents: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Vec<Vec<u32>> {
    let mut partners = vec![Vec::new(); documents];
    for (a, b) in pairs {
        partners[a as usize].push(b);
        partners[b as usize].push(a);
    }
    partners
        .iter_mut()
        .for_each(|list: &mut Vec<u32>| list.sort_unstable());
    partners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brute_force(gold: &Gold, documents: u32) -> (u64, u64) {
        let (mut positives, mut judged) = (0, 0);
        for a in 0..documents {
            for b in a + 1..documents {
                let verdict = gold.judge(a, b);
                assert_eq!(verdict, gold.judge(b, a));
                assert_eq!(verdict == Some(true), gold.mates(a).contains(&b), "{a} {b}");
                positives += u64::from(verdict == Some(true));
                judged += u64::from(verdict.is_some());
            }
        }
        (positives, judged)
    }

    #[test]
    fn clusters_and_groups_judge_what_they_should() {
        let clusters = ["x", "x", "y", "y", "z", "x"].map(Some);
        let groups = [Some("g"), Some("g"), Some("g"), None, Some("h"), None];
        let mut with_gap = clusters.to_vec();
        with_gap.push(None);
        let gold = Gold::from_clusters(&with_gap, &groups);
        assert_eq!(gold.judge(0, 1), Some(true));
        assert_eq!(gold.judge(0, 2), None, "one group, another cluster");
        assert_eq!(gold.judge(0, 3), Some(false));
        assert_eq!(gold.judge(0, 6), None, "no label");
        let counted = brute_force(&gold, 7);
        assert_eq!(counted, (gold.positives(), gold.judged()));
        assert_eq!(gold.mate_count(0), 2);
    }

    #[test]
    fn a_list_judges_what_is_listed() {
        let list = [
            (0, 1, true),
            (2, 0, false),
            (1, 2, true),
            (2, 1, false),
            (1, 0, true),
        ];
        let (gold, contradictions) = Gold::from_pairs(4, list);
        assert_eq!(contradictions, [(1, 2)]);
        assert_eq!(gold.judge(0, 2), Some(false));
        assert_eq!(gold.judge(0, 3), None);
        assert_eq!(brute_force(&gold, 4), (1, 2));
        assert_eq!((gold.positives(), gold.judged()), (1, 2));
    }

    #[test]
    fn a_reference_judges_everything() {
        let gold = Gold::from_reference(4, &[(0, 1), (1, 3)]);
        assert_eq!(brute_force(&gold, 4), (2, 6));
        assert_eq!((gold.positives(), gold.judged()), (2, 6));
        assert_eq!(gold.units(0, 3), Some([0, 0]));
        let seen: Vec<_> = gold.each_positive().collect();
        assert_eq!(seen, [(0, 1), (1, 3)]);
    }
}
