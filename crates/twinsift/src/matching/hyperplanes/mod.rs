//! Bit signatures of learned vectors: likely pairs by few of their bits.
//!
//! Each bit says on which side of a random hyperplane a vector lies
//! ([`sketch::simhash`](crate::sketch::simhash)). Two vectors at an angle θ agree in a bit
//! with a chance of 1 - θ/π, so the share of equal bits estimates the angle, and with it
//! the cosine. What is estimated is scored either so, or by the vectors themselves.
//!
//! **Search.** Signatures of near duplicates differ in far more bits than blocks of a
//! [`hamming`](super::hamming) search could stand. Here a *band* is a few bits, drawn at
//! random; signatures that agree in all of them meet and are compared in all bits.
//! With enough bands every pair meets with a chance of at least [`RECALL`], also one that
//! is only just similar enough. More bits to a band mean fewer strangers that
//! meet, and more bands; the cheapest number is chosen from the size of the collection.
//! Small collections, and thresholds so low that bands would cost more, are compared pair
//! by pair.

mod bands;
mod group;

use super::edges::{Edge, EdgeSink};
use super::lsh::{Check, Whereabouts, compare};
use super::{Job, similarity::Similarity};
use crate::collection::store::Store;
use crate::error::Result;
use crate::parallel;
use crate::sketch::Rows;
use bands::{Buffers, Plan};
use group::{Group, PASSES, Sieve};
use statrs::distribution::{Binomial, DiscreteCDF};
use std::f64::consts::PI;
use std::sync::{Mutex, PoisonError};

/// The least chance that bands bring a pair together that is right at the threshold, and
/// that a pair at the threshold is not lost to the chance in its bits where vectors
/// decide in the end.
pub const RECALL: f64 = 0.98;

/// The chance that a pair of cosine `s` is found by signatures of `bits` bits.
pub fn recall(s: f64, bits: u32, threshold: f64, verify: bool) -> f64 {
    let differ = s.clamp(-1.0, 1.0).acos() / PI;
    let farthest = farthest(bits, threshold, verify);
    chance_within(bits, differ, farthest)
}

/// The chance that at most `most` of `bits` bits differ, each with a chance of `differ`.
fn chance_within(bits: u32, differ: f64, most: u32) -> f64 {
    match Binomial::new(differ, u64::from(bits)) {
        Ok(chances) => chances.cdf(u64::from(most)),
        Err(_) => 1.0,
    }
}

/// The most bits in which signatures of a pair may differ. Without a second look, these
/// are as many as the threshold's angle stands for; with one, as many more as keep a
/// pair at the threshold with a chance of [`RECALL`].
fn farthest(bits: u32, threshold: f64, verify: bool) -> u32 {
    let differ = threshold.clamp(-1.0, 1.0).acos() / PI;
    let mut most = (differ * f64::from(bits) + 1e-9).floor() as u32;
    while verify && most < bits && chance_within(bits, differ, most) < RECALL {
        most += 1;
    }
    most
}

/// The cosine of vectors whose signatures differ in `apart` of `bits` bits, as far as
/// bits can tell. It is never below 0, like the cosines of learned vectors.
fn estimate(apart: u32, bits: u32) -> f64 {
    (PI * f64::from(apart) / f64::from(bits)).cos().max(0.0)
}

/// Finds pairs of representatives of at least the cosine `threshold`: by the vectors, if
/// there are some, else as far as signatures can tell. Returns how many signatures were
/// compared.
pub(crate) fn within(
    job: &Job<'_>,
    threshold: f64,
    vectors: Option<&Store>,
    rows: &Rows,
    sink: &EdgeSink,
) -> Result<u64> {
    let bits = rows.width() as u32 * 64;
    let docs: Vec<u32> = rows
        .docs()
        .filter(|&doc| job.classes.is_representative(doc))
        .collect();
    let most = farthest(bits, threshold, vectors.is_some());
    let outlet = Outlet::new(job, threshold, vectors, bits, sink)?;
    let plan = Plan::cheapest(bits, most, docs.len(), RECALL / PASSES);
    let compared = match &plan {
        None => all_pairs(job, rows, &docs, most, &outlet),
        Some(plan) => banded(job, rows, &docs, most, plan, &outlet),
    }?;
    outlet.finish()?;
    Ok(compared)
}

/// Documents that a thread compares with all later ones at a time.
const CHUNK: usize = 16;

fn all_pairs(
    job: &Job<'_>,
    rows: &Rows,
    docs: &[u32],
    most: u32,
    outlet: &Outlet<'_>,
) -> Result<u64> {
    let sieve = Sieve::exact(rows.width(), most);
    let mut group = Group::default();
    group.gather(rows, docs);
    parallel::share_out(
        docs.len(),
        CHUNK,
        || (0, Vec::new(), Vec::new()),
        |(compared, apart, found), range| {
            for at in range {
                let a = docs[at];
                group.near(at, sieve, apart, |other, apart| {
                    if job.may_pair(a, docs[other]) {
                        found.push((a, docs[other], apart));
                    }
                });
                *compared += (docs.len() - at - 1) as u64;
            }
            outlet.take(found)
        },
        |(compared, _, _)| compared,
    )
}

