//! From candidates to pairs.
//!
//! Documents look for partners that are no larger than themselves, so each pair
//! is found from one side only. At the first key that two documents share, what is
//! left of their prefixes bounds what they can share; that bound rejects most
//! candidates. The others are verified once and in full, though a comparison stops as
//! soon as too much turns out not to be shared.

use super::Rule;
use super::index::{Group, Index};
use super::prefix::Prefixes;
use super::size_bands::SizeBand;
use crate::collection::pages;
use crate::error::Result;
use crate::matching::Job;
use crate::matching::edges::{Edge, EdgeSink};
use crate::observer::Observer;
use crate::parallel;
use crate::similarity::FETCHED_LINES;
use crate::vector::Vector;
use std::ops::Range;

/// Documents that a thread takes at a time.
const PER_TASK: usize = 128;

/// Candidates that are compared before a look at whether the run was cancelled.
const CHECKED: usize = 1 << 8;

/// Groups longer than this are entered by bisection.
const LONG_GROUP: usize = 32;

/// Pairs within a band, until the sink has taken more than `enough`. Returns how many were
/// compared.
pub(super) fn within(
    job: &Job<'_>,
    rule: &Rule,
    band: &SizeBand<'_>,
    prefixes: &Prefixes,
    index: &Index,
    enough: u64,
    sink: &EdgeSink,
) -> Result<u64> {
    let prober = || Prober::new(job, rule, band, index, sink);
    let observer = &job.settings.observer;
    run(observer, prober, band, prefixes, |probe| probe, enough)
}

/// Pairs of a document of `band` with a larger one of `other`.
pub(super) fn across(
    job: &Job<'_>,
    rule: &Rule,
    band: &SizeBand<'_>,
    index: &Index,
    other: &SizeBand<'_>,
    prefixes: &Prefixes,
    sink: &EdgeSink,
) -> Result<u64> {
    let prober = || Prober::new(job, rule, band, index, sink);
    let observer = &job.settings.observer;
    run(
        observer,
        prober,
        other,
        prefixes,
        |_| band.documents(),
        u64::MAX,
    )
}

/// Lets every document of `probes` look for partners among the first
/// `limit(document)` documents of the prober's band.
fn run<'a>(
    observer: &Observer,
    prober: impl Fn() -> Prober<'a> + Sync,
    probes: &SizeBand<'_>,
    prefixes: &Prefixes,
    limit: impl Fn(usize) -> usize + Sync,
    enough: u64,
) -> Result<u64> {
    parallel::share_out(
        observer,
        probes.documents(),
        PER_TASK,
        prober,
        |prober, range| {
            if prober.sink.taken() > enough {
                return Ok(());
            }
            // While one document is probed, the groups of the next one are looked up and
            // those of the one after it are fetched, to hide the latency of memory.
            prober.find_next_groups(prefixes, range.start, range.end);
            for at in range.clone() {
                observer.advance(1);
                prober.step(prefixes, at, range.end);
                let (document, limit) = (probes.document(at), limit(at));
                let smallest = prober.rule.smallest_partner * document.1.total;
                let first = prober.band.first_of_total(smallest);
                prober.probe(document, at as u32 + 1, first..limit, |_| true)?;
            }
            prober.sink.extend(&mut prober.found)
        },
        |prober| prober.compared,
    )
}

pub(super) struct Prober<'a> {
    job: &'a Job<'a>,
    rule: &'a Rule,
    band: &'a SizeBand<'a>,
    index: &'a Index,
    sink: &'a EdgeSink,
    /// For each document of the band the stamp of the last one that shared a key with it.
    seen: Vec<u32>,
    /// Buffers: the groups of the document, those of the next one, and the candidates.
    groups: Vec<Group>,
    next_groups: Vec<Group>,
    candidates: Vec<u32>,
    pub(super) compared: u64,
    pub(super) found: Vec<Edge>,
}

impl<'a> Prober<'a> {
    pub(super) fn new(
        job: &'a Job<'a>,
        rule: &'a Rule,
        band: &'a SizeBand<'a>,
        index: &'a Index,
        sink: &'a EdgeSink,
    ) -> Self {
        Self {
            job,
            rule,
            band,
            index,
            sink,
            seen: vec![0; band.documents()],
            groups: Vec::new(),
            next_groups: Vec::new(),
            candidates: Vec::new(),
            compared: 0,
            found: Vec::new(),
        }
    }

