//! From candidates to pairs.
//!
//! Documents look for partners that are no larger than themselves, so each pair
//! is met from one side only. Where two documents meet first, what is left of
//! their prefixes bounds what they can share; most candidates fall to that bound.
//! The others are compared once, at once, and in full, though a comparison stops
//! as soon as too much turns out not to be shared.

use super::Rule;
use super::band::Band;
use super::index::{Group, Index};
use super::prefix::Prefixes;
use crate::collection::block::Vector;
use crate::error::Result;
use crate::matching::Job;
use crate::matching::edges::{Edge, EdgeSink};
use crate::observer::Observer;
use crate::parallel;
use crate::similarity::FETCHED_LINES;
use std::ops::Range;

/// Documents that a thread takes at a time.
const CHUNK: usize = 128;

/// Candidates that are compared before a look at whether the run was cancelled.
const CHECKED: usize = 1 << 8;

/// Groups longer than this are entered by bisection.
const LONG_GROUP: usize = 32;

/// Pairs within a band, until the sink has taken more than `enough`. Returns how many were
/// compared.
pub(super) fn within(
    job: &Job<'_>,
    rule: &Rule,
    band: &Band<'_>,
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
    band: &Band<'_>,
    index: &Index,
    other: &Band<'_>,
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
    probes: &Band<'_>,
    prefixes: &Prefixes,
    limit: impl Fn(usize) -> usize + Sync,
    enough: u64,
) -> Result<u64> {
    parallel::share_out(
        observer,
        probes.documents(),
        CHUNK,
        prober,
        |prober, range| {
            if prober.sink.taken() > enough {
                return Ok(());
            }
            // While a document is at work, where to look for the next one is found out,
            // and for the one after it fetched: nobody waits for memory.
            prober.look_ahead(prefixes, range.start, range.end);
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
    band: &'a Band<'a>,
    index: &'a Index,
    sink: &'a EdgeSink,
    /// For each document of the band the last one that met it, as a stamp.
    met: Vec<u32>,
    /// Buffers: where to look, where to look for the next document, and whom to compare.
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
        band: &'a Band<'a>,
        index: &'a Index,
        sink: &'a EdgeSink,
    ) -> Self {
        Self {
            job,
            rule,
            band,
            index,
            sink,
            met: vec![0; band.documents()],
            groups: Vec::new(),
            next_groups: Vec::new(),
            candidates: Vec::new(),
            compared: 0,
            found: Vec::new(),
        }
    }

    /// Finds out where to look for the document at `at`.
    pub(super) fn look(&mut self, prefixes: &Prefixes, at: usize) {
        self.index.find(prefixes.of(at), &mut self.groups);
    }

    /// Finds out where to look for the document at `at`, if it is before `end`.
    fn look_ahead(&mut self, prefixes: &Prefixes, at: usize, end: usize) {
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
        self.look_ahead(prefixes, at + 1, end);
    }

    /// Looks for partners of a document among those in `range` that are `wanted`, where it
    /// was found out to look.
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
            self.job.check()?;
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
                if posting.at < first || self.met[partner] == stamp {
                    continue;
                }
                self.met[partner] = stamp;
                let possible = (f64::from(group.rest), f64::from(posting.rest));
                if self.can_share_enough(vector.total, outside, partner, possible)
                    && wanted(self.band.doc(partner))
                    && self.job.may_pair(doc, self.band.doc(partner))
                {
                    self.band.vector(partner).fetch(FETCHED_LINES);
                    self.candidates.push(posting.at);
                    // One pair may make all others needless.
                    if self.sink.is_connecting() {
                        self.compare(doc, vector);
                        self.sink.extend(&mut self.found)?;
                    }
                }
            }
        }
        self.groups = groups;
        self.compare(doc, vector);
        self.job.check()
    }

    /// Whether two documents can share enough. The prefixes are in one order, so
    /// what similar documents share in their regions begins where they meet first;
    /// `possible` are the masses that each has there from then on.
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

    /// Compares a document with all of its candidates, once their features are on
    /// their way from memory.
    fn compare(&mut self, doc: u32, vector: Vector<'_>) {
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
