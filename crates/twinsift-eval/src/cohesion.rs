//! How much the documents of a cluster have in common: the SpotSigs paper's Figure 4.
//!
//! The cosine of words by tf-idf, averaged over the pairs of a cluster, then over clusters of
//! at least two. A low value says that clusters are hard to find whatever the method. The mean over
//! the pairs of n unit vectors is (|their sum|² - n) / (n² - n), so no pair is looked at.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use twinsift::document::Document;
use twinsift::features::shingles::Shingles;
use twinsift::features::{Features, Featurise, idf};
use twinsift::tokenise::Tokens;

/// Cosines within clusters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cohesion {
    /// The mean over clusters.
    pub mean: f64,
    /// The mean over the pairs of each cluster of two or more, from the lowest up.
    pub clusters: Vec<f64>,
}

impl Cohesion {
    /// The cosines within the clusters of `documents`; `None` if no two are together.
    pub fn of(documents: &[Document<'_>], clusters: &[Option<u32>]) -> Option<Self> {
        let words: Vec<Features> = documents
            .par_iter()
            .map_init(Tokens::new, |tokens, document| {
                let mut features = Features::new();
                tokens.read(&document.text);
                Shingles::new(1, true).features(tokens, &mut features);
                features
            })
            .collect();
        let mut frequencies: HashMap<u64, u32> = HashMap::new();
        for word in words.iter().flat_map(Features::values) {
            *frequencies.entry(*word).or_default() += 1;
        }
        let mut members: BTreeMap<u32, Vec<&Features>> = BTreeMap::new();
        for (words, cluster) in words.iter().zip(clusters) {
            if let Some(cluster) = cluster {
                members.entry(*cluster).or_default().push(words);
            }
        }
        let members: Vec<Vec<&Features>> = members.into_values().collect();
        let mut means: Vec<f64> = members
            .par_iter()
            .filter(|members| members.len() > 1)
            .map(|members| mean_cosine(members, &frequencies, documents.len()))
            .collect();
        means.sort_unstable_by(f64::total_cmp);
        (!means.is_empty()).then(|| Self {
            mean: means.iter().sum::<f64>() / means.len() as f64,
            clusters: means,
        })
    }
}

/// The mean cosine of the pairs; a document without words has none with any other.
fn mean_cosine(members: &[&Features], frequencies: &HashMap<u64, u32>, documents: usize) -> f64 {
    let mut sum: BTreeMap<u64, f64> = BTreeMap::new();
    let mut with_words = 0.0;
    for words in members {
        let counted = words.values().iter().zip(words.counts());
        let weights: Vec<f64> = counted
            .map(|(word, &count)| idf::weight(f64::from(count), frequencies[word], documents))
            .collect();
        let length = weights.iter().map(|weight| weight * weight).sum::<f64>();
        if length > 0.0 {
            with_words += 1.0;
            for (word, weight) in words.values().iter().zip(&weights) {
                *sum.entry(*word).or_default() += weight / length.sqrt();
            }
        }
    }
    let squared: f64 = sum.values().map(|part| part * part).sum();
    let count = members.len() as f64;
    (squared - with_words).max(0.0) / (count * count - count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choices, Settings};
    use crate::{Gold, Trial};
    use twinsift::features::Weights;
    use twinsift::recipe::FeatureKind;
    use twinsift::similarity::Similarity;

    #[test]
    fn as_the_pairs_of_an_exact_join() {
        let texts = [
            "the bridge was opened by the mayor",
            "the bridge was opened today, the mayor said",
            "the old bridge was closed",
            "a storm reached the coast",
            "a storm reached the southern coast",
            "",
        ];
        let clusters = [Some(0), Some(0), Some(0), Some(1), Some(1), Some(2)];
        let documents: Vec<Document<'_>> = (0..)
            .zip(texts)
            .map(|(id, text): (u32, _)| Document::new(id.to_string(), text))
            .collect();
        let choices = Choices {
            features: Some(FeatureKind::Words),
            weights: Some(Weights::TfIdf),
            similarity: Some(Similarity::Cosine),
            threshold: Some(1e-6),
            ..Choices::default()
        };
        let gold = Gold::from_clusters(&[None; 6], &[]);
        let settings = Settings::default();
        let trial = Trial::new(&documents, &gold, &settings);
        let found = trial
            .find(&choices.resolve().expect("valid"))
            .expect("found");
        let mut sums = [0.0, 0.0];
        for pair in found.pairs() {
            let pair = pair.expect("read");
            if let (Some(x), Some(y)) = (clusters[pair.a as usize], clusters[pair.b as usize])
                && x == y
            {
                sums[x as usize] += pair.score;
            }
        }
        let cohesion = Cohesion::of(&documents, &clusters).expect("clusters");
        let mut expected = [sums[0] / 3.0, sums[1]];
        expected.sort_unstable_by(f64::total_cmp);
        for (cohesion, expected) in cohesion.clusters.iter().zip(expected) {
            assert!((cohesion - expected).abs() < 1e-6, "{cohesion} {expected}");
        }
        assert_eq!(cohesion.clusters.len(), 2);
        assert_eq!(
            cohesion.mean,
            (cohesion.clusters[0] + cohesion.clusters[1]) / 2.0
        );
        assert_eq!(Cohesion::of(&documents, &[None; 6]), None);
    }
}
