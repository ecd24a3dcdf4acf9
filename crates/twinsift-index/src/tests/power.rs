//! What survives a power cut, a crash while recovering, and a full disk.

use super::disk::{Disk, Fault};
use super::model::{Action, Model};
use crate::check::check_in;
use crate::error::Error;
use crate::index::Index;
use crate::searcher::Searcher;
use crate::storage::Storage;
use std::sync::Arc;
use twinsift::hash::Stream;
use twinsift::{Recipe, Statistics};

fn recipe() -> Recipe {
    Recipe::shingles()
        .k(2)
        .threshold(0.4)
        .resolve()
        .expect("a recipe")
}

fn storage(disk: &Disk) -> Arc<dyn Storage> {
    Arc::new(disk.clone())
}

/// What is acknowledged, and what one more action would make of it.
struct Run {
    disk: Disk,
    acknowledged: Model,
    unsure: Option<Action>,
    is_created: bool,
}

/// Acts until something fails, if it does.
fn run(seed: u64, disk: Disk, actions: usize) -> Run {
    let mut random = Stream::new(seed);
    let mut model = Model::new(&recipe());
    let actions = model.actions(&mut random, actions);
    let created = Index::create_in(storage(&disk), &recipe(), &Statistics::default());
    let is_created = created.is_ok();
    let mut index = created.ok();
    let mut unsure = None;
    for action in actions.into_iter().filter(|_| is_created) {
        match Model::act(&mut index, &storage(&disk), &action) {
            Ok(()) => model.apply(&action),
            Err(_) => {
                assert!(disk.has_failed(), "{action:?}");
                unsure = Some(action);
                break;
            }
        }
    }
    // A process that is killed says nothing more to its disk.
    if !disk.has_failed() {
        drop(index.take());
    }
    Run {
        disk,
        acknowledged: model,
        unsure,
        is_created,
    }
}

/// Says what an index on the disk of a run has lost or made up; `None` if nothing.
fn lost(mut run: Run, disk: &Disk, random: &mut Stream) -> Option<String> {
    let mut index = match Index::open_in(storage(disk)) {
        Ok(index) => index,
        Err(Error::NotAnIndex(_)) if !run.is_created => {
            let created = Index::create_in(storage(disk), &recipe(), &Statistics::default());
            match created {
                Ok(index) => index,
                Err(error) => return Some(format!("not made again: {error}")),
            }
        }
        Err(error) => return Some(error.to_string()),
    };
    let checked = check_in(storage(disk));
    match checked {
        Ok(checked) if checked.problems.is_empty() => {}
        other => return Some(format!("{other:?}")),
    }
    let searchers = [
        Some(index.searcher()),
        Searcher::open_in(storage(disk)).ok(),
    ];
    for searcher in searchers {
        let Some(searcher) = searcher else {
            return Some("it cannot be read".to_owned());
        };
        let mut difference = match run.acknowledged.difference(&searcher, random) {
            Ok(difference) => difference,
            Err(error) => return Some(error.to_string()),
        };
        if difference.is_some()
            && let Some(action) = run.unsure.take()
        {
            run.acknowledged.apply(&action);
            difference = run.acknowledged.difference(&searcher, random).ok()?;
        }
        if difference.is_some() {
            return difference;
        }
    }
    // It goes on from here.
    let more = run.acknowledged.actions(random, 4);
    for action in more {
        let mut open = Some(index);
        if let Err(error) = Model::act(&mut open, &storage(disk), &action) {
            return Some(format!("{action:?}: {error}"));
        }
        run.acknowledged.apply(&action);
        index = open?;
    }
    let difference = run.acknowledged.difference(&index.searcher(), random);
    difference.unwrap_or_else(|error| Some(error.to_string()))
}

/// So many operations are about what a run takes.
fn operations(seed: u64, actions: usize) -> u64 {
    let run = run(seed, Disk::default(), actions);
    assert!(run.unsure.is_none());
    run.disk.operations()
}

#[test]
fn an_index_does_as_its_model_does() {
    for seed in 0..60 {
        let run = run(seed, Disk::default(), 40);
        let disk = run.disk.clone();
        let lost = lost(run, &disk, &mut Stream::new(seed));
        assert_eq!(lost, None, "seed {seed}");
    }
}

#[test]
fn the_power_may_go_at_any_operation() {
    let trials = trials(6);
    for seed in 0..trials {
        for at in 0..operations(seed, 25) {
            let disk = Disk::default();
            disk.fail_at(at, Fault::PowerCut);
            let run = run(seed, disk, 25);
            let mut random = Stream::new(seed ^ at);
            let after = run.disk.after_power_cut(&mut random);
            let lost = lost(run, &after, &mut random);
            assert_eq!(lost, None, "seed {seed}, operation {at}");
        }
    }
}

#[test]
fn the_power_may_go_again_while_an_index_recovers() {
    for seed in 0..trials(40) {
        let mut random = Stream::new(seed);
        let disk = Disk::default();
        let at = random.below(operations(seed, 25) as usize) as u64;
        disk.fail_at(at, Fault::PowerCut);
        let run = run(seed, disk, 25);
        let mut after = run.disk.after_power_cut(&mut random);
        for at in 0..6 {
            after.fail_at(at, Fault::PowerCut);
            drop(Index::open_in(storage(&after)));
            after = after.after_power_cut(&mut random);
        }
        let lost = lost(run, &after, &mut random);
        assert_eq!(lost, None, "seed {seed}, operation {at}");
    }
}

#[test]
fn the_disk_may_be_full_at_any_operation() {
    for seed in 0..trials(3) {
        for at in 0..operations(seed, 25) {
            let disk = Disk::default();
            disk.fail_at(at, Fault::Full);
            let run = run(seed, disk, 25);
            let disk = run.disk.clone();
            disk.heal();
            let lost = lost(run, &disk, &mut Stream::new(seed ^ at));
            assert_eq!(lost, None, "seed {seed}, operation {at}");
        }
    }
}

/// These tests would notice if nothing were synced.
#[test]
fn a_skipped_sync_is_noticed() {
    let mut noticed = 0;
    for seed in 0..20 {
        let disk = Disk::default();
        disk.ignore_syncs();
        disk.fail_at(60, Fault::PowerCut);
        let run = run(seed, disk, 25);
        let mut random = Stream::new(seed);
        let after = run.disk.after_power_cut(&mut random);
        noticed += u32::from(lost(run, &after, &mut random).is_some());
    }
    assert!(noticed >= 15, "{noticed} of 20");
}

/// How many trials of a kind to make: so many, times what `TWINSIFT_TRIALS` says.
pub(super) fn trials(usual: u64) -> u64 {
    let times = std::env::var("TWINSIFT_TRIALS").ok();
    usual * times.and_then(|times| times.parse().ok()).unwrap_or(1)
}
