//! Pairs for verdicts and groups in crowded collections: only some documents look for partners.
//!
//! Documents are taken in order of preference. One that is near enough others that looked for
//! partners is passed over; for verdicts one is enough. So of thousands that are all alike few
//! look for partners. What is found are all pairs of a document that looks for some with those
//! behind it, and what follows from them is the same as from all pairs.
//!
//! Documents look in rounds, side by side. One that turns out to be passed over because of others
//! in its round did so for nothing; if many did, the next round is shorter.
//!
//! Partners may be of any size here, so the index is larger, and the order of documents
//! by size does not help. So the join looks for all pairs first, and changes to this only if
//! a collection turns out to have too many.

use super::Rule;
use super::accumulate::{self, Lists};
use super::index::Index;
use super::prefix::{Partners, Prefixes};
use super::probe::{self, Prober};
use super::size_bands::SizeBand;
use crate::error::Result;
use crate::matching::Job;
use crate::matching::edges::{Edge, EdgeSink};
use crate::matching::wanted::Preference;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Documents in the first round, and in the shortest and the longest one.
const FIRST_ROUND: usize = 16;
const SHORTEST_ROUND: usize = 4;
const LONGEST_ROUND: usize = 4096;

/// Pairs within a band, as many as are needed where a document that is near `enough` preferred
/// ones is passed over. Returns how many were compared.
pub(super) fn within(
    job: &Job<'_>,
    rule: &Rule,
    band: &SizeBand<'_>,
    prefixes: Prefixes,
    (preference, enough): (&Preference, u32),
    sink: &EdgeSink,
) -> Result<u64> {
    let crowd = u64::from(job.settings.crowd) * band.documents() as u64;
    let few = sink.taken().saturating_add(crowd);
    let index = Index::new(job, &prefixes, Partners::Larger)?;
    let compared = match Lists::if_quicker(job, rule, band, &prefixes, &index, sink)? {
        None => probe::within(job, rule, band, &prefixes, &index, few, sink)?,
        Some(lists) => accumulate::within(job, rule, band, &lists, few, sink)?,
    };
    if sink.taken() <= few {
        return Ok(compared);
    }
    drop(index);
    let index = Index::new(job, &prefixes, Partners::Any)?;
    let mut probers: Vec<Prober<'_>> = (0..rayon::current_num_threads())
        .map(|_| Prober::new(job, rule, band, &index, sink))
        .collect();
    let mut order: Vec<usize> = (0..band.documents()).collect();
    order.par_sort_unstable_by_key(|&at| preference.of(band.doc(at)));
    // How many documents that looked for partners each one is near.
    let mut near = vec![0u32; job.classes.len()];
    let mut round_length = FIRST_ROUND;
    let mut rest = order.into_iter();
    loop {
        let looking = rest
            .by_ref()
            .filter(|&at| near[band.doc(at) as usize] < enough);
        let round: Vec<usize> = looking.take(round_length).collect();
        if round.is_empty() {
            return Ok(probers.iter().map(|prober| prober.compared).sum());
        }
        let mut wasted = 0;
        let found = find_partners(rule, band, &prefixes, preference, &mut probers, &round)?;
        for (&at, mut edges) in round.iter().zip(found) {
            let doc = band.doc(at);
            if near[doc as usize] >= enough {
                wasted += 1;
                continue;
            }
            for edge in &edges {
                near[(edge.a ^ edge.b ^ doc) as usize] += 1;
            }
            sink.take(&mut edges)?;
        }
        round_length = match 2 * wasted > round.len() {
            true => (round_length / 2).max(SHORTEST_ROUND),
            false => (round_length * 2).min(LONGEST_ROUND),
        };
    }
}

/// Returns the partners of each document of a round that it is preferred to.
fn find_partners(
    rule: &Rule,
    band: &SizeBand<'_>,
    prefixes: &Prefixes,
    preference: &Preference,
    probers: &mut [Prober<'_>],
    round: &[usize],
) -> Result<Vec<Vec<Edge>>> {
    let next = AtomicUsize::new(0);
    let looks = probers.par_iter_mut().map(|prober| {
        let mut own = Vec::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(&at) = round.get(number) else {
                return Ok(own);
            };
            let (doc, vector) = band.document(at);
            let range = band.within_reach(vector.total, rule.smallest_partner);
            prober.find_groups(prefixes, at);
            prober.probe((doc, vector), at as u32 + 1, range, |other| {
                other != doc && preference.is_before_any(doc, other)
            })?;
            own.push((number, prober.confirmed()?));
        }
    });
    let found: Vec<Vec<(usize, Vec<Edge>)>> = looks.collect::<Result<_>>()?;
    let mut found: Vec<(usize, Vec<Edge>)> = found.into_iter().flatten().collect();
    found.sort_unstable_by_key(|&(number, _)| number);
    Ok(found.into_iter().map(|(_, edges)| edges).collect())
}
