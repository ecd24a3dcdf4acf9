//! Is this pair a duplicate, given its signals?
//!
//! From *Multiple-Signal Duplicate Detection for Search Evaluation* (Huffman et al.
//! 2007), section 5. A classifier is learned from labelled pairs and their
//! [signals](crate::signals). Two kinds can be read by people: a decision tree grown
//! by gain ratio and pruned (as C4.5 does), and an ordered list of rules (as RIPPER
//! does). The third, boosted trees, is a stronger learner that cannot. All of them
//! give a score from 0 to 1, take missing signals as they come, and make the same of
//! the same examples and seed.
//!
//! | file | answers |
//! |---|---|
//! | [`examples`] | what is learned from? |
//! | [`tree`] | which questions tell duplicates, one after another? |
//! | [`rules`] | which conditions together make a duplicate? |
//! | [`boosted`] | what do many small trees say together? |
//! | [`folds`] | which pairs are learned from, and which judged on? |
//! | [`validate`] | how good is a classifier on pairs it has not seen? |
//! | [`ladder`] | what does each further signal, by rising cost, add? |
//! | [`select`] | which signals are enough? |
//! | [`model`] | what is kept in a file? |
//! | [`candidates`] | which of the pairs that another method found are duplicates? |
//! | [`explain`] | why did it say so? |

pub mod boosted;
pub mod candidates;
pub mod examples;
pub mod explain;
pub mod folds;
pub mod ladder;
pub mod model;
pub mod rules;
pub mod select;
pub mod tree;
pub mod validate;

pub use examples::Examples;
pub use model::{Model, ModelError};
pub use validate::{CrossValidation, Validation, ValidationRun, cross_validate};

use serde::{Deserialize, Serialize};

/// A kind of classifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Learner {
    /// A decision tree.
    #[default]
    Tree,
    /// An ordered list of rules.
    Rules,
    /// Boosted trees.
    Boosted,
}

impl Learner {
    /// Every kind.
    pub const ALL: [Learner; 3] = [Learner::Tree, Learner::Rules, Learner::Boosted];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Learner::Tree => "tree",
            Learner::Rules => "rules",
            Learner::Boosted => "boosted",
        }
    }

    /// Learns from examples. The seed matters to the rules only, which are grown on
    /// one part of the examples and pruned on the other.
    pub fn learn(self, examples: &Examples, seed: u64) -> Classifier {
        match self {
            Learner::Tree => Classifier::Tree(tree::learn(examples)),
            Learner::Rules => Classifier::Rules(rules::learn(examples, seed)),
            Learner::Boosted => Classifier::Boosted(boosted::learn(examples)),
        }
    }
}

/// What was learned. Signals are referred to by their place in the examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Classifier {
    /// A decision tree.
    Tree(tree::Node),
    /// An ordered list of rules.
    Rules(rules::RuleList),
    /// Boosted trees.
    Boosted(boosted::Boosted),
}

impl Classifier {
    /// How sure it is that a pair with these signals is a duplicate, from 0 to 1.
    /// Missing signals are not numbers.
    pub fn score(&self, values: &[f64]) -> f64 {
        self.score_asking(&mut |signal| values[signal])
    }

    /// As [`score`](Self::score), with signals computed when they are asked for: a
    /// classifier that has decided on cheap ones does not ask for costly ones. The same
    /// one may be asked for again.
    pub fn score_asking(&self, ask: &mut dyn FnMut(usize) -> f64) -> f64 {
        match self {
            Classifier::Tree(tree) => tree.score(ask),
            Classifier::Rules(rules) => rules.score(ask),
            Classifier::Boosted(boosted) => boosted.score(ask),
        }
    }

    /// Its kind.
    pub fn learner(&self) -> Learner {
        match self {
            Classifier::Tree(_) => Learner::Tree,
            Classifier::Rules(_) => Learner::Rules,
            Classifier::Boosted(_) => Learner::Boosted,
        }
    }
}

/// A row of signals as classifiers take it: a missing one is not a number.
pub fn values(row: &[Option<f64>]) -> Vec<f64> {
    row.iter().map(|value| value.unwrap_or(f64::NAN)).collect()
}

/// The share of duplicates among examples of some weight, drawn towards a half where
/// there are few.
fn share(duplicates: f64, others: f64) -> f64 {
    (duplicates + 1.0) / (duplicates + others + 2.0)
}

/// The shortest decimal number from `low` to below `high`, so that conditions read
/// well.
fn between(low: f64, high: f64) -> f64 {
    let middle = low + (high - low) / 2.0;
    let rounded = (1..16).map(|decimals| {
        let scale = 10f64.powi(decimals);
        (middle * scale).round() / scale
    });
    let mut fitting = rounded.filter(|&number| low <= number && number < high);
    fitting.next().unwrap_or(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_short() {
        assert_eq!(between(0.1234, 0.5), 0.3);
        assert_eq!(between(0.12, 0.13), 0.125);
        assert_eq!(between(0.0, 1.0), 0.5);
        assert_eq!(between(0.5, 0.5 + f64::EPSILON), 0.5);
    }
}
