//! Signatures that agree in at least some number of places.
//!
//! A signature is a row of values; 0 stands for a value that is missing, and missing
//! values never agree. Rows that agree in `require` of n places agree in one of the
//! first n - `require` + 1: the rows are grouped by each of these in turn, and a
//! pair is taken at the first place that brings it together, so each is seen once.

use super::Job;
use super::edges::{Edge, EdgeSink};
use crate::error::Result;
use crate::parallel;
use crate::sketch::Rows;
use rayon::prelude::*;

/// Finds every pair of representatives whose rows agree in at least `require`
/// places, each of `lanes` numbers. The score is the share of places that agree, of
/// those that either row has. Returns how many pairs were looked at.
pub(crate) fn agree(
    job: &Job<'_>,
    rows: &Rows,
    lanes: usize,
    require: usize,
    sink: &EdgeSink,
) -> Result<u64> {
    let docs: Vec<u32> = rows
        .docs()
        .filter(|&doc| job.classes.is_representative(doc))
        .collect();
    let places = rows.width() / lanes;
    let mut compared = 0;
    job.begin(places)?;
    for place in 0..(places + 1).saturating_sub(require) {
        // Half of the value, then the document: few differ that agree in that half.
        let mut keyed: Vec<u64> = docs
            .par_iter()
            .map(|&doc| (rows.row(doc)[place * lanes], doc))
            .filter(|&(value, _)| value != 0)
            .map(|(value, doc)| value >> 32 << 32 | u64::from(doc))
            .collect();
        keyed.par_sort_unstable();
        compared += parallel::share_out(
            &job.settings.observer,
            keyed.len(),
            256,
            || (0, Vec::new()),
            |(compared, found), range| {
                for at in range {
                    job.check()?;
                    let (key, a) = (keyed[at] >> 32, keyed[at] as u32);
                    let others = keyed[at + 1..].iter();
                    for &other in others.take_while(|&other| other >> 32 == key) {
                        let b = other as u32;
                        let (x, y) = (rows.row(a), rows.row(b));
                        let seen = ..place * lanes;
                        if Agreement::is_any(&x[seen], &y[seen], lanes) {
                            continue;
                        }
                        *compared += 1;
                        let agreement = Agreement::of(x, y, lanes);
                        if agreement.first == Some(place)
                            && agreement.equal >= require
                            && job.may_pair(a, b)
                        {
                            found.push(Edge::new(a, b, agreement.score()));
                        }
                    }
                }
                sink.extend(found)
            },
            |(compared, _)| compared,
        )?;
        job.advance(1)?;
    }
    Ok(compared)
}

/// Where two rows agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    /// The first place.
    pub(crate) first: Option<usize>,
    /// How many places.
    pub(crate) equal: usize,
    /// How many places have a value in either row.
    pub(crate) present: usize,
}

impl Agreement {
    pub(crate) fn of(x: &[u64], y: &[u64], lanes: usize) -> Self {
        let mut found = Self::default();
        let places = x.chunks_exact(lanes).zip(y.chunks_exact(lanes));
        for (place, (x, y)) in places.enumerate() {
            let is_missing = x[0] == 0 && y[0] == 0;
            found.present += usize::from(!is_missing);
            if !is_missing && is_equal(x, y) {
                found.equal += 1;
                found.first = found.first.or(Some(place));
            }
        }
        found
    }

    /// Whether two rows agree in any place.
    pub(crate) fn is_any(x: &[u64], y: &[u64], lanes: usize) -> bool {
        let mut places = x.chunks_exact(lanes).zip(y.chunks_exact(lanes));
        places.any(|(x, y)| x[0] != 0 && is_equal(x, y))
    }

    pub(crate) fn score(self) -> f64 {
        self.equal as f64 / self.present.max(1) as f64
    }
}

/// Whether two places hold the same; mostly their first numbers decide.
#[inline]
fn is_equal(x: &[u64], y: &[u64]) -> bool {
    x[0] == y[0] && x[1..] == y[1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_values_never_agree() {
        let of = |x: &[u64], y: &[u64], lanes| {
            let met = Agreement::of(x, y, lanes);
            (met.first, met.equal, met.score())
        };
        assert_eq!(of(&[0, 0], &[0, 0], 1), (None, 0, 0.0));
        assert_eq!(of(&[0, 5, 6], &[0, 5, 7], 1), (Some(1), 1, 0.5));
        assert_eq!(of(&[1, 2, 3, 4], &[1, 2, 3, 5], 2), (Some(0), 1, 0.5));
    }
}
