//! The postings of a document: its blocking keys, and what bounds its similarity at each.

use super::order::FeatureOrder;
use super::parity::Parities;
use crate::error::Result;
use crate::hash;
use crate::keys::Keys;
use crate::matcher::KeyRule;
use crate::matching::join::prefix_length_by;
use crate::recipe::Recipe;
use crate::signature::Signature;
use crate::similarity::Similarity;

/// A key of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Posting {
    /// 48 bits of the key, spread evenly. Two keys that agree in these cost a comparison.
    pub(super) key: u64,
    pub(super) mark: Mark,
}

/// What a document is known by at one of its keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mark {
    /// The mass of this feature, at most.
    pub(super) mass: f32,
    /// The mass of the document's features from this one on in the order of all features, at
    /// most: in parts of [`WHOLE`] of the total.
    pub(super) rest: u8,
}

/// What is known of the size of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Size {
    /// The document's total; 0 if its keys tell nothing of what documents share.
    pub(super) total: f32,
    /// The mass of its features that are no keys, at most.
    pub(super) suffix: f32,
}

/// The rest of a document at its first key.
const WHOLE: f64 = 255.0;

/// Totals, masses and rests were rounded to few digits.
const ROUNDING: f64 = 1e-5;

/// A number that is not below this one, also after it is rounded.
fn above(number: f64) -> f32 {
    (number * (1.0 + ROUNDING / 10.0)) as f32
}

/// What two documents must share, where keys are the features of a prefix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    similarity: Similarity,
    threshold: f64,
    smallest_partner: f64,
}

impl Bounds {
    /// The least total of a document that can match one of this total.
    pub(super) fn least_total(bounds: Option<Self>, total: f32) -> f32 {
        match bounds {
            Some(bounds) => (bounds.smallest_partner * f64::from(total) * (1.0 - ROUNDING)) as f32,
            None => 0.0,
        }
    }

    /// What two documents of a match share at a common key, at most; `None` if the key stands so
    /// far ahead in one of them that they cannot match, whatever they share before and after it.
    #[inline]
    pub(super) fn shared_at(self, (x, at_x): (Size, Mark), (y, at_y): (Size, Mark)) -> Option<f64> {
        let (total_x, total_y) = (f64::from(x.total), f64::from(y.total));
        let rest = |mark: Mark, total: f64| f64::from(mark.rest) / WHOLE * total;
        let before = |mark: Mark, total: f64| total * (WHOLE + 1.0 - f64::from(mark.rest)) / WHOLE;
        let possible = (self.similarity).most_shared(before(at_x, total_x), before(at_y, total_y))
            + (self.similarity).most_shared(rest(at_x, total_x), rest(at_y, total_y));
        if possible < self.required(total_x, total_y) {
            return None;
        }
        Some((self.similarity).most_shared(at_x.mass.into(), at_y.mass.into()))
    }

    /// In how many features two documents of a match differ, at most, where all weigh 1.
    pub(super) fn most_differences(self, x: Size, y: Size) -> f64 {
        let (total_x, total_y) = (f64::from(x.total), f64::from(y.total));
        total_x + total_y - 2.0 * self.required(total_x, total_y)
    }

    fn required(self, total_x: f64, total_y: f64) -> f64 {
        (self.similarity).required(self.threshold, total_x, total_y) * (1.0 - ROUNDING)
    }

    /// The least that two documents of a match share at their common keys.
    ///
    /// One of the prefixes ends first in the order of features. Up to there both documents have
    /// all their features as keys; beyond there only the suffix of that one is left to share.
    #[inline]
    pub(super) fn least_shared_by_keys(self, x: Size, y: Size) -> f64 {
        let (total_x, total_y) = (f64::from(x.total), f64::from(y.total));
        let beyond_x = (self.similarity).most_shared(x.suffix.into(), total_y);
        let beyond_y = (self.similarity).most_shared(y.suffix.into(), total_x);
        self.required(total_x, total_y) - beyond_x.max(beyond_y)
    }
}

