//! Bytes on disk that are not those that were written.

use super::ARE_CHECKSUMS_IGNORED;
use super::disk::Disk;
use super::model::Model;
use super::power::trials;
use crate::check::check_in;
use crate::index::Index;
use crate::storage::Storage;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use twinsift::hash::Stream;
use twinsift::{Recipe, Statistics};

/// What came of an index with a wrong byte.
#[derive(Default)]
struct Outcomes {
    refused: usize,
    right: usize,
    wrong: Vec<String>,
    /// Answers are right or refused, but the check has not seen the damage.
    unseen: Vec<String>,
}

/// Turns bytes of an index over, one at a time.
fn outcomes(seed: u64, every: usize) -> Outcomes {
    let mut random = Stream::new(seed);
    let recipe = Recipe::shingles()
        .k(2)
        .threshold(0.4)
        .resolve()
        .expect("a recipe");
    let disk = Disk::default();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let mut model = Model::new(&recipe);
    let created = Index::create_in(Arc::clone(&storage), &recipe, &Statistics::default());
    let mut index = Some(created.expect("an index"));
    for action in model.actions(&mut random, 30) {
        Model::act(&mut index, &storage, &action).expect("an action");
        model.apply(&action);
    }
    index.map(Index::close).transpose().expect("a closed index");
    let files = disk.files();
    let mut outcomes = Outcomes::default();
    let mut at = random.below(every);
    for file in 0..files.len() {
        let (name, bytes) = &files[file];
        while at < bytes.len() {
            let mut damaged = files.clone();
            damaged[file].1[at] ^= 1 << random.below(8);
            let place = format!("byte {at} of {name}");
            look(&model, &Disk::of(&damaged), &place, seed, &mut outcomes);
            at += every;
        }
        at -= bytes.len();
    }
    outcomes
}

fn look(model: &Model, disk: &Disk, place: &str, seed: u64, outcomes: &mut Outcomes) {
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let checked = catch_unwind(AssertUnwindSafe(|| check_in(Arc::clone(&storage))));
    let is_seen = match checked {
        Ok(Ok(checked)) => !checked.problems.is_empty(),
        Ok(Err(_)) => true,
        Err(_) => return outcomes.wrong.push(format!("{place}: a panic")),
    };
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let index = Index::open_in(storage)?;
        model.difference(&index.searcher(), &mut Stream::new(seed))
    }));
    match answer {
        Err(_) => outcomes.wrong.push(format!("{place}: a panic")),
        Ok(Err(_)) => outcomes.refused += 1,
        Ok(Ok(Some(difference))) => outcomes.wrong.push(format!("{place}: {difference}")),
        Ok(Ok(None)) => {
            outcomes.right += 1;
            if !is_seen {
                outcomes.unseen.push(place.to_owned());
            }
        }
    }
}

#[test]
fn a_wrong_byte_never_makes_a_wrong_answer() {
    for seed in 0..trials(3) {
        let outcomes = outcomes(seed, 23);
        assert!(
            outcomes.wrong.is_empty(),
            "seed {seed}: {:?}",
            outcomes.wrong
        );
        assert!(outcomes.refused > 100);
        // The last batch of a log is empty: without it nothing is lost.
        let unseen = outcomes
            .unseen
            .iter()
            .filter(|place| !place.contains("log-"));
        assert_eq!(unseen.count(), 0, "{:?}", outcomes.unseen);
    }
}

/// The test above would notice if checksums were not looked at.
#[test]
fn ignored_checksums_are_noticed() {
    ARE_CHECKSUMS_IGNORED.set(true);
    std::panic::set_hook(Box::new(|_| {}));
    let outcomes = outcomes(1, 23);
    ARE_CHECKSUMS_IGNORED.set(false);
    assert!(!outcomes.wrong.is_empty());
}
