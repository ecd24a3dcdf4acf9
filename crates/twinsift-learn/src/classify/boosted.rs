//! Boosted trees: many small trees whose answers add up.
//!
//! Learned by the crate `forust-ml`. What it learned is copied into plain trees of our
//! own: a model file stays readable, and does not change its meaning with a version of
//! the library. Learning runs on one thread and draws no samples, so that the same
//! examples always give the same trees.

use super::examples::Examples;
use super::share;
use forust_ml::{GradientBooster, Matrix};
use serde::{Deserialize, Serialize};

/// Trees whose answers add up to the logarithm of the odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boosted {
    /// Where the sum starts.
    pub base: f64,
    /// Trees, each a list of nodes of which the first is the root.
    pub trees: Vec<Vec<BoostedNode>>,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BoostedNode {
    /// A question: where to go on for values below the threshold, for others, and for
    /// missing ones.
    Ask {
        /// The signal, by its place.
        signal: usize,
        /// Values below it go one way.
        threshold: f64,
        /// The node for lower values.
        low: usize,
        /// The node for others.
        high: usize,
        /// The node for missing values.
        missing: usize,
    },
    /// An answer.
    Add {
        /// What is added to the sum.
        add: f64,
    },
}

/// Trees that are learned.
const TREES: usize = 100;

/// How much of its answer each tree adds.
const RATE: f32 = 0.1;

/// Learns trees. Examples without two classes give the share of duplicates.
pub fn learn(examples: &Examples) -> Boosted {
    let weight = |label: bool| -> f64 {
        let picked = (0..examples.len()).filter(|&at| examples.label(at) == label);
        picked.map(|at| examples.weight(at)).sum()
    };
    let share = share(weight(true), weight(false));
    let constant = Boosted {
        base: (share / (1.0 - share)).ln(),
        trees: Vec::new(),
    };
    let telling: Vec<usize> = (0..examples.signals().len())
        .filter(|&signal| varies(examples, signal))
        .collect();
    let duplicates = examples.duplicates();
    if telling.is_empty() || duplicates == 0 || duplicates == examples.len() {
        return constant;
    }
    let rows = examples.len();
    let values: Vec<f64> = telling
        .iter()
        .flat_map(|&signal| (0..rows).map(move |at| examples.row(at)[signal]))
        .collect();
    let labels: Vec<f64> = (0..rows).map(|at| f64::from(examples.label(at))).collect();
    let weights: Vec<f64> = (0..rows).map(|at| examples.weight(at)).collect();
    let mut booster = booster();
    let data = Matrix::new(&values, rows, telling.len());
    match booster.fit(&data, &labels, &weights, None) {
        Ok(()) => copied(&booster, &telling),
        // It refuses what has nothing to tell, which was left out above.
        Err(_) => constant,
    }
}

/// The library's learner of log-odds, with its default depth of 5.
fn booster() -> GradientBooster {
    GradientBooster::default()
        .set_iterations(TREES)
        .set_learning_rate(RATE)
        .set_parallel(false)
}

/// Whether a signal has two different values.
fn varies(examples: &Examples, signal: usize) -> bool {
    let mut known = (0..examples.len())
        .map(|at| examples.row(at)[signal])
        .filter(|value| !value.is_nan());
    let first = known.next();
    known.any(|value| Some(value) != first)
}

/// The library's trees as ours; `telling` are the signals that it was shown.
fn copied(booster: &GradientBooster, telling: &[usize]) -> Boosted {
    let trees = booster.trees.iter().map(|tree| {
        let steps = tree.nodes.iter().map(|node| match node.is_leaf {
            true => BoostedNode::Add {
                add: f64::from(node.weight_value),
            },
            false => BoostedNode::Ask {
                signal: telling[node.split_feature],
                threshold: node.split_value,
                low: node.left_child,
                high: node.right_child,
                missing: node.missing_node,
            },
        });
        steps.collect()
    });
    Boosted {
        base: booster.base_score,
        trees: trees.collect(),
    }
}

impl Boosted {
    /// How sure the trees are that a pair is a duplicate. Signals are asked for by
    /// their places.
    pub fn score(&self, ask: &mut dyn FnMut(usize) -> f64) -> f64 {
        let sum = self.trees.iter().map(|tree| answer(tree, ask));
        let odds = self.base + sum.sum::<f64>();
        1.0 / (1.0 + (-odds).exp())
    }
}

fn answer(tree: &[BoostedNode], ask: &mut dyn FnMut(usize) -> f64) -> f64 {
    let mut at = 0;
    // A tree has no more steps than nodes, whatever a file says.
    for _ in 0..tree.len() {
        match tree.get(at) {
            Some(BoostedNode::Ask {
                signal,
                threshold,
                low,
                high,
                missing,
            }) => {
                at = match ask(*signal) {
                    value if value.is_nan() => *missing,
                    value if value < *threshold => *low,
                    _ => *high,
                };
            }
            Some(BoostedNode::Add { add }) => return *add,
            None => return 0.0,
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::super::examples::tests::random;
    use super::*;

    const FOUR: [&str; 4] = ["same_title", "simhash_distance", "tfidf_distance", "mcd"];

    fn score(boosted: &Boosted, values: &[f64]) -> f64 {
        boosted.score(&mut |signal| values[signal])
    }

    /// A condition on two signals that a few thresholds cannot express.
    fn curved(row: &[f64]) -> bool {
        (row[1] - 0.5).powi(2) + (row[3] - 0.5).powi(2) < 0.1
    }

    #[test]
    fn it_learns_what_is_not_straight() {
        let boosted = learn(&random(3_000, &FOUR, 0.0, 1, curved));
        let fresh = random(2_000, &FOUR, 0.0, 2, curved);
        let right = (0..fresh.len())
            .filter(|&at| (score(&boosted, fresh.row(at)) >= 0.5) == fresh.label(at))
            .count();
        assert!(right >= 1_900, "{right} of 2000");
    }

    #[test]
    fn the_copy_says_what_the_library_says() {
        let examples = random(500, &FOUR, 0.2, 3, curved);
        let rows = examples.len();
        let values: Vec<f64> = (0..4)
            .flat_map(|signal| (0..rows).map(move |at| (at, signal)))
            .map(|(at, signal)| examples.row(at)[signal])
            .collect();
        let labels: Vec<f64> = (0..rows).map(|at| f64::from(examples.label(at))).collect();
        let data = Matrix::new(&values, rows, 4);
        let mut booster = booster();
        booster
            .fit_unweighted(&data, &labels, None)
            .expect("it learns");
        let copy = copied(&booster, &[0, 1, 2, 3]);
        let said = booster.predict(&data, false);
        for (at, odds) in said.into_iter().enumerate() {
            let said = 1.0 / (1.0 + (-odds).exp());
            assert!((score(&copy, examples.row(at)) - said).abs() < 1e-6);
        }
    }

    #[test]
    fn one_class_or_no_variation_gives_the_share() {
        let all = learn(&random(98, &FOUR, 0.0, 1, |_| true));
        assert!((score(&all, &[0.0; 4]) - 0.99).abs() < 1e-9);
        let nothing_known = learn(&random(50, &FOUR, 1.1, 1, curved));
        assert!(nothing_known.trees.is_empty());
    }

    #[test]
    fn a_file_cannot_send_it_round_in_circles() {
        let ask = BoostedNode::Ask {
            signal: 0,
            threshold: 0.5,
            low: 0,
            high: 9,
            missing: 0,
        };
        assert_eq!(answer(&[ask], &mut |_| 0.1), 0.0);
        assert_eq!(answer(&[ask], &mut |_| 0.9), 0.0);
    }
}
