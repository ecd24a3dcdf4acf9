//! Groups whose members are all near duplicates of one of them.
//!
//! Documents with many near duplicates come first. Each one that is a near duplicate of no
//! representative so far becomes one; every other document belongs to the representative that it
//! is most similar to. So a chain A~B~C is one group around B, and a page that resembles two
//! stories does not make one group of them.
//!
//! Of a crowd of thousands that are all alike, [`ENOUGH`] look for near duplicates among those
//! behind them. Edges of which the earlier document does not are not looked at, so they need not
//! be found either.

use super::clustering::Clustering;
use super::graph::Graph;
use super::stars::{Verdict, stars};
use crate::error::Result;
use std::cmp::Reverse;

/// A document that is near so many earlier ones that look for near duplicates looks for none
/// itself.
pub const ENOUGH: u32 = 64;

/// The groups around representatives. With an old collection, each old document is one.
pub(crate) fn representatives(graph: &Graph) -> Result<Clustering> {
    let of_docs = match graph.old_from {
        Some(_) => around_old(graph)?,
        None => around_new(graph)?,
    };
    Ok(Clustering::verified(of_docs))
}

fn around_old(graph: &Graph) -> Result<Vec<(u32, f64)>> {
    let order = super::stars::Order::as_read(graph.len());
    let verdicts = stars(graph, &order)?;
    let of_doc = |(doc, verdict): (u32, Verdict)| match verdict {
        Verdict::Kept => (doc, 1.0),
        Verdict::DuplicateOf { doc, score } => (doc, score),
    };
    Ok((0..).zip(verdicts).map(of_doc).collect())
}

fn around_new(graph: &Graph) -> Result<Vec<(u32, f64)>> {
    let classes = &graph.classes;
    let first = |class: u32| first_member(graph, class);
    let mut order: Vec<u32> = (0..graph.len() as u32)
        .filter(|&doc| classes.is_representative(doc))
        .collect();
    order.sort_by_key(|&class| first(class));
    let edges = Edges::of(graph, &order)?;
    let degrees = edges.degrees(&order)?;
    order.sort_by_key(|&class| Reverse(degrees[class as usize]));
    let mut best: Vec<Option<(u32, f64)>> = vec![None; graph.len()];
    let mut neighbours = Vec::new();
    for &class in &order {
        if best[class as usize].is_some() {
            continue;
        }
        best[class as usize] = Some((class, 1.0));
        edges.neighbours(class, &mut neighbours)?;
        for &(other, score) in &neighbours {
            // Of equal scores the earlier representative's counts.
            let best = &mut best[other as usize];
            if best.is_none_or(|(_, known)| known < score) {
                *best = Some((class, score));
            }
        }
    }
    let of_doc = |doc: u32| match best[classes.representative(doc) as usize] {
        Some((class, score)) if classes.is_judged(doc) => (first(class), score),
        _ => (doc, 1.0),
    };
    Ok((0..graph.len() as u32).map(of_doc).collect())
}

fn first_member(graph: &Graph, class: u32) -> u32 {
    let members = graph.classes.all_members(&class);
    members.first().copied().unwrap_or(class)
}

/// The edges that count.
struct Edges<'a> {
    graph: &'a Graph,
    /// Which classes look for near duplicates behind them.
    looks: Vec<bool>,
}

impl<'a> Edges<'a> {
    /// The edges of classes in the order of their first members.
    fn of(graph: &'a Graph, order: &[u32]) -> Result<Self> {
        let mut near = vec![0; graph.len()];
        let mut all = Self {
            graph,
            looks: vec![true; graph.len()],
        };
        let mut neighbours = Vec::new();
        for &class in order {
            all.looks[class as usize] = near[class as usize] < ENOUGH;
            if all.looks[class as usize] {
                all.neighbours(class, &mut neighbours)?;
                let later = neighbours
                    .iter()
                    .filter(|(other, _)| all.is_before(class, *other));
                later.for_each(|&(other, _)| near[other as usize] += 1);
            }
        }
        Ok(all)
    }

    /// Replaces `out` by the neighbours of a class by edges that count, each once.
    fn neighbours(&self, class: u32, out: &mut Vec<(u32, f64)>) -> Result<()> {
        self.graph.adjacency.neighbours(class, out)?;
        out.dedup_by_key(|&mut (other, _)| other);
        out.retain(|&(other, _)| {
            let earlier = if self.is_before(class, other) {
                class
            } else {
                other
            };
            self.looks[earlier as usize]
        });
        Ok(())
    }

    fn is_before(&self, class: u32, other: u32) -> bool {
        first_member(self.graph, class) < first_member(self.graph, other)
    }

    /// How many near duplicates each class has.
    fn degrees(&self, order: &[u32]) -> Result<Vec<u64>> {
        let mut degrees = vec![0; self.graph.len()];
        let mut neighbours = Vec::new();
        let size = |class: u32| self.graph.classes.all_members(&class).len() as u64;
        for &class in order {
            self.neighbours(class, &mut neighbours)?;
            let of_others = neighbours.iter().map(|&(other, _)| size(other));
            degrees[class as usize] = size(class) + of_others.sum::<u64>();
        }
        Ok(degrees)
    }
}
