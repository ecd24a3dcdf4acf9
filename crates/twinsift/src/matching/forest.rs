//! Union-find that any number of threads may use at once.
//!
//! Every tree is named by its smallest member, in whatever order trees are joined. A tree
//! only ever grows, so an outdated answer errs towards *not joined*.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Documents in groups that are joined two at a time.
#[derive(Debug)]
pub struct Forest(Vec<AtomicU32>);

impl Forest {
    /// Every document by itself.
    pub fn new(size: usize) -> Self {
        Self((0..size as u32).map(AtomicU32::new).collect())
    }

    /// The smallest member of a document's group.
    pub fn find(&self, mut doc: u32) -> u32 {
        loop {
            let above = self.0[doc as usize].load(Relaxed);
            let higher = self.0[above as usize].load(Relaxed);
            if above == higher {
                return above;
            }
            // What is above stays above, so an outdated value does no harm.
            self.0[doc as usize].store(higher, Relaxed);
            doc = higher;
        }
    }

    /// Joins two groups; `false` if they are one already.
    pub fn union(&self, a: u32, b: u32) -> bool {
        loop {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                return false;
            }
            let larger = &self.0[a.max(b) as usize];
            // It fails if another thread has joined that one meanwhile.
            let joined = larger.compare_exchange(a.max(b), a.min(b), Relaxed, Relaxed);
            if joined.is_ok() {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn groups_are_named_by_their_smallest_members_from_any_thread() {
        let forest = Forest::new(10_000);
        let joined: usize = (0..10_000u32)
            .into_par_iter()
            .map(|doc| usize::from(doc >= 7 && forest.union(doc, doc - 7)))
            .sum();
        assert_eq!(joined, 10_000 - 7);
        assert!((0..10_000).all(|doc| forest.find(doc) == doc % 7));
        assert!(!forest.union(0, 7));
    }
}
