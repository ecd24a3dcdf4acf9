//! Groups and survivors, as far as a task with some of the edges can tell.
//!
//! Nodes are any numbers: a task sees few of them, so that nothing here is as large as the
//! whole collection.

use crate::cluster::representatives::ENOUGH;
use crate::hash::spread;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Hashes a number by [`spread`].
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = spread(self.0 ^ value);
    }

    fn write_i64(&mut self, value: i64) {
        self.write_u64(value as u64);
    }
}

type ByNode<T> = HashMap<i64, T, BuildHasherDefault<Spread>>;
type Nodes = HashSet<i64, BuildHasherDefault<Spread>>;

/// Connected nodes: edges in, and the fewest edges that connect the same nodes out.
#[derive(Default)]
pub struct Contraction {
    slots: ByNode<u32>,
    nodes: Vec<i64>,
    above: Vec<u32>,
}

impl std::fmt::Debug for Contraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Contraction of {} nodes", self.nodes.len())
    }
}

impl Contraction {
    /// Connects two nodes.
    pub fn connect(&mut self, a: i64, b: i64) {
        let (a, b) = (self.slot(a), self.slot(b));
        let (a, b) = (self.root(a), self.root(b));
        // The smaller node is the root, whichever was seen first.
        let (root, other) = match self.nodes[a as usize] <= self.nodes[b as usize] {
            true => (a, b),
            false => (b, a),
        };
        self.above[other as usize] = root;
    }

    /// How many nodes it holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Gives every node that is not the smallest of those it is connected with, and that
    /// smallest one; forgets all.
    pub fn drain(&mut self) -> (Vec<i64>, Vec<i64>) {
        let mut edges = (Vec::new(), Vec::new());
        for slot in 0..self.nodes.len() as u32 {
            let root = self.root(slot);
            if root != slot {
                edges.0.push(self.nodes[slot as usize]);
                edges.1.push(self.nodes[root as usize]);
            }
        }
        *self = Self::default();
        edges
    }

    fn slot(&mut self, node: i64) -> u32 {
        let next = self.nodes.len() as u32;
        let slot = *self.slots.entry(node).or_insert(next);
        if slot == next {
            self.nodes.push(node);
            self.above.push(slot);
        }
        slot
    }

    fn root(&mut self, mut slot: u32) -> u32 {
        loop {
            let above = self.above[slot as usize];
            let higher = self.above[above as usize];
            if above == higher {
                return above;
            }
            self.above[slot as usize] = higher;
            slot = higher;
        }
    }
}

/// Two near-duplicate classes of equal documents, by ranks in the order of preference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedEdge {
    /// The class whose best document is preferred, by the rank of that document: its head.
    pub first: i64,
    /// The other class, by the rank of its head.
    pub second: i64,
    /// Their similarity.
    pub score: f64,
    /// The rank of the last document of the first class.
    pub last_of_first: i64,
}

/// That a class goes, and in favour of which.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Favour {
    /// The class that goes.
    pub node: i64,
    /// A class that stays. Documents of the other one go for this one's head if they are
    /// behind it in the order of preference, and behind no such head with a higher score.
    pub keeper: i64,
    /// Their similarity.
    pub score: f64,
}

/// The nodes that look for no near duplicates behind them, as groups around
/// [representatives](crate::cluster::representatives) have it, when given every edge: those that
/// are near [`ENOUGH`] earlier ones that do. Of an edge, the earlier node stands first.
pub fn passed_over(mut edges: Vec<(i64, i64)>) -> Vec<i64> {
    edges.sort_unstable();
    let mut near = ByNode::<u32>::default();
    for of_node in edges.chunk_by(|x, y| x.0 == y.0) {
        let looks = near.get(&of_node[0].0).is_none_or(|&near| near < ENOUGH);
        for &(_, later) in of_node.iter().filter(|_| looks) {
            *near.entry(later).or_default() += 1;
        }
    }
    let mut passed: Vec<i64> = (near.into_iter())
        .filter_map(|(node, near)| (near >= ENOUGH).then_some(node))
        .collect();
    passed.sort_unstable();
    passed
}

