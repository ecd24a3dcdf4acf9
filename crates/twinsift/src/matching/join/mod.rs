//! Every pair at or above a threshold, and no other: the exact join.
//!
//! The idea is the prefix filter of the AllPairs and PPJoin family. Put the
//! features of all documents into one common order, the rare ones first. Two
//! similar documents share so much that the first feature they share stands near
//! the front of both: in their *prefixes*. So an index of prefixes finds every
//! candidate, and because prefixes hold rare features it finds few others.
//!
//! The order need not be exact, only the same for all; so no feature is ever
//! counted exactly or given a number. Four passes over the documents, each in
//! parallel, each over blocks that may be on disk:
//!
//! 1. While documents are read, [`repeats`] notes which features have been seen
//!    at least twice. It may take a feature for repeated that is not, never the
//!    other way round.
//! 2. [`thin`]: features seen once are dropped, for nothing can be shared
//!    through them; a document that has too little mass left can have no partner
//!    and goes altogether. In most collections that ends the matter for most
//!    documents.
//! 3. [`rank`]: what is left is counted again, finer, and each document's
//!    features are put in order of these counts.
//! 4. [`probe`]: documents are taken by size; each looks in the [`index`] of
//!    prefixes for smaller ones, and candidates that survive the bounds are
//!    compared in full.
//!
//! Where memory is short, documents are cut into bands of similar size, and each
//! band is indexed once and probed by itself and by the bands within reach.

mod band;
mod index;
mod probe;
mod rank;
pub mod repeats;
mod thin;

use super::edges::EdgeSink;
use super::{Job, similarity::Similarity};
use crate::collection::store::Store;
use crate::error::Result;
use repeats::Repeats;

/// What the join did, for the summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JoinReport {
    /// Documents that were left after features seen once were dropped.
    pub indexed: u64,
    /// Pairs that were compared in full.
    pub compared: u64,
    /// Bands that the documents were cut into.
    pub bands: u64,
}

/// Finds every pair of representatives that reaches `threshold`.
pub(crate) fn join(
    job: &Job<'_>,
    similarity: Similarity,
    threshold: f64,
    store: Store,
    repeats: Repeats,
    sink: &EdgeSink,
) -> Result<JoinReport> {
    let reach = similarity.reach(threshold);
    let thinned = thin::thin(job, similarity, reach, store, repeats)?;
    let ranked = rank::rank(job, similarity, reach, thinned)?;
    let mut report = JoinReport {
        bands: ranked.bands.len() as u64,
        ..JoinReport::default()
    };
    for at in 0..ranked.bands.len() {
        let band = ranked.load(at)?;
        report.indexed += band.len() as u64;
        let rule = probe::Rule {
            similarity,
            threshold,
            reach,
            smallest_partner: similarity.smallest_partner(threshold, band.is_weighted()),
        };
        let index = index::Index::new(&band, similarity, threshold);
        report.compared += probe::within(job, &rule, &band, &index, sink)?;
        for later in at + 1..ranked.bands.len() {
            if ranked.smallest_total(later) * rule.smallest_partner > band.largest_total() {
                break;
            }
            let other = ranked.load(later)?;
            report.compared += probe::across(job, &rule, &band, &index, &other, sink)?;
        }
    }
    Ok(report)
}
