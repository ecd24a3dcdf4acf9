//! A recipe in words, for summaries and reports.

use super::{Classified, FeatureKind, Matching, Recipe, Verify};
use crate::features::Weights;
use crate::sketch::imatch::bags::Bags;
use crate::sketch::supershingles;
use std::fmt;

impl fmt::Display for Recipe {
    /// One line for people: `shingles: word 5-grams, exact join, Jaccard ≥ 0.8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = serde_json::to_value(self.method).unwrap_or_default();
        write!(f, "{}: ", method.as_str().unwrap_or_default())?;
        if let Some(Classified {
            model, threshold, ..
        }) = &self.classifier
        {
            write!(f, "score of model {model} ≥ {threshold}, on candidates by ")?;
        }
        self.write_features(f)?;
        self.write_choice(f)?;
        self.write_matching(f)
    }
}

impl Recipe {
    /// What is compared, and how much it counts.
    fn write_features(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.features {
            FeatureKind::Lexicon if self.lexicon.is_some() => write!(f, "words of the lexicon")?,
            FeatureKind::Lexicon => write!(f, "words of the collection's own lexicon")?,
            FeatureKind::Text => write!(f, "normalised text")?,
            FeatureKind::Words => write!(f, "words")?,
            FeatureKind::Learned if self.k == 1 => write!(f, "words")?,
            FeatureKind::Learned | FeatureKind::Shingles => write!(f, "word {}-grams", self.k)?,
            FeatureKind::Spots => {
                let rules = self.spots.iter().flat_map(|rules| &rules.specifications);
                let sizes: Vec<String> = rules
                    .map(|spot| format!("({}, {})", spot.distance, spot.chain))
                    .collect();
                write!(f, "spots {}", sizes.join(" "))?;
            }
        }
        match self.weights {
            Weights::Binary => Ok(()),
            Weights::Counts => write!(f, " with counts"),
            Weights::TfIdf => write!(f, " by tf-idf"),
            Weights::Learned => write!(f, " by a model"),
        }
    }

    /// Which of the features count.
    fn write_choice(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.fold {
            write!(f, ", disguises undone")?;
        }
        let window = self.imatch.map(|rules| rules.window);
        for [least, most] in self.idf.into_iter().chain(window) {
            write!(f, ", normalised idf {least} to {most}")?;
        }
        if let Some(rules) = &self.imatch {
            if rules.min_ratio > 0.0 {
                write!(f, ", {} % of the words at least", rules.min_ratio * 100.0)?;
            }
            if rules.expand_to > 0 {
                write!(f, ", filled up to {} words", rules.expand_to)?;
            }
        }
        match self.top_terms {
            Some(top) => write!(f, ", the {top} heaviest"),
            None => Ok(()),
        }
    }

    /// How it is compared.
    fn write_matching(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.matching {
            Matching::Exact {
                similarity,
                threshold,
            } => write!(f, ", exact join, {} ≥ {threshold}", similarity.name()),
            Matching::Lsh {
                threshold,
                bands,
                rows,
            } => write!(
                f,
                ", min-hash {bands} bands x {rows} rows, verified Jaccard ≥ {threshold}"
            ),
            Matching::WeightedMinHash {
                threshold,
                bands,
                rows,
                verify: true,
            } => write!(
                f,
                ", min-hash {bands} bands x {rows} rows, verified extended Jaccard ≥ {threshold}"
            ),
            Matching::WeightedMinHash {
                threshold,
                bands,
                rows,
                verify: false,
            } => write!(
                f,
                ", {} min-hashes, estimated extended Jaccard ≥ {threshold}",
                bands * rows
            ),
            Matching::MinHashes { threshold, values } => {
                write!(f, ", {values} min-hashes, estimated Jaccard ≥ {threshold}")
            }
            Matching::Hyperplanes {
                bits,
                threshold,
                verify,
            } => {
                let how = if verify { "verified" } else { "estimated" };
                write!(f, ", {bits}-bit signatures, {how} cosine ≥ {threshold}")
            }
            Matching::Hamming { bits, distance } => {
                write!(f, ", at most {distance} of {bits} bits differ")
            }
            Matching::SuperShingles { require } => write!(
                f,
                ", at least {require} of {} super-shingles equal",
                supershingles::SUPER_SHINGLES
            ),
            Matching::Hash => write!(f, ", equality"),
            Matching::IMatch { require, verify } => self.write_imatch(f, require, verify),
        }
    }

    fn write_imatch(
        &self,
        f: &mut fmt::Formatter<'_>,
        require: u32,
        verify: Option<Verify>,
    ) -> fmt::Result {
        let rules = self.imatch.unwrap_or_default();
        write!(f, ", {require} of {} signatures equal", rules.lexicons + 1)?;
        match rules.bags {
            _ if rules.lexicons == 0 => {}
            Bags::Bootstrap => write!(f, " (bootstrap)")?,
            Bags::Drop(share) => write!(f, " ({} % dropped)", share * 100.0)?,
        }
        match verify {
            None => Ok(()),
            Some(Verify {
                similarity,
                threshold,
            }) => write!(f, ", verified {} ≥ {threshold}", similarity.name()),
        }
    }
}
