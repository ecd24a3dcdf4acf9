//! Signatures that agree in at least some number of places.
//!
//! A signature is a row of values. For every choice of `require` places the rows
//! are grouped by their values there; a pair is taken at the first choice that
//! brings it together, so each is seen once.

use super::Job;
use super::edges::{Edge, EdgeSink};
use crate::error::Result;
use crate::hash;
use crate::parallel;
use crate::sketch::Rows;
use rayon::prelude::*;

/// Finds every pair of representatives whose rows agree in at least `require`
/// places. The score is the share of places that agree.
pub(crate) fn agree(job: &Job<'_>, rows: &Rows, require: usize, sink: &EdgeSink) -> Result<u64> {
    let width = rows.width();
    let docs: Vec<u32> = rows
        .docs()
        .filter(|&doc| job.classes.is_representative(doc))
        .collect();
    let mut compared = 0;
    for places in combinations(width, require) {
        let mut keyed: Vec<(u64, u32)> = docs
            .par_iter()
            .map(|&doc| {
                let row = rows.row(doc);
                (
                    places.iter().fold(0, |key, &at| hash::pair(key, row[at])),
                    doc,
                )
            })
            .collect();
        keyed.par_sort_unstable();
        compared += parallel::share_out(
            keyed.len(),
            256,
            || (0, Vec::new()),
            |(compared, found), range| {
                for at in range {
                    let (key, a) = keyed[at];
                    for &(_, b) in keyed[at + 1..].iter().take_while(|other| other.0 == key) {
                        let (x, y) = (rows.row(a), rows.row(b));
                        *compared += 1;
                        let equal = (0..width).filter(|&at| x[at] == y[at]);
                        let first = equal.clone().take(require).eq(places.iter().copied());
                        if first && job.may_pair(a, b) {
                            let score = equal.count() as f64 / width as f64;
                            found.push(Edge::new(a, b, score));
                        }
                    }
                }
                sink.extend(found)
            },
            |(compared, _)| compared,
        )?;
    }
    Ok(compared)
}

/// Every choice of `size` places out of `width`, in lexicographic order.
fn combinations(width: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut places: Vec<usize> = (0..size).collect();
    if size == 0 || size > width {
        return all;
    }
    loop {
        all.push(places.clone());
        let Some(at) = (0..size).rev().find(|&at| places[at] < width - size + at) else {
            return all;
        };
        places[at] += 1;
        for later in at + 1..size {
            places[later] = places[later - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_complete_and_ordered() {
        assert_eq!(combinations(6, 2).len(), 15);
        assert_eq!(combinations(3, 1), [[0], [1], [2]]);
        assert_eq!(combinations(4, 4), [[0, 1, 2, 3]]);
        assert!(combinations(2, 3).is_empty());
        assert!(combinations(6, 3).is_sorted());
    }
}