/// What a thread needs to look through a band.
#[derive(Default)]
struct Looking {
    compared: u64,
    buffers: Buffers,
    group: Group,
    apart: Vec<u32>,
    found: Vec<(u32, u32, u32)>,
}

fn banded(
    job: &Job<'_>,
    rows: &Rows,
    docs: &[u32],
    most: u32,
    plan: &Plan,
    outlet: &Outlet<'_>,
) -> Result<u64> {
    let sieve = Sieve::quick(rows.width(), most);
    let look = |looking: &mut Looking, number: usize| {
        let Looking {
            compared,
            buffers,
            group,
            apart,
            found,
        } = looking;
        // A pair is taken at the first band that brings it together.
        let met_before = |a: u32, b: u32| {
            let (a, b) = (rows.row(a), rows.row(b));
            let mut earlier = plan.bands[..number].iter();
            earlier.any(|band| band.key(a) == band.key(b))
        };
        plan.bands[number].groups(rows, docs, buffers, |docs| {
            group.gather(rows, docs);
            for (at, &a) in docs.iter().enumerate() {
                group.near(at, sieve, apart, |other, apart| {
                    let b = docs[other];
                    if job.may_pair(a, b) && !met_before(a, b) {
                        found.push((a, b, apart));
                    }
                });
                *compared += (docs.len() - at - 1) as u64;
            }
            outlet.take_if_many(found)
        })
    };
    parallel::share_out(
        plan.bands.len(),
        1,
        Looking::default,
        |looking, range| {
            for number in range {
                look(looking, number)?;
            }
            outlet.take(&mut looking.found)
        },
        |looking| looking.compared,
    )
}

/// Pairs that are handed on at a time.
const HANDFUL: usize = 1 << 14;

/// Where pairs of signatures go: to the sink, or first to be compared in full.
struct Outlet<'a> {
    sink: &'a EdgeSink,
    bits: u32,
    second_look: Option<SecondLook<'a>>,
}

struct SecondLook<'a> {
    check: Check,
    store: &'a Store,
    whereabouts: Whereabouts,
    waiting: Mutex<Vec<(u32, u32)>>,
    limit: usize,
}

impl<'a> Outlet<'a> {
    fn new(
        job: &Job<'_>,
        threshold: f64,
        vectors: Option<&'a Store>,
        bits: u32,
        sink: &'a EdgeSink,
    ) -> Result<Self> {
        let lists = rayon::current_num_threads() + 1;
        let second_look = match vectors {
            None => None,
            Some(store) => Some(SecondLook {
                check: Check {
                    require: 1,
                    lanes: 1,
                    similarity: Similarity::Cosine,
                    threshold,
                },
                store,
                whereabouts: Whereabouts::new(store, job.classes.len())?,
                waiting: Mutex::new(Vec::new()),
                limit: (job.budget.candidates() / size_of::<(u32, u32)>() / lists).max(1),
            }),
        };
        Ok(Self {
            sink,
            bits,
            second_look,
        })
    }

    fn take_if_many(&self, found: &mut Vec<(u32, u32, u32)>) -> Result<()> {
        match found.len() >= HANDFUL {
            true => self.take(found),
            false => Ok(()),
        }
    }

    fn take(&self, found: &mut Vec<(u32, u32, u32)>) -> Result<()> {
        let Some(look) = &self.second_look else {
            let edge = |(a, b, apart)| Edge::new(a, b, estimate(apart, self.bits));
            let mut edges = found.drain(..).map(edge).collect();
            return self.sink.extend(&mut edges);
        };
        let mut waiting = look.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend(found.drain(..).map(|(a, b, _)| (a, b)));
        if waiting.len() < look.limit {
            return Ok(());
        }
        let full = std::mem::take(&mut *waiting);
        drop(waiting);
        compare(look.check, look.store, &look.whereabouts, full, self.sink)
    }

    fn finish(self) -> Result<()> {
        let Some(look) = self.second_look else {
            return Ok(());
        };
        let rest = look.waiting.into_inner();
        let rest = rest.unwrap_or_else(PoisonError::into_inner);
        compare(look.check, look.store, &look.whereabouts, rest, self.sink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_the_angle_of_the_share() {
        assert_eq!(estimate(0, 384), 1.0);
        assert!((estimate(128, 384) - 0.5).abs() < 1e-12);
        assert_eq!(estimate(384, 384), 0.0);
    }

    #[test]
    fn a_second_look_reaches_farther() {
        assert_eq!(farthest(384, 0.5, false), 128);
        let farther = farthest(384, 0.5, true);
        assert!((140..155).contains(&farther), "{farther}");
        assert!(recall(0.5, 384, 0.5, true) >= RECALL);
        assert!((recall(0.5, 384, 0.5, false) - 0.5).abs() < 0.05);
        assert_eq!(farthest(64, 1.0, true), 0);
        assert!(recall(0.9, 4096, 0.5, false) > 0.999);
    }
}
