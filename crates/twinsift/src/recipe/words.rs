//! A recipe in words, for summaries and reports.

use super::{Classified, FeatureRules, Recipe};
use crate::features::Weights;
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
        write!(f, ", {}", self.matcher())
    }
}

impl Recipe {
    /// What is compared, and how much it counts.
    fn write_features(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.features {
            FeatureRules::Lexicon(Some(_)) => write!(f, "words of the lexicon")?,
            FeatureRules::Lexicon(None) => write!(f, "words of the collection's own lexicon")?,
            FeatureRules::Text => write!(f, "normalised text")?,
            FeatureRules::Words => write!(f, "words")?,
            FeatureRules::Profile => {
                write!(f, "words and word 3-grams, with and without disguises")?
            }
            FeatureRules::Learned { model, .. } if model.k == 1 => write!(f, "words")?,
            FeatureRules::Learned { .. } | FeatureRules::Shingles { .. } => {
                write!(f, "word {}-grams", self.k())?;
            }
            FeatureRules::Spots(rules) => {
                let sizes: Vec<String> = (rules.specifications.iter())
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
        let rules = self.imatch_rules();
        let window = rules.map(|rules| rules.window);
        for [least, most] in self.idf.into_iter().chain(window) {
            write!(f, ", normalised idf {least} to {most}")?;
        }
        if let Some(rules) = rules {
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
}
