//! Which of the pairs that another method found are duplicates?
//!
//! A classifier cannot look at every pair of a large collection. Another method finds
//! candidates, at a low threshold; the classifier then decides about each of them. What is
//! no candidate is no duplicate.

use super::Model;
use crate::error::Result;
use crate::matches::{Matches, Pair};
use crate::recipe::{Classified, Method, Recipe};
use crate::settings::Settings;
use crate::signals::{Prepared, QueryPair, Signals};

/// Pairs that are decided about together.
const TOGETHER: usize = 1 << 16;

/// Replaces the candidates in `found` by those of them with a score of at least
/// `threshold`. `page` says which of `pages` a document is.
pub fn decide(
    found: Matches,
    model: &Model,
    threshold: f64,
    signals: &Signals,
    pages: &[Prepared],
    page: impl Fn(u32) -> u32,
    settings: &Settings,
) -> Result<Matches> {
    let mut kept = Vec::new();
    let mut candidates = found.pairs();
    loop {
        let some: Vec<Pair> = candidates.by_ref().take(TOGETHER).collect::<Result<_>>()?;
        if some.is_empty() {
            break;
        }
        let pairs: Vec<QueryPair> = some
            .iter()
            .map(|pair| QueryPair {
                a: page(pair.a),
                b: page(pair.b),
                query: None,
            })
            .collect();
        let scores = model.scores(signals, pages, &pairs, &[]);
        let decided = some.into_iter().zip(scores);
        kept.extend(
            decided
                .filter(|(_, score)| *score >= threshold)
                .map(|(pair, score)| Pair { score, ..pair }),
        );
    }
    drop(candidates);
    let candidates = found.recipe();
    let recipe = Recipe {
        method: Method::Signals,
        classifier: Some(Classified {
            model: model.id(),
            threshold,
            candidates: candidates.method,
        }),
        ..candidates.clone()
    };
    found.with_pairs(recipe, &kept, settings)
}
