//! How many bits do a list of rules and its errors take? (The description length of
//! RIPPER and C4.5rules.)
//!
//! The rules are told by which of all possible conditions each has; half of that
//! counts, since conditions are not independent. The errors are told by which of the
//! covered pairs are no duplicates and which of the others are.

use super::Rule;
use crate::classify::examples::Examples;

pub(super) struct Description<'a> {
    examples: &'a Examples,
    /// Conditions that could be told apart.
    conditions: f64,
    /// The share of duplicates, by weight.
    duplicates: f64,
}

/// Half, for conditions are redundant.
const REDUNDANCY: f64 = 0.5;

impl<'a> Description<'a> {
    pub(super) fn new(examples: &'a Examples) -> Self {
        let mut conditions = 0;
        for (signal, order) in examples.orders().iter().enumerate() {
            let value = |at: &u32| examples.row(*at as usize)[signal];
            let steps = order.windows(2);
            conditions += 2 * steps
                .filter(|pair| value(&pair[0]) != value(&pair[1]))
                .count();
        }
        let weight = |at: usize| examples.weight(at);
        let all: f64 = (0..examples.len()).map(weight).sum();
        let duplicates: f64 = (0..examples.len())
            .filter(|&at| examples.label(at))
            .map(weight)
            .sum();
        Self {
            examples,
            conditions: conditions.max(1) as f64,
            duplicates: if all > 0.0 { duplicates / all } else { 0.0 },
        }
    }

    /// The bits of a list and its errors.
    pub(super) fn length(&self, rules: &[Rule]) -> f64 {
        let theory: f64 = rules
            .iter()
            .map(|rule| self.rule(rule.conditions.len() as f64))
            .sum();
        theory + self.errors(rules)
    }

    fn rule(&self, conditions: f64) -> f64 {
        if conditions == 0.0 {
            return 0.0;
        }
        let all = self.conditions.max(conditions);
        let number = conditions.log2();
        let number = match conditions > 1.0 {
            true => number + 2.0 * number.log2(),
            false => number,
        };
        REDUNDANCY * (number + subset(all, conditions, conditions / all))
    }

    fn errors(&self, rules: &[Rule]) -> f64 {
        let (mut covered, mut uncovered) = (0.0, 0.0);
        let (mut wrong, mut missed) = (0.0, 0.0);
        for at in 0..self.examples.len() {
            let weight = self.examples.weight(at);
            let holds = rules.iter().any(|rule| rule.holds(self.examples.row(at)));
            match (holds, self.examples.label(at)) {
                (true, true) => covered += weight,
                (true, false) => {
                    covered += weight;
                    wrong += weight;
                }
                (false, true) => {
                    uncovered += weight;
                    missed += weight;
                }
                (false, false) => uncovered += weight,
            }
        }
        let all = (covered + uncovered + 1.0).log2();
        // The errors of the larger part are told by what is expected of them.
        let errors = wrong + missed;
        let (expected_wrong, expected_missed) = match covered > uncovered {
            true => (self.duplicates * errors, missed),
            false => (wrong, (1.0 - self.duplicates) * errors),
        };
        let part = |size: f64, errors: f64, expected: f64| match size > 0.0 {
            true => subset(size, errors, expected / size),
            false => 0.0,
        };
        all + part(covered, wrong, expected_wrong) + part(uncovered, missed, expected_missed)
    }
}

/// The bits of saying which `k` of `t` things it is, each having a chance of `p`.
fn subset(t: f64, k: f64, p: f64) -> f64 {
    let bits = |count: f64, chance: f64| match count > 0.0 {
        true => -count * chance.max(f64::MIN_POSITIVE).log2(),
        false => 0.0,
    };
    bits(k, p) + bits(t - k, 1.0 - p)
}

#[cfg(test)]
mod tests {
    use super::super::{Bound, Condition};
    use super::*;
    use crate::classify::examples::tests::random;

    #[test]
    fn a_right_rule_shortens_the_description_and_a_wrong_one_does_not() {
        let examples = random(500, &["mcd", "tfidf_distance"], 0.0, 1, |row| row[0] <= 0.3);
        let description = Description::new(&examples);
        let rule = |signal, threshold| Rule {
            conditions: vec![Condition {
                signal,
                bound: Bound::AtMost,
                threshold,
            }],
            ..Rule::default()
        };
        // The signals of examples stand by cost: tf-idf comes before mcd.
        let none = description.length(&[]);
        let values = |signal| description.length(&[rule(signal, 0.3)]);
        let (right, wrong) = (values(0).min(values(1)), values(0).max(values(1)));
        assert!(right < none / 3.0, "{right} and {none}");
        assert!(wrong > right, "{wrong} and {right}");
    }

    #[test]
    fn saying_which_takes_the_bits_of_the_choice() {
        assert_eq!(subset(8.0, 4.0, 0.5), 8.0);
        assert_eq!(subset(8.0, 0.0, 0.0), 0.0);
        assert_eq!(subset(8.0, 8.0, 1.0), 0.0);
    }
}
