//! Approximate document frequencies of the features of a size band.
//!
//! Counters are small and features may share one: that makes the order of features a
//! little worse and changes nothing else.

use super::Rule;
use super::ranges::{Chunk, Partitioning, Table, by_range};
use super::size_bands::SizeBand;
use crate::error::Result;
use crate::matching::Job;
use rayon::prelude::*;

/// A byte to a counter, so slices are an eighth of a mebibyte, and up to half a one in
/// large collections.
const TABLE: Table = Table {
    most_places: 2,
    fewest_places: 1,
    slice: 1 << 17,
    largest_slice: 1 << 19,
};

/// Classes of counts. They are few, so that what prefixes count for each of them stays in
/// the nearest cache.
pub(super) const CLASSES: usize = 1 << 4;

/// Counts of the features of a size band.
pub(super) struct Frequencies {
    partitioning: Partitioning,
    counts: Vec<Vec<u8>>,
}

/// The features of a size band with the classes of their counts.
pub(super) struct Classified {
    pub(super) chunks: Vec<Chunk>,
    /// For each chunk, the class of each of its items.
    pub(super) classes: Vec<Vec<u8>>,
}

impl Frequencies {
    /// Counts the features of a band, and returns with each the class of its count. The
    /// counts themselves are kept if features of other bands will be looked up in them.
    pub(super) fn new(
        job: &Job<'_>,
        rule: &Rule,
        band: &SizeBand<'_>,
        for_others: bool,
    ) -> Result<(Self, Classified)> {
        let partitioning = Partitioning::new(band.features(), TABLE);
        let (classified, counts) = classify(job, rule, band, partitioning, |_, lookups| {
            let mut counts = vec![0u8; partitioning.places()];
            for (items, _) in lookups.iter() {
                for &item in *items {
                    let count = &mut counts[partitioning.place(item)];
                    *count = count.saturating_add(1);
                }
            }
            look_up(partitioning, &counts, lookups);
            if for_others { counts } else { Vec::new() }
        })?;
        Ok((
            Self {
                partitioning,
                counts,
            },
            classified,
        ))
    }

    /// The features of another band with the classes of their counts in this one.
    pub(super) fn of(
        &self,
        job: &Job<'_>,
        rule: &Rule,
        other: &SizeBand<'_>,
    ) -> Result<Classified> {
        let look_up = |range: usize, lookups: &mut [Lookup<'_>]| {
            look_up(self.partitioning, &self.counts[range], lookups);
        };
        Ok(classify(job, rule, other, self.partitioning, look_up)?.0)
    }
}

/// Items of a range, and where their classes are written.
type Lookup<'a> = (&'a [u32], &'a mut [u8]);

/// Partitions the features of a band and lets `fill` write their classes, range by range.
/// What it returns is collected.
fn classify<T: Send>(
    job: &Job<'_>,
    rule: &Rule,
    band: &SizeBand<'_>,
    partitioning: Partitioning,
    fill: impl Fn(usize, &mut [Lookup<'_>]) -> T + Sync,
) -> Result<(Classified, Vec<T>)> {
    let ranges = 0..partitioning.ranges();
    let chunks: Vec<Chunk> = (0..band.chunks())
        .into_par_iter()
        .map(|chunk| {
            job.check()?;
            let regions = band.chunk(chunk).map(|at| band.region(at));
            Ok(Chunk::new(regions, rule.similarity, partitioning, &ranges))
        })
        .collect::<Result<_>>()?;
    let sizes = chunks.iter().map(|chunk| chunk.items.len());
    let mut classes: Vec<Vec<u8>> = sizes.map(|size| vec![0; size]).collect();
    let room = classes.iter_mut().map(Vec::as_mut_slice);
    let room = by_range(
        room.zip(chunks.iter().map(Chunk::ends)),
        partitioning.ranges(),
    );
    let filled = room
        .into_par_iter()
        .enumerate()
        .map(|(range, room)| {
            let items = chunks.iter().map(|chunk| chunk.of_range(range));
            job.check()?;
            Ok(fill(range, &mut items.zip(room).collect::<Vec<_>>()))
        })
        .collect::<Result<_>>()?;
    Ok((Classified { chunks, classes }, filled))
}

fn look_up(partitioning: Partitioning, counts: &[u8], lookups: &mut [Lookup<'_>]) {
    for (items, classes) in lookups {
        for (&item, class) in items.iter().zip(classes.iter_mut()) {
            *class = CLASS[usize::from(counts[partitioning.place(item)])];
        }
    }
}

/// The class of every count: rising with it, in steps of about a half; 0 for none.
/// In a table, because branches on counts would be unpredictable.
const CLASS: [u8; 256] = {
    let mut classes = [0; 256];
    let mut count = 1usize;
    while count < classes.len() {
        let power = count.ilog2() as usize;
        classes[count] = match count {
            ..=3 => count as u8,
            _ => (power * 2 + ((count >> (power - 1)) & 1)) as u8,
        };
        count += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_rise_with_counts_and_are_few() {
        let mut last = 0;
        for (count, class) in CLASS.into_iter().enumerate() {
            assert!(class >= last && (class as usize) < CLASSES);
            assert_eq!(class == 0, count == 0);
            assert_eq!(class == 1, count == 1);
            last = class;
        }
    }
}
