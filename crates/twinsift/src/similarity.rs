//! How alike are two documents?
//!
//! A document is a vector of weighted features. Each feature has a *mass* and a
//! document's *total* is the sum of its masses; two documents *share* something
//! at each common feature. With these three words Jaccard and cosine, weighted
//! or not, have the same bounds, and one join serves all of them:
//!
//! | | mass | shared | similarity |
//! |---|---|---|---|
//! | Jaccard | w | Σ min(x, y) | shared / (total x + total y - shared) |
//! | cosine | w² | Σ x·y | shared / √(total x · total y) |
//! | extended Jaccard | w² | Σ x·y | shared / (total x + total y - shared) |
//!
//! With weights of 1 the first is the Jaccard similarity of sets, with counts
//! that of multisets. A similarity is always computed in the same order of
//! features, so that it comes out the same to the last bit.

use crate::vector::Vector;
use serde::{Deserialize, Serialize};

/// Filters leave this much room for rounding before they reject a pair, so that
/// only the exact similarity ever decides.
const SLACK: f64 = 1.0 - 1e-7;

/// Lines of the cache that are worth fetching before two documents are compared: most
/// comparisons end early.
pub(crate) const FETCHED_LINES: usize = 6;

/// A similarity of two weighted feature vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Similarity {
    /// Shared mass over united mass.
    #[default]
    Jaccard,
    /// The cosine of the angle between the vectors.
    Cosine,
    /// Shared mass over united mass, where the masses are squares, as for cosine:
    /// Jaccard for vectors, also known as Tanimoto.
    #[serde(rename = "extended-jaccard")]
    ExtendedJaccard,
}

impl Similarity {
    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Similarity::Jaccard => "Jaccard",
            Similarity::Cosine => "cosine",
            Similarity::ExtendedJaccard => "extended Jaccard",
        }
    }

    /// The mass of a feature of weight `w`.
    #[inline]
    pub fn mass(self, w: f64) -> f64 {
        match self {
            Similarity::Jaccard => w,
            Similarity::Cosine | Similarity::ExtendedJaccard => w * w,
        }
    }

    /// What two documents share at a feature that weighs `x` in one and `y` in
    /// the other.
    #[inline]
    pub fn common(self, x: f64, y: f64) -> f64 {
        match self {
            Similarity::Jaccard => x.min(y),
            Similarity::Cosine | Similarity::ExtendedJaccard => x * y,
        }
    }

    /// The total of a document with these weights (all 1 if empty).
    pub fn total(self, features: usize, weights: &[f32]) -> f64 {
        match weights.is_empty() {
            true => features as f64,
            false => weights.iter().map(|&w| self.mass(f64::from(w))).sum(),
        }
    }

    /// The similarity, from what is shared and the two totals.
    #[inline]
    pub fn score(self, shared: f64, total_x: f64, total_y: f64) -> f64 {
        let score = match self {
            Similarity::Jaccard | Similarity::ExtendedJaccard => {
                shared / (total_x + total_y - shared)
            }
            Similarity::Cosine => shared / (total_x * total_y).sqrt(),
        };
        score.min(1.0)
    }

    /// At least this must be shared to reach `threshold`, up to rounding.
    #[inline]
    pub(crate) fn required(self, threshold: f64, total_x: f64, total_y: f64) -> f64 {
        SLACK
            * match self {
                Similarity::Jaccard | Similarity::ExtendedJaccard => {
                    half_share(threshold) * (total_x + total_y)
                }
                Similarity::Cosine => threshold * (total_x * total_y).sqrt(),
            }
    }

    /// At most this can be shared by the parts of two documents that have these
    /// masses.
    #[inline]
    pub(crate) fn most_shared(self, mass_x: f64, mass_y: f64) -> f64 {
        match self {
            Similarity::Jaccard => mass_x.min(mass_y),
            Similarity::Cosine | Similarity::ExtendedJaccard => (mass_x * mass_y).sqrt(),
        }
    }

    /// A document can only be similar to one whose total is at least this share
    /// of its own. The cosine of weighted vectors does not depend on their
    /// lengths, so there it is nothing.
    pub(crate) fn smallest_partner(self, threshold: f64, weighted: bool) -> f64 {
        match self {
            Similarity::Cosine if weighted => 0.0,
            Similarity::Jaccard | Similarity::Cosine => self.reach(threshold),
            Similarity::ExtendedJaccard => {
                // √(xy) ≥ s (x + y), solved for the smaller total. Near a threshold
                // of 1 the root magnifies rounding, so the slack goes inside.
                let s = half_share(threshold * SLACK);
                let root = (1.0 - (1.0 - 4.0 * s * s).max(0.0).sqrt()) / (2.0 * s);
                root * root
            }
        }
    }

    /// A document can only be similar to one with which it shares features of at
    /// least this share of its mass.
    pub(crate) fn reach(self, threshold: f64) -> f64 {
        SLACK
            * match self {
                Similarity::Jaccard => threshold,
                Similarity::Cosine => threshold * threshold,
                // With shared features of mass m, √(m y) ≥ s (x + y); the least m is
                // needed by a partner of the same total.
                Similarity::ExtendedJaccard => 4.0 * half_share(threshold).powi(2),
            }
    }

    /// As [`reach`](Self::reach), for a document that is
    /// compared only with documents of at least its own total.
    pub(crate) fn reach_upwards(self, threshold: f64) -> f64 {
        match self {
            Similarity::Jaccard => SLACK * 2.0 * threshold / (1.0 + threshold),
            Similarity::Cosine | Similarity::ExtendedJaccard => self.reach(threshold),
        }
    }

    /// What two documents share. Both must hold their features in the same order.
    pub fn shared(self, x: Vector<'_>, y: Vector<'_>) -> f64 {
        let (mut i, mut j, mut shared) = (0, 0, 0.0);
        while i < x.values.len() && j < y.values.len() {
            let (a, b) = (x.values[i], y.values[j]);
            if a == b {
                shared += self.common(x.weight(i), y.weight(j));
            }
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        shared
    }

    /// The similarity of two documents with all of their features; 0 if either
    /// has none.
    pub fn of(self, x: Vector<'_>, y: Vector<'_>) -> f64 {
        let shared = self.shared(x, y);
        match shared > 0.0 {
            true => self.score(shared, x.total, y.total),
            false => 0.0,
        }
    }

    /// The similarity of two documents if it is at least `threshold`. Stops as
    /// soon as too much turns out not to be shared.
    pub fn reaching(self, threshold: f64, x: Vector<'_>, y: Vector<'_>) -> Option<f64> {
        let required = self.required(threshold, x.total, y.total);
        let shared = match x.weights.is_empty() && y.weights.is_empty() {
            true => shared_features(x.values, y.values, required)? as f64,
            false => shared_mass(self, x, y, required)?,
        };
        let score = self.score(shared, x.total, y.total);
        (shared > 0.0 && score >= threshold).then_some(score)
    }
}

