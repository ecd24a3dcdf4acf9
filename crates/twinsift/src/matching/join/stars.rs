//! Pairs for verdicts in crowded collections: only documents that stay look for partners.
//!
//! Documents are taken in order of preference. One that is near a document that stays goes;
//! any other one stays. So only those that stay have to look for partners, and of thousands
//! that are all alike one does. What is found are all pairs of a document that stays with
//! those behind it, and the verdicts that follow from them are the same as from all pairs.
//!
//! Documents look in rounds, side by side. One that turns out to go because of another in
//! its round did so for nothing; if many did, the next round is shorter.
//!
//! Partners may be of any size here, so the index is larger, and the order of documents
//! by size does not help. So the join looks for all pairs first, and changes to this only if
//! a collection turns out to have too many.

use super::Rule;
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

/// Pairs within a band, as many as verdicts need. Returns how many were compared.
pub(super) fn within(
    job: &Job<'_>,
    rule: &Rule,
    band: &SizeBand<'_>,
    prefixes: Prefixes,
    preference: &Preference,
    sink: &EdgeSink,
) -> Result<u64> {
    let crowd = u64::from(job.settings.crowd) * band.documents() as u64;
    let enough = sink.taken().saturating_add(crowd);
    let index = Index::new(job, &prefixes, Partners::Larger)?;
    let compared = probe::within(job, rule, band, &prefixes, &index, enough, sink)?;
    if sink.taken() <= enough {
        return Ok(compared);
    }
    drop(index);
    let index = Index::new(job, &prefixes, Partners::Any)?;
    let mut probers: Vec<Prober<'_>> = (0..rayon::current_num_threads())
        .map(|_| Prober::new(job, rule, band, &index, sink))
        .collect();
    let mut order: Vec<usize> = (0..band.documents()).collect();
    order.par_sort_unstable_by_key(|&at| preference.of(band.doc(at)));
    let mut gone = vec![false; job.classes.len()];
    let mut round_length = FIRST_ROUND;
    let mut rest = order.into_iter();
    loop {
        let staying = rest.by_ref().filter(|&at| !gone[band.doc(at) as usize]);
        let round: Vec<usize> = staying.take(round_length).collect();
        if round.is_empty() {
            return Ok(probers.iter().map(|prober| prober.compared).sum());
        }
        let mut wasted = 0;
        let found = find_partners(rule, band, &prefixes, preference, &mut probers, &round)?;
        for (&at, mut edges) in round.iter().zip(found) {
            let doc = band.doc(at);
            if gone[doc as usize] {
                wasted += 1;
                continue;
            }
            for edge in &edges {
                gone[(edge.a ^ edge.b ^ doc) as usize] = true;
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
