//! Why did a classifier say so? The path through the tree, the rule that held, and
//! whole classifiers in words.

use super::Classifier;
use super::boosted::{Boosted, BoostedNode};
use super::rules::{Bound, Condition, Covered, RuleList};
use super::tree::Node;
use crate::signals::Signal;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Why a pair got its score, line by line.
pub fn decision(classifier: &Classifier, signals: &[Signal], values: &[f64]) -> Vec<String> {
    match classifier {
        Classifier::Tree(tree) => {
            let mut lines = Vec::new();
            walk(tree, signals, values, 1.0, 0, &mut lines);
            lines
        }
        Classifier::Rules(list) => match list.deciding(values) {
            Some(at) => {
                let rule = &list.rules[at];
                let held = rule.conditions.iter();
                let mut lines = vec![format!("rule {} holds:", at + 1)];
                lines.extend(held.map(|condition| {
                    let value = values[condition.signal];
                    format!(
                        "  {}: it is {value:.4}",
                        condition_in_words(condition, signals)
                    )
                }));
                lines.push(format!("so a duplicate: {}", trained(rule.covered)));
                lines
            }
            None => vec![format!(
                "no rule holds, so not a duplicate: {}",
                trained(list.rest)
            )],
        },
        Classifier::Boosted(boosted) => vec![format!(
            "{} trees add up to a score of {:.4}",
            boosted.trees.len(),
            classifier.score(values)
        )],
    }
}

/// The questions on the way of a pair; where a value is missing, both ways.
fn walk(
    node: &Node,
    signals: &[Signal],
    values: &[f64],
    share: f64,
    depth: usize,
    lines: &mut Vec<String>,
) {
    let indent = "  ".repeat(depth);
    match node {
        Node::Leaf(leaf) => {
            let covered = Covered {
                duplicates: leaf.duplicates,
                others: leaf.others,
            };
            let weight = match share < 1.0 {
                true => format!(" (counts {:.0} %)", share * 100.0),
                false => String::new(),
            };
            lines.push(format!("{indent}{}{weight}", trained(covered)));
        }
        Node::Split(split) => {
            let (name, threshold) = (signals[split.signal], split.threshold);
            let value = values[split.signal];
            if value.is_nan() {
                lines.push(format!("{indent}{name} is missing, so both ways count:"));
                for (word, part, next) in [
                    ("at most", split.low_share, &split.low),
                    ("above", 1.0 - split.low_share, &split.high),
                ] {
                    lines.push(format!("{indent}if {word} {threshold}:"));
                    walk(next, signals, values, share * part, depth + 1, lines);
                }
                return;
            }
            let is_low = value <= threshold;
            let word = if is_low { "at most" } else { "above" };
            lines.push(format!("{indent}{name} is {value:.4}, {word} {threshold}"));
            let next = if is_low { &split.low } else { &split.high };
            walk(next, signals, values, share, depth, lines);
        }
    }
}

fn trained(covered: Covered) -> String {
    format!(
        "{} of the {} training pairs that came here were duplicates",
        number(covered.duplicates),
        number(covered.duplicates + covered.others)
    )
}

/// A weight: whole where it is.
fn number(weight: f64) -> String {
    match (weight - weight.round()).abs() < 0.05 {
        true => format!("{weight:.0}"),
        false => format!("{weight:.1}"),
    }
}

fn condition_in_words(condition: &Condition, signals: &[Signal]) -> String {
    let (name, threshold) = (signals[condition.signal], condition.threshold);
    match condition.bound {
        Bound::AtMost => format!("{name} <= {threshold}"),
        Bound::Above => format!("{name} > {threshold}"),
    }
}

/// A whole classifier in words.
pub fn in_words(classifier: &Classifier, signals: &[Signal]) -> String {
    match classifier {
        Classifier::Tree(tree) => {
            let mut out = String::new();
            print_tree(tree, signals, 0, &mut out);
            out
        }
        Classifier::Rules(list) => print_rules(list, signals),
        Classifier::Boosted(boosted) => print_boosted(boosted, signals),
    }
}

