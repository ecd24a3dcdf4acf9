//! Passes and looks: signatures that agree in two bands are compared.

use super::dealt::Dealt;
use super::group::{Group, Hits};
use super::outlet::{Near, Outlet};
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
    pub outlet: &'a Outlet<'a>,
}

impl Search<'_> {
    /// Finds the pairs among `docs`. Returns how many signatures were compared.
    pub fn run(&self, docs: &[u32]) -> Result<u64> {
        let mut dealt = Dealt::new(self.rows.width());
        let mut compared = 0;
        self.job.begin(self.plan.passes.len())?;
        for (number, pass) in self.plan.passes.iter().enumerate() {
            dealt.deal(self.rows, docs, &pass.band);
            self.job.advance(1)?;
            compared += parallel::share_out(
                &self.job.settings.observer,
                pass.band.groups(),
                1,
                Looking::default,
                |looking, groups| {
                    for group in groups {
                        dealt.collect(group, &mut looking.docs, &mut looking.signatures);
                        if looking.docs.len() > 1 {
                            looking.look_through(self, number)?;
                        }
                    }
                    self.outlet.take(&mut looking.found)
                },
                |looking| looking.compared,
            )?;
        }
        Ok(compared)
    }
}

/// What a thread needs to look through the groups of a pass.
#[derive(Default)]
struct Looking {
    compared: u64,
    /// Documents of a group of the pass, and their signatures.
    docs: Vec<u32>,
    signatures: Vec<u64>,
    group: Group,
    hits: Hits,
    found: Vec<Near>,
}

/// Pairs that are compared before a second look, so that there is an end to what is kept where
/// all are near each other.
const AT_A_TIME: usize = 1 << 20;

impl Looking {
    /// Finds the pairs of a group of pass `pass`.
    fn look_through(&mut self, search: &Search<'_>, pass: usize) -> Result<()> {
        let (width, sieve) = (search.rows.width(), search.plan.sieve);
        for (number, look) in search.plan.passes[pass].looks.iter().enumerate() {
            self.group.deal(&self.signatures, width, look, sieve);
            for group in 0..look.band.groups() {
                search.job.check()?;
                let places = self.group.places(group);
                let members = places.len() as u64;
                self.compared += members * members.saturating_sub(1) / 2;
                let size = (AT_A_TIME / places.len().max(1)).max(1);
                for from in places.clone().step_by(size) {
                    let piece = from..places.end.min(from + size);
                    self.group.compare(piece, places.end, sieve, &mut self.hits);
                    if self.hits.are_many() {
                        self.look_again(search, pass, number)?;
                    }
                }
            }
            self.look_again(search, pass, number)?;
        }
        Ok(())
    }

    /// Keeps the pairs that look `look` has found and none before it.
    fn look_again(&mut self, search: &Search<'_>, pass: usize, look: usize) -> Result<()> {
        let width = search.rows.width();
        let signature = |at: u32| &self.signatures[at as usize * width..][..width];
        let told = &mut |x: u32, y: u32, apart: u32| {
            let (a, b) = (self.docs[x as usize], self.docs[y as usize]);
            let is_new = || !search.plan.finds(signature(x), signature(y), pass, look);
            if search.job.may_pair(a, b) && is_new() {
                self.found.push((a, b, apart));
            }
        };
        let sieve = search.plan.sieve;
        self.group
            .look_again(&self.signatures, width, sieve, &mut self.hits, told);
        search.outlet.take_if_many(&mut self.found)
    }
}
