//! All pairs of a size band, feature by feature.
//!
//! Where the threshold is low, or the weights of features are uneven, prefixes are long
//! and nearly every document is a candidate of every other. To compare two of them is to
//! walk along the features of both, most of which they do not share. Here only shared
//! features are looked at: each document goes through the lists of documents that have
//! its features, and adds up what it shares with each.
//!
//! It is added up in the order of the features, as in a comparison, so that scores are
//! the same to the last bit. Which way is quicker is found out by trying the other one on
//! a few documents.

use super::Rule;
use super::index::Index;
use super::prefix::Prefixes;
use super::probe::Prober;
use super::size_bands::SizeBand;
use crate::error::Result;
use crate::matching::Job;
use crate::matching::edges::{Edge, EdgeSink};
use crate::parallel;
use crate::similarity::Similarity;
use rayon::prelude::*;

/// Documents that a thread takes at a time.
const PER_TASK: usize = 32;

/// Documents on which candidates are tried.
const TRIED: usize = 8;

/// Bytes that the lists of a band take for each of its features while they are made: the
/// sorted features, the number of a list, and a posting.
const BYTES: usize = 20;

/// In smaller bands there is nothing to gain.
const SMALLEST: usize = 512;

/// Steps to a feature of the band below which candidates are quick enough.
const FEW_STEPS: u64 = 20;

/// For every feature that several documents have, these documents.
pub(super) struct Lists {
    /// By document, for each of its features the number of its list.
    numbers: Vec<u32>,
    /// Where the numbers of each document end.
    ends: Vec<usize>,
    /// Where each list starts, and the last one ends.
    starts: Vec<usize>,
    postings: Vec<Posting>,
}

/// A document that has a feature.
#[derive(Clone, Copy, Default)]
struct Posting {
    /// Its position in the band.
    at: u32,
    weight: f32,
}

/// A feature that only one document has.
const ALONE: u32 = u32::MAX;

impl Lists {
    /// The lists of a band, if to go through them is less work than to compare candidates.
    pub(super) fn if_quicker(
        job: &Job<'_>,
        rule: &Rule,
        band: &SizeBand<'_>,
        prefixes: &Prefixes,
        index: &Index,
        sink: &EdgeSink,
    ) -> Result<Option<Self>> {
        let documents = band.documents();
        let features: usize = (0..documents).map(|at| band.vector(at).values.len()).sum();
        let fits = features.saturating_mul(BYTES) <= job.budget.streams();
        if documents < SMALLEST || !fits {
            return Ok(None);
        }
        let mut prober = Prober::new(job, rule, band, index, sink);
        for tried in 0..TRIED {
            let at = documents * (2 * tried + 1) / (2 * TRIED);
            let document = band.document(at);
            let first = band.first_of_total(rule.smallest_partner * document.1.total);
            prober.find_groups(prefixes, at);
            prober.probe(document, at as u32 + 1, first..at, |_| true)?;
            prober.found.clear();
        }
        // A walk along both documents takes about half of their features.
        let steps = prober.compared * features as u64 / TRIED as u64;
        if steps < FEW_STEPS * features as u64 {
            return Ok(None);
        }
        job.check()?;
        let repeated = Repeated::of(band);
        job.check()?;
        let pairs = (documents as u64).pow(2) / 2;
        let quicker = repeated.meetings + pairs / 4 < steps;
        match quicker {
            true => Self::new(job, band, &repeated).map(Some),
            false => Ok(None),
        }
    }

    fn new(job: &Job<'_>, band: &SizeBand<'_>, repeated: &Repeated) -> Result<Self> {
        let numbers: Vec<Vec<u32>> = (0..band.documents())
            .into_par_iter()
            .map(|at| {
                let number = |value| match repeated.values.binary_search(value) {
                    Ok(number) => number as u32,
                    Err(_) => ALONE,
                };
                job.check()?;
                Ok(band.vector(at).values.iter().map(number).collect())
            })
            .collect::<Result<_>>()?;
        let mut next = repeated.starts.clone();
        let mut postings = vec![Posting::default(); repeated.starts.last().map_or(0, |&end| end)];
        let mut ends = Vec::with_capacity(numbers.len());
        for (at, numbers) in numbers.iter().enumerate() {
            job.check()?;
            let vector = band.vector(at);
            for (feature, &number) in numbers.iter().enumerate().filter(|(_, n)| **n != ALONE) {
                let place = &mut next[number as usize];
                postings[*place] = Posting {
                    at: at as u32,
                    weight: vector.weight(feature) as f32,
                };
                *place += 1;
            }
            ends.push(ends.last().map_or(0, |&end: &usize| end) + numbers.len());
        }
        Ok(Self {
            numbers: numbers.concat(),
            ends,
            starts: repeated.starts.clone(),
            postings,
        })
    }

