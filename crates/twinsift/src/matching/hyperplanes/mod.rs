//! Bit signatures of learned vectors: likely pairs by few of their bits.
//!
//! Each bit says on which side of a random hyperplane a vector lies
//! ([`sketch::simhash`](crate::sketch::simhash)). Two vectors at an angle θ agree in a bit
//! with a chance of 1 - θ/π, so the share of equal bits estimates the angle, and with it
//! the cosine. What is estimated is scored either so, or by the vectors themselves.
//!
//! **Search.** Signatures of near duplicates differ in far more bits than blocks of a
//! [`hamming`](super::hamming) search could stand. Here a *band* is a few bits, drawn at
//! random; signatures that agree in all of them are compared, first in a few words, and the
//! few that pass in all. With enough bands nearly every pair is found, also one that is only just
//! similar enough. What is cheapest is planned from the size of the collection (`plan.rs`).
//! Small collections, and thresholds so low that bands would cost more, are compared pair by
//! pair.

mod bands;
mod dealt;
mod group;
mod outlet;
mod plan;
mod search;

use super::Job;
use super::edges::EdgeSink;
use crate::collection::store::Store;
use crate::error::Result;
use crate::parallel;
use crate::sketch::Rows;
use group::{Group, Hits, Sieve};
use outlet::Outlet;
use plan::{Look, Plan};
use search::Search;
use statrs::distribution::{Binomial, DiscreteCDF};
use std::f64::consts::PI;

/// The least chance that a pair at the threshold is not lost to the chance in its bits, where
/// vectors decide in the end.
const RECALL: f64 = 0.98;

/// The chance that bands find a pair that differs in as many bits as it may at most. For one
/// that is a few bits nearer it is above 0.99.
const FOUND: f64 = 0.97;

/// The chance that a pair of cosine `s` is near enough by signatures of `bits` bits. In large
/// collections bands then miss some, at the threshold about one in a hundred.
pub(crate) fn recall(s: f64, bits: u32, threshold: f64, verify: bool) -> f64 {
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
    let plan = Plan::cheapest(bits, most, docs.len(), FOUND);
    let compared = match &plan {
        None => all_pairs(job, rows, &docs, most, &outlet),
        Some(plan) => Search {
            job,
            rows,
            plan,
            outlet: &outlet,
        }
        .run(&docs),
    }?;
    outlet.finish()?;
    Ok(compared)
}

/// Documents that a thread compares with all later ones at a time.
const PIECE: usize = 16;

fn all_pairs(
    job: &Job<'_>,
    rows: &Rows,
    docs: &[u32],
    most: u32,
    outlet: &Outlet<'_>,
) -> Result<u64> {
    let sieve = Sieve::exact(rows.width(), most);
    let signatures: Vec<u64> = docs
        .iter()
        .flat_map(|&doc| rows.row(doc))
        .copied()
        .collect();
    let mut group = Group::default();
    group.deal(&signatures, rows.width(), &Look::at_all(), sieve);
    parallel::share_out(
        docs.len(),
        PIECE,
        || (0, Hits::default(), Vec::new()),
        |(compared, hits, found), range| {
            let later = |at: usize| (docs.len() - at - 1) as u64;
            *compared += range.clone().map(later).sum::<u64>();
            group.compare(range, docs.len(), sieve, hits);
            group.look_again(
                &signatures,
                rows.width(),
                sieve,
                hits,
                &mut |x, y, apart| {
                    let (a, b) = (docs[x as usize], docs[y as usize]);
                    if job.may_pair(a, b) {
                        found.push((a, b, apart));
                    }
                },
            );
            outlet.take(found)
        },
        |(compared, ..)| compared,
    )
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
