//! The learned k-grams of two documents, and which of them carry the similarity.

use super::as_shown;
use crate::document::Document;
use crate::features::learned::{Scratch, Weigher};
use crate::recipe::Recipe;
use crate::tokenise::Tokens;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// A learned k-gram that both documents have.
#[derive(Clone, Debug, Serialize)]
pub struct Term {
    /// Its words.
    pub term: String,
    /// Its weight in each document.
    pub weights: [f64; 2],
    /// Its share of what the two have in common; all of them add up to 1.
    pub share: f64,
}

/// The weighed k-grams of one document, by ascending value, and how they are spelt.
pub(super) struct Weighed {
    values: Vec<u64>,
    weights: Vec<f32>,
    /// In the order of the document.
    spelt: Vec<(u64, String)>,
}

impl Weighed {
    fn new(document: &Document<'_>, weigher: &Weigher, recipe: &Recipe) -> Self {
        let (k, fold) = (recipe.k() as usize, recipe.fold);
        let mut scratch = Scratch::default();
        let weighed = weigher.weigh(document, &mut scratch);
        let (values, weights): (Vec<u64>, Vec<f32>) = weighed.iter().copied().unzip();
        let reading = scratch.reading();
        let words = as_shown(&mut Tokens::new(), &document.text, fold);
        let kept: HashSet<u64> = values.iter().copied().collect();
        let mut grams: Vec<_> = reading.grams.iter().collect();
        grams.sort_unstable_by_key(|gram| gram.first);
        let spelt = grams
            .into_iter()
            .filter(|gram| kept.contains(&gram.value))
            .map(|gram| {
                let first = gram.first as usize;
                let last = words.len().min(first + k);
                (gram.value, words[first..last].join(" "))
            })
            .collect();
        Self {
            values,
            weights,
            spelt,
        }
    }

    fn weight(&self, value: u64) -> f64 {
        match self.values.binary_search(&value) {
            Ok(at) => f64::from(self.weights[at]),
            Err(_) => 0.0,
        }
    }

    /// The k-grams, heaviest first.
    fn heaviest(&self) -> Vec<(f64, u64, &str)> {
        let mut terms: Vec<_> = self
            .spelt
            .iter()
            .map(|(value, term)| (self.weight(*value), *value, term.as_str()))
            .collect();
        terms.sort_by(|x, y| y.0.total_cmp(&x.0));
        terms
    }
}

/// The k-grams of both documents under a recipe with a model, if it has one.
pub(super) fn weighed(documents: [&Document<'_>; 2], recipe: &Recipe) -> Option<[Weighed; 2]> {
    let weigher = Weigher::new(
        recipe.model()?,
        recipe.lexicon().map(|lexicon| &**lexicon),
        recipe.top_terms,
    );
    Some(documents.map(|document| Weighed::new(document, &weigher, recipe)))
}

/// What both have, what carries most first.
pub(super) fn shared([a, b]: &[Weighed; 2]) -> Vec<Term> {
    let spelt: HashMap<u64, &str> = (a.spelt.iter())
        .map(|(value, term)| (*value, term.as_str()))
        .collect();
    let common = a.values.iter().filter_map(|value| {
        let weights = [a.weight(*value), b.weight(*value)];
        let term = spelt.get(value)?;
        (weights[1] > 0.0).then_some((weights, *term))
    });
    let mut terms: Vec<Term> = common
        .map(|(weights, term)| Term {
            term: term.to_owned(),
            weights,
            share: weights[0] * weights[1],
        })
        .collect();
    let sum: f64 = terms.iter().map(|term| term.share).sum();
    terms.iter_mut().for_each(|term| term.share /= sum);
    terms.sort_by(|x, y| y.share.total_cmp(&x.share).then(x.term.cmp(&y.term)));
    terms
}

/// In both, only in the first, only in the second; heaviest first.
pub(super) fn lists([a, b]: &[Weighed; 2]) -> [Vec<String>; 3] {
    let part = |own: &Weighed, other: &Weighed, both: bool| -> Vec<String> {
        let terms = own.heaviest().into_iter();
        terms
            .filter(|&(_, value, _)| (other.weight(value) > 0.0) == both)
            .map(|(_, _, term)| term.to_owned())
            .collect()
    };
    [part(a, b, true), part(a, b, false), part(b, a, false)]
}
