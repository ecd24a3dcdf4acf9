//! From candidates to pairs.
//!
//! Documents look for partners that are no larger than themselves, so each pair
//! is met from one side only; and however often two documents meet, they are
//! compared once, at once, and in full. A comparison stops as soon as too much
//! turns out not to be shared.

use super::Rule;
use super::band::Band;
use super::index::Index;
use super::prefix::Prefixes;
use crate::collection::block::Vector;
use crate::error::Result;
use crate::matching::edges::{Edge, EdgeSink};
use crate::matching::{Job, similarity::Similarity};
use crate::parallel;

/// Documents that a thread takes at a time.
const CHUNK: usize = 128;

/// Groups longer than this are entered by bisection.
const LONG_GROUP: usize = 32;

/// Pairs within a band. Returns how many were compared.
pub(super) fn within(
    job: &Job<'_>,
    rule: &Rule,
    band: &Band,
    prefixes: &Prefixes,
    index: &Index,
    sink: &EdgeSink,
) -> Result<u64> {
    let prober = || Prober::new(job, rule, band, index);
    run(prober, band, prefixes, |probe| probe, sink)
}

/// Pairs of a document of `band` with a larger one of `other`.
pub(super) fn across(
    job: &Job<'_>,
    rule: &Rule,
    band: &Band,
    index: &Index,
    other: &Band,
    prefixes: &Prefixes,
    sink: &EdgeSink,
) -> Result<u64> {
    let prober = || Prober::new(job, rule, band, index);
    run(prober, other, prefixes, |_| band.len(), sink)
}

/// Lets every document of `probes` look for partners among the first
/// `limit(document)` documents of the prober's band.
fn run<'a>(
    prober: impl Fn() -> Prober<'a> + Sync,
    probes: &Band,
    prefixes: &Prefixes,
    limit: impl Fn(usize) -> usize + Sync,
    sink: &EdgeSink,
) -> Result<u64> {
    parallel::share_out(
        probes.len(),
        CHUNK,
        prober,
        |prober, range| {
            for at in range {
                let prefix = prefixes.of(at);
                prober.probe(
                    probes.doc(at),
                    probes.vector(at),
                    prefix,
                    at as u32 + 1,
                    limit(at),
                );
            }
            sink.extend(&mut prober.found)
        },
        |prober| prober.compared,
    )
}

struct Prober<'a> {
    job: &'a Job<'a>,
    rule: &'a Rule,
    band: &'a Band,
    index: &'a Index,
    /// For each document of the band the last one that met it, as a stamp.
    met: Vec<u32>,
    compared: u64,
    found: Vec<Edge>,
}

impl<'a> Prober<'a> {
    fn new(job: &'a Job<'a>, rule: &'a Rule, band: &'a Band, index: &'a Index) -> Self {
        Self {
            job,
            rule,
            band,
            index,
            met: vec![0; band.len()],
            compared: 0,
            found: Vec::new(),
        }
    }

    fn probe(&mut self, doc: u32, vector: Vector<'_>, prefix: &[u64], stamp: u32, limit: usize) {
        let smallest = self.rule.region.smallest_partner() * vector.total;
        let first = self.band.first_of_total(smallest) as u32;
        for &key in prefix {
            let (mut group, tag) = self.index.group(key);
            if group.len() > LONG_GROUP {
                group = &group[group.partition_point(|posting| posting.at < first)..];
            }
            for posting in group {
                let partner = posting.at as usize;
                if partner >= limit {
                    break;
                }
                if posting.tag != tag || posting.at < first || self.met[partner] == stamp {
                    continue;
                }
                self.met[partner] = stamp;
                if self.job.may_pair(doc, self.band.doc(partner)) {
                    self.compared += 1;
                    self.compare(doc, vector, partner);
                }
            }
        }
    }

    fn compare(&mut self, doc: u32, x: Vector<'_>, partner: usize) {
        let Rule {
            similarity,
            threshold,
            ..
        } = *self.rule;
        let y = self.band.vector(partner);
        let required = similarity.required(threshold, x.total, self.band.total(partner));
        let shared = match x.weights.is_empty() {
            true => shared_features(x.values, y.values, required).map(|shared| shared as f64),
            false => shared_mass(similarity, x, y, required),
        };
        let Some(shared) = shared else { return };
        let score = similarity.score(shared, x.total, y.total);
        if shared > 0.0 && score >= threshold {
            self.found
                .push(Edge::new(doc, self.band.doc(partner), score));
        }
    }
}

/// Counts common features; `None` as soon as `required` is out of reach.
fn shared_features(x: &[u64], y: &[u64], required: f64) -> Option<usize> {
    let required = required.ceil() as usize;
    // How many features of each side may still turn out not to be shared.
    let mut spare_x = x.len().checked_sub(required)?;
    let mut spare_y = y.len().checked_sub(required)?;
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        let (a, b) = (x[i], y[j]);
        if a == b {
            shared += 1;
            i += 1;
            j += 1;
        } else if a < b {
            i += 1;
            spare_x = spare_x.checked_sub(1)?;
        } else {
            j += 1;
            spare_y = spare_y.checked_sub(1)?;
        }
    }
    Some(shared)
}

/// Adds up what is shared; `None` as soon as `required` is out of reach.
fn shared_mass(similarity: Similarity, x: Vector<'_>, y: Vector<'_>, required: f64) -> Option<f64> {
    // Left over by rounding, a little mass may seem to be missing at the end.
    let required = required * (1.0 - 1e-7);
    let (mut rest_x, mut rest_y) = (x.total, y.total);
    let (mut i, mut j, mut shared) = (0, 0, 0.0);
    while i < x.values.len() && j < y.values.len() {
        let (a, b) = (x.values[i], y.values[j]);
        let (weight_x, weight_y) = (x.weight(i), y.weight(j));
        if a == b {
            shared += similarity.common(weight_x, weight_y);
        }
        if a <= b {
            i += 1;
            rest_x -= similarity.mass(weight_x);
        }
        if b <= a {
            j += 1;
            rest_y -= similarity.mass(weight_y);
        }
        let possible = similarity.most_shared(rest_x.max(0.0), rest_y.max(0.0));
        if shared + possible < required {
            return None;
        }
    }
    Some(shared)
}
