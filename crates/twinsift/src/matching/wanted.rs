//! Which pairs a matcher has to find.
//!
//! Ten thousand documents that are all near duplicates of each other make fifty million
//! pairs. A list of pairs needs all of them. Groups and verdicts follow from far fewer, and
//! the others are not even compared.

use crate::collection::classes::Classes;

/// Which pairs are wanted.
#[derive(Debug)]
pub(crate) enum Wanted {
    /// Every one.
    All,
    /// Every one, but only what is connected and how many there are has to be known.
    Connections,
    /// Enough for verdicts and groups: documents are taken in order of preference, and each is
    /// passed over that is near so many that were not. Pairs of two documents that are passed
    /// over may be left out.
    Preferred(Preference, u32),
}

/// The order of preference, by representative: the position of the first member of a class,
/// and that of the last one.
#[derive(Debug)]
pub(crate) struct Preference {
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Preference {
    /// The preference of documents by their `position`.
    pub(crate) fn new(classes: &Classes, position: impl Fn(u32) -> u32) -> Self {
        let mut first = vec![u32::MAX; classes.len()];
        let mut last = vec![0; classes.len()];
        for doc in 0..classes.len() as u32 {
            let class = classes.representative(doc) as usize;
            first[class] = first[class].min(position(doc));
            last[class] = last[class].max(position(doc));
        }
        Self { first, last }
    }

    /// The order of the first members of classes.
    pub(crate) fn by_first(classes: &Classes) -> Self {
        let mut preference = Self::new(classes, |doc| doc);
        preference.last.clone_from(&preference.first);
        preference
    }

    /// The position of the most preferred member of a class.
    pub(crate) fn of(&self, class: u32) -> u32 {
        self.first[class as usize]
    }

    /// Whether `class` comes before any member of `other`.
    pub(crate) fn is_before_any(&self, class: u32, other: u32) -> bool {
        self.first[class as usize] < self.last[other as usize]
    }
}