fn print_tree(node: &Node, signals: &[Signal], depth: usize, out: &mut String) {
    let indent = "|   ".repeat(depth);
    // Writing to a string cannot fail.
    let _ = match node {
        Node::Leaf(leaf) => writeln!(
            out,
            "{indent}{} ({} of {})",
            verdict(leaf.score()),
            number(leaf.duplicates),
            number(leaf.duplicates + leaf.others)
        ),
        Node::Split(split) => {
            let (name, threshold) = (signals[split.signal], split.threshold);
            let _ = writeln!(out, "{indent}{name} <= {threshold}");
            print_tree(&split.low, signals, depth + 1, out);
            let _ = writeln!(out, "{indent}{name} > {threshold}");
            print_tree(&split.high, signals, depth + 1, out);
            Ok(())
        }
    };
}

fn verdict(score: f64) -> &'static str {
    match score >= 0.5 {
        true => "duplicate",
        false => "not a duplicate",
    }
}

/// As the paper's Fig. 4.
fn print_rules(list: &RuleList, signals: &[Signal]) -> String {
    let mut out = String::new();
    for rule in &list.rules {
        let conditions: Vec<String> = rule
            .conditions
            .iter()
            .map(|condition| format!("({})", condition_in_words(condition, signals)))
            .collect();
        let _ = writeln!(
            out,
            "{} => duplicate ({} of {})",
            conditions.join(" and "),
            number(rule.covered.duplicates),
            number(rule.covered.duplicates + rule.covered.others)
        );
    }
    let _ = writeln!(
        out,
        "else => not a duplicate ({} of {} are)",
        number(list.rest.duplicates),
        number(list.rest.duplicates + list.rest.others)
    );
    out
}

/// How often each signal is asked for.
fn print_boosted(boosted: &Boosted, signals: &[Signal]) -> String {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for step in boosted.trees.iter().flatten() {
        if let BoostedNode::Ask { signal, .. } = step {
            *counts.entry(*signal).or_default() += 1;
        }
    }
    let mut counts: Vec<(usize, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(signal, count)| (std::cmp::Reverse(count), signal));
    let mut out = format!("{} trees, which ask for\n", boosted.trees.len());
    for (signal, count) in counts {
        let _ = writeln!(out, "  {:28} {count} times", signals[signal].name());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Learner;
    use super::super::examples::tests::random;
    use super::*;

    const THREE: [&str; 3] = ["same_title", "tfidf_distance", "mcd"];

    #[test]
    fn the_words_tell_what_was_learned() {
        let examples = random(1_000, &THREE, 0.0, 1, |row| row[1] <= 0.3);
        let words = |learner: Learner| {
            let learned = learner.learn(&examples, 0);
            in_words(&learned, examples.signals())
        };
        let tree = words(Learner::Tree);
        assert!(
            tree.starts_with("tfidf_distance <= 0.3\n|   duplicate ("),
            "{tree}"
        );
        let rules = words(Learner::Rules);
        assert!(
            rules.starts_with("(tfidf_distance <= 0.3) => duplicate ("),
            "{rules}"
        );
        assert!(rules.contains("\nelse => not a duplicate"), "{rules}");
        assert!(words(Learner::Boosted).contains("tfidf_distance"));
    }

    #[test]
    fn the_path_is_the_pairs_own() {
        let examples = random(1_000, &THREE, 0.0, 1, |row| row[1] <= 0.3);
        let tree = Learner::Tree.learn(&examples, 0);
        let why = |values: &[f64]| decision(&tree, examples.signals(), values).join("\n");
        assert!(why(&[1.0, 0.1, 0.5]).starts_with("tfidf_distance is 0.1000, at most 0.3"));
        let both = why(&[1.0, f64::NAN, 0.5]);
        assert!(both.contains("is missing, so both ways count"), "{both}");
        assert_eq!(both.matches("counts").count(), 2, "{both}");
        let rules = Learner::Rules.learn(&examples, 0);
        let why = |values: &[f64]| decision(&rules, examples.signals(), values).join("\n");
        assert!(why(&[1.0, 0.1, 0.5]).starts_with("rule 1 holds:"));
        assert!(why(&[1.0, 0.9, 0.5]).starts_with("no rule holds"));
    }
}
