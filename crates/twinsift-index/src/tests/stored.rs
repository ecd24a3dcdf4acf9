//! Indexes of every version stay readable.

use crate::check::check;
use crate::index::{Batch, Index};
use crate::record::{Record, Time};
use crate::searcher::Searcher;
use std::path::Path;
use twinsift::{Document, Id, Recipe, Statistics};

const TEXTS: [&str; 4] = [
    "The council approved the new bridge over the river.",
    "A storm is expected to reach the coast by tomorrow.",
    "The museum shows forty drawings that were thought to be lost.",
    "The council approved the new bridge over the wide river.",
];

/// Makes what is stored as a fixture, in the format of today.
fn make(path: &Path) {
    let recipe = Recipe::shingles()
        .k(2)
        .threshold(0.5)
        .resolve()
        .expect("a recipe");
    let mut index = Index::create(path, &recipe, &Statistics::default()).expect("an index");
    let searcher = index.searcher();
    let record = |at: usize| {
        let signature = searcher.extractor().extract(&Document::new("", TEXTS[at]));
        let mut record = Record::new(
            Id::number(at.to_string()),
            signature,
            Time(1_000 + at as u64),
        );
        record.label = at.is_multiple_of(2).then(|| "even".to_owned());
        record.time_to_live = (at == 1).then_some(1 << 45);
        record
    };
    let mut import = index.import().expect("an import");
    (0..3)
        .try_for_each(|at| import.push(&record(at)))
        .expect("documents");
    import.finish().expect("documents");
    let mut batch = Batch::default();
    batch.remove("2");
    batch.renew("1", Time(1 << 46));
    index.commit(batch).expect("changes");
    index.flush().expect("a segment");
    let mut batch = Batch::default();
    batch.add(record(3));
    index.commit(batch).expect("a document");
    index.close().expect("a closed index");
}

#[test]
fn the_first_version_stays_readable() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/version-1.idx");
    let made = tempfile::tempdir().expect("a folder");
    let made = made.path().join("made.idx");
    make(&made);
    if std::env::var_os("TWINSIFT_MAKE_FIXTURES").is_some() {
        make(&stored);
    }
    for path in [&stored, &made] {
        assert!(check(path).expect("an index").problems.is_empty());
        let searcher = Searcher::open(path).expect("an index");
        let (mut held, now) = (Vec::new(), Time(2_000));
        let all = searcher.visit(now, |record, expires| {
            held.push((record.id.to_string(), record.label, expires));
            Ok(())
        });
        all.expect("documents");
        let expected = [
            ("0".to_owned(), Some("even".to_owned()), None),
            ("1".to_owned(), None, Some(Time(1 << 46))),
            ("3".to_owned(), None, None),
        ];
        assert_eq!(held, expected);
        let answer = searcher
            .answer(&Document::new("", TEXTS[0]), 9)
            .expect("an answer");
        let found: Vec<_> = answer
            .matches
            .iter()
            .map(|one| (&*one.id.text, one.score))
            .collect();
        assert_eq!(found, [("0", 1.0), ("3", 7.0 / 10.0)]);
    }
    // The same documents give the same bytes.
    for entry in std::fs::read_dir(&stored).expect("files") {
        let name = entry.expect("a file").file_name();
        let [old, new] =
            [&stored, &made].map(|path| std::fs::read(path.join(&name)).expect("a file"));
        assert_eq!(old, new, "{name:?}");
    }
}
