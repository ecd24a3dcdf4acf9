//! Which documents are kept, and in favour of which each other one is dropped.
//!
//! Documents are taken in order of preference. One that is a near duplicate of a
//! document already kept is dropped, in favour of the most similar such document; any
//! other one is kept. So every removed document is itself within the threshold of
//! the one kept for it, and no two kept ones are near duplicates: a chain A~B~C
//! never removes C because of A.

use super::graph::Graph;
use crate::collection::documents::Documents;
use crate::error::Result;

/// What becomes of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// It stays.
    Kept,
    /// It goes, for it is a near duplicate of one that stays.
    DuplicateOf {
        /// The document that stays.
        doc: u32,
        /// Their similarity.
        score: f64,
    },
}

/// Which of several near duplicates is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// The first in the input.
    #[default]
    First,
    /// The longest text.
    Longest,
    /// The largest [`rank`](crate::Document::rank). Numbers are compared with numbers and
    /// go before text, so that a stray `n/a` wins nothing; those without a rank come last.
    MaxRank,
    /// The smallest rank; numbers go before text here too, and those without come last.
    MinRank,
}

/// The order of preference.
#[derive(Debug)]
pub(crate) struct Order {
    docs: Vec<u32>,
    position: Vec<u32>,
}

impl Order {
    /// The order that a rule gives documents.
    pub(crate) fn of(documents: &Documents, keep: Keep) -> Self {
        let count = documents.len() as u32;
        let kind = |doc: &u32| match documents.rank(*doc) {
            Some(rank) if rank.is_number() => 0,
            Some(_) => 1,
            None => 2,
        };
        let compare = |a: &u32, b: &u32| match (documents.rank(*a), documents.rank(*b)) {
            (Some(a), Some(b)) => a.order(b),
            _ => std::cmp::Ordering::Equal,
        };
        let mut order: Vec<u32> = (0..count).collect();
        match keep {
            Keep::First => {}
            Keep::Longest => {
                order.sort_by_key(|&doc| std::cmp::Reverse(documents.length(doc)));
            }
            Keep::MaxRank => order.sort_by(|a, b| {
                let kinds = kind(a).cmp(&kind(b));
                kinds.then_with(|| compare(b, a))
            }),
            Keep::MinRank => order.sort_by(|a, b| {
                let kinds = kind(a).cmp(&kind(b));
                kinds.then_with(|| compare(a, b))
            }),
        }
        Self::new(order)
    }

    /// The order in which so many documents were read.
    pub(super) fn as_read(documents: usize) -> Self {
        Self::new((0..documents as u32).collect())
    }

    /// Where a document stands in it.
    pub(crate) fn position(&self, doc: u32) -> u32 {
        self.position[doc as usize]
    }

    fn new(docs: Vec<u32>) -> Self {
        let mut position = vec![0; docs.len()];
        for (at, &doc) in (0u32..).zip(&docs) {
            position[doc as usize] = at;
        }
        Self { docs, position }
    }
}

/// In place of a document.
const NONE: u32 = u32::MAX;

pub(crate) fn stars(graph: &Graph, order: &Order) -> Result<Vec<Verdict>> {
    let mut verdicts = vec![Verdict::Kept; graph.len()];
    // The kept member of each class, by representative: there is at most one,
    // or with an old collection the first old one.
    let mut kept = vec![NONE; graph.len()];
    if let Some(old_from) = graph.old_from {
        for doc in (old_from..graph.len() as u32).rev() {
            if graph.classes.is_judged(doc) {
                kept[graph.classes.representative(doc) as usize] = doc;
            }
        }
    }
    let mut neighbours = Vec::new();
    for &doc in &order.docs {
        if graph.is_old(doc) || !graph.classes.is_judged(doc) {
            continue;
        }
        let class = graph.classes.representative(doc);
        let equal = kept[class as usize];
        let best = if equal != NONE {
            Some((equal, 1.0))
        } else {
            graph.adjacency.neighbours(class, &mut neighbours)?;
            neighbours
                .iter()
                .map(|&(other, score)| (kept[other as usize], score))
                .filter(|&(other, _)| other != NONE)
                .max_by(|x, y| {
                    let earlier = |doc: u32| std::cmp::Reverse(order.position(doc));
                    x.1.total_cmp(&y.1)
                        .then_with(|| earlier(x.0).cmp(&earlier(y.0)))
                })
        };
        match best {
            Some((doc_kept, score)) => {
                verdicts[doc as usize] = Verdict::DuplicateOf {
                    doc: doc_kept,
                    score,
                };
            }
            None if graph.old_from.is_none() => kept[class as usize] = doc,
            None => {}
        }
    }
    Ok(verdicts)
}
