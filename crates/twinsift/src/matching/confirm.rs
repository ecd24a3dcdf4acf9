//! Decides about pairs that a join found as candidates, by more than the join compared.

use super::edges::Edge;
use super::lsh::BlockPositions;
use crate::collection::store::{BlockReader, Store};
use crate::detector::Detector;
use crate::error::Result;

/// Confirms candidates by a detector.
#[derive(Debug)]
pub(crate) struct Confirmer {
    detector: Detector,
    /// The profiles of all documents.
    store: Store,
    positions: BlockPositions,
}

impl Confirmer {
    /// A confirmer of pairs of `documents` documents, whose profiles are in `store`.
    pub(crate) fn new(detector: Detector, store: Store, documents: usize) -> Result<Self> {
        Ok(Self {
            detector,
            positions: BlockPositions::new(&store, documents)?,
            store,
        })
    }

    /// Leaves the edges whose pairs are near duplicates, with their scores.
    pub(super) fn confirm(&self, edges: &mut Vec<Edge>) -> Result<()> {
        if self.store.spilled_bytes() > 0 {
            // A block on disk is read once for all that is compared with it.
            let block = |doc| self.positions.of(doc).0;
            edges.sort_unstable_by_key(|edge| (block(edge.a), block(edge.b), edge.a, edge.b));
        }
        let mut readers = [BlockReader::new(&self.store), BlockReader::new(&self.store)];
        let mut confirmed = Vec::new();
        for edge in edges.drain(..) {
            let [(x, at_x), (y, at_y)] = [edge.a, edge.b].map(|doc| self.positions.of(doc));
            let [left, right] = &mut readers;
            let (a, b) = (left.at(x)?.vector(at_x), right.at(y)?.vector(at_y));
            if let Some(score) = self.detector.reaching(a, b) {
                confirmed.push(Edge { score, ..edge });
            }
        }
        *edges = confirmed;
        Ok(())
    }
}
