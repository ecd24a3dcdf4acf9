//! The rarest features of each document: where partners must meet.
//!
//! A document shares at least a known mass of its region with the region of any
//! similar one. Features that occur nowhere else are not shared. Of the others, in
//! order of frequency, the prefix are those from which on there is still that much
//! mass to the end: the rarest feature that two similar documents share in their
//! regions is in the prefixes of both.

use super::Rule;
use super::band::{Band, CHUNK};
use super::ranges::{Sheaf, key, owner};
use super::tally::{CLASSES, Classified};
use crate::error::Result;
use crate::matching::Job;
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

/// The prefixes of a band's documents: keys of features, the rare ones first.
pub(super) struct Prefixes {
    /// By chunk of the band.
    parts: Vec<Part>,
}

/// By whom a document is to be found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Partners {
    /// Those of at least its size.
    Larger,
    /// Those of any size.
    Any,
}

impl Partners {
    /// Where the part of a prefix ends that they must meet.
    fn end(self, (end, end_upwards): (u32, u32)) -> u32 {
        match self {
            Partners::Larger => end_upwards,
            Partners::Any => end,
        }
    }
}

/// The prefixes of one chunk of documents.
#[derive(Default)]
struct Part {
    keys: Vec<u32>,
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
        job: &Job<'_>,
        rule: &Rule,
        band: &Band<'_>,
        classified: &Classified,
        least_class: usize,
    ) -> Result<Self> {
        let parts = (0..band.chunks())
            .into_par_iter()
            .map_init(Buffers::default, |buffers, chunk| {
                job.check()?;
                let totals = band.chunk(chunk).map(|at| band.size(at).total);
                let sheaf = &classified.sheaves[chunk];
                let classes = &classified.classes[chunk];
                let part = Part::new(rule, totals, sheaf, classes, least_class, buffers);
                Ok(part)
            })
            .collect::<Result<_>>()?;
        Ok(Self { parts })
    }

    /// The whole prefix of a document: keys, each with the mass from there on.
    pub(super) fn of(&self, at: usize) -> impl Iterator<Item = (u32, f32)> {
        let (part, at) = (&self.parts[at / CHUNK], at % CHUNK);
        part.range(part.start(at)..part.ends[at].0 as usize)
    }

    /// How many keys [`shared_with`](Self::shared_with) shows.
    pub(super) fn count_shared_with(&self, partners: Partners) -> usize {
        let lengths = self.parts.iter().flat_map(|part| {
            let starts = (0..part.ends.len()).map(|at| part.start(at));
            let ends = part.ends.iter().map(|&ends| partners.end(ends) as usize);
            ends.zip(starts).map(|(end, start)| end - start)
        });
        lengths.sum()
    }

    /// Shows the part of each document's prefix that such a partner must meet: document,
    /// key, and mass from there on. Ends early if the run is cancelled.
    pub(super) fn shared_with(
        &self,
        job: &Job<'_>,
        partners: Partners,
        mut show: impl FnMut(u32, u32, f32),
    ) {
        let mut document = 0;
        for part in &self.parts {
            if job.check().is_err() {
                return;
            }
            let mut start = 0;
            for &(end, end_upwards) in &part.ends {
                let shown = start..partners.end((end, end_upwards)) as usize;
                for (key, rest) in part.range(shown) {
                    show(document, key, rest);
                }
                start = end as usize;
                document += 1;
            }
        }
    }
}

/// What a thread works out a part in.
struct Buffers {
    /// For each document and class the mass of its features, …
    masses: Box<[[f64; CLASSES]; CHUNK]>,
    /// … their number, then where the next of them is put.
    places: Box<[[u32; CLASSES]; CHUNK]>,
    /// Keys and masses of features that may be in a prefix, by document and class.
    sorted: Vec<(u32, f32)>,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            masses: Box::new([[0.0; CLASSES]; CHUNK]),
            places: Box::new([[0; CLASSES]; CHUNK]),
            sorted: Vec::new(),
        }
    }
}

/// A place beyond all others, for what is in no prefix: to put it there is faster
/// than to skip it.
const ASIDE: u32 = 1 << 31;

impl Part {
    /// The prefixes of documents of these totals, whose features are in a sheaf.
    fn new(
        rule: &Rule,
        totals: impl ExactSizeIterator<Item = f64>,
        sheaf: &Sheaf,
        classes: &[u8],
        least_class: usize,
        buffers: &mut Buffers,
    ) -> Self {
        let Buffers {
            masses,
            places,
            sorted,
        } = buffers;
        places.fill([0; CLASSES]);
        for (&item, &class) in sheaf.items.iter().zip(classes) {
            places[owner(item)][usize::from(class) % CLASSES] += 1;
        }
        match sheaf.masses.is_empty() {
            true => {
                for (masses, counts) in masses.iter_mut().zip(places.iter()) {
                    *masses = counts.map(f64::from);
                }
            }
            false => masses.fill([0.0; CLASSES]),
        }
        for ((&item, &class), &mass) in sheaf.items.iter().zip(classes).zip(&sheaf.masses) {
            masses[owner(item)][usize::from(class) % CLASSES] += f64::from(mass);
        }
        // Only classes that reach into the prefix are looked at. Within a class,
        // features are in one order already: that of ranges, then of values.
        let mut total = 0;
        let mut documents = Vec::with_capacity(totals.len());
        for ((size, masses), places) in totals.zip(masses.iter()).zip(places.iter_mut()) {
            let rest: f64 = masses[least_class..].iter().sum();
            let least = rule.region.least_common(size);
            let reaching = prefix_classes(masses, least_class, rest, least);
            let start = total;
            for (class, place) in places.iter_mut().enumerate() {
                let count = std::mem::replace(place, ASIDE);
                if reaching.contains(&class) {
                    *place = total;
                    total += count;
                }
            }
            documents.push((size, rest, start..total));
        }
        sorted.clear();
        sorted.resize(total as usize + 1, (0, 1.0));
        let mut start = 0;
        for (range, &end) in sheaf.ends().iter().enumerate() {
            let of_range = start..end as usize;
            let items = sheaf.items[of_range.clone()].iter().zip(&classes[of_range]);
            for (at, (&item, &class)) in (start..).zip(items) {
                let place = &mut places[owner(item)][usize::from(class) % CLASSES];
                let to = &mut sorted[(*place).min(total) as usize];
                to.0 = key(range, item);
                if let Some(&mass) = sheaf.masses.get(at) {
                    to.1 = mass;
                }
                *place += u32::from(*place < ASIDE);
            }
            start = end as usize;
        }
        let mut part = Self::default();
        for (size, rest, range) in documents {
            let features = &sorted[range.start as usize..range.end as usize];
            part.push(rule, size, rest, features);
        }
        part
    }

    /// Appends the prefix of a document of total `size` from its features in order; all
    /// of those that are repeated have the mass `rest`.
    fn push(&mut self, rule: &Rule, size: f64, mut rest: f64, features: &[(u32, f32)]) {
        let least = rule.region.least_common(size);
        let upwards = rule.region.least_common_upwards(size);
        let mut end_upwards = self.keys.len();
        for &(key, mass) in features {
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

    fn start(&self, at: usize) -> usize {
        match at {
            0 => 0,
            _ => self.ends[at - 1].0 as usize,
        }
    }

    fn range(&self, range: Range<usize>) -> impl Iterator<Item = (u32, f32)> {
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
