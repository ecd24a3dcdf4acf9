//! How frequent is each feature of a band, roughly?
//!
//! Small counters, which features may share: that makes the order of features a
//! little worse and changes nothing else.

use super::Rule;
use super::band::Band;
use super::ranges::{Deal, Sheaf, Table, by_range};
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

/// Counts of the features of a band.
pub(super) struct Tally {
    deal: Deal,
    counts: Vec<Vec<u8>>,
}

/// The features of a band with the classes of their counts.
pub(super) struct Classified {
    /// A chunk of documents to each.
    pub(super) sheaves: Vec<Sheaf>,
    /// Beside the items of the sheaves.
    pub(super) classes: Vec<Vec<u8>>,
}

impl Tally {
    /// Counts the features of a band, and says for each the class of its count. The
    /// counts themselves are kept if other bands will be held against them.
    pub(super) fn new(
        job: &Job<'_>,
        rule: &Rule,
        band: &Band<'_>,
        for_others: bool,
    ) -> Result<(Self, Classified)> {
        let deal = Deal::new(band.features(), TABLE);
        let (classified, counts) = classify(job, rule, band, deal, |_, asked| {
            let mut counts = vec![0u8; deal.places()];
            for (items, _) in asked.iter() {
                for &item in *items {
                    let count = &mut counts[deal.place(item)];
                    *count = count.saturating_add(1);
                }
            }
            look_up(deal, &counts, asked);
            if for_others { counts } else { Vec::new() }
        })?;
        Ok((Self { deal, counts }, classified))
    }

    /// Says for each feature of another band the class of its count in this one.
    pub(super) fn of(&self, job: &Job<'_>, rule: &Rule, other: &Band<'_>) -> Result<Classified> {
        let look_up = |range: usize, asked: &mut [Asked<'_>]| {
            look_up(self.deal, &self.counts[range], asked);
        };
        Ok(classify(job, rule, other, self.deal, look_up)?.0)
    }
}

/// Items of a range, and room for their classes.
type Asked<'a> = (&'a [u32], &'a mut [u8]);

/// Deals out the features of a band and lets `answer` fill in their classes, range by
/// range. What it returns is collected.
fn classify<T: Send>(
    job: &Job<'_>,
    rule: &Rule,
    band: &Band<'_>,
    deal: Deal,
    answer: impl Fn(usize, &mut [Asked<'_>]) -> T + Sync,
) -> Result<(Classified, Vec<T>)> {
    let ranges = 0..deal.ranges();
    let sheaves: Vec<Sheaf> = (0..band.chunks())
        .into_par_iter()
        .map(|chunk| {
            job.check()?;
            let regions = band.chunk(chunk).map(|at| band.region(at));
            Ok(Sheaf::new(regions, rule.similarity, deal, &ranges))
        })
        .collect::<Result<_>>()?;
    let sizes = sheaves.iter().map(|sheaf| sheaf.items.len());
    let mut classes: Vec<Vec<u8>> = sizes.map(|size| vec![0; size]).collect();
    let room = classes.iter_mut().map(Vec::as_mut_slice);
    let room = by_range(room.zip(sheaves.iter().map(Sheaf::ends)), deal.ranges());
    let answers = room
        .into_par_iter()
        .enumerate()
        .map(|(range, room)| {
            let items = sheaves.iter().map(|sheaf| sheaf.of_range(range));
            job.check()?;
            Ok(answer(range, &mut items.zip(room).collect::<Vec<_>>()))
        })
        .collect::<Result<_>>()?;
    Ok((Classified { sheaves, classes }, answers))
}

fn look_up(deal: Deal, counts: &[u8], asked: &mut [Asked<'_>]) {
    for (items, classes) in asked {
        for (&item, answer) in items.iter().zip(classes.iter_mut()) {
            *answer = CLASS[usize::from(counts[deal.place(item)])];
        }
    }
}

/// The class of every count: rising with it, in steps of about a half; 0 for none.
/// In a table, because which count comes next is anybody's guess.
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
