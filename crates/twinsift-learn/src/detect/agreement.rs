//! How far two raters agree.

/// How often two raters said what of the pairs that both decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Both said that a pair is the same.
    pub both_same: u64,
    /// Both said that it is not.
    pub both_different: u64,
    /// Only the first said that it is.
    pub only_first: u64,
    /// Only the second did.
    pub only_second: u64,
}

impl Agreement {
    /// Counts what two raters said of pairs.
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut counted = Self::default();
        for said in pairs {
            *match said {
                (true, true) => &mut counted.both_same,
                (false, false) => &mut counted.both_different,
                (true, false) => &mut counted.only_first,
                (false, true) => &mut counted.only_second,
            } += 1;
        }
        counted
    }

    /// Pairs that both decided.
    pub fn pairs(&self) -> u64 {
        self.both_same + self.both_different + self.only_first + self.only_second
    }

    /// The share of pairs on which they agree; `None` without a pair.
    pub fn share(&self) -> Option<f64> {
        let agreed = (self.both_same + self.both_different) as f64;
        (self.pairs() > 0).then(|| agreed / self.pairs() as f64)
    }

    /// Cohen's kappa: agreement beyond what is to be expected by chance, where 1 is all of it.
    /// `None` where chance alone makes them agree: both said the same of every pair.
    pub fn kappa(&self) -> Option<f64> {
        let pairs = self.pairs() as f64;
        let first = (self.both_same + self.only_first) as f64 / pairs;
        let second = (self.both_same + self.only_second) as f64 / pairs;
        let by_chance = first * second + (1.0 - first) * (1.0 - second);
        let share = self.share()?;
        (by_chance < 1.0).then(|| (share - by_chance) / (1.0 - by_chance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Wikipedia's article on Cohen's kappa: 50 grant proposals, of which two
    /// readers both say yes to 20 and both say no to 15.
    #[test]
    fn kappa_is_as_in_a_worked_example() {
        let said = [
            ((true, true), 20),
            ((true, false), 5),
            ((false, true), 10),
            ((false, false), 15),
        ];
        let pairs = said.iter().flat_map(|&(pair, times)| vec![pair; times]);
        let counted = Agreement::of(pairs);
        assert_eq!(counted.pairs(), 50);
        assert!((counted.share().unwrap_or_default() - 0.7).abs() < 1e-12);
        assert!((counted.kappa().unwrap_or_default() - 0.4).abs() < 1e-12);
    }

    #[test]
    fn where_nothing_can_be_said_nothing_is() {
        assert_eq!(Agreement::default().share(), None);
        assert_eq!(Agreement::default().kappa(), None);
        assert_eq!(Agreement::of([(true, true); 3]).kappa(), None);
        assert_eq!(
            Agreement::of([(true, false), (false, true)]).kappa(),
            Some(-1.0)
        );
    }
}
