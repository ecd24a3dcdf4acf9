//! The rarest features of each document: where partners must meet.
//!
//! A document shares at least a known mass with any similar one. Features that
//! occur nowhere else are not shared. Of the others, in order of frequency, the
//! prefix are those from which on there is still that much mass to the end: the
//! rarest feature that two similar documents share is in the prefixes of both.

use super::Rule;
use super::band::Band;
use super::ranges::{Chunks, Dealt};
use super::tally::{CLASS_BITS, class};
use crate::collection::block::Vector;
use crate::error::Result;
use rayon::prelude::*;
use std::ops::Range;

/// Masses were rounded, and are added up in another order here.
const ROUNDING: f64 = 1.0 + 1e-6;

/// Buffers for ordering one document after another.
#[derive(Default)]
struct Ranked {
    classes: Vec<u8>,
    keys: Vec<(u64, f32)>,
}

/// The last class, from `first` on, that has features in a prefix: `rest` is the
/// mass of all, and the prefix ends where less than `least` is left.
fn prefix_classes(masses: &[f64], first: u8, mut rest: f64, least: f64) -> u8 {
    let mut last = 0;
    for (class, mass) in (0u8..).zip(masses).skip(first as usize) {
        if rest * ROUNDING < least {
            break;
        }
        last = class;
        rest -= mass;
    }
    last
}

/// The prefixes of a band's documents.
///
/// A feature's key is the class of its count, then the leading bits of its value:
/// sorting by key is sorting by frequency.
#[derive(Default)]
pub(super) struct Prefixes {
    keys: Vec<u64>,
    /// The mass of repeated features from each key on, at most.
    rests: Vec<f32>,
    /// Where each document's prefix ends, and where the part of it ends that a
    /// larger partner must meet.
    ends: Vec<(u32, u32)>,
}

impl Prefixes {
    /// The prefixes of a band's documents, whose features were `counted`. Features
    /// that occur fewer than `least_count` times cannot be shared.
    pub(super) fn new(rule: &Rule, band: &Band, counted: &Dealt, least_count: u8) -> Result<Self> {
        let parts: Vec<Self> = (0..Chunks::len(band))
            .into_par_iter()
            .map(|chunk| {
                let mut part = Self::default();
                let mut ranked = Ranked::default();
                counted.replay(band, chunk, |vector, counts| {
                    ranked.classes.clear();
                    ranked
                        .classes
                        .extend(counts.iter().map(|&count| class(count)));
                    part.push(rule, vector, &mut ranked, least_count);
                })?;
                Ok(part)
            })
            .collect::<Result<_>>()?;
        let mut all = Self {
            keys: Vec::with_capacity(parts.iter().map(|part| part.keys.len()).sum()),
            rests: Vec::with_capacity(parts.iter().map(|part| part.rests.len()).sum()),
            ends: Vec::with_capacity(band.documents()),
        };
        for part in parts {
            let offset = all.keys.len() as u32;
            all.keys.extend_from_slice(&part.keys);
            all.rests.extend_from_slice(&part.rests);
            let ends = part.ends.iter();
            all.ends
                .extend(ends.map(|(end, upwards)| (end + offset, upwards + offset)));
        }
        Ok(all)
    }

    fn push(&mut self, rule: &Rule, vector: Vector<'_>, ranked: &mut Ranked, least_count: u8) {
        let Rule {
            similarity,
            threshold,
            ..
        } = *rule;
        let least = similarity.reach(threshold) * vector.total;
        let upwards = similarity.reach_upwards(threshold) * vector.total;
        let mut end_upwards = self.keys.len();
        // The class of every feature, and how much mass each class has.
        let mut masses = [0.0; 1 << CLASS_BITS];
        for (at, &class) in ranked.classes.iter().enumerate() {
            masses[class as usize] += similarity.mass(vector.weight(at));
        }
        let mut rest: f64 = masses[least_count as usize..].iter().sum();
        // Only classes that reach into the prefix need sorting.
        let last = prefix_classes(&masses, least_count, rest, least);
        ranked.keys.clear();
        for (at, &class) in ranked.classes.iter().enumerate() {
            if class >= least_count && class <= last {
                let mass = similarity.mass(vector.weight(at)) as f32;
                let key = u64::from(class) << (64 - CLASS_BITS) | vector.values[at] >> CLASS_BITS;
                ranked.keys.push((key, mass));
            }
        }
        ranked.keys.sort_unstable_by_key(|&(key, _)| key);
        for &(key, mass) in &ranked.keys {
            if rest * ROUNDING < least {
                break;
            }
            self.keys.push(key);
            self.rests.push(round_up(rest * ROUNDING));
            if rest * ROUNDING >= upwards {
                end_upwards = self.keys.len();
            }
            rest -= f64::from(mass);
        }
        self.ends.push((self.keys.len() as u32, end_upwards as u32));
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn start(&self, at: usize) -> usize {
        match at {
            0 => 0,
            _ => self.ends[at - 1].0 as usize,
        }
    }

    /// The whole prefix of a document: keys, each with the mass from there on.
    pub(super) fn of(&self, at: usize) -> impl Iterator<Item = (u64, f32)> {
        self.range(self.start(at)..self.ends[at].0 as usize)
    }

    /// The part of it that a partner of at least its size must meet.
    pub(super) fn upwards(&self, at: usize) -> impl Iterator<Item = (u64, f32)> {
        self.range(self.start(at)..self.ends[at].1 as usize)
    }

    fn range(&self, range: Range<usize>) -> impl Iterator<Item = (u64, f32)> {
        let keys = self.keys[range.clone()].iter().copied();
        keys.zip(self.rests[range].iter().copied())
    }
}

/// The smallest `f32` that is not below `value`.
fn round_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value {
        near.next_up()
    } else {
        near
    }
}
