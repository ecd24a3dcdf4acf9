//! An ordered list of rules for duplicates: the paper's JRip, after RIPPER.
//!
//! A rule is a conjunction of conditions on signals; the first rule that holds for a
//! pair makes it a duplicate, and where none does it is not. Rules are grown one by
//! one on two thirds of the examples that are left, each condition the one with the
//! highest information gain, and pruned on the last third. The list ends when a rule
//! is wrong more often than right, or when the description of list and errors has
//! become 64 bits longer than its shortest form. Two passes then grow each rule again from nothing
//! and further, and keep what describes the examples best; rules without which the
//! description is shorter go.
//!
//! A condition on a missing value does not hold.

mod description;
mod grow;

use super::examples::Examples;
use super::share;
use description::Description;
use grow::Grower;
use serde::{Deserialize, Serialize};
use twinsift::hash::{Stream, pair};

/// An ordered list of rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleList {
    /// The rules; the first that holds decides.
    pub rules: Vec<Rule>,
    /// What training pairs no rule held for.
    pub rest: Covered,
}

/// Conditions that together make a duplicate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// All of them must hold.
    pub conditions: Vec<Condition>,
    /// What training pairs it decided.
    pub covered: Covered,
}

/// Training pairs by weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Covered {
    /// Duplicates.
    pub duplicates: f64,
    /// Other pairs.
    pub others: f64,
}

/// A bound on a signal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// The signal, by its place.
    pub signal: usize,
    /// From above or from below.
    pub bound: Bound,
    /// The bound itself.
    pub threshold: f64,
}

/// Which side of a threshold a value must be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bound {
    /// At most the threshold.
    #[serde(rename = "<=")]
    AtMost,
    /// Above the threshold.
    #[serde(rename = ">")]
    Above,
}

/// Passes that improve the list.
const PASSES: u64 = 2;

/// The list ends when its description is so many bits longer than the shortest.
const TOO_LONG: f64 = 64.0;

impl Condition {
    /// Whether it holds for a pair.
    pub fn holds(&self, values: &[f64]) -> bool {
        self.holds_for(values[self.signal])
    }

    fn holds_for(&self, value: f64) -> bool {
        match self.bound {
            Bound::AtMost => value <= self.threshold,
            Bound::Above => value > self.threshold,
        }
    }
}

impl Rule {
    /// Whether all conditions hold for a pair.
    pub fn holds(&self, values: &[f64]) -> bool {
        self.conditions
            .iter()
            .all(|condition| condition.holds(values))
    }
}

impl Covered {
    /// The share of duplicates.
    pub fn score(&self) -> f64 {
        share(self.duplicates, self.others)
    }
}

impl RuleList {
    /// The rule that decides about a pair.
    pub fn deciding(&self, values: &[f64]) -> Option<usize> {
        self.rules.iter().position(|rule| rule.holds(values))
    }

    /// How sure the list is that a pair is a duplicate: the share of duplicates among
    /// the training pairs that the same rule decided. Signals are asked for by their
    /// places, and only until a rule holds.
    pub fn score(&self, ask: &mut dyn FnMut(usize) -> f64) -> f64 {
        let mut holds = |rule: &&Rule| {
            let mut conditions = rule.conditions.iter();
            conditions.all(|condition| condition.holds_for(ask(condition.signal)))
        };
        let deciding = self.rules.iter().find(|rule| holds(rule));
        deciding.map_or(self.rest, |rule| rule.covered).score()
    }
}

/// Learns a list.
pub fn learn(examples: &Examples, seed: u64) -> RuleList {
    let mut learner = Learner {
        examples,
        grower: Grower::new(examples),
        description: Description::new(examples),
        stream: Stream::new(pair(seed, RULES)),
    };
    let everything: Vec<usize> = (0..examples.len()).collect();
    let mut rules = Vec::new();
    learner.extend(&mut rules, &everything);
    for _ in 0..PASSES {
        learner.improve(&mut rules);
        learner.extend(&mut rules, &everything);
    }
    learner.thin(&mut rules);
    counted(rules, examples)
}

