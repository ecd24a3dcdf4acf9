//! The mistakes that teach most: wrong pairs with the highest score, and true
//! pairs with the lowest.
//!
//! One template can make a thousand wrong pairs, and one odd page can be missed
//! a hundred times. So at most one mistake is shown for any two clusters.

use crate::gold::Gold;
use std::collections::BTreeMap;

/// A pair that a method got wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The first document.
    pub a: u32,
    /// The second.
    pub b: u32,
    /// Its score; `None` if it was too low for the method to report.
    pub score: Option<f64>,
}

/// When more mistakes than this wait, only the worst of them are kept.
const WAITING: usize = 4096;

/// Wrong pairs and missed pairs, the worst of each.
#[derive(Clone, Debug)]
pub(super) struct Mistakes<'a> {
    gold: &'a Gold,
    shown: usize,
    wrong: BTreeMap<[u32; 2], Mistake>,
    missed: BTreeMap<[u32; 2], Mistake>,
}

impl<'a> Mistakes<'a> {
    pub(super) fn new(gold: &'a Gold, shown: usize) -> Self {
        Self {
            gold,
            shown,
            wrong: BTreeMap::new(),
            missed: BTreeMap::new(),
        }
    }

    /// A pair that was found and should not have been.
    pub(super) fn wrong(&mut self, mistake: Mistake) {
        let shown = self.shown;
        note(&mut self.wrong, self.gold, mistake, shown, |m| {
            -m.score.unwrap_or(0.0)
        });
    }

    /// A pair that should have been found and was not.
    pub(super) fn missed(&mut self, mistake: Mistake) {
        let shown = self.shown;
        note(&mut self.missed, self.gold, mistake, shown, |m| {
            m.score.unwrap_or(-1.0)
        });
    }

    /// The worst of the wrong pairs, and of the missed ones.
    pub(super) fn worst(self) -> [Vec<Mistake>; 2] {
        [
            worst(self.wrong, self.shown, |m| -m.score.unwrap_or(0.0)),
            worst(self.missed, self.shown, |m| m.score.unwrap_or(-1.0)),
        ]
    }
}

/// Keeps the mistake with the lowest `rank` for any two clusters.
fn note(
    kept: &mut BTreeMap<[u32; 2], Mistake>,
    gold: &Gold,
    mistake: Mistake,
    shown: usize,
    rank: fn(&Mistake) -> f64,
) {
    let mut key = gold.units(mistake.a, mistake.b).unwrap_or([0, 0]);
    key.sort_unstable();
    let known = kept.entry(key).or_insert(mistake);
    if rank(&mistake) < rank(known) {
        *known = mistake;
    }
    if kept.len() > WAITING.max(2 * shown) {
        let mut list: Vec<_> = std::mem::take(kept).into_iter().collect();
        list.sort_by(|(_, x), (_, y)| rank(x).total_cmp(&rank(y)));
        kept.extend(list.into_iter().take(shown));
    }
}

fn worst(
    kept: BTreeMap<[u32; 2], Mistake>,
    shown: usize,
    rank: fn(&Mistake) -> f64,
) -> Vec<Mistake> {
    let mut list: Vec<Mistake> = kept.into_values().collect();
    list.sort_by(|x, y| {
        let by_rank = rank(x).total_cmp(&rank(y));
        by_rank.then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    list.truncate(shown);
    list
}