    /// Adds to `shared` what the document at `at` shares with each one before it.
    fn add_up(&self, band: &SizeBand<'_>, at: usize, similarity: Similarity, shared: &mut [f64]) {
        match similarity {
            Similarity::Jaccard => self.walk(band, at, shared, |x, y| x.min(y)),
            Similarity::Cosine | Similarity::ExtendedJaccard => {
                self.walk(band, at, shared, |x, y| x * y);
            }
        }
    }

    #[inline]
    fn walk(
        &self,
        band: &SizeBand<'_>,
        at: usize,
        shared: &mut [f64],
        common: impl Fn(f64, f64) -> f64,
    ) {
        let vector = band.vector(at);
        let end = self.ends[at];
        let numbers = &self.numbers[end - vector.values.len()..end];
        for (feature, &number) in numbers.iter().enumerate().filter(|(_, n)| **n != ALONE) {
            let weight = vector.weight(feature);
            let number = number as usize;
            let list = &self.postings[self.starts[number]..self.starts[number + 1]];
            let before = list.partition_point(|posting| (posting.at as usize) < at);
            for posting in &list[..before] {
                shared[posting.at as usize] += common(weight, f64::from(posting.weight));
            }
        }
    }
}

/// The features that several documents of a band have, ascending.
struct Repeated {
    values: Vec<u64>,
    /// Where the list of each will start, and the last one end.
    starts: Vec<usize>,
    /// How often two documents meet at a feature.
    meetings: u64,
}

impl Repeated {
    fn of(band: &SizeBand<'_>) -> Self {
        let documents = 0..band.documents();
        let mut all: Vec<u64> = documents
            .flat_map(|at| band.vector(at).values)
            .copied()
            .collect();
        all.par_sort_unstable();
        let mut repeated = Self {
            values: Vec::new(),
            starts: vec![0],
            meetings: 0,
        };
        for same in all.chunk_by(|x, y| x == y).filter(|same| same.len() > 1) {
            repeated.values.push(same[0]);
            let start = repeated.starts.last().map_or(0, |&start| start);
            repeated.starts.push(start + same.len());
            repeated.meetings += same.len() as u64 * (same.len() as u64 - 1) / 2;
        }
        repeated
    }
}

/// What a thread adds up.
struct Sums {
    /// What the document at work shares with each one before it.
    shared: Vec<f64>,
    compared: u64,
    found: Vec<Edge>,
}

/// Pairs within a band, until the sink has taken more than `enough`. Returns how many of those
/// looked at have anything in common.
pub(super) fn within(
    job: &Job<'_>,
    rule: &Rule,
    band: &SizeBand<'_>,
    lists: &Lists,
    enough: u64,
    sink: &EdgeSink,
) -> Result<u64> {
    let similarity = rule.similarity;
    let documents = band.documents();
    parallel::share_out(
        &job.settings.observer,
        documents,
        PER_TASK,
        || Sums {
            shared: vec![0.0; documents],
            compared: 0,
            found: Vec::new(),
        },
        |sums, range| {
            if sink.taken() > enough {
                return Ok(());
            }
            for at in range {
                job.advance(1)?;
                let (doc, vector) = band.document(at);
                lists.add_up(band, at, similarity, &mut sums.shared);
                for (partner, shared) in sums.shared[..at].iter_mut().enumerate() {
                    let shared = std::mem::take(shared);
                    if shared == 0.0 {
                        continue;
                    }
                    sums.compared += 1;
                    let other = band.doc(partner);
                    let score = similarity.score(shared, vector.total, band.size(partner).total);
                    if score >= rule.threshold && job.may_pair(doc, other) {
                        sums.found.push(Edge::new(doc, other, score));
                    }
                }
            }
            sink.extend(&mut sums.found)
        },
        |sums| sums.compared,
    )
}