/// Decides which classes stay, as [`stars`](crate::Matches::dedup) does, when given every edge of
/// some connected classes.
///
/// The first answer for a class is about its head. More follow if heads of other classes stand
/// between its documents and are more similar to them.
pub fn decide(mut edges: Vec<RankedEdge>) -> Vec<Favour> {
    edges.sort_unstable_by_key(|edge| (edge.second, edge.first));
    let mut gone = Nodes::default();
    let mut favours: Vec<Favour> = Vec::new();
    for of_node in edges.chunk_by(|a, b| a.second == b.second) {
        let mut best: Option<&RankedEdge> = None;
        // In order of preference: of equal scores the first is taken.
        for edge in of_node.iter().filter(|edge| !gone.contains(&edge.first)) {
            if best.is_none_or(|best| edge.score.total_cmp(&best.score).is_gt()) {
                best = Some(edge);
            }
        }
        if let Some(edge) = best {
            gone.insert(edge.second);
            favours.push(Favour {
                node: edge.second,
                keeper: edge.first,
                score: edge.score,
            });
        }
    }
    edges.retain(|edge| {
        edge.second < edge.last_of_first
            && gone.contains(&edge.first)
            && !gone.contains(&edge.second)
    });
    drop(gone);
    edges.sort_unstable_by_key(|edge| (edge.first, edge.second));
    let heads = favours.len();
    for later in edges.chunk_by(|a, b| a.first == b.first) {
        let node = later[0].first;
        let at = favours[..heads].partition_point(|favour| favour.node < node);
        let mut best = favours[at].score;
        for edge in later {
            if edge.score.total_cmp(&best).is_gt() {
                best = edge.score;
                favours.push(Favour {
                    node,
                    keeper: edge.second,
                    score: edge.score,
                });
            }
        }
    }
    favours
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn of_a_crowd_only_some_look() {
        let count = i64::from(ENOUGH) + 6;
        let crowd = |from| (from..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)));
        assert_eq!(
            passed_over(crowd(0).collect()),
            Vec::from_iter(count - 6..count)
        );
        assert!(passed_over(crowd(6).collect()).is_empty());
    }

    proptest! {
        #[test]
        fn contraction_connects_what_the_edges_connect(
            edges in prop::collection::vec((-20i64..20, -20i64..20), 0..60),
            at in 0usize..60,
        ) {
            let mut whole = Contraction::default();
            edges.iter().for_each(|&(a, b)| whole.connect(a, b));
            let mut in_two = Contraction::default();
            let (left, right) = edges.split_at(at.min(edges.len()));
            for part in [left, right] {
                let mut contraction = Contraction::default();
                part.iter().for_each(|&(a, b)| contraction.connect(a, b));
                let (nodes, roots) = contraction.drain();
                prop_assert!(contraction.is_empty());
                nodes.iter().zip(&roots).for_each(|(&a, &b)| in_two.connect(a, b));
            }
            let labels = |contraction: &mut Contraction| -> BTreeMap<i64, i64> {
                let (nodes, roots) = contraction.drain();
                nodes.into_iter().zip(roots).collect()
            };
            let labels = (labels(&mut whole), labels(&mut in_two));
            prop_assert_eq!(&labels.0, &labels.1);
            let label = |node| *labels.0.get(&node).unwrap_or(&node);
            for &(a, b) in &edges {
                prop_assert_eq!(label(a), label(b));
                prop_assert!(label(a) <= a && label(label(a)) == label(a));
            }
        }

        /// Against the rule as it is written, for each document of each class.
        #[test]
        fn decisions_are_those_of_one_document_after_the_other(
            class_of in prop::collection::vec(0usize..8, 1..24),
            drawn in prop::collection::btree_map((0usize..8, 0usize..8), 1u8..4, 0..24),
        ) {
            let docs: Vec<usize> = (0..class_of.len()).collect();
            let head = |class| docs.iter().find(|&&doc| class_of[doc] == class);
            let last = |class| docs.iter().rfind(|&&doc| class_of[doc] == class);
            let mut scores = BTreeMap::new();
            let mut edges = Vec::new();
            for (&(x, y), &score) in drawn.iter().filter(|((x, y), _)| x < y) {
                let score = f64::from(score) / 4.0;
                let (Some(&a), Some(&b)) = (head(x), head(y)) else { continue };
                let first = if a < b { x } else { y };
                scores.extend([((x, y), score), ((y, x), score)]);
                edges.push(RankedEdge {
                    first: a.min(b) as i64,
                    second: a.max(b) as i64,
                    score,
                    last_of_first: last(first).map_or(0, |&doc| doc as i64),
                });
            }
            let favours = decide(edges);
            let mut kept: BTreeMap<usize, usize> = BTreeMap::new();
            for &doc in &docs {
                let class = class_of[doc];
                let expected = kept
                    .iter()
                    .filter_map(|(&other, &keeper)| {
                        let score = match other == class {
                            true => 1.0,
                            false => *scores.get(&(class, other))?,
                        };
                        Some((keeper, score))
                    })
                    .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
                if expected.is_none() {
                    kept.insert(class, doc);
                }
                let own = head(class).map_or(0, |&doc| doc as i64);
                let found = favours
                    .iter()
                    .rfind(|favour| favour.node == own && favour.keeper < doc as i64)
                    .map(|favour| (favour.keeper as usize, favour.score));
                let found = match found {
                    None if own < doc as i64 => Some((own as usize, 1.0)),
                    found => found,
                };
                prop_assert_eq!(found, expected);
            }
        }
    }
}
