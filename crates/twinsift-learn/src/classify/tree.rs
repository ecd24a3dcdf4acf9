//! A decision tree by gain ratio, pruned: the paper's J48, after C4.5.
//!
//! A node asks whether a signal is at most some threshold. Of all thresholds of a
//! signal the one with the highest information gain is taken (less what choosing among
//! so many costs, as in C4.5's release 8); of all signals with at least average gain
//! the one with the highest gain *ratio*. Branches need a tenth of what an even split
//! between the classes would have, but at least 2 and no more than 25.
//!
//! A missing value goes down both branches, each with the share of known values that
//! went there, when growing and when asking; so a score is a mixture of leaves.
//!
//! Pruning replaces a subtree by a leaf where the leaf's pessimistic error, the upper
//! end of a 25 % confidence interval, is not above the subtree's by more than 0.1.
//! Subtrees are not raised.

use super::examples::Examples;
use super::{between, share};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// A tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Node {
    /// The end of a path.
    Leaf(Leaf),
    /// A question.
    Split(Box<Split>),
}

/// What training pairs ended in a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leaf {
    /// Duplicates, by weight.
    pub duplicates: f64,
    /// Other pairs, by weight.
    pub others: f64,
}

/// A question about a signal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// The signal, by its place.
    pub signal: usize,
    /// Values up to this go to the one branch, higher ones to the other.
    pub threshold: f64,
    /// The share of known values that went to the first branch.
    pub low_share: f64,
    /// Where low values go.
    pub low: Node,
    /// Where high values go.
    pub high: Node,
}

/// The least weight of a branch.
const LEAST: f64 = 2.0;

/// How sure the pessimist wants to be.
const CONFIDENCE: f64 = 0.25;

impl Leaf {
    /// The share of duplicates.
    pub fn score(&self) -> f64 {
        share(self.duplicates, self.others)
    }

    fn errors(&self) -> f64 {
        self.duplicates.min(self.others)
    }

    fn weight(&self) -> f64 {
        self.duplicates + self.others
    }
}

impl Node {
    /// How sure the tree is that a pair is a duplicate. Signals are asked for by their
    /// places, and only those on the pair's way.
    pub fn score(&self, ask: &mut dyn FnMut(usize) -> f64) -> f64 {
        match self {
            Node::Leaf(leaf) => leaf.score(),
            Node::Split(split) => match ask(split.signal) {
                value if value.is_nan() => {
                    let (low, high) = (split.low.score(ask), split.high.score(ask));
                    split.low_share * low + (1.0 - split.low_share) * high
                }
                value if value <= split.threshold => split.low.score(ask),
                _ => split.high.score(ask),
            },
        }
    }

    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        match self {
            Node::Leaf(_) => 1,
            Node::Split(split) => split.low.leaves() + split.high.leaves(),
        }
    }
}

/// Grows a tree and prunes it.
pub fn learn(examples: &Examples) -> Node {
    let weights: Vec<f64> = (0..examples.len()).map(|at| examples.weight(at)).collect();
    let grower = Grower { examples };
    prune(grower.grow(&weights, &examples.orders())).node
}

struct Grower<'a> {
    examples: &'a Examples,
}

/// A way to split the examples of a node.
struct Candidate {
    signal: usize,
    threshold: f64,
    gain: f64,
    ratio: f64,
    low_share: f64,
}

