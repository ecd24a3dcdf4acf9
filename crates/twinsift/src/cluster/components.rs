//! Connected components: documents that are connected by pairs.

use super::graph::Graph;
use super::stars::Verdict;
use crate::error::Result;
use crate::matching::forest::Forest;
use std::collections::HashSet;

/// The group of each document. A group is named by its first member; a star by the one
/// that all others are near duplicates of, which is the first too unless it is old.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clustering {
    first: Vec<u32>,
    sizes: Vec<u32>,
}

impl Clustering {
    fn new(first: Vec<u32>) -> Self {
        let mut sizes = vec![0; first.len()];
        for &group in &first {
            sizes[group as usize] += 1;
        }
        Self { first, sizes }
    }

    pub(crate) fn from_verdicts(verdicts: &[Verdict]) -> Self {
        let centre = |(doc, verdict): (u32, &Verdict)| match *verdict {
            Verdict::Kept => doc,
            Verdict::DuplicateOf { doc, .. } => doc,
        };
        Self::new((0..).zip(verdicts).map(centre).collect())
    }

    /// The member that a document's group is named by.
    pub fn first(&self, doc: u32) -> u32 {
        self.first[doc as usize]
    }

    /// How many documents its group has.
    pub fn size(&self, doc: u32) -> u32 {
        self.sizes[self.first[doc as usize] as usize]
    }

    /// Number of groups with at least two members.
    pub fn groups(&self) -> usize {
        self.sizes.iter().filter(|&&size| size > 1).count()
    }

    /// Members of the largest group.
    pub fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(0)
    }

    /// Number of documents in groups of at least two.
    pub fn grouped(&self) -> usize {
        self.sizes
            .iter()
            .filter(|&&size| size > 1)
            .map(|&size| size as usize)
            .sum()
    }
}

pub(crate) fn components(graph: &Graph) -> Result<Clustering> {
    let forest = Forest::new(graph.len());
    let mut joined = HashSet::new();
    let mut neighbours = Vec::new();
    for doc in 0..graph.len() as u32 {
        if !graph.classes.is_representative(doc) {
            continue;
        }
        graph.adjacency.neighbours(doc, &mut neighbours)?;
        neighbours.retain(|&(other, _)| other > doc);
        neighbours.push((doc, 1.0));
        for &(other, _) in &neighbours {
            connect(graph, doc, other, &forest, &mut joined);
        }
    }
    let first = (0..graph.len() as u32)
        .map(|doc| forest.find(doc))
        .collect();
    Ok(Clustering::new(first))
}

/// Joins the members of two classes (or of one) that pair with each other: all
/// of them, or with an old collection the new ones of each with the old ones of
/// the other.
fn connect(graph: &Graph, x: u32, y: u32, forest: &Forest, joined: &mut HashSet<(u32, bool)>) {
    let part = |class: u32, old: bool| {
        let all = graph.classes.members(class);
        let members = if all.is_empty() {
            std::slice::from_ref(&class)
        } else {
            all
        };
        let split = match graph.old_from {
            None => members.len(),
            Some(from) => members.partition_point(|&member| member < from),
        };
        let members = if old {
            &members[split..]
        } else {
            &members[..split]
        };
        (members.first().copied(), members.to_vec(), (class, old))
    };
    let sides: &[(bool, bool)] = match graph.old_from {
        None => &[(false, false)],
        Some(_) => &[(false, true), (true, false)],
    };
    for &(old_x, old_y) in sides {
        let (first_x, members_x, key_x) = part(x, old_x);
        let (first_y, members_y, key_y) = part(y, old_y);
        let (Some(first_x), Some(first_y)) = (first_x, first_y) else {
            continue;
        };
        for (key, first, members) in [(key_x, first_x, members_x), (key_y, first_y, members_y)] {
            if members.len() > 1 && joined.insert(key) {
                members
                    .iter()
                    .for_each(|&member| _ = forest.union(first, member));
            }
        }
        forest.union(first_x, first_y);
    }
}
