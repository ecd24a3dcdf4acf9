//! What a detector compares: several kinds of features of one document, side by side.
//!
//! A *profile* has the words and the word 3-grams of a text, each as they are written and with
//! disguises undone, and the words of the title. All are in one ascending list: the top bits of
//! a value say which [`Kind`] it is of, so that the features of a kind stand together.

use super::shingles::Shingles;
use super::{Features, Featurise};
use crate::tokenise::Tokens;
use crate::vector::Vector;
use std::ops::Range;

/// Bits of a value that say of which kind it is.
const KIND_BITS: u32 = 3;

/// Words to a gram.
const GRAM: usize = 3;

/// A kind of features in a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words as they are written.
    Words,
    /// Word 3-grams as they are written.
    Grams,
    /// Words with their disguises undone.
    FoldedWords,
    /// Word 3-grams with disguises undone. Candidates are found by these.
    FoldedGrams,
    /// Words of the title, with their disguises undone.
    Title,
}

impl Kind {
    /// Every kind, in the order of the list.
    pub const ALL: [Kind; 5] = [
        Kind::Words,
        Kind::Grams,
        Kind::FoldedWords,
        Kind::FoldedGrams,
        Kind::Title,
    ];

    /// The value of a feature of this kind.
    fn value(self, feature: u64) -> u64 {
        (self as u64) << (64 - KIND_BITS) | feature >> KIND_BITS
    }

    /// Where the features of this kind stand in a profile.
    pub(crate) fn range(self, values: &[u64]) -> Range<usize> {
        let first = self.value(0);
        let from = values.partition_point(|&value| value < first);
        let count =
            values[from..].partition_point(|&value| value >> (64 - KIND_BITS) == self as u64);
        from..from + count
    }

    /// The features of this kind in a profile.
    pub(crate) fn of<'a>(self, profile: Vector<'a>) -> Vector<'a> {
        let values = &profile.values[self.range(profile.values)];
        Vector {
            total: values.len() as f64,
            values,
            weights: &[],
        }
    }
}

/// A feature of a known kind as a value that is spread evenly over all numbers, as tables ask for.
pub(crate) fn spread(value: u64) -> u64 {
    value << KIND_BITS
}

/// Replaces `out` by the profile of a document.
pub(crate) fn read(text: &str, title: Option<&str>, tokens: &mut Tokens, out: &mut Features) {
    let mut values = Vec::new();
    let mut add = |kind: Kind, k: usize, tokens: &Tokens, out: &mut Features| {
        Shingles::new(k, false).features(tokens, out);
        values.extend(out.values().iter().map(|&value| kind.value(value)));
    };
    if let Some(title) = title {
        tokens.read_as(title, true);
        add(Kind::Title, 1, tokens, out);
    }
    tokens.read_as(text, true);
    add(Kind::FoldedWords, 1, tokens, out);
    add(Kind::FoldedGrams, GRAM, tokens, out);
    tokens.read_as(text, false);
    add(Kind::Words, 1, tokens, out);
    add(Kind::Grams, GRAM, tokens, out);
    // A title alone is nothing to compare.
    if tokens.is_empty() {
        values.clear();
    }
    out.collect(false, |all| all.append(&mut values));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn profile(text: &str, title: Option<&str>) -> Vec<u64> {
        let mut features = Features::new();
        read(text, title, &mut Tokens::new(), &mut features);
        features.values().to_vec()
    }

    fn counts(values: &[u64]) -> [usize; 5] {
        Kind::ALL.map(|kind| kind.range(values).len())
    }

    #[test]
    fn each_kind_has_its_own_features() {
        let values = profile("cheap m3dicine and m3dicine", Some("Buy now"));
        assert_eq!(counts(&values), [3, 2, 3, 2, 2]);
        assert_eq!(counts(&profile("", Some("Buy now"))), [0; 5]);
        assert_eq!(counts(&profile("one", None)), [1, 1, 1, 1, 0]);
    }

    #[test]
    fn disguises_are_undone_in_some_kinds() {
        let (a, b) = (
            profile("m3dicine for sale", None),
            profile("medicine for sale", None),
        );
        let equal = |kind: Kind| a[kind.range(&a)] == b[kind.range(&b)];
        assert!(equal(Kind::FoldedWords) && equal(Kind::FoldedGrams));
        assert!(!equal(Kind::Words) && !equal(Kind::Grams));
    }

    proptest! {
        #[test]
        fn kinds_cover_the_profile_in_order(text in "[a-e ]{0,80}", title in "[a-e ]{0,20}") {
            let values = profile(&text, Some(&title));
            prop_assert!(values.is_sorted());
            let mut at = 0;
            for kind in Kind::ALL {
                let range = kind.range(&values);
                prop_assert_eq!(range.start, at);
                at = range.end;
            }
            prop_assert_eq!(at, values.len());
        }
    }
}
