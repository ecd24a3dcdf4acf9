//! Readers beside a writer.

use super::disk::Disk;
use super::model::{Action, Model};
use crate::index::Index;
use crate::searcher::Searcher;
use crate::storage::{Folder, Storage};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use twinsift::hash::Stream;
use twinsift::{Recipe, Statistics};

fn recipe() -> Recipe {
    Recipe::shingles()
        .k(2)
        .threshold(0.4)
        .resolve()
        .expect("a recipe")
}

#[test]
fn a_reader_sees_what_was_written_once_it_is_refreshed() {
    for seed in 0..20 {
        let mut random = Stream::new(seed);
        let storage: Arc<dyn Storage> = Arc::new(Disk::default());
        let mut model = Model::new(&recipe());
        let created = Index::create_in(Arc::clone(&storage), &recipe(), &Statistics::default());
        let mut index = Some(created.expect("an index"));
        let reader = Searcher::open_in(Arc::clone(&storage)).expect("a reader");
        for action in model.actions(&mut random, 25) {
            Model::act(&mut index, &storage, &action).expect("an action");
            model.apply(&action);
            let has_documents = matches!(action, Action::Import(_));
            assert!(reader.refresh().expect("a refreshed reader") || !has_documents);
            let difference = model.difference(&reader, &mut random).expect("answers");
            assert_eq!(difference, None, "seed {seed}: {action:?}");
        }
    }
}

/// Files go while readers open them.
#[test]
fn readers_open_an_index_while_its_files_are_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.idx");
    drop(Index::create(&path, &recipe(), &Statistics::default()).expect("an index"));
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = || {
            let mut opened = 0;
            let lasting = Searcher::open(&path).expect("a reader");
            while !is_over.load(Ordering::Relaxed) {
                let reader = Searcher::open(&path).expect("a reader");
                reader.refresh().expect("a refreshed reader");
                lasting.refresh().expect("a refreshed reader");
                opened += 1;
            }
            opened
        };
        let readers = [scope.spawn(reader), scope.spawn(reader)];
        let storage: Arc<dyn Storage> = Arc::new(Folder::new(&path));
        let mut model = Model::new(&recipe());
        let mut random = Stream::new(3);
        let mut index = Some(Index::open(&path).expect("an index"));
        for action in model.actions(&mut random, 150) {
            Model::act(&mut index, &storage, &action).expect("an action");
            model.apply(&action);
        }
        is_over.store(true, Ordering::Relaxed);
        let opened: Vec<u32> = readers.map(|one| one.join().expect("a reader")).into();
        assert!(opened.iter().all(|&opened| opened > 5), "{opened:?}");
        let reader = Searcher::open(&path).expect("a reader");
        assert_eq!(
            model.difference(&reader, &mut random).expect("answers"),
            None
        );
    });
}

/// A merge is put in place with what has changed while it ran.
#[test]
fn changes_go_on_while_segments_are_merged() {
    for seed in 0..30 {
        let mut random = Stream::new(seed);
        let storage: Arc<dyn Storage> = Arc::new(Disk::default());
        let mut model = Model::new(&recipe());
        let created = Index::create_in(Arc::clone(&storage), &recipe(), &Statistics::default());
        let mut index = Some(created.expect("an index"));
        index.iter_mut().for_each(|index| index.set_merging(false));
        let (mut plan, mut merges) = (None, 0);
        for action in model.actions(&mut random, 60) {
            if matches!(action, Action::Reopen | Action::Compact) {
                continue;
            }
            Model::act(&mut index, &storage, &action).expect("an action");
            model.apply(&action);
            let open = index.as_mut().expect("an index");
            match plan.take() {
                None => plan = open.plan_merge(),
                Some(begun) if random.below(3) == 0 => {
                    let begun: crate::MergePlan = begun;
                    let merged = begun.run(crate::Time::now()).expect("a merged segment");
                    // It was written before the latest changes.
                    let action = Action::Commit(Vec::new(), vec![format!("d{}", random.below(20))]);
                    Model::act(&mut index, &storage, &action).expect("an action");
                    model.apply(&action);
                    let open = index.as_mut().expect("an index");
                    open.install(merged).expect("a new segment");
                    merges += 1;
                }
                begun => plan = begun,
            }
            let reader = index.as_ref().expect("an index").searcher();
            let difference = model.difference(&reader, &mut random).expect("answers");
            assert_eq!(difference, None, "seed {seed}: {action:?}");
        }
        drop(index.take());
        let reader = Searcher::open_in(storage).expect("a reader");
        let difference = model.difference(&reader, &mut random).expect("answers");
        assert_eq!(difference, None, "seed {seed}");
        assert!(merges > 0, "seed {seed}");
    }
}

/// However large the parts are in which documents come.
#[test]
fn there_are_never_many_segments() {
    for seed in 0..4 {
        let mut random = Stream::new(seed);
        let storage: Arc<dyn Storage> = Arc::new(Disk::default());
        let model = Model::new(&recipe());
        let created = Index::create_in(Arc::clone(&storage), &recipe(), &Statistics::default());
        let mut index = created.expect("an index");
        for part in 0..120 {
            let count = if part % 2 == 0 {
                1
            } else {
                1 + random.below(40)
            };
            let mut import = index.import().expect("an import");
            for at in 0..count {
                let record = model.record(format!("d{part}-{at}"), 0, &mut random);
                import.push(&record).expect("a document");
            }
            import.finish().expect("documents");
            let segments = index.searcher().state().segments.len();
            assert!(segments <= 12, "seed {seed}: {segments} after {part} parts");
        }
    }
}
