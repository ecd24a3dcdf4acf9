//! Connected components: documents that are connected by pairs.

use super::clustering::Clustering;
use super::graph::Graph;
use crate::error::Result;
use crate::matching::forest::Forest;
use std::collections::HashSet;

pub(crate) fn components(graph: &Graph) -> Result<Clustering> {
    let forest = Forest::new(graph.len());
    let mut joined = HashSet::new();
    let mut neighbours = Vec::new();
    let mut verified = graph.adjacency.connected_pairs().unwrap_or(0);
    for doc in 0..graph.len() as u32 {
        if !graph.classes.is_representative(doc) {
            continue;
        }
        graph.adjacency.neighbours(doc, &mut neighbours)?;
        neighbours.retain(|&(other, _)| other > doc);
        neighbours.push((doc, 1.0));
        for &(other, _) in &neighbours {
            if other == doc || graph.adjacency.connected_pairs().is_none() {
                verified += graph.pairs_between(doc, other);
            }
            connect(graph, doc, other, &forest, &mut joined);
        }
    }
    let first = (0..graph.len() as u32)
        .map(|doc| forest.find(doc))
        .collect();
    Ok(Clustering::connected(first, verified))
}

/// Joins the members of two classes (or of one) that pair with each other: all
/// of them, or with an old collection the new ones of each with the old ones of
/// the other.
fn connect(graph: &Graph, x: u32, y: u32, forest: &Forest, joined: &mut HashSet<(u32, bool)>) {
    let part = |class: u32, old: bool| {
        let members = graph.classes.all_members(&class);
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
