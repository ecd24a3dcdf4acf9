//! Runs that are followed and cancelled.

use crate::extract_keys_verify::{choices, lexicon};
use crate::learned::documents;
use crate::{all_pairs, settings};
use std::thread;
use std::time::Duration;
use twinsift::{Choices, Document, Error, Group, Item, Observer, Recipe, Settings, Sifter, Stage};

/// A recipe of every kind that there is.
fn recipes(documents: &[Document<'_>]) -> Vec<Recipe> {
    let all = choices(0.5, &lexicon(documents));
    let resolved = all.iter().map(|choices: &Choices| choices.resolve());
    resolved.map(|recipe| recipe.expect("valid")).collect()
}

fn read(recipe: &Recipe, settings: &Settings, documents: &[Document<'_>]) -> Result<Sifter, Error> {
    let mut sifter = Sifter::new(recipe.clone(), settings.clone())?;
    sifter.add_batches(
        documents.chunks(16),
        |chunk, sink| {
            chunk
                .iter()
                .for_each(|one| sink(Item::Document(one.view())))
        },
        |_| Ok(()),
    )?;
    Ok(sifter)
}

/// Whenever it is cancelled, a run has its whole result or none, and no file is left.
#[test]
fn a_cancelled_run_has_no_result_and_leaves_no_file() {
    let documents = documents(400);
    let folder = std::env::temp_dir().join(format!("twinsift-cancelled-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut cancelled = 0;
    for (number, recipe) in recipes(&documents).iter().enumerate() {
        let whole = read(recipe, &settings(2, None), &documents).and_then(Sifter::finish);
        let whole = all_pairs(&whole.expect("room"));
        for delay in [0, 500, 2_000, 8_000] {
            let observer = Observer::default();
            let settings = Settings {
                tmp: folder.clone(),
                observer: observer.clone(),
                // Much goes to disk.
                ..settings(2, Some(1 << 16))
            };
            let canceller = thread::spawn(move || {
                thread::sleep(Duration::from_micros(delay + number as u64 * 37));
                observer.cancel();
            });
            let found = read(recipe, &settings, &documents).and_then(|sifter| {
                let matches = sifter.finish()?;
                matches.pairs().collect::<Result<Vec<_>, Error>>()
            });
            match found {
                Ok(found) => assert_eq!(found, whole, "{recipe}"),
                Err(Error::Cancelled) => cancelled += 1,
                Err(other) => panic!("{recipe}: {other}"),
            }
            canceller.join().expect("it cancels");
            let left = std::fs::read_dir(&folder).expect("readable").count();
            assert_eq!(left, 0, "{recipe}");
        }
    }
    assert!(cancelled > 20, "{cancelled} runs were cancelled in time");
    std::fs::remove_dir(&folder).expect("empty");
}

/// What was cancelled before it began does nothing, at whichever stage.
#[test]
fn nothing_is_done_once_a_run_is_cancelled() {
    let documents = documents(60);
    for recipe in recipes(&documents) {
        let observed = || {
            let observer = Observer::default();
            let settings = Settings {
                observer: observer.clone(),
                ..settings(2, None)
            };
            (observer, settings)
        };
        let (observer, settings) = observed();
        observer.cancel();
        let refused = read(&recipe, &settings, &documents);
        assert!(matches!(refused, Err(Error::Cancelled)), "{recipe}");

        let (observer, settings) = observed();
        let sifter = read(&recipe, &settings, &documents).expect("room");
        observer.cancel();
        assert!(matches!(sifter.finish(), Err(Error::Cancelled)), "{recipe}");

        let (observer, settings) = observed();
        let sifter = read(&recipe, &settings, &documents).expect("room");
        let matches = sifter.finish().expect("room");
        observer.cancel();
        let grouped = matches.clusters(Group::Connected);
        assert!(matches!(grouped, Err(Error::Cancelled)), "{recipe}");
        let first = matches.pairs().next();
        assert!(matches!(first, Some(Err(Error::Cancelled))), "{recipe}");
    }
}

#[test]
fn progress_goes_through_the_stages() {
    let documents = documents(300);
    let observer = Observer::default();
    let settings = Settings {
        observer: observer.clone(),
        ..settings(2, None)
    };
    let sifter = read(&Recipe::default(), &settings, &documents).expect("room");
    let progress = observer.progress();
    assert_eq!((progress.stage, progress.done), (Stage::Reading, 300));
    assert_eq!(progress.total, None);
    sifter.finish().expect("room");
    assert_eq!(observer.progress().stage, Stage::Sorting);
}
