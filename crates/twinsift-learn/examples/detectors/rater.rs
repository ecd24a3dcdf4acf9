//! A simulated rater: how many labels make a detector how good?
//!
//! Clusters that the first detector has not seen are split in two by the seed of a run. Pairs of
//! the one half are asked about, and F1 is that on pairs of the other half, all of them, whether
//! candidates or not: no figure is of a pair, or a cluster, that somebody labelled. What the
//! estimate says of the half that is asked about is held against the truth on it.

mod run;
mod table;

use crate::collection::{FOLDS, Labelled, fold_of};
use crate::{learn, weighed};
use rayon::prelude::*;
use std::path::Path;
use twinsift::Detector;

/// Runs, each with a seed of its own.
const SEEDS: u64 = 10;

/// How the next pair is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Strategy {
    Ours,
    Uncertainty,
    Random,
}

/// Where a rater starts.
struct Start<'a> {
    set: &'a Labelled,
    /// What the first detector was trained on.
    trained_on: &'static str,
    detector: Detector,
    /// The clusters that it has not seen.
    is_unseen: fn(u64) -> bool,
}

/// Prints tables of all collections, and stores the runs in a file.
pub(crate) fn simulate(
    groups: &[(Detector, Vec<Labelled>)],
    file: Option<&Path>,
) -> Result<(), Box<dyn std::error::Error>> {
    table::head();
    let mut records = Vec::new();
    for start in starts(groups) {
        let all = [Strategy::Ours, Strategy::Uncertainty, Strategy::Random].map(|strategy| {
            let runs = (0..SEEDS).into_par_iter();
            let runs = runs.map(|seed| run::run(&start, strategy, seed)).collect();
            (strategy, runs)
        });
        table::print(&start, &all);
        records.extend(
            all.iter()
                .map(|(strategy, runs)| table::record(&start, *strategy, runs)),
        );
    }
    if let Some(file) = file {
        std::fs::write(file, serde_json::to_string(&records)?)?;
    }
    Ok(())
}

/// The starts of all collections: trained on other clusters of all collections, on collections of
/// other origin, and for mail, of which there is one, on stories and on nothing.
fn starts(groups: &[(Detector, Vec<Labelled>)]) -> Vec<Start<'_>> {
    let mut starts = Vec::new();
    for (blank, sets) in groups {
        for set in sets {
            let mut start = |trained_on, detector, is_unseen| {
                starts.push(Start {
                    set,
                    trained_on,
                    detector,
                    is_unseen,
                });
            };
            let apart = weighed(sets, |other, pair| {
                other.folds[pair].iter().all(|&fold| fold * 2 < FOLDS)
            });
            let is_held = |cluster| fold_of(cluster) * 2 >= FOLDS;
            start("other clusters", learn(*blank, &apart), is_held);
            let foreign = weighed(sets, |other, _| other.origin() != set.origin());
            if !foreign.is_empty() {
                start("other collections", learn(*blank, &foreign), |_| true);
                continue;
            }
            let stories = weighed(&groups[0].1, |_, _| true);
            start("stories", learn(*blank, &stories), |_| true);
            start("nothing", *blank, |_| true);
        }
    }
    starts
}
