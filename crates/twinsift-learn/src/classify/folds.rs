//! Which pairs are learned from, and which judged on?
//!
//! As in the paper, pairs are dealt to folds so that each has its share of duplicates.
//! Where pairs belong to groups (both of their pages do: the service a page is from, the
//! query it answers), groups are dealt instead, and a pair is learned from only if
//! neither of its groups is judged on, and judged on only if both are. Pairs across are
//! left aside, so that nothing of one side is known to the other.

use super::examples::Examples;
use std::collections::BTreeSet;
use twinsift::hash::{Stream, pair};

/// What to learn from and what to judge on, by place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// To learn from.
    pub train: Vec<usize>,
    /// To judge on.
    pub test: Vec<usize>,
}

/// Deals pairs to `count` folds, each with its share of duplicates.
pub fn stratified(examples: &Examples, count: usize, seed: u64) -> Vec<Fold> {
    let mut fold_of = vec![0; examples.len()];
    let mut next = 0;
    for label in [true, false] {
        let class = (0..examples.len()).filter(|&at| examples.label(at) == label);
        for at in shuffled(class.collect(), seed) {
            fold_of[at] = next % count;
            next += 1;
        }
    }
    let of = |fold: usize| Fold {
        train: (0..examples.len())
            .filter(|&at| fold_of[at] != fold)
            .collect(),
        test: (0..examples.len())
            .filter(|&at| fold_of[at] == fold)
            .collect(),
    };
    (0..count).map(of).collect()
}

/// Deals groups to `count` folds; `groups` has those of each pair's two pages.
pub fn by_group(groups: &[[&str; 2]], count: usize, seed: u64) -> Vec<Fold> {
    let names: BTreeSet<&str> = groups.iter().flatten().copied().collect();
    let names = shuffled(names.into_iter().collect(), seed);
    (0..count)
        .map(|fold| {
            let judged: BTreeSet<&str> = (names.iter().enumerate())
                .filter(|(at, _)| at % count == fold)
                .map(|(_, &name)| name)
                .collect();
            let of = |wanted: bool| -> Vec<usize> {
                let fits =
                    |pair: &[&str; 2]| pair.iter().all(|name| judged.contains(name) == wanted);
                (0..groups.len()).filter(|&at| fits(&groups[at])).collect()
            };
            Fold {
                train: of(false),
                test: of(true),
            }
        })
        .collect()
}

fn shuffled<T>(mut list: Vec<T>, seed: u64) -> Vec<T> {
    Stream::new(pair(seed, FOLDS)).shuffle(&mut list);
    list
}

/// Sets the numbers of folds apart from others drawn with the same seed.
const FOLDS: u64 = 0x464f_4c44;

#[cfg(test)]
mod tests {
    use super::super::examples::tests::random;
    use super::*;

    #[test]
    fn every_pair_is_judged_once_with_its_share_of_duplicates() {
        let examples = random(103, &["mcd"], 0.0, 1, |row| row[0] < 0.2);
        let folds = stratified(&examples, 10, 3);
        let mut judged: Vec<usize> = folds.iter().flat_map(|fold| fold.test.clone()).collect();
        judged.sort_unstable();
        assert_eq!(judged, (0..103).collect::<Vec<_>>());
        let duplicates = |fold: &Fold| fold.test.iter().filter(|&&at| examples.label(at)).count();
        let counts: Vec<usize> = folds.iter().map(duplicates).collect();
        assert!(counts.iter().max().unwrap_or(&0) - counts.iter().min().unwrap_or(&0) <= 1);
        assert_ne!(folds, stratified(&examples, 10, 4));
        assert_eq!(folds, stratified(&examples, 10, 3));
    }

    #[test]
    fn no_group_is_on_both_sides() {
        let names: Vec<String> = (0..20).map(|group| format!("g{group}")).collect();
        let pairs: Vec<[&str; 2]> = (0..400)
            .map(|at| [names[at % 20].as_str(), names[at * 7 / 20 % 20].as_str()])
            .collect();
        for fold in by_group(&pairs, 4, 1) {
            let of = |side: &[usize]| -> BTreeSet<&str> {
                side.iter().flat_map(|&at| pairs[at]).collect()
            };
            assert!(of(&fold.train).is_disjoint(&of(&fold.test)));
            assert!(!fold.train.is_empty() && !fold.test.is_empty());
        }
    }
}
