//! Bit signatures of learned vectors: likely pairs by few of their bits.
//!
//! Each bit says on which side of a random hyperplane a vector lies
//! ([`sketch::simhash`](crate::sketch::simhash)). Two vectors at an angle θ agree in a bit
//! with a chance of 1 - θ/π, so the share of equal bits estimates the angle, and with it
//! the cosine. Pairs are scored either so, or by the vectors themselves.
//!
//! **Search.** Signatures of near duplicates differ in far more bits than blocks of a
//! [`hamming`](super::hamming) search could stand. Here a *bit sample* is a few bits, drawn at
//! random; signatures that agree in all of them are compared, first in a few words, and the
//! few that pass in all. With enough samples nearly every pair is found, also one that is only just
//! similar enough. What is cheapest is planned from the size of the collection (`plan.rs`).
//! Small collections, and thresholds so low that samples would cost more, are compared pair by
//! pair.

mod bit_samples;
mod candidate_sink;
mod group;
mod grouped;
mod plan;
mod search;

pub(crate) use bit_samples::BitSample;

use super::Job;
use super::edges::EdgeSink;
use crate::chance::Binomial;
use crate::collection::store::Store;
use crate::error::Result;
use crate::hash::Stream;
use crate::parallel;
use crate::sketch::{Rows, simhash};
use candidate_sink::CandidateSink;
use group::{Group, Hits, Sieve};
use plan::{Plan, Subpass};
use search::Search;
use std::f64::consts::PI;

/// The least chance that a pair at the threshold is not lost to the chance in its bits, where
/// vectors decide in the end.
const RECALL: f64 = 0.98;

/// The chance that bit samples find a pair that differs in as many bits as it may at most. For one
/// that is a few bits nearer it is above 0.99.
const FOUND: f64 = 0.97;

/// The least chance that a pair of cosine `s` is found by signatures of `bits` bits: that it
/// differs in few enough, and that bit samples bring it together, as they have to in large
/// collections.
pub(crate) fn recall(s: f64, bits: u32, threshold: f64, verify: bool) -> f64 {
    let most = farthest(bits, threshold, verify);
    let chances = Binomial::new(simhash::differ(s), bits);
    (0..=most)
        .map(|apart| chances.exactly(apart) * plan::least_chance(bits, apart, most, FOUND))
        .sum()
}

/// The most bits in which signatures of a pair may differ. Without verification, these
/// are as many as the threshold's angle stands for; with it, as many more as keep a
/// pair at the threshold with a chance of [`RECALL`].
pub(crate) fn farthest(bits: u32, threshold: f64, verify: bool) -> u32 {
    let mut most = (simhash::differ(threshold) * f64::from(bits) + 1e-9).floor() as u32;
    while verify && most < bits && simhash::recall(threshold, bits, most) < RECALL {
        most += 1;
    }
    most
}

/// The cosine of vectors whose signatures differ in `apart` of `bits` bits, as
/// estimated. It is never below 0, like the cosines of learned vectors.
pub(crate) fn estimate(apart: u32, bits: u32) -> f64 {
    (PI * f64::from(apart) / f64::from(bits)).cos().max(0.0)
}

/// Returns at most `limit` bit samples, as long as possible, that bring signatures together
/// which differ in `most` of their bits, with a chance of [`FOUND`] or as near to it as the
/// limit allows; and that chance.
pub(crate) fn few_samples(
    bits: u32,
    most: u32,
    limit: usize,
    stream: &mut Stream,
) -> (Vec<BitSample>, f64) {
    let found = |size: u32, samples: usize| {
        1.0 - (1.0 - plan::agree(bits, most, size)).powf(samples as f64)
    };
    let size = (1..=LONGEST.min(bits / 4)).rev();
    let size = size
        .clone()
        .find(|&size| found(size, limit) >= FOUND)
        .unwrap_or(1);
    let samples = (1..limit)
        .find(|&samples| found(size, samples) >= FOUND)
        .unwrap_or(limit);
    let mut taken = Vec::new();
    let drawn = (0..samples).map(|_| {
        let sample = BitSample::draw(bits as usize / 64, size, &mut taken, stream);
        // When all bits are taken, they are drawn again.
        if taken.iter().map(|range| range.bits()).sum::<u32>() + size > bits {
            taken.clear();
        }
        sample
    });
    (drawn.collect(), found(size, samples))
}

/// Bits of the longest sample that is a key.
const LONGEST: u32 = 24;

/// Finds pairs of representatives of at least the cosine `threshold`: by the vectors, if
/// there are any, else as estimated from the signatures. Returns how many signatures were
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
    let candidates = CandidateSink::new(job, threshold, vectors, bits, sink)?;
    let plan = Plan::cheapest(bits, most, docs.len(), FOUND);
    let compared = match &plan {
        None => all_pairs(job, rows, &docs, most, &candidates),
        Some(plan) => Search {
            job,
            rows,
            plan,
            candidates: &candidates,
        }
        .run(&docs),
    }?;
    candidates.finish()?;
    Ok(compared)
}

