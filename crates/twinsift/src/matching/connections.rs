//! What is connected by pairs, and by how many, without keeping them.

use super::edges::Edge;
use super::forest::Forest;
use crate::collection::classes::Classes;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Connects documents by edges from any thread.
#[derive(Debug)]
pub(crate) struct Connections {
    forest: Forest,
    /// How many new documents each class has, and how many in all.
    sizes: Vec<[u32; 2]>,
    old_from: Option<u32>,
    pairs: AtomicU64,
}

impl Connections {
    pub(crate) fn new(classes: &Classes, old_from: Option<u32>) -> Self {
        let mut sizes = vec![[0, 0]; classes.len()];
        for doc in 0..classes.len() as u32 {
            let size = &mut sizes[classes.representative(doc) as usize];
            size[0] += u32::from(old_from.is_none_or(|from| doc < from));
            size[1] += 1;
        }
        Self {
            forest: Forest::new(classes.len()),
            sizes,
            old_from,
            pairs: AtomicU64::new(0),
        }
    }

    /// Leaves those edges that connect something new, and counts the pairs of documents that all
    /// of them stand for.
    pub(super) fn connect(&self, edges: &mut Vec<Edge>) {
        let pairs = edges.iter().map(|edge| self.pairs_of(edge)).sum();
        self.pairs.fetch_add(pairs, Relaxed);
        edges.retain(|edge| self.forest.union(edge.a, edge.b));
    }

    /// The pairs of documents that an edge between two classes stands for.
    fn pairs_of(&self, edge: &Edge) -> u64 {
        let [x, y] = [edge.a, edge.b].map(|class| self.sizes[class as usize].map(u64::from));
        match self.old_from {
            None => x[1] * y[1],
            Some(_) => x[0] * (y[1] - y[0]) + y[0] * (x[1] - x[0]),
        }
    }

    /// How many pairs were counted.
    pub(super) fn pairs(&self) -> u64 {
        self.pairs.load(Relaxed)
    }
}