impl Grower<'_> {
    /// Grows a node of the examples that have a weight; `orders` has them by rising
    /// value of each signal.
    fn grow(&self, weights: &[f64], orders: &[Vec<u32>]) -> Node {
        let leaf = self.leaf(weights);
        if leaf.duplicates == 0.0 || leaf.others == 0.0 || leaf.weight() < 2.0 * LEAST {
            return Node::Leaf(leaf);
        }
        let least = (0.1 * leaf.weight() / 2.0).clamp(LEAST, 25.0);
        let candidates: Vec<Candidate> = orders
            .iter()
            .enumerate()
            .filter_map(|(signal, order)| self.best_threshold(signal, order, weights, leaf, least))
            .collect();
        let average = candidates.iter().map(|c| c.gain).sum::<f64>() / candidates.len() as f64;
        let best = candidates
            .iter()
            .filter(|candidate| candidate.gain >= average - 1e-3)
            // Of equal ratios the cheapest signal wins.
            .reduce(|best, other| {
                if other.ratio > best.ratio {
                    other
                } else {
                    best
                }
            });
        let Some(best) = best else {
            return Node::Leaf(leaf);
        };
        let branch = |is_low: bool| -> Node {
            let share = if is_low {
                best.low_share
            } else {
                1.0 - best.low_share
            };
            let weight = |(at, &weight): (usize, &f64)| match self.examples.row(at)[best.signal] {
                value if value.is_nan() => weight * share,
                value if (value <= best.threshold) == is_low => weight,
                _ => 0.0,
            };
            let weights: Vec<f64> = weights.iter().enumerate().map(weight).collect();
            let left = |order: &Vec<u32>| -> Vec<u32> {
                let order = order.iter().copied();
                order.filter(|&at| weights[at as usize] > 0.0).collect()
            };
            let orders: Vec<Vec<u32>> = orders.iter().map(left).collect();
            self.grow(&weights, &orders)
        };
        Node::Split(Box::new(Split {
            signal: best.signal,
            threshold: best.threshold,
            low_share: best.low_share,
            low: branch(true),
            high: branch(false),
        }))
    }

    fn leaf(&self, weights: &[f64]) -> Leaf {
        let mut leaf = Leaf {
            duplicates: 0.0,
            others: 0.0,
        };
        for (at, &weight) in weights.iter().enumerate() {
            match self.examples.label(at) {
                true => leaf.duplicates += weight,
                false => leaf.others += weight,
            }
        }
        leaf
    }

    /// The threshold of a signal with the highest gain, if there is any gain.
    fn best_threshold(
        &self,
        signal: usize,
        order: &[u32],
        weights: &[f64],
        all: Leaf,
        least: f64,
    ) -> Option<Candidate> {
        let value = |at: u32| self.examples.row(at as usize)[signal];
        let mut known = [0.0; 2];
        for &at in order {
            known[usize::from(self.examples.label(at as usize))] += weights[at as usize];
        }
        let total = known[0] + known[1];
        let mut low = [0.0; 2];
        let mut best: Option<(f64, f64, f64)> = None;
        let mut thresholds = 0;
        for pair in order.windows(2) {
            let at = pair[0] as usize;
            low[usize::from(self.examples.label(at))] += weights[at];
            let (here, next) = (value(pair[0]), value(pair[1]));
            let weight = low[0] + low[1];
            if here == next {
                continue;
            }
            thresholds += 1;
            if weight < least || total - weight < least {
                continue;
            }
            let high = [known[0] - low[0], known[1] - low[1]];
            let after = weight / total * entropy(low) + (1.0 - weight / total) * entropy(high);
            if best.is_none_or(|(least_after, ..)| after < least_after) {
                best = Some((after, between(here, next), weight / total));
            }
        }
        let (after, threshold, low_share) = best?;
        let choosing = f64::from(thresholds).log2().max(0.0) / total;
        let gain = total / all.weight() * (entropy(known) - after) - choosing;
        let missing = (all.weight() - total).max(0.0);
        let parts = [total * low_share, total * (1.0 - low_share), missing];
        let ratio = gain / entropy_of(&parts);
        (gain > 0.0).then_some(Candidate {
            signal,
            threshold,
            gain,
            ratio,
            low_share,
        })
    }
}

fn entropy(classes: [f64; 2]) -> f64 {
    entropy_of(&classes)
}

/// The entropy of some weights, in bits.
fn entropy_of(weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let parts = weights.iter().filter(|&&weight| weight > 0.0);
    parts
        .map(|weight| weight / total)
        .map(|share| -share * share.log2())
        .sum()
}

/// A pruned node with its pessimistic errors and what ended in it.
struct Pruned {
    node: Node,
    errors: f64,
    leaf: Leaf,
}

fn prune(node: Node) -> Pruned {
    let split = match node {
        Node::Leaf(leaf) => {
            return Pruned {
                errors: pessimistic(leaf),
                node: Node::Leaf(leaf),
                leaf,
            };
        }
        Node::Split(split) => split,
    };
    let (low, high) = (prune(split.low), prune(split.high));
    let leaf = Leaf {
        duplicates: low.leaf.duplicates + high.leaf.duplicates,
        others: low.leaf.others + high.leaf.others,
    };
    let below = low.errors + high.errors;
    let errors = pessimistic(leaf);
    if errors <= below + 0.1 {
        return Pruned {
            node: Node::Leaf(leaf),
            errors,
            leaf,
        };
    }
    let split = Split {
        low: low.node,
        high: high.node,
        ..*split
    };
    Pruned {
        node: Node::Split(Box::new(split)),
        errors: below,
        leaf,
    }
}

/// The errors that a leaf would make at the upper end of the confidence interval.
fn pessimistic(leaf: Leaf) -> f64 {
    let (weight, errors) = (leaf.weight(), leaf.errors());
    if weight == 0.0 {
        return 0.0;
    }
    errors + additional(weight, errors)
}

fn additional(weight: f64, errors: f64) -> f64 {
    if errors < 1.0 {
        let none = weight * (1.0 - CONFIDENCE.powf(1.0 / weight));
        return match errors == 0.0 {
            true => none,
            false => none + errors * (additional(weight, 1.0) - none),
        };
    }
    if errors + 0.5 >= weight {
        return (weight - errors).max(0.0);
    }
    let z = Normal::standard().inverse_cdf(1.0 - CONFIDENCE);
    let share = (errors + 0.5) / weight;
    let spread = share / weight - share * share / weight + z * z / (4.0 * weight * weight);
    let upper = (share + z * z / (2.0 * weight) + z * spread.sqrt()) / (1.0 + z * z / weight);
    upper * weight - errors
}

#[cfg(test)]
mod tests {
    use super::super::examples::tests::{random, uniform};
    use super::*;
    use proptest::prelude::*;
    use twinsift::hash::Stream;

