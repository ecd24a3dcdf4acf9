//! Connected components of labelled pairs.

use twinsift::matching::forest::Forest;

/// The connected component of each document, named by its first member.
pub(crate) fn connected(documents: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let forest = Forest::new(documents);
    pairs.for_each(|(a, b)| _ = forest.union(a, b));
    (0..documents as u32).map(|doc| forest.find(doc)).collect()
}