/// Makes the postings of documents.
#[derive(Debug)]
pub(super) struct PostingMaker {
    keys: Keys,
    bounds: Option<Bounds>,
    order: FeatureOrder,
    places: Vec<u32>,
}

impl PostingMaker {
    pub(super) fn new(recipe: &Recipe, order: FeatureOrder) -> Result<Self> {
        Ok(Self {
            keys: Keys::new(recipe)?,
            bounds: bounds(recipe)?,
            order,
            places: Vec::new(),
        })
    }

    /// Replaces `postings` by those of a document, and returns its size.
    pub(super) fn make(&mut self, signature: &Signature, postings: &mut Vec<Posting>) -> Size {
        postings.clear();
        let &KeyRule::Prefix {
            similarity,
            threshold,
            weighted,
        } = self.keys.rule()
        else {
            return self.plain(signature, postings);
        };
        if signature.is_fallback || signature.values.is_empty() {
            return self.plain(signature, postings);
        }
        let vector = signature.vector();
        self.order.sort(&signature.values, &mut self.places);
        let mass = |at: usize| similarity.mass(vector.weight(self.places[at] as usize));
        let length = prefix_length_by(
            vector.values.len(),
            vector.total,
            mass,
            similarity,
            threshold,
            weighted,
        );
        let mut rest = vector.total;
        for (at, &place) in self.places[..length].iter().enumerate() {
            let share = (rest / vector.total * (1.0 + ROUNDING / 10.0) * WHOLE).ceil();
            postings.push(Posting {
                key: shortened(signature.values[place as usize]),
                mark: Mark {
                    mass: if weighted { above(mass(at)) } else { 1.0 },
                    rest: share.clamp(0.0, WHOLE) as u8,
                },
            });
            rest -= mass(at);
        }
        // What is left after subtractions may be off by the rounding of the total.
        let suffix = (rest + vector.total * ROUNDING / 10.0).max(0.0);
        Size {
            total: vector.total as f32,
            suffix: if length < self.places.len() {
                above(suffix)
            } else {
                0.0
            },
        }
    }

    /// Keys without bounds.
    fn plain(&self, signature: &Signature, postings: &mut Vec<Posting>) -> Size {
        if matches!(self.keys.rule(), KeyRule::Digest) && !signature.is_fallback {
            // Equal documents are one class.
            return Size::default();
        }
        let keys = self.keys.of(signature).into_iter();
        postings.extend(keys.map(|key| Posting {
            key: shortened(key),
            mark: Mark {
                mass: 1.0,
                rest: WHOLE as u8,
            },
        }));
        Size::default()
    }

    /// The parities of a document of this size, if they can tell it from others.
    pub(super) fn parities(&self, signature: &Signature, size: Size) -> Option<Parities> {
        let bounds = self.bounds?;
        let is_told_apart = bounds.most_differences(size, size) < f64::from(Parities::TYPICAL);
        (!self.is_weighted() && size.total > 0.0 && is_told_apart)
            .then(|| Parities::of(&signature.values))
    }

    /// Whether masses of keys differ.
    pub(super) fn is_weighted(&self) -> bool {
        matches!(self.keys.rule(), KeyRule::Prefix { weighted: true, .. })
    }
}

/// The bits of a key that travel.
fn shortened(key: u64) -> u64 {
    hash::spread(key) >> 16
}

/// The bounds of a recipe's keys, if they are features of prefixes.
pub(super) fn bounds(recipe: &Recipe) -> Result<Option<Bounds>> {
    Ok(match *Keys::new(recipe)?.rule() {
        KeyRule::Prefix {
            similarity,
            threshold,
            weighted,
        } => Some(Bounds {
            similarity,
            threshold,
            smallest_partner: similarity.smallest_partner(threshold, weighted),
        }),
        _ => None,
    })
}

/// Whether documents that are not equal can match by a recipe at all.
pub(super) fn joins(recipe: &Recipe) -> Result<bool> {
    let has_fallback = (recipe.spot_rules()).is_some_and(|rules| rules.fallback.is_some());
    Ok(has_fallback || !matches!(Keys::new(recipe)?.rule(), KeyRule::Digest))
}
