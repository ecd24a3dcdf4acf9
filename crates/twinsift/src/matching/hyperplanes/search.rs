//! Passes and subpasses: signatures that agree in two bit samples are compared.

use super::candidate_sink::{CandidateSink, NearPair};
use super::group::{Group, Hits};
use super::grouped::GroupedSignatures;
use super::plan::Plan;
use crate::error::Result;
use crate::matching::Job;
use crate::parallel;
use crate::sketch::Rows;

/// A search by a plan.
pub(super) struct Search<'a> {
    pub job: &'a Job<'a>,
    pub rows: &'a Rows,
    pub plan: &'a Plan,
    pub candidates: &'a CandidateSink<'a>,
}

impl Search<'_> {
    /// Finds the pairs among `docs`. Returns how many signatures were compared.
    pub(super) fn run(&self, docs: &[u32]) -> Result<u64> {
        let mut grouped = GroupedSignatures::new(self.rows.width());
        let mut compared = 0;
        self.job.begin(self.plan.passes.len())?;
        for (number, pass) in self.plan.passes.iter().enumerate() {
            grouped.regroup(self.rows, docs, &pass.sample);
            self.job.advance(1)?;
            compared += parallel::share_out(
                &self.job.settings.observer,
                pass.sample.groups(),
                1,
                Worker::default,
                |worker, groups| {
                    for group in groups {
                        grouped.collect(group, &mut worker.docs, &mut worker.signatures);
                        if worker.docs.len() > 1 {
                            worker.search_group(self, number)?;
                        }
                    }
                    self.candidates.take(&mut worker.found)
                },
                |worker| worker.compared,
            )?;
        }
        Ok(compared)
    }
}

/// The buffers of a thread that searches the groups of a pass.
#[derive(Default)]
struct Worker {
    compared: u64,
    /// Documents of a group of the pass, and their signatures.
    docs: Vec<u32>,
    signatures: Vec<u64>,
    group: Group,
    hits: Hits,
    found: Vec<NearPair>,
}

/// Pairs that are compared before hits are verified. It bounds the number of hits where all
/// signatures are near each other.
const AT_A_TIME: usize = 1 << 20;

impl Worker {
    /// Finds the pairs of a group of pass `pass`.
    fn search_group(&mut self, search: &Search<'_>, pass: usize) -> Result<()> {
        let (width, sieve) = (search.rows.width(), search.plan.sieve);
        for (number, subpass) in search.plan.passes[pass].subpasses.iter().enumerate() {
            self.group.fill(&self.signatures, width, subpass, sieve);
            for group in 0..subpass.sample.groups() {
                search.job.check()?;
                let places = self.group.places(group);
                let members = places.len() as u64;
                self.compared += members * members.saturating_sub(1) / 2;
                let size = (AT_A_TIME / places.len().max(1)).max(1);
                for from in places.clone().step_by(size) {
                    let piece = from..places.end.min(from + size);
                    self.group.compare(piece, places.end, sieve, &mut self.hits);
                    if self.hits.are_many() {
                        self.verify_hits(search, pass, number)?;
                    }
                }
            }
            self.verify_hits(search, pass, number)?;
        }
        Ok(())
    }

    /// Keeps the pairs that subpass `subpass` has found and none before it.
    fn verify_hits(&mut self, search: &Search<'_>, pass: usize, subpass: usize) -> Result<()> {
        let width = search.rows.width();
        let signature = |at: u32| &self.signatures[at as usize * width..][..width];
        let on_pair = &mut |x: u32, y: u32, apart: u32| {
            let (a, b) = (self.docs[x as usize], self.docs[y as usize]);
            let is_new = || !search.plan.finds(signature(x), signature(y), pass, subpass);
            if search.job.may_pair(a, b) && is_new() {
                self.found.push((a, b, apart));
            }
        };
        let sieve = search.plan.sieve;
        self.group
            .verify_hits(&self.signatures, width, sieve, &mut self.hits, on_pair);
        search.candidates.take_if_many(&mut self.found)
    }
}
