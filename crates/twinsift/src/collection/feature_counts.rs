//! How many features documents have: the SpotSigs paper's "#Spots", document by document.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Features of the documents of a collection. A feature counts once for a document, however
/// often it occurs there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FeatureCounts {
    /// Different features of the whole collection.
    pub distinct: u64,
    /// The mean over documents.
    pub mean: f64,
    /// Half of the documents have at most so many.
    pub median: u64,
    /// How many documents have each number of features.
    pub sizes: BTreeMap<u64, u64>,
}

impl FeatureCounts {
    /// From the number of each document.
    pub(crate) fn of(distinct: u64, counts: impl IntoIterator<Item = u64>) -> Self {
        let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
        for count in counts {
            *sizes.entry(count).or_default() += 1;
        }
        let documents: u64 = sizes.values().sum();
        let total: u64 = sizes.iter().map(|(size, count)| size * count).sum();
        let mut seen = 0;
        let median = sizes.iter().find_map(|(&size, &count)| {
            seen += count;
            (2 * seen >= documents).then_some(size)
        });
        Self {
            distinct,
            mean: total as f64 / (documents as f64).max(1.0),
            median: median.unwrap_or(0),
            sizes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::{FeatureKind, Method};
    use crate::{Choices, Document, Sifter};

    #[test]
    fn mean_and_median() {
        let counts = FeatureCounts::of(9, [1, 1, 2, 8]);
        assert_eq!((counts.mean, counts.median), (3.0, 1));
        assert_eq!(FeatureCounts::of(0, []), FeatureCounts::default());
    }

    /// Three words, five of them with a repeat, a copy of the first, and none at all.
    #[test]
    fn every_document_is_counted_whatever_it_repeats() {
        let texts = [
            "one two three",
            "one two four five one",
            "one two three",
            "",
        ];
        let counted = |choices: Choices| {
            let recipe = choices.resolve().expect("valid");
            let mut sifter = Sifter::new(recipe, Default::default()).expect("valid");
            for (id, text) in (0u32..).zip(texts) {
                let document = Document::new(id.to_string(), text);
                sifter.add(&document).expect("added");
            }
            sifter.feature_counts().expect("counted")
        };
        let words = Choices {
            features: Some(FeatureKind::Words),
            ..Choices::default()
        };
        let counts = counted(words.clone()).expect("features are kept");
        assert_eq!(counts.distinct, 5);
        assert_eq!(counts.sizes, [(0, 1), (3, 2), (4, 1)].into());
        // 3 of 4 documents have "one", which is below the window.
        let narrow = Choices {
            idf: Some([0.3, 1.0]),
            ..words
        };
        let counts = counted(narrow).expect("features are kept");
        assert_eq!(
            (counts.distinct, counts.sizes),
            (3, [(0, 1), (1, 2), (2, 1)].into())
        );
        let exact = Choices {
            method: Some(Method::Exact),
            ..Choices::default()
        };
        assert_eq!(counted(exact), None);
    }
}