/// Documents that a thread compares with all later ones at a time.
const PIECE: usize = 16;

fn all_pairs(
    job: &Job<'_>,
    rows: &Rows,
    docs: &[u32],
    most: u32,
    candidates: &CandidateSink<'_>,
) -> Result<u64> {
    let sieve = Sieve::exact(rows.width(), most);
    let signatures: Vec<u64> = docs
        .iter()
        .flat_map(|&doc| rows.row(doc))
        .copied()
        .collect();
    let mut group = Group::default();
    group.fill(&signatures, rows.width(), &Subpass::over_all(), sieve);
    job.begin(docs.len())?;
    parallel::share_out(
        &job.settings.observer,
        docs.len(),
        PIECE,
        || (0, Hits::default(), Vec::new()),
        |(compared, hits, found), range| {
            job.advance(range.len())?;
            let later = |at: usize| (docs.len() - at - 1) as u64;
            *compared += range.clone().map(later).sum::<u64>();
            group.compare(range, docs.len(), sieve, hits);
            group.verify_hits(
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
            candidates.take(found)
        },
        |(compared, ..)| compared,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Stream;
    use crate::matching::hamming::differing;
    use crate::sketch::simhash::SimHasher;
    use crate::vector::Vector;

    #[test]
    fn the_estimate_is_the_angle_of_the_share() {
        assert_eq!(estimate(0, 384), 1.0);
        assert!((estimate(128, 384) - 0.5).abs() < 1e-12);
        assert_eq!(estimate(384, 384), 0.0);
    }

    #[test]
    fn verification_reaches_farther() {
        assert_eq!(farthest(384, 0.5, false), 128);
        let farther = farthest(384, 0.5, true);
        assert!((140..155).contains(&farther), "{farther}");
        let promised = recall(0.5, 384, 0.5, true);
        assert!((FOUND * RECALL..1.0).contains(&promised), "{promised}");
        assert!((recall(0.5, 384, 0.5, false) - 0.5).abs() < 0.05);
        assert_eq!(farthest(64, 1.0, true), 0);
        assert!(recall(0.9, 4096, 0.5, false) > 0.999);
    }

    /// Two vectors at a cosine of `s`: of `size` features the one, and of one more the other.
    fn at_cosine(s: f64, size: u64, stream: &mut Stream) -> [(Vec<u64>, Vec<f32>); 2] {
        let values: Vec<u64> = (0..=size).map(|_| stream.next_value()).collect();
        let weight = |at: u64| match size % 2 {
            0 => 1.0,
            _ => 0.3 + (at % 5) as f32,
        };
        let mut weights: Vec<f32> = (0..size).map(weight).collect();
        let x = (values[..size as usize].to_vec(), weights.clone());
        let squares: f32 = weights.iter().map(|weight| weight * weight).sum();
        weights.push((f64::from(squares) * (s.powi(-2) - 1.0)).sqrt() as f32);
        [x, (values, weights)]
    }

    /// The promised recall holds at the threshold itself, for short vectors as for long ones.
    #[test]
    fn pairs_at_the_threshold_are_as_near_as_promised() {
        let mut stream = Stream::new(20);
        for (bits, threshold) in [
            (64, 0.8),
            (128, 0.5),
            (384, 0.8),
            (384, 0.3),
            (384, 0.95),
            (1024, 0.9),
        ] {
            let most = farthest(bits, threshold, true);
            let promised = simhash::recall(threshold, bits, most);
            assert!(promised >= RECALL);
            for (size, pairs) in [
                (2u64, 400),
                (3, 400),
                (5, 400),
                (20, 300),
                (100, 150),
                (500, 50),
            ] {
                let mut near = 0;
                for _ in 0..pairs {
                    let mut hasher = SimHasher::new(bits, stream.next_value());
                    let [x, y] =
                        at_cosine(threshold, size, &mut stream).map(|(values, weights)| {
                            let mut row = Vec::new();
                            let vector = Vector {
                                total: 0.0,
                                values: &values,
                                weights: &weights,
                            };
                            hasher.sign(vector, &mut row);
                            row
                        });
                    near += u32::from(differing(&x, &y) <= most);
                }
                let share = f64::from(near) / f64::from(pairs);
                let chance = (promised * (1.0 - promised) / f64::from(pairs)).sqrt();
                assert!(
                    share > promised - 4.0 * chance,
                    "{size} features, {bits} bits, {threshold}: {share}"
                );
            }
        }
    }
}
