//! The rarest features of each document's region: where partners must meet.
//!
//! Within its region a document shares at least a known mass with the region of
//! any similar one. Region features that occur once are not shared. Of the others,
//! in order of frequency, the prefix are those from which on there is still that
//! much mass to the end: the rarest feature that two similar documents share in
//! their regions is in the prefixes of both.

use super::Rule;
use super::band::Band;
use super::counters::{CLASS_BITS, Counters, TOGETHER};
use crate::collection::block::Vector;
use rayon::prelude::*;

/// Documents that are worked on together.
const CHUNK: usize = 1024;

/// The prefixes of a band's documents.
///
/// A feature's key is the class of its count, then the leading bits of its value:
/// sorting by key is sorting by frequency.
#[derive(Default)]
pub(super) struct Prefixes {
    keys: Vec<u64>,
    /// Where each document's prefix ends, and where the part of it ends that a
    /// larger partner must meet.
    ends: Vec<(u32, u32)>,
}

impl Prefixes {
    pub(super) fn new(rule: &Rule, band: &Band, counters: &Counters) -> Self {
        let starts: Vec<usize> = (0..band.len()).step_by(CHUNK).collect();
        let parts: Vec<Self> = starts
            .into_par_iter()
            .map(|start| {
                let mut part = Self::default();
                let mut ranked = Vec::new();
                for at in start..band.len().min(start + CHUNK) {
                    part.push(rule, band.vector(at), counters, &mut ranked);
                }
                part
            })
            .collect();
        let mut all = Self {
            keys: Vec::with_capacity(parts.iter().map(|part| part.keys.len()).sum()),
            ends: Vec::with_capacity(band.len()),
        };
        for part in parts {
            let offset = all.keys.len() as u32;
            all.keys.extend_from_slice(&part.keys);
            let ends = part.ends.iter();
            all.ends
                .extend(ends.map(|(end, upwards)| (end + offset, upwards + offset)));
        }
        all
    }

    fn push(
        &mut self,
        rule: &Rule,
        vector: Vector<'_>,
        counters: &Counters,
        ranked: &mut Vec<(u64, f32)>,
    ) {
        let features = vector.values.len();
        let region = &vector.values[..rule.region.length(features)];
        ranked.clear();
        let mut rest = 0.0;
        for (group_at, group) in region.chunks(TOGETHER).enumerate() {
            let mut classes = [0; TOGETHER];
            for (class, &value) in classes.iter_mut().zip(group) {
                *class = counters.class(value);
            }
            for (at, (&class, &value)) in classes.iter().zip(group).enumerate() {
                if class > 0 {
                    let mass = rule
                        .similarity
                        .mass(vector.weight(group_at * TOGETHER + at));
                    rest += mass;
                    let key = u64::from(class) << (64 - CLASS_BITS) | value >> CLASS_BITS;
                    ranked.push((key, mass as f32));
                }
            }
        }
        let least = rule.region.least_common(features, vector.total);
        let upwards = rule.region.least_common_upwards(features, vector.total);
        let mut end_upwards = self.keys.len();
        // Masses were rounded to add them up in another order.
        let rounding = 1.0 + 1e-6;
        if rest * rounding >= least {
            ranked.sort_unstable_by_key(|&(key, _)| key);
            for &(key, mass) in ranked.iter() {
                if rest * rounding < least {
                    break;
                }
                self.keys.push(key);
                if rest * rounding >= upwards {
                    end_upwards = self.keys.len();
                }
                rest -= f64::from(mass);
            }
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

    /// The whole prefix of a document.
    pub(super) fn of(&self, at: usize) -> &[u64] {
        &self.keys[self.start(at)..self.ends[at].0 as usize]
    }

    /// The part of it that a partner of at least its size must meet.
    pub(super) fn upwards(&self, at: usize) -> &[u64] {
        &self.keys[self.start(at)..self.ends[at].1 as usize]
    }
}