/// Sets the numbers of the rules apart from others drawn with the same seed.
const RULES: u64 = 0x5255_4c45;

struct Learner<'a> {
    examples: &'a Examples,
    grower: Grower<'a>,
    description: Description<'a>,
    stream: Stream,
}

impl Learner<'_> {
    /// Adds rules for the duplicates that no rule covers yet.
    fn extend(&mut self, rules: &mut Vec<Rule>, among: &[usize]) {
        let mut left = uncovered(self.examples, rules, among);
        let mut shortest = self.description.length(rules);
        while left.iter().any(|&at| self.examples.label(at)) {
            let (growing, pruning) = self.halves(&left);
            let mut rule = self.grower.grow(&Rule::default(), &growing);
            self.grower.prune(&mut rule, &pruning);
            if rule.conditions.is_empty() || self.is_mostly_wrong(&rule, &pruning) {
                break;
            }
            rules.push(rule);
            let length = self.description.length(rules);
            if length > shortest + TOO_LONG {
                rules.pop();
                break;
            }
            shortest = shortest.min(length);
            let before = left.len();
            left = uncovered(self.examples, rules, &left);
            if left.len() == before {
                rules.pop();
                break;
            }
        }
    }

    /// Replaces each rule by one grown from nothing, or grown further, if the whole is then
    /// described in fewer bits.
    fn improve(&mut self, rules: &mut [Rule]) {
        for at in 0..rules.len() {
            let others: Vec<Rule> = rules
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != at)
                .map(|(_, rule)| rule.clone())
                .collect();
            let everything: Vec<usize> = (0..self.examples.len()).collect();
            let left = uncovered(self.examples, &others, &everything);
            let (growing, pruning) = self.halves(&left);
            let mut replacement = self.grower.grow(&Rule::default(), &growing);
            self.grower.prune_for_all(&mut replacement, &pruning);
            let mut revision = self.grower.grow(&rules[at], &growing);
            self.grower.prune_for_all(&mut revision, &pruning);
            let mut best = (self.description.length(rules), rules[at].clone());
            for variant in [replacement, revision] {
                if variant.conditions.is_empty() {
                    continue;
                }
                rules[at] = variant;
                let length = self.description.length(rules);
                if length < best.0 {
                    best = (length, rules[at].clone());
                }
            }
            rules[at] = best.1;
        }
    }

    /// Drops rules without which the whole is described in fewer bits, the last first.
    fn thin(&self, rules: &mut Vec<Rule>) {
        for at in (0..rules.len()).rev() {
            let with = self.description.length(rules);
            let rule = rules.remove(at);
            if self.description.length(rules) > with {
                rules.insert(at, rule);
            }
        }
    }

    /// Two thirds to grow on and one to prune on, either with its share of duplicates.
    fn halves(&mut self, left: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let (mut growing, mut pruning) = (Vec::new(), Vec::new());
        for label in [true, false] {
            let mut class: Vec<usize> = left
                .iter()
                .copied()
                .filter(|&at| self.examples.label(at) == label)
                .collect();
            self.stream.shuffle(&mut class);
            let third = class.len() / 3;
            pruning.extend_from_slice(&class[..third]);
            growing.extend_from_slice(&class[third..]);
        }
        growing.sort_unstable();
        pruning.sort_unstable();
        (growing, pruning)
    }

    fn is_mostly_wrong(&self, rule: &Rule, pruning: &[usize]) -> bool {
        let covered = count(self.examples, rule, pruning.iter().copied());
        covered.others > covered.duplicates
    }
}

fn uncovered(examples: &Examples, rules: &[Rule], among: &[usize]) -> Vec<usize> {
    let is_covered = |at: usize| rules.iter().any(|rule| rule.holds(examples.row(at)));
    among
        .iter()
        .copied()
        .filter(|&at| !is_covered(at))
        .collect()
}

