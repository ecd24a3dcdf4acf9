//! Growing and pruning a single rule.

use super::super::between;
use super::super::examples::Examples;
use super::{Bound, Condition, Covered, Rule, count};

/// The least weight that a condition must leave.
const LEAST: f64 = 2.0;

pub(super) struct Grower<'a> {
    examples: &'a Examples,
    orders: Vec<Vec<u32>>,
}

impl<'a> Grower<'a> {
    pub(super) fn new(examples: &'a Examples) -> Self {
        Self {
            examples,
            orders: examples.orders(),
        }
    }

    /// Adds conditions to a rule until it covers no other pairs, each the one with the
    /// highest gain: the duplicates it keeps, times what it adds to how sure the rule
    /// is, in bits.
    pub(super) fn grow(&self, start: &Rule, growing: &[usize]) -> Rule {
        let mut rule = start.clone();
        let mut weights = vec![0.0; self.examples.len()];
        for &at in growing {
            if rule.holds(self.examples.row(at)) {
                weights[at] = self.examples.weight(at);
            }
        }
        loop {
            let covered = self.covered(&weights);
            if covered.others == 0.0 || covered.duplicates == 0.0 {
                return rule;
            }
            let Some(condition) = self.best(&weights, covered) else {
                return rule;
            };
            rule.conditions.push(condition);
            for (at, weight) in weights.iter_mut().enumerate() {
                if !condition.holds(self.examples.row(at)) {
                    *weight = 0.0;
                }
            }
        }
    }

    fn covered(&self, weights: &[f64]) -> Covered {
        let mut covered = Covered::default();
        for (at, weight) in weights.iter().enumerate() {
            match self.examples.label(at) {
                true => covered.duplicates += weight,
                false => covered.others += weight,
            }
        }
        covered
    }

    fn best(&self, weights: &[f64], all: Covered) -> Option<Condition> {
        let mut best: Option<(f64, Condition)> = None;
        for (signal, order) in self.orders.iter().enumerate() {
            let value = |at: u32| self.examples.row(at as usize)[signal];
            let order: Vec<u32> = order
                .iter()
                .copied()
                .filter(|&at| weights[at as usize] > 0.0)
                .collect();
            let mut known = Covered::default();
            for &at in &order {
                add(&mut known, self.examples, at, weights);
            }
            let mut low = Covered::default();
            for pair in order.windows(2) {
                add(&mut low, self.examples, pair[0], weights);
                let (here, next) = (value(pair[0]), value(pair[1]));
                if here == next {
                    continue;
                }
                let high = Covered {
                    duplicates: known.duplicates - low.duplicates,
                    others: known.others - low.others,
                };
                for (bound, kept) in [(Bound::AtMost, low), (Bound::Above, high)] {
                    let gain = gain(kept, all);
                    let is_enough = kept.duplicates + kept.others >= LEAST;
                    if is_enough && gain > 0.0 && best.is_none_or(|(known, _)| gain > known) {
                        let threshold = between(here, next);
                        let condition = Condition {
                            signal,
                            bound,
                            threshold,
                        };
                        best = Some((gain, condition));
                    }
                }
            }
        }
        best.map(|(_, condition)| condition)
    }

    /// Drops the last conditions of a rule that pairs it was not grown on do not
    /// confirm; all of them, if it is then no surer than guessing.
    pub(super) fn prune(&self, rule: &mut Rule, pruning: &[usize]) {
        let worth = |rule: &Rule| count(self.examples, rule, pruning.iter().copied()).score();
        self.shorten(rule, worth);
    }

    /// As [`prune`](Self::prune), for a rule that stands among others: what counts is
    /// how many pairs the list gets right.
    pub(super) fn prune_for_all(&self, rule: &mut Rule, pruning: &[usize]) {
        let right = |rule: &Rule| {
            let pairs = pruning.iter().copied();
            let right =
                pairs.filter(|&at| rule.holds(self.examples.row(at)) == self.examples.label(at));
            right.map(|at| self.examples.weight(at)).sum()
        };
        self.shorten(rule, right);
    }

    fn shorten(&self, rule: &mut Rule, worth: impl Fn(&Rule) -> f64) {
        let mut shorter = Rule::default();
        let mut best = (worth(&shorter), 0);
        for (at, condition) in rule.conditions.iter().enumerate() {
            shorter.conditions.push(*condition);
            let worth = worth(&shorter);
            if worth > best.0 {
                best = (worth, at + 1);
            }
        }
        rule.conditions.truncate(best.1);
    }
}

fn add(covered: &mut Covered, examples: &Examples, at: u32, weights: &[f64]) {
    let at = at as usize;
    match examples.label(at) {
        true => covered.duplicates += weights[at],
        false => covered.others += weights[at],
    }
}

/// What a condition is worth that keeps `kept` of `all`.
fn gain(kept: Covered, all: Covered) -> f64 {
    let sure = |c: Covered| ((c.duplicates + 1.0) / (c.duplicates + c.others + 1.0)).log2();
    kept.duplicates * (sure(kept) - sure(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_gains_by_what_it_keeps_and_how_sure_it_is() {
        let covered = |duplicates, others| Covered { duplicates, others };
        let all = covered(50.0, 50.0);
        assert!(gain(covered(50.0, 0.0), all) > gain(covered(25.0, 0.0), all));
        assert!(gain(covered(50.0, 0.0), all) > gain(covered(50.0, 10.0), all));
        assert!(gain(covered(25.0, 25.0), all) <= 0.5);
        assert_eq!(gain(covered(0.0, 9.0), all), 0.0);
    }
}
