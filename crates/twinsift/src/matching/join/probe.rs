//! From candidates to pairs.
//!
//! Documents look for partners that are no larger than themselves, so each pair
//! is met from one side only. The prefixes are scanned in the common order, hence
//! the first feature at which two similar documents meet is the first that they
//! share: everything before it is known to differ, and the masses from there on
//! bound what they can share. Most candidates fall to that bound; the others are
//! compared at once, from that feature on, and never looked at again.

use super::band::{Band, VALUE_MASK};
use super::index::{Index, prefix};
use crate::collection::block::Vector;
use crate::error::Result;
use crate::matching::edges::{Edge, EdgeSink};
use crate::matching::{Job, similarity::Similarity};
use crate::parallel;

/// Documents that a thread takes at a time.
const CHUNK: usize = 128;

/// Groups longer than this are entered by bisection.
const LONG_GROUP: usize = 32;

/// When two documents count as similar.
pub(super) struct Rule {
    pub(super) similarity: Similarity,
    pub(super) threshold: f64,
    pub(super) reach: f64,
    /// The least total of a partner, as a share of one's own.
    pub(super) smallest_partner: f64,
}

/// Pairs within a band. Returns how many were compared in full.
pub(super) fn within(
    job: &Job<'_>,
    rule: &Rule,
    band: &Band,
    index: &Index,
    sink: &EdgeSink,
) -> Result<u64> {
    run(job, rule, band, index, band, |probe| probe, sink)
}

/// Pairs of a document of `band` with a larger one of `other`.
pub(super) fn across(
    job: &Job<'_>,
    rule: &Rule,
    band: &Band,
    index: &Index,
    other: &Band,
    sink: &EdgeSink,
) -> Result<u64> {
    run(job, rule, band, index, other, |_| band.len(), sink)
}

/// Lets every document of `probes` look for partners among the first
/// `limit(document)` documents of `band`.
fn run(
    job: &Job<'_>,
    rule: &Rule,
    band: &Band,
    index: &Index,
    probes: &Band,
    limit: impl Fn(usize) -> usize + Sync,
    sink: &EdgeSink,
) -> Result<u64> {
    parallel::share_out(
        probes.len(),
        CHUNK,
        || Prober {
            job,
            rule,
            band,
            index,
            met: vec![0; band.len()],
            compared: 0,
            found: Vec::new(),
        },
        |prober, range| {
            for at in range {
                prober.probe(probes.doc(at), probes.vector(at), at as u32 + 1, limit(at));
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

impl Prober<'_> {
    fn probe(&mut self, doc: u32, vector: Vector<'_>, stamp: u32, limit: usize) {
        let Rule {
            similarity,
            threshold,
            reach,
            smallest_partner,
        } = *self.rule;
        let first = self.band.first_of_total(smallest_partner * vector.total) as u32;
        let mut position = 0;
        prefix(vector, similarity, reach, |key, rest| {
            let at = position;
            position += 1;
            let mut group = self.index.group(key);
            if group.len() > LONG_GROUP {
                group = &group[group.partition_point(|posting| posting.at < first)..];
            }
            for posting in group {
                let partner = posting.at as usize;
                if partner >= limit {
                    break;
                }
                if posting.key != key || posting.at < first || self.met[partner] == stamp {
                    continue;
                }
                self.met[partner] = stamp;
                let total = self.band.total(partner);
                let required = similarity.required(threshold, vector.total, total);
                let other = f64::from(posting.rest);
                if similarity.most_shared(rest, other) < required
                    || !self.job.may_pair(doc, self.band.doc(partner))
                {
                    continue;
                }
                self.compared += 1;
                self.compare(doc, vector, at, rest, partner, required);
            }
        });
    }

    /// Compares in full, from the first shared feature on.
    fn compare(
        &mut self,
        doc: u32,
        x: Vector<'_>,
        from: usize,
        rest: f64,
        partner: usize,
        required: f64,
    ) {
        let y = self.band.vector(partner);
        let start = y.values.partition_point(|&key| key < x.values[from]);
        let x = Tail::new(x, from);
        let y = Tail::new(y, start);
        let similarity = self.rule.similarity;
        let shared = if self.band.is_weighted() {
            shared_weighted(similarity, x, y, rest, required)
        } else {
            shared_features(x.values, y.values, required).map(|shared| shared as f64)
        };
        let Some(shared) = shared else { return };
        let score = similarity.score(shared, x.total, y.total);
        if score >= self.rule.threshold {
            self.found
                .push(Edge::new(doc, self.band.doc(partner), score));
        }
    }
}

/// A document from some feature on.
#[derive(Clone, Copy)]
struct Tail<'a> {
    total: f64,
    values: &'a [u64],
    weights: &'a [f32],
}

impl<'a> Tail<'a> {
    fn new(vector: Vector<'a>, from: usize) -> Self {
        Self {
            total: vector.total,
            values: &vector.values[from..],
            weights: match vector.weights.is_empty() {
                true => &[],
                false => &vector.weights[from..],
            },
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

/// Adds up what is shared; `None` as soon as `required` is out of reach. The sum
/// is taken in the order of the features' values, which no memory budget and no
/// frequency changes.
fn shared_weighted(
    similarity: Similarity,
    x: Tail<'_>,
    y: Tail<'_>,
    rest: f64,
    required: f64,
) -> Option<f64> {
    let mut rest_x = rest;
    let mut rest_y = similarity.total(y.values.len(), y.weights);
    let (mut i, mut j, mut so_far) = (0, 0, 0.0);
    let mut common = Vec::new();
    while i < x.values.len() && j < y.values.len() {
        let (a, b) = (x.values[i], y.values[j]);
        let (weight_x, weight_y) = (f64::from(x.weights[i]), f64::from(y.weights[j]));
        if a == b {
            let shared = similarity.common(weight_x, weight_y);
            so_far += shared;
            common.push((a & VALUE_MASK, shared));
        }
        if a <= b {
            i += 1;
            rest_x -= similarity.mass(weight_x);
        }
        if b <= a {
            j += 1;
            rest_y -= similarity.mass(weight_y);
        }
        let possible = so_far + similarity.most_shared(rest_x.max(0.0), rest_y.max(0.0));
        if possible < required * (1.0 - 1e-7) {
            return None;
        }
    }
    common.sort_unstable_by_key(|&(value, _)| value);
    Some(common.into_iter().map(|(_, shared)| shared).sum())
}
