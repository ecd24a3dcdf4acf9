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
        let own = match self.lexicon {
            Some(_) => "the lexicon",
            None => "the collection's own lexicon",
        };
        match self.features {
            FeatureKind::Lexicon => write!(f, "words of {own}")?,
            FeatureKind::Learned => match self.k {
                1 => write!(f, "words")?,
                k => write!(f, "word {k}-grams")?,
            },
            FeatureKind::Text => write!(f, "normalised text")?,
            FeatureKind::Words => write!(f, "words")?,
            FeatureKind::Shingles => write!(f, "word {}-grams", self.k)?,
            FeatureKind::Spots => {
                let rules = self.spots.iter().flat_map(|rules| &rules.specifications);
                let sizes: Vec<String> = rules
                    .map(|spot| format!("({}, {})", spot.distance, spot.chain))
                    .collect();
                write!(f, "spots {}", sizes.join(" "))?;
            }
        }
        match self.weights {
            Weights::Binary => {}
            Weights::Counts => write!(f, " with counts")?,
            Weights::TfIdf => write!(f, " by tf-idf")?,
            Weights::Learned => write!(f, " by a model")?,
        }
        if self.fold {
            write!(f, ", disguises undone")?;
        }
        if let Some([least, most]) = self.idf {
            write!(f, ", normalised idf {least} to {most}")?;
        }
        if let Some(rules) = &self.imatch {
            let [least, most] = rules.window;
            write!(f, ", normalised idf {least} to {most}")?;
            if rules.min_ratio > 0.0 {
                write!(f, ", {} % of the words at least", rules.min_ratio * 100.0)?;
            }
            if rules.expand_to > 0 {
                write!(f, ", filled up to {} words", rules.expand_to)?;
            }
        }
        if let Some(top) = self.top_terms {
            write!(f, ", the {top} heaviest")?;
        }
        match self.matching {
            Matching::Hyperplanes {
                bits,
                threshold,
                verify,
            } => {
                let how = if verify { "verified" } else { "estimated" };
                write!(f, ", {bits}-bit signatures, {how} cosine ≥ {threshold}")
            }
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
            Matching::Hash => write!(f, ", equality"),
            Matching::MinHashes { threshold, values } => {
                write!(f, ", {values} min-hashes, estimated Jaccard ≥ {threshold}")
            }
            Matching::SuperShingles { require } => write!(
                f,
                ", at least {require} of {} super-shingles equal",
                supershingles::SUPER_SHINGLES
            ),
            Matching::IMatch { require, verify } => {
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
            Matching::Hamming { bits, distance } => {
                write!(f, ", at most {distance} of {bits} bits differ")
            }
        }
    }
}
