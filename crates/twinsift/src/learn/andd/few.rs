//! Learning from few documents, a few dozen perhaps.
//!
//! A fifth of few documents is too little to tell when to stop, and too much to do without. So
//! all of them are fitted to, in one of two ways: with weights that are free, or held
//! to those of the unlearned measure. Which is better depends on the documents. Where the labelled
//! clusters show what all others are like (pages of news in the frames of their sites), the
//! free ones are far better. Where each cluster is of its own kind (mail), they learn what is true of
//! these few only, and are worse than no learning.
//!
//! It is tried: again and again a quarter of the clusters is set apart, both ways learn from
//! the others, and the one with less loss on what was set apart is taken. What it finds there, all
//! rounds together, tells how good a model from so few documents is.

use super::fit::{Best, Step, fit};
use super::threshold::Found;
use super::{Task, by_cluster};
use crate::error::Result;
use crate::eval::Split;
use crate::features::learned::described::Described;
use crate::features::learned::model::{Held, Model};
use crate::hash::pair;

/// The two ways, the freer first.
const WAYS: [Held; 2] = [Held::Free, Held::Unlearned];

/// Fewer labelled documents are few.
pub(super) const FEW: usize = 300;

/// How often some clusters are set apart.
const ROUNDS: u64 = 12;

/// The share of clusters that a round learns from.
const LEARNT_FROM: f64 = 0.75;

/// Pairs of strangers to learn from, at least: of few documents nearly all there are.
const STRANGERS: usize = 1_000;

/// The weights that one way learnt from a part of the documents.
struct Tried {
    best: Best,
    /// The loss on what was set apart.
    loss: f64,
}

/// Learns from all labelled documents.
pub(super) fn learn(
    task: &Task<'_>,
    described: &Described,
    watch: &mut dyn FnMut(Step),
) -> Result<Model> {
    let sample = task.draw_all(STRANGERS)?;
    let rounds: Vec<(Split, [Tried; 2])> = (0..ROUNDS)
        .filter_map(|number| round(task, described, number))
        .collect();
    let loss = |way: usize| rounds.iter().map(|(_, tried)| tried[way].loss).sum::<f64>();
    let way = usize::from(loss(0) >= loss(1));
    let held = WAYS[way];
    let fitting = task.loss(described, &sample, held);
    let best = fit(&fitting, None, task.options.steps, watch);
    let mut model = task.model(&best, &task.labelled)?;
    model.training = task.told(&best, task.labelled.len(), &sample, held);
    let mut found = Found::default();
    let mut told = 0;
    for (split, tried) in &rounds {
        // A part of the documents may have no threshold that is good enough.
        if let Ok(model) = task.model(&tried[way].best, &split.train) {
            found.add(task.found(&model, &split.test)?);
            told += 1;
        }
    }
    model.training.validation = (told > 0).then(|| found.validation(told));
    Ok(model)
}

/// Learns both ways from a part of the documents; `None` if one of the parts has no pairs of both
/// kinds.
fn round(task: &Task<'_>, described: &Described, number: u64) -> Option<(Split, [Tried; 2])> {
    let seed = pair(task.options.seed, number);
    let split = by_cluster(task.clusters, task.groups, LEARNT_FROM, seed);
    let learnt_from = task.draw(&split.train, STRANGERS)?;
    let apart = task.draw(&split.test, STRANGERS)?;
    let tried = WAYS.map(|held| {
        let fitting = task.loss(described, &learnt_from, held);
        let best = fit(&fitting, None, task.options.steps, &mut |_| {});
        let loss = task.loss(described, &apart, held).unpenalised(&best.lambda);
        Tried { best, loss }
    });
    Some((split, tried))
}
