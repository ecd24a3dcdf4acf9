//! Learning from few documents, a few dozen perhaps.
//!
//! A fifth of few documents is too little to tell when to stop, and too much to do without. So
//! all of them are fitted to, with weights that are free, or held more or less close to those
//! of the unlearned measure. How close is best depends on the documents. Where the labelled
//! clusters show what all others are like (pages of news in the frames of their sites), weights
//! that are nearly free are far better. Where each cluster is of its own kind (mail), they learn
//! what is true of these few only, and are worse than no learning.
//!
//! It is tried: again and again a quarter of the clusters is set apart, every way learns from
//! the others, and the one with the least loss on what was set apart is taken. What it finds there,
//! all rounds together, tells how good a model from so few documents is.

use super::fit::{Best, Step, fit};
use super::loss::Penalty;
use super::threshold::PairCounts;
use super::{Task, by_cluster};
use twinsift::Stage;
use twinsift::error::Result;
use twinsift::features::learned::described::Described;
use twinsift::features::learned::model::{Held, Model};
use twinsift::hash::pair;
use twinsift_eval::Split;

/// The ways to keep weights, the closest first: to what, and how much of α it costs to be away
/// from there.
const WAYS: [(Held, f64); 5] = [
    (Held::Unlearned, 1.0),
    (Held::Unlearned, 0.1),
    (Held::Unlearned, 0.01),
    (Held::Unlearned, 0.001),
    (Held::Free, 1.0),
];

/// Fewer labelled documents are few.
pub(super) const FEW: usize = 300;

/// How often some clusters are set apart.
const ROUNDS: u64 = 12;

/// The share of clusters that a round learns from.
const LEARNT_FROM: f64 = 0.75;

/// Pairs of unrelated documents to learn from, at least: of few documents nearly all there are.
const UNRELATED_PAIRS: usize = 1_000;

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
    let sample = task.draw_all(UNRELATED_PAIRS)?;
    let ways = WAYS.map(|(held, share)| Penalty {
        held,
        alpha: share * task.options.alpha,
    });
    let observer = &task.settings.observer;
    observer.begin(Stage::Learning, ROUNDS + 1)?;
    let rounds: Vec<(Split, [Tried; WAYS.len()])> = (0..ROUNDS)
        .inspect(|_| observer.advance(1))
        .filter_map(|number| round(task, described, ways, number))
        .collect();
    observer.check()?;
    let loss = |way: usize| rounds.iter().map(|(_, tried)| tried[way].loss).sum::<f64>();
    // Where nothing could be tried, the closest.
    let way = (1..WAYS.len()).fold(0, |best, way| match loss(way) < loss(best) {
        true => way,
        false => best,
    });
    let fitting = task.loss(described, &sample, ways[way]);
    let best = fit(&fitting, None, task.options.steps, watch);
    observer.check()?;
    let mut model = task.model(&best, &task.labelled)?;
    model.training = task.training(&best, task.labelled.len(), &sample, ways[way]);
    let mut found = PairCounts::default();
    let mut tested = 0;
    for (split, tried) in &rounds {
        observer.check()?;
        // A part of the documents may have no threshold that is good enough.
        if let Ok(model) = task.model(&tried[way].best, &split.train) {
            found.add(task.found(&model, &split.test)?);
            tested += 1;
        }
    }
    model.training.validation = (tested > 0).then(|| found.validation(tested));
    Ok(model)
}

/// Learns in every way from a part of the documents; `None` if one of the parts has no pairs of
/// both kinds.
fn round<const N: usize>(
    task: &Task<'_>,
    described: &Described,
    ways: [Penalty; N],
    number: u64,
) -> Option<(Split, [Tried; N])> {
    let seed = pair(task.options.seed, number);
    let split = by_cluster(task.clusters, task.groups, LEARNT_FROM, seed);
    let learnt_from = task.draw(&split.train, UNRELATED_PAIRS)?;
    let apart = task.draw(&split.test, UNRELATED_PAIRS)?;
    let tried = ways.map(|penalty| {
        let fitting = task.loss(described, &learnt_from, penalty);
        let best = fit(&fitting, None, task.options.steps, &mut |_| {});
        let loss = task
            .loss(described, &apart, penalty)
            .unpenalised(&best.lambda);
        Tried { best, loss }
    });
    Some((split, tried))
}