/// What two documents must share at a Jaccard similarity, as a share of both totals
/// together: at most a half.
#[inline]
fn half_share(threshold: f64) -> f64 {
    threshold / (1.0 + threshold)
}

/// Counts common features; `None` as soon as `required` is out of reach.
fn shared_features(x: &[u64], y: &[u64], required: f64) -> Option<usize> {
    let required = required.ceil() as usize;
    // How many features of each side may turn out not to be shared.
    let unshared_x = x.len().checked_sub(required)?;
    let unshared_y = y.len().checked_sub(required)?;
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        let (a, b) = (x[i], y[j]);
        if a == b {
            shared += 1;
            i += 1;
            j += 1;
            continue;
        }
        // Which one is smaller is unpredictable, so nothing branches on it.
        i += usize::from(a < b);
        j += usize::from(a > b);
        if i - shared > unshared_x || j - shared > unshared_y {
            return None;
        }
    }
    Some(shared)
}

/// Adds up what is shared; `None` as soon as `required` is out of reach.
fn shared_mass(similarity: Similarity, x: Vector<'_>, y: Vector<'_>, required: f64) -> Option<f64> {
    // Left over by rounding, a little mass may seem to be missing at the end.
    let required = required * (1.0 - 1e-7);
    let (mut rest_x, mut rest_y) = (x.total, y.total);
    let (mut i, mut j, mut shared) = (0, 0, 0.0);
    while i < x.values.len() && j < y.values.len() {
        let (a, b) = (x.values[i], y.values[j]);
        let (weight_x, weight_y) = (x.weight(i), y.weight(j));
        if a == b {
            shared += similarity.common(weight_x, weight_y);
        }
        if a <= b {
            i += 1;
            rest_x -= similarity.mass(weight_x);
        }
        if b <= a {
            j += 1;
            rest_y -= similarity.mass(weight_y);
        }
        let possible = similarity.most_shared(rest_x.max(0.0), rest_y.max(0.0));
        if shared + possible < required {
            return None;
        }
    }
    Some(shared)
}