fn count(examples: &Examples, rule: &Rule, among: impl Iterator<Item = usize>) -> Covered {
    let mut covered = Covered::default();
    for at in among.filter(|&at| rule.holds(examples.row(at))) {
        match examples.label(at) {
            true => covered.duplicates += examples.weight(at),
            false => covered.others += examples.weight(at),
        }
    }
    covered
}

/// The list with what each rule decided among the examples.
fn counted(rules: Vec<Rule>, examples: &Examples) -> RuleList {
    let mut left: Vec<usize> = (0..examples.len()).collect();
    let mut list = RuleList {
        rules: Vec::new(),
        rest: Covered::default(),
    };
    for mut rule in rules {
        rule.covered = count(examples, &rule, left.iter().copied());
        left.retain(|&at| !rule.holds(examples.row(at)));
        list.rules.push(rule);
    }
    list.rest = count(examples, &Rule::default(), left.into_iter());
    list
}

#[cfg(test)]
mod tests {
    use super::super::examples::tests::{random, uniform};
    use super::*;

    const THREE: [&str; 3] = ["same_title", "tfidf_distance", "mcd"];

    fn either(row: &[f64]) -> bool {
        row[1] <= 0.2 || (row[0] > 0.7 && row[2] <= 0.3)
    }

    fn right(list: &RuleList, fresh: &Examples) -> usize {
        (0..fresh.len())
            .filter(|&at| list.deciding(fresh.row(at)).is_some() == fresh.label(at))
            .count()
    }

    #[test]
    fn two_planted_rules_are_found_again() {
        let list = learn(&random(3_000, &THREE, 0.0, 1, either), 0);
        assert!(list.rules.len() <= 3, "{list:?}");
        let found = right(&list, &random(2_000, &THREE, 0.0, 2, either));
        assert!(found >= 1_960, "{found} of 2000: {list:?}");
    }

    #[test]
    fn noise_makes_no_rules() {
        let mut stream = Stream::new(5);
        let mut examples = Examples::new(random(1, &THREE, 0.0, 1, |_| true).signals());
        for _ in 0..1_000 {
            let row: Vec<Option<f64>> = (0..3).map(|_| Some(uniform(&mut stream))).collect();
            examples.push(&row, uniform(&mut stream) < 0.1);
        }
        assert_eq!(learn(&examples, 0).rules, []);
    }

    #[test]
    fn what_is_missing_fulfils_no_condition() {
        let list = learn(&random(2_000, &THREE, 0.0, 1, |row| row[1] <= 0.2), 0);
        assert_eq!(list.deciding(&[0.5, 0.1, 0.5]), Some(0));
        assert_eq!(list.deciding(&[0.5, f64::NAN, 0.5]), None);
        let found = right(
            &learn(&random(4_000, &THREE, 0.1, 1, either), 0),
            &random(2_000, &THREE, 0.0, 2, either),
        );
        assert!(found >= 1_900, "{found} of 2000");
    }

    #[test]
    fn the_first_rule_decides_and_is_counted() {
        let examples = random(3_000, &THREE, 0.05, 1, either);
        let list = learn(&examples, 0);
        let mut total = list.rest.duplicates + list.rest.others;
        for (at, rule) in list.rules.iter().enumerate() {
            let decided = (0..examples.len())
                .filter(|&pair| list.deciding(examples.row(pair)) == Some(at))
                .count();
            let counted = rule.covered.duplicates + rule.covered.others;
            assert_eq!(decided as f64, counted);
            total += counted;
        }
        assert_eq!(total, examples.len() as f64);
    }

    #[test]
    fn one_class_alone_is_no_trouble() {
        assert_eq!(learn(&random(50, &THREE, 0.0, 1, |_| false), 0).rules, []);
        let all = learn(&random(50, &THREE, 0.0, 1, |_| true), 0);
        assert!(
            all.rest.duplicates + all.rules.iter().map(|r| r.covered.duplicates).sum::<f64>()
                == 50.0
        );
        assert_eq!(learn(&random(0, &THREE, 0.0, 1, |_| true), 0).rules, []);
    }
}
