//! The rarest features of each document: where partners must meet.
//!
//! A document shares at least a known mass of its region with the region of any
//! similar one. Features that occur nowhere else are not shared. Of the others, in
//! order of frequency, the prefix are those from which on there is still that much
//! mass to the end: the rarest feature that two similar documents share in their
//! regions is in the prefixes of both.

use super::Rule;
use super::band::{Band, CHUNK};
use super::tally::{CLASS_BITS, CLASSES, Classified};
use crate::collection::block::Vector;
use rayon::prelude::*;
use std::ops::Range;

/// Masses were rounded, and are added up in another order here.
const ROUNDING: f64 = 1.0 + 1e-6;

/// The classes, from `first` on, that have features in a prefix: `rest` is the
/// mass of all, and the prefix ends where less than `least` is left.
fn prefix_classes(masses: &[f64], first: usize, mut rest: f64, least: f64) -> Range<usize> {
    let mut end = first;
    for mass in &masses[first..] {
        if rest * ROUNDING < least {
            break;
        }
        end += 1;
        rest -= mass;
    }
    first..end
}

/// The prefixes of a band's documents.
///
/// A feature's key is the class of its count, then the leading bits of its value:
/// sorting by key is sorting by frequency.
pub(super) struct Prefixes {
    /// By chunk of the band.
    parts: Vec<Part>,
}

/// The prefixes of one chunk of documents.
#[derive(Default)]
struct Part {
    keys: Vec<u64>,
    /// The mass of repeated features from each key on, at most.
    rests: Vec<f32>,
    /// Where each document's prefix ends, and where the part of it ends that a
    /// larger partner must meet.
    ends: Vec<(u32, u32)>,
}

impl Prefixes {
    /// The prefixes of a band's documents, whose features were `classified`.
    /// Features of a class below `least_class` cannot be shared.
    pub(super) fn new(
        rule: &Rule,
        band: &Band,
        classified: &Classified,
        least_class: usize,
    ) -> Self {
        let parts = (0..band.chunks())
            .into_par_iter()
            .map(|chunk| {
                let mut part = Part::default();
                let mut order = Vec::new();
                classified.replay(band, chunk, |vector, classes| {
                    part.push(rule, vector, classes, least_class, &mut order);
                });
                part
            })
            .collect();
        Self { parts }
    }

    /// Number of documents.
    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.ends.len()).sum()
    }

    /// The whole prefix of a document: keys, each with the mass from there on.
    pub(super) fn of(&self, at: usize) -> impl Iterator<Item = (u64, f32)> {
        let (part, at) = (&self.parts[at / CHUNK], at % CHUNK);
        part.range(part.start(at)..part.ends[at].0 as usize)
    }

    /// The part of it that a partner of at least its size must meet.
    pub(super) fn upwards(&self, at: usize) -> impl Iterator<Item = (u64, f32)> {
        let (part, at) = (&self.parts[at / CHUNK], at % CHUNK);
        part.range(part.start(at)..part.ends[at].1 as usize)
    }
}

impl Part {
    /// Appends a document; `order` is a buffer.
    fn push(
        &mut self,
        rule: &Rule,
        vector: Vector<'_>,
        classes: &[u8],
        least_class: usize,
        order: &mut Vec<u32>,
    ) {
        let Rule {
            similarity, region, ..
        } = *rule;
        let least = region.least_common(vector.total);
        let upwards = region.least_common_upwards(vector.total);
        // Two sets of counts: one of a class that comes twice need not wait.
        let mut counts = [[0; CLASSES]; 2];
        for (at, &class) in classes.iter().enumerate() {
            counts[at % 2][class as usize] += 1;
        }
        let counts: [usize; CLASSES] =
            std::array::from_fn(|class| counts[0][class] + counts[1][class]);
        let mut masses = counts.map(|count| count as f64);
        if !vector.weights.is_empty() {
            masses = [0.0; CLASSES];
            for (at, &class) in classes.iter().enumerate() {
                masses[class as usize] += similarity.mass(vector.weight(at));
            }
        }
        let mut rest: f64 = masses[least_class..].iter().sum();
        // Only classes that reach into the prefix need ordering. Within a class
        // features are in order already: that of their values.
        let reaching = prefix_classes(&masses, least_class, rest, least);
        // Others are put where they are overwritten, which is faster than to skip
        // them.
        let mut total = 0;
        let mut places = [(0, 0); CLASSES];
        for (place, count) in places[reaching.clone()].iter_mut().zip(&counts[reaching]) {
            *place = (total, 1);
            total += count;
        }
        for place in places.iter_mut().filter(|(_, step)| *step == 0) {
            place.0 = total;
        }
        order.resize(total + 1, 0);
        for (at, &class) in (0u32..).zip(classes) {
            let (place, step) = &mut places[class as usize];
            order[*place] = at;
            *place += *step;
        }
        let mut end_upwards = self.keys.len();
        for &at in &order[..total] {
            if rest * ROUNDING < least {
                break;
            }
            let at = at as usize;
            let class = u64::from(classes[at]) << (u64::BITS - CLASS_BITS);
            self.keys.push(class | vector.values[at] >> CLASS_BITS);
            self.rests.push(round_up(rest * ROUNDING));
            if rest * ROUNDING >= upwards {
                end_upwards = self.keys.len();
            }
            rest -= similarity.mass(vector.weight(at));
        }
        self.ends.push((self.keys.len() as u32, end_upwards as u32));
    }

    fn start(&self, at: usize) -> usize {
        match at {
            0 => 0,
            _ => self.ends[at - 1].0 as usize,
        }
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
