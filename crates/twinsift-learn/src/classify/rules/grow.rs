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
        let mut is_left = vec![false; self.examples.len()];
        for &at in growing {
            is_left[at] = rule.holds(self.examples.row(at));
        }
        let left = |order: &Vec<u32>| -> Vec<u32> {
            let order = order.iter().copied();
            order.filter(|&at| is_left[at as usize]).collect()
        };
        // Those that the rule covers: all of them, and by rising value of each signal.
        let all: Vec<u32> = (0..self.examples.len() as u32).collect();
        let mut all = left(&all);
        let mut orders: Vec<Vec<u32>> = self.orders.iter().map(left).collect();
        loop {
            let covered = self.covered(&all);
            if covered.others == 0.0 || covered.duplicates == 0.0 {
                return rule;
            }
            let Some(condition) = self.best(&orders, covered) else {
                return rule;
            };
            rule.conditions.push(condition);
            let holds = |at: &u32| condition.holds(self.examples.row(*at as usize));
            all.retain(holds);
            orders.iter_mut().for_each(|order| order.retain(holds));
        }
    }

    fn covered(&self, among: &[u32]) -> Covered {
        let mut covered = Covered::default();
        for &at in among {
            self.add(&mut covered, at);
        }
        covered
    }

    fn add(&self, covered: &mut Covered, at: u32) {
        let at = at as usize;
        match self.examples.label(at) {
            true => covered.duplicates += self.examples.weight(at),
            false => covered.others += self.examples.weight(at),
        }
    }

    fn best(&self, orders: &[Vec<u32>], all: Covered) -> Option<Condition> {
        let mut best: Option<(f64, Condition)> = None;
        let sureness = sureness(all);
        for (signal, order) in orders.iter().enumerate() {
            let value = |at: u32| self.examples.row(at as usize)[signal];
            let known = self.covered(order);
            let mut low = Covered::default();
            for pair in order.windows(2) {
                self.add(&mut low, pair[0]);
                let (here, next) = (value(pair[0]), value(pair[1]));
                if here == next {
                    continue;
                }
                let high = Covered {
                    duplicates: known.duplicates - low.duplicates,
                    others: known.others - low.others,
                };
                for (bound, kept) in [(Bound::AtMost, low), (Bound::Above, high)] {
                    // No condition gains more with so many duplicates.
                    let most = -kept.duplicates * sureness;
                    let least = best.map_or(0.0, |(gain, _)| gain);
                    if kept.duplicates + kept.others < LEAST || most <= least {
                        continue;
                    }
                    let gain = gain(kept, sureness);
                    if gain > least {
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

/// How sure a rule is that covers these, in bits; 0 if it is quite sure.
fn sureness(covered: Covered) -> f64 {
    ((covered.duplicates + 1.0) / (covered.duplicates + covered.others + 1.0)).log2()
}

/// What a condition is worth that keeps `kept` of pairs of which a rule was so sure.
fn gain(kept: Covered, before: f64) -> f64 {
    kept.duplicates * (sureness(kept) - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_gains_by_what_it_keeps_and_how_sure_it_is() {
        let covered = |duplicates, others| Covered { duplicates, others };
        let all = sureness(covered(50.0, 50.0));
        assert!(gain(covered(50.0, 0.0), all) > gain(covered(25.0, 0.0), all));
        assert!(gain(covered(50.0, 0.0), all) > gain(covered(50.0, 10.0), all));
        assert!(gain(covered(25.0, 25.0), all) <= 0.5);
        assert_eq!(gain(covered(0.0, 9.0), all), 0.0);
    }
}