    const THREE: [&str; 3] = ["same_title", "tfidf_distance", "mcd"];

    fn score(tree: &Node, values: &[f64]) -> f64 {
        tree.score(&mut |signal| values[signal])
    }

    #[test]
    fn a_rule_with_two_conditions_is_found_again() {
        let is_duplicate = |row: &[f64]| row[1] <= 0.3 && row[2] > 0.6;
        let tree = learn(&random(2_000, &THREE, 0.0, 1, is_duplicate));
        let fresh = random(2_000, &THREE, 0.0, 2, is_duplicate);
        let right = (0..fresh.len())
            .filter(|&at| (score(&tree, fresh.row(at)) >= 0.5) == fresh.label(at))
            .count();
        assert!(right >= 1_990, "{right} of 2000");
        assert!(tree.leaves() <= 4, "{tree:?}");
    }

    #[test]
    fn noise_is_pruned_away() {
        let mut stream = Stream::new(5);
        let mut examples = Examples::new(random(1, &THREE, 0.0, 1, |_| true).signals());
        for _ in 0..1_000 {
            let row: Vec<Option<f64>> = (0..3).map(|_| Some(uniform(&mut stream))).collect();
            examples.push(&row, uniform(&mut stream) < 0.1);
        }
        assert_eq!(learn(&examples).leaves(), 1);
    }

    /// With a value missing, both branches answer by their shares.
    #[test]
    fn a_missing_value_is_asked_of_both_branches() {
        let tree = learn(&random(1_000, &THREE, 0.0, 1, |row| row[1] <= 0.25));
        let Node::Split(split) = &tree else {
            panic!("{tree:?}");
        };
        let known = |value| score(&tree, &[0.5, value, 0.5]);
        let mixed = split.low_share * known(0.1) + (1.0 - split.low_share) * known(0.9);
        assert_eq!(score(&tree, &[0.5, f64::NAN, 0.5]), mixed);
        assert!((0.2..0.3).contains(&mixed), "{mixed}");
    }

    #[test]
    fn it_learns_though_values_are_missing() {
        let is_duplicate = |row: &[f64]| row[1] <= 0.3 && row[2] > 0.6;
        let tree = learn(&random(4_000, &THREE, 0.2, 1, is_duplicate));
        let fresh = random(2_000, &THREE, 0.0, 2, is_duplicate);
        let right = (0..fresh.len())
            .filter(|&at| (score(&tree, fresh.row(at)) >= 0.5) == fresh.label(at))
            .count();
        assert!(right >= 1_900, "{right} of 2000");
    }

    /// Quinlan's example: 6 errors of none out of 6 at 25 % is 1.236 in all.
    #[test]
    fn pessimistic_errors_are_those_of_c45() {
        let none = |n: f64| {
            pessimistic(Leaf {
                duplicates: n,
                others: 0.0,
            })
        };
        assert!((none(6.0) - 6.0 * 0.206).abs() < 0.01);
        assert!((none(9.0) - 9.0 * 0.143).abs() < 0.01);
        assert!((none(1.0) - 0.75).abs() < 0.01);
        let one = pessimistic(Leaf {
            duplicates: 15.0,
            others: 1.0,
        });
        assert!((one - 16.0 * 0.157).abs() < 0.1, "{one}");
    }

    proptest! {
        /// Whatever the labels, a threshold is chosen that no other one beats by brute
        /// force, and every leaf has its due.
        #[test]
        fn the_first_threshold_has_the_highest_gain(
            rows in prop::collection::vec((0u8..20, any::<bool>()), 8..60),
        ) {
            let signals = random(1, &["mcd"], 0.0, 1, |_| true).signals().to_vec();
            let mut examples = Examples::new(&signals);
            for &(value, label) in &rows {
                examples.push(&[Some(f64::from(value) / 20.0)], label);
            }
            let grower = Grower { examples: &examples };
            let weights = vec![1.0; rows.len()];
            let leaf = grower.leaf(&weights);
            let found = grower.best_threshold(0, &examples.orders()[0], &weights, leaf, LEAST);
            let info = |low: bool, t: f64| {
                let part: Vec<bool> = rows.iter()
                    .filter(|(value, _)| (f64::from(*value) / 20.0 <= t) == low)
                    .map(|&(_, label)| label).collect();
                let duplicates = part.iter().filter(|&&label| label).count() as f64;
                (part.len() as f64, entropy([part.len() as f64 - duplicates, duplicates]))
            };
            let all = rows.len() as f64;
            let gain = |t: f64| {
                let ((n, low), (m, high)) = (info(true, t), info(false, t));
                (n >= LEAST && m >= LEAST).then(|| entropy([leaf.others, leaf.duplicates]) - n / all * low - m / all * high)
            };
            let best = (0..20).filter_map(|v| gain(f64::from(v) / 20.0)).fold(0.0, f64::max);
            if let Some(found) = found {
                prop_assert!((gain(found.threshold).expect("allowed") - best).abs() < 1e-9);
            }
        }
    }
}
