//! The part of a document that is looked at to find candidates.
//!
//! Feature values are hashes, so the features with the lowest values are a fair
//! sample of a document, and the same sample in similar documents. Let a document
//! have *n* features, of which a similar one must share at least *α*. Its region
//! are its lowest *n - α + ℓ* features. Take the *ℓ* lowest features that two
//! similar documents share. At most *n - α* features of either document are not
//! shared, so these *ℓ* stand in the regions of both:
//!
//! > two similar documents share at least min(ℓ, ℓ') features that lie in the
//! > regions of both.
//!
//! With ℓ = 1 this is the classic prefix filter. A larger ℓ makes the region
//! longer and the condition much stronger: a document whose region holds fewer
//! than that many repeated features has no partner at all.
//!
//! ℓ is a fixed share λ of n, so a smaller partner has a smaller ℓ'. But then the
//! two share more than that partner's own α demands, and the difference makes up
//! for it: whatever the partner's size, at least λ·n features of a document are
//! common to both regions. (One less to be safe, since α and ℓ are whole numbers.)
//! In general, two documents that share *o* features share at least *o* less the
//! larger of *α - ℓ* and *α' - ℓ'* within both regions: so many features of each
//! are outside. For a partner of the same size or larger that is least at either
//! end of the sizes that it can have.
//!
//! All of this counts features. Where they have weights, the region is the whole
//! document, and masses take the place of numbers.

use crate::similarity::Similarity;
use crate::vector::Vector;

/// λ for a look at every document. At a threshold of 0.8 the region is then 35 %
/// of a document, and more than two fifths of it must recur.
pub(super) const SHORT: f64 = 0.15;

/// λ for documents that may have a partner: 70 % of a document, of which more
/// than two thirds must recur. The whole of it would bring fewer candidates, and
/// cost more than it saves.
pub(super) const LONG: f64 = 0.5;

/// The number of features, lowest first, in which a document shares at least one with every
/// similar one: the classic prefix. What is left has too little mass to make a pair.
pub(crate) fn prefix_length(
    vector: Vector<'_>,
    similarity: Similarity,
    threshold: f64,
    weighted: bool,
) -> usize {
    let mass = |at: usize| similarity.mass(vector.weight(at));
    let features = vector.values.len();
    prefix_length_by(
        features,
        vector.total,
        mass,
        similarity,
        threshold,
        weighted,
    )
}

/// The same in any order of features that all documents have in common; `mass` are their masses
/// in this order.
pub(crate) fn prefix_length_by(
    features: usize,
    total: f64,
    mass: impl Fn(usize) -> f64,
    similarity: Similarity,
    threshold: f64,
    weighted: bool,
) -> usize {
    if features == 0 {
        return 0;
    }
    let region = Region::new(similarity, threshold, weighted, 0.0);
    if !weighted {
        return features - region.fewest_shared(features) + 1;
    }
    let least = region.least_common(total);
    let mut left = 0.0;
    (1..features)
        .rev()
        .find(|&at| {
            left += mass(at);
            left >= least
        })
        .map_or(1, |at| at + 1)
}

/// How long regions are, and how much similar documents share within them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    similarity: Similarity,
    threshold: f64,
    weighted: bool,
    /// λ
    extra: f64,
}

impl Region {
    /// Regions with a given λ, or less where the threshold does not allow so much.
    pub(crate) fn new(similarity: Similarity, threshold: f64, weighted: bool, extra: f64) -> Self {
        Self {
            similarity,
            threshold,
            weighted,
            extra: extra.min(similarity.reach(threshold)),
        }
    }

    /// α: the fewest features that a similar document shares.
    fn fewest_shared(&self, features: usize) -> usize {
        (self.similarity.reach(self.threshold) * features as f64).ceil() as usize
    }

    /// The number of features, lowest first, that make up the region of a
    /// document with so many features.
    #[inline]
    pub(crate) fn length(&self, features: usize) -> usize {
        match self.weighted {
            true => features,
            false => {
                let alpha = self.fewest_shared(features);
                let extra = (self.extra * features as f64).ceil() as usize;
                features - alpha + extra.min(alpha)
            }
        }
    }

    /// The part of a document that lies in its region.
    #[inline]
    pub(crate) fn of<'a>(&self, vector: Vector<'a>) -> Vector<'a> {
        Vector {
            values: &vector.values[..self.length(vector.values.len())],
            ..vector
        }
    }

    /// The mass of a document of this total that lies outside its region.
    #[inline]
    pub(crate) fn outside(&self, total: f64) -> f64 {
        match self.weighted {
            true => 0.0,
            false => total - self.length(total as usize) as f64,
        }
    }

    /// The least mass within its region that a document of this total shares with
    /// the region of any similar one.
    #[inline]
    pub(crate) fn least_common(&self, total: f64) -> f64 {
        match self.weighted {
            true => self.similarity.reach(self.threshold) * total,
            false => ((self.extra * total).ceil() - 1.0).max(1.0),
        }
    }

    /// The same, if the similar one is no smaller.
    #[inline]
    pub(crate) fn least_common_upwards(&self, total: f64) -> f64 {
        let reach = self.similarity.reach(self.threshold);
        let upwards = self.similarity.reach_upwards(self.threshold);
        match self.weighted {
            true => upwards * total,
            false => {
                let share = (self.extra / reach).min(upwards - reach + self.extra);
                (share * total - 1.0).max(self.least_common(total))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;
    use proptest::prelude::*;

    proptest! {
        /// The statement above, on sets that overlap just enough.
        #[test]
        fn similar_sets_share_enough_within_their_regions(
            only_x in 0usize..60,
            only_y in 0usize..60,
            both in 1usize..120,
            seed in any::<u64>(),
            similarity in prop_oneof![
                Just(Similarity::Jaccard),
                Just(Similarity::Cosine),
                Just(Similarity::ExtendedJaccard)
            ],
            extra in prop_oneof![Just(SHORT), Just(LONG)],
        ) {
            let (n, m) = (only_x + both, only_y + both);
            let threshold = similarity.score(both as f64, n as f64, m as f64);
            let region = Region::new(similarity, threshold, false, extra);
            let make = |from: usize, own: usize| {
                let own = (0..own).map(|at| from + at);
                let mut set: Vec<u64> = (0..both).chain(own)
                    .map(|at| hash::pair(seed, at as u64))
                    .collect();
                set.sort_unstable();
                set.truncate(region.length(set.len()));
                set
            };
            let (x, y) = (make(1000, only_x), make(2000, only_y));
            let common = x.iter().filter(|value| y.contains(value)).count() as f64;
            prop_assert!(common >= region.least_common(n as f64));
            prop_assert!(common >= region.least_common(m as f64));
            prop_assert!(common >= region.least_common_upwards(n.min(m) as f64));
            prop_assert!(region.least_common(n as f64) >= 1.0);
            let outside = region.outside(n as f64).max(region.outside(m as f64));
            prop_assert!(common >= both as f64 - outside);
        }
    }
}