    /// Takes the pairs that were found and are no mere candidates.
    pub(super) fn confirmed(&mut self) -> Result<Vec<Edge>> {
        self.sink.confirm(&mut self.found)?;
        Ok(std::mem::take(&mut self.found))
    }

    /// Looks up the groups of the document at `at`.
    pub(super) fn find_groups(&mut self, prefixes: &Prefixes, at: usize) {
        self.index.find(prefixes.of(at), &mut self.groups);
    }

    /// Looks up the groups of the document at `at`, if it is before `end`, for later.
    fn find_next_groups(&mut self, prefixes: &Prefixes, at: usize, end: usize) {
        if at < end {
            self.index.find(prefixes.of(at), &mut self.next_groups);
        }
        if at + 1 < end {
            self.index.fetch(prefixes.of(at + 1));
        }
    }

    /// Goes on to the document at `at`.
    fn step(&mut self, prefixes: &Prefixes, at: usize, end: usize) {
        std::mem::swap(&mut self.groups, &mut self.next_groups);
        self.find_next_groups(prefixes, at + 1, end);
    }

    /// Finds the partners of a document among those in `range` that are `wanted`, in the
    /// groups that were looked up.
    #[inline]
    pub(super) fn probe(
        &mut self,
        (doc, vector): (u32, Vector<'_>),
        stamp: u32,
        range: Range<usize>,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<()> {
        let (first, limit) = (range.start as u32, range.end);
        let outside = self.rule.region.outside(vector.total);
        let groups = std::mem::take(&mut self.groups);
        for group in &groups {
            let (mut tags, mut postings) = self.index.group(group);
            if postings.len() > LONG_GROUP {
                let from = postings.partition_point(|posting| posting.at < first);
                (tags, postings) = (&tags[from..], &postings[from..]);
            }
            let same = tags.iter().zip(postings);
            for (_, posting) in same.filter(|&(&tag, _)| tag == group.tag) {
                let partner = posting.at as usize;
                if partner >= limit {
                    break;
                }
                if posting.at < first || self.seen[partner] == stamp {
                    continue;
                }
                self.seen[partner] = stamp;
                let possible = (f64::from(group.rest), f64::from(posting.rest));
                if self.can_share_enough(vector.total, outside, partner, possible)
                    && wanted(self.band.doc(partner))
                    && self.job.may_pair(doc, self.band.doc(partner))
                {
                    pages::fetch_vector(self.band.vector(partner), FETCHED_LINES);
                    self.candidates.push(posting.at);
                }
            }
        }
        self.groups = groups;
        self.verify(doc, vector);
        self.job.check()
    }

    /// Whether two documents can share enough. The prefixes are in one order, so
    /// what similar documents share in their regions begins at the first key they share;
    /// `possible` are the masses that each has from there on.
    #[inline]
    fn can_share_enough(
        &self,
        total: f64,
        outside: f64,
        partner: usize,
        possible: (f64, f64),
    ) -> bool {
        let Rule {
            similarity,
            threshold,
            ..
        } = *self.rule;
        let partner = self.band.size(partner);
        let required = similarity.required(threshold, total, partner.total);
        let outside = outside.max(partner.outside);
        similarity.most_shared(possible.0, possible.1) >= required - outside
    }

    /// Verifies all candidates of a document, once their features are being fetched
    /// from memory.
    fn verify(&mut self, doc: u32, vector: Vector<'_>) {
        self.compared += self.candidates.len() as u64;
        let Rule {
            similarity,
            threshold,
            ..
        } = *self.rule;
        for (number, partner) in self.candidates.drain(..).enumerate() {
            if number % CHECKED == 0 && self.job.check().is_err() {
                return;
            }
            let (other, other_vector) = self.band.document(partner as usize);
            if let Some(score) = similarity.reaching(threshold, vector, other_vector) {
                self.found.push(Edge::new(doc, other, score));
            }
        }
    }
}
