//! Every pair at or above a threshold, and no other: the exact join.
//!
//! The idea is the prefix filter of the AllPairs and PPJoin family. Put features
//! into an order that is the same for all documents, the rare ones first. Two
//! similar documents share so much that they must meet near the front of both,
//! in their *prefixes*. So an index of prefixes finds every candidate, and because
//! prefixes hold rare features it finds few others.
//!
//! What usually costs most is to find out which features are rare. Here it is
//! done on a part of each document only, its [`region`], and with small tables
//! that may err in the harmless direction:
//!
//! 1. While documents are read, [`repeats`] notes which region features have been
//!    seen at least twice.
//! 2. [`thin`] drops every document whose region holds too few repeated features
//!    to have a partner. In most collections those are most documents.
//! 3. [`counters`] counts the region features of what is left, and each
//!    document's [`prefix`] is taken from its region, rare features first.
//! 4. [`probe`] takes documents by size; each looks in the [`index`] of prefixes
//!    for smaller ones, and every candidate is compared in full.
//!
//! Where memory is short, documents are cut into bands of similar size
//! ([`band`]), and each band is indexed once and probed by itself and by the bands
//! within reach.

mod band;
mod counters;
mod index;
mod prefix;
mod probe;
pub mod region;
pub mod repeats;
mod thin;

use super::edges::EdgeSink;
use super::{Job, similarity::Similarity};
use crate::collection::store::Store;
use crate::error::Result;
use band::Bands;
use counters::Counters;
use prefix::Prefixes;
use region::Region;
use repeats::Repeats;

/// What the join did, for the summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JoinReport {
    /// Documents that could have a partner.
    pub indexed: u64,
    /// Pairs that were compared in full.
    pub compared: u64,
    /// Bands that the documents were cut into.
    pub bands: u64,
}

/// What is asked for: pairs of at least this similarity.
pub(crate) struct Rule {
    pub(crate) similarity: Similarity,
    pub(crate) threshold: f64,
    pub(crate) region: Region,
}

/// Finds every pair of representatives that fulfils the rule.
pub(crate) fn join(
    job: &Job<'_>,
    rule: &Rule,
    store: Store,
    repeats: Repeats,
    sink: &EdgeSink,
) -> Result<JoinReport> {
    let thinned = thin::thin(job, rule, store, repeats)?;
    let counters = Counters::count(job, rule, &thinned)?;
    let bands = Bands::cut(job, thinned)?;
    let mut report = JoinReport {
        bands: bands.len() as u64,
        ..JoinReport::default()
    };
    for at in 0..bands.len() {
        let band = bands.load(at)?;
        let prefixes = Prefixes::new(rule, &band, &counters);
        let index = index::Index::new(&prefixes);
        report.indexed += band.len() as u64;
        report.compared += probe::within(job, rule, &band, &prefixes, &index, sink)?;
        for later in at + 1..bands.len() {
            if bands.smallest_total(later) * rule.region.smallest_partner() > band.largest_total() {
                break;
            }
            let other = bands.load(later)?;
            let prefixes = Prefixes::new(rule, &other, &counters);
            report.compared += probe::across(job, rule, &band, &index, &other, &prefixes, sink)?;
        }
    }
    Ok(report)
}
