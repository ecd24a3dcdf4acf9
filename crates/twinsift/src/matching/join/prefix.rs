//! The rarest features of each document, of which partners must share one.
//!
//! A document shares at least a known mass of its region with the region of any
//! similar one. Features that occur nowhere else are not shared. Of the others, in
//! order of frequency, the prefix are those from which on there is still that much
//! mass to the end: the rarest feature that two similar documents share in their
//! regions is in the prefixes of both.

use super::Rule;
use super::frequencies::{CLASSES, Classified};
use super::ranges::{CHUNK, Chunk, key, owner};
use super::size_bands::SizeBand;
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
    chunks: Vec<ChunkPrefixes>,
}

/// The partners by which an indexed document must be found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Partners {
    /// Those of at least its size.
    Larger,
    /// Those of any size.
    Any,
}

impl Partners {
    /// Where the part of a prefix ends in which they must share a key.
    fn end(self, (end, end_upwards): (u32, u32)) -> u32 {
        match self {
            Partners::Larger => end_upwards,
            Partners::Any => end,
        }
    }
}

/// The prefixes of one chunk of documents.
#[derive(Default)]
struct ChunkPrefixes {
    keys: Vec<u32>,
    /// The mass of repeated features from each key on, at most.
    rests: Vec<f32>,
    /// Where each document's prefix ends, and where the part of it ends in
    /// which a larger partner must share a key.
    ends: Vec<(u32, u32)>,
}

impl Prefixes {
    /// The prefixes of a band's documents, whose features were `classified`.
    /// Features of a class below `least_class` cannot be shared.
    pub(super) fn new(
        job: &Job<'_>,
        rule: &Rule,
        band: &SizeBand<'_>,
        classified: &Classified,
        least_class: usize,
    ) -> Result<Self> {
        let chunks = (0..band.chunks())
            .into_par_iter()
            .map_init(Buffers::default, |buffers, chunk| {
                job.check()?;
                let totals = band.chunk(chunk).map(|at| band.size(at).total);
                let features = &classified.chunks[chunk];
                let classes = &classified.classes[chunk];
                let prefixes =
                    ChunkPrefixes::new(rule, totals, features, classes, least_class, buffers);
                Ok(prefixes)
            })
            .collect::<Result<_>>()?;
        Ok(Self { chunks })
    }

    /// The whole prefix of a document: keys, each with the mass from there on.
    pub(super) fn of(&self, at: usize) -> impl Iterator<Item = (u32, f32)> {
        let (chunk, at) = (&self.chunks[at / CHUNK], at % CHUNK);
        chunk.range(chunk.start(at)..chunk.ends[at].0 as usize)
    }

    /// How many keys [`shared_with`](Self::shared_with) shows.
    pub(super) fn count_shared_with(&self, partners: Partners) -> usize {
        let lengths = self.chunks.iter().flat_map(|chunk| {
            let starts = (0..chunk.ends.len()).map(|at| chunk.start(at));
            let ends = chunk.ends.iter().map(|&ends| partners.end(ends) as usize);
            ends.zip(starts).map(|(end, start)| end - start)
        });
        lengths.sum()
    }

    /// Calls `show` with the part of each document's prefix in which such a partner must
    /// share a key: document, key, and mass from there on. Ends early if the run is cancelled.
    pub(super) fn shared_with(
        &self,
        job: &Job<'_>,
        partners: Partners,
        mut show: impl FnMut(u32, u32, f32),
    ) {
        let mut document = 0;
        for chunk in &self.chunks {
            if job.check().is_err() {
                return;
            }
            let mut start = 0;
            for &(end, end_upwards) in &chunk.ends {
                let shown = start..partners.end((end, end_upwards)) as usize;
                for (key, rest) in chunk.range(shown) {
                    show(document, key, rest);
                }
                start = end as usize;
                document += 1;
            }
        }
    }
}

/// The buffers of a thread.
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

impl ChunkPrefixes {
    /// The prefixes of documents of these totals, whose `features` have these `classes`.
    fn new(
        rule: &Rule,
        totals: impl ExactSizeIterator<Item = f64>,
        features: &Chunk,
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
        for (&item, &class) in features.items.iter().zip(classes) {
            places[owner(item)][usize::from(class) % CLASSES] += 1;
        }
        match features.masses.is_empty() {
            true => {
                for (masses, counts) in masses.iter_mut().zip(places.iter()) {
                    *masses = counts.map(f64::from);
                }
            }
            false => masses.fill([0.0; CLASSES]),
        }
        for ((&item, &class), &mass) in features.items.iter().zip(classes).zip(&features.masses) {
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
        for (range, &end) in features.ends().iter().enumerate() {
            let of_range = start..end as usize;
            let items = features.items[of_range.clone()]
                .iter()
                .zip(&classes[of_range]);
            for (at, (&item, &class)) in (start..).zip(items) {
                let place = &mut places[owner(item)][usize::from(class) % CLASSES];
                let to = &mut sorted[(*place).min(total) as usize];
                to.0 = key(range, item);
                if let Some(&mass) = features.masses.get(at) {
                    to.1 = mass;
                }
                *place += u32::from(*place < ASIDE);
            }
            start = end as usize;
        }
        let mut prefixes = Self::default();
        for (size, rest, range) in documents {
            let sorted = &sorted[range.start as usize..range.end as usize];
            prefixes.push(rule, size, rest, sorted);
        }
        prefixes
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
