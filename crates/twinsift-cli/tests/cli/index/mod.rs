//! `twinsift index`, `filter --index` and `--against` an index.

mod kill;

use super::filter::{corpus, rows};
use super::texts::{BRIDGE, BRIDGE_EDITED, STORM, line};
use super::{Folder, texts};

/// The methods whose documents an index holds.
const METHODS: [&str; 10] = [
    "--method exact",
    "--method shingles",
    "--method shingles --weights counts --similarity cosine --threshold 0.6",
    "--method spotsigs",
    "--method spotsigs --fallback shingles --min-spots 30",
    "--method minhash",
    "--method supershingles",
    "--method imatch --lexicon known.lexicon",
    "--method simhash --weights counts --distance 12",
    "--method andd --model pages.model",
];

#[test]
fn an_index_is_as_good_as_its_documents() {
    let folder = corpus();
    for method in METHODS {
        let _ = std::fs::remove_dir_all(folder.path("known.idx"));
        folder
            .run(&format!("index create known.idx {method} -q"))
            .ok();
        folder.run("index add known.idx known.jsonl -q").ok();
        folder.run("index check known.idx").ok();
        for job in [
            "pairs",
            "clusters --all",
            "clusters",
            "dedup",
            "dedup --keep longest",
        ] {
            let by_files = folder
                .run(&format!(
                    "{job} new.jsonl --against known.jsonl {method} -q"
                ))
                .ok();
            let by_index = folder
                .run(&format!("{job} new.jsonl --against known.idx -q"))
                .ok();
            assert_eq!(by_index.text(), by_files.text(), "{job} {method}");
        }
        let pairs = folder.run("pairs new.jsonl --against known.idx -q").ok();
        let matches = folder.run("index query known.idx new.jsonl -q").ok();
        let pair = |row: &serde_json::Value, a: &str, b: &str| {
            format!("{} {} {}", row[a], row[b], row["score"])
        };
        let [mut found, mut expected] = [
            rows(matches.text())
                .iter()
                .map(|row| pair(row, "id", "duplicate_of"))
                .collect::<Vec<_>>(),
            rows(pairs.text())
                .iter()
                .map(|row| pair(row, "a", "b"))
                .collect(),
        ];
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{method}");
        let answers = folder.run("filter new.jsonl --index known.idx -q").ok();
        for answer in rows(answers.text()) {
            let has_pair = expected
                .iter()
                .any(|pair| pair.starts_with(&answer["id"].to_string()));
            assert_eq!(
                answer["verdict"] == "duplicate",
                has_pair,
                "{method}: {answer}"
            );
        }
    }
}

#[test]
fn a_method_by_word_frequencies_keeps_those_of_its_creation() {
    let folder = corpus();
    let method = "--features words --weights tfidf --similarity cosine --threshold 0.8";
    let told = folder
        .run(&format!("index create a.idx {method}"))
        .refuses(2);
    assert!(told.contains("--statistics"), "{told}");
    folder
        .run(&format!(
            "index create a.idx {method} --statistics known.jsonl -q"
        ))
        .ok();
    folder.run("index add a.idx known.jsonl -q").ok();
    let pairs = folder.run("pairs new.jsonl --against a.idx -q").ok();
    assert!(pairs.text().lines().count() > 10);
    let told = folder
        .run("index create b.idx --method exact --statistics known.jsonl")
        .refuses(2);
    assert!(told.contains("no meaning here"), "{told}");
}

#[test]
fn documents_come_go_and_expire() {
    let folder = Folder::with("news.jsonl", texts::news());
    folder.run("index create a.idx -q").ok();
    let added = folder.run("index add a.idx news.jsonl --label press").ok();
    assert!(added.err.contains("6 documents"), "{added:?}");
    let asked = line("\"asked\"", BRIDGE_EDITED);
    let query = |flags: &str| {
        let ran = folder.run_on(&format!("index query a.idx - -q {flags}"), asked.as_bytes());
        rows(ran.ok().text())
    };
    let found = query("");
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        (&found[0]["duplicate_of"], &found[0]["label"]),
        (&"bridge-2".into(), &"press".into())
    );
    assert_eq!(query("--top 1").len(), 1);
    let removed = folder.run("index remove a.idx bridge-2").ok();
    assert!(removed.err.contains("1 document"), "{removed:?}");
    assert_eq!(query("").len(), 1);
    let told = folder.run("index remove a.idx bridge-2 bridge").fails(2);
    assert!(told.contains("\"bridge-2\""), "{told}");
    assert_eq!(query("--all")[0]["duplicate_of"], serde_json::Value::Null);
    // A document with a time to live, which sightings renew.
    folder
        .run_on(
            "index add a.idx - --ttl 3s -q",
            line("7", BRIDGE).as_bytes(),
        )
        .ok();
    assert_eq!(query("--renew")[0]["duplicate_of"], 7);
    std::thread::sleep(std::time::Duration::from_millis(1_800));
    assert_eq!(query("--renew").len(), 1);
    std::thread::sleep(std::time::Duration::from_millis(1_800));
    assert_eq!(query("").len(), 1);
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    assert_eq!(query("").len(), 0);
    let expired = folder.run("index expire a.idx").ok();
    assert!(
        expired.err.contains("1 document that had expired"),
        "{expired:?}"
    );
    folder.run("index compact a.idx").ok();
    let stats = folder.run("index stats a.idx --json").ok();
    let stats: serde_json::Value = serde_json::from_str(stats.text()).unwrap();
    assert_eq!(
        (&stats["documents"], &stats["removed"]),
        (&4.into(), &0.into())
    );
    folder.run("index snapshot a.idx b.idx").ok();
    folder.run("index check b.idx").ok();
    assert!(
        folder
            .run("index snapshot a.idx b.idx")
            .refuses(2)
            .contains("is there already")
    );
}

#[test]
fn a_line_for_each_document_that_is_on_disk() {
    let folder = Folder::new();
    folder.run("index create a.idx -q").ok();
    let lines = line("1", BRIDGE) + "{broken\n" + &line("\"x\"", STORM) + &line("1", STORM);
    let ran = folder
        .run_on("index add a.idx - --ack", lines.as_bytes())
        .ok();
    let acknowledged = rows(ran.text());
    assert_eq!(acknowledged[0], serde_json::json!({"id": 1, "added": true}));
    assert_eq!(
        (&acknowledged[1]["id"], &acknowledged[1]["added"]),
        (&serde_json::Value::Null, &false.into())
    );
    assert!(acknowledged[1]["error"].as_str().unwrap().contains(":2: "));
    assert_eq!(acknowledged[2]["id"], "x");
    assert!(ran.err.contains("1 in place of others"), "{ran:?}");
    assert!(ran.err.contains("1 broken and skipped"), "{ran:?}");
    assert!(ran.err.contains("known  2 documents"), "{ran:?}");
}

#[test]
fn a_filter_keeps_in_an_index_what_it_learns() {
    let folder = Folder::new();
    folder.run("index create a.idx -q").ok();
    let first = line("1", BRIDGE) + &line("2", STORM) + &line("3", "");
    let ran = folder
        .run_on("filter - --index a.idx --learn", first.as_bytes())
        .ok();
    let verdicts = |text: &str| {
        rows(text)
            .iter()
            .map(|row| row["verdict"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(verdicts(ran.text()), ["new", "new", "not judged"]);
    let ran = folder
        .run_on(
            "filter - --index a.idx",
            line("4", BRIDGE_EDITED).as_bytes(),
        )
        .ok();
    assert_eq!(
        (verdicts(ran.text()), &rows(ran.text())[0]["duplicate_of"]),
        (vec!["duplicate".to_owned()], &1.into())
    );
    let told = folder
        .run("filter a --index a.idx --method exact")
        .refuses(2);
    assert!(told.contains("by its own method"), "{told}");
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let folder = Folder::with("a.jsonl", texts::news());
    folder.add("other/file.txt", "text");
    folder.run("index create a.idx -q").ok();
    for (command, words) in [
        ("index add none.idx a.jsonl", "none.idx is no index"),
        ("index query none.idx a.jsonl", "none.idx is no index"),
        ("index stats other", "other is no index"),
        ("index create a.idx", "a.idx is there already"),
        ("index create other", "other is there already"),
        ("index create b.idx --method imatch", "--statistics"),
        (
            "pairs a.jsonl --against a.idx --threshold 0.5",
            "another index",
        ),
        ("pairs a.jsonl --against a.idx a.jsonl", "takes one of them"),
        (
            "index add a.idx a.jsonl --content all",
            "leave out --content",
        ),
    ] {
        let told = folder.run(command).refuses(2);
        assert!(told.contains(words), "{command}: {told}");
    }
    assert!(!folder.path("b.idx").exists());
    assert!(!folder.path("other/lock").exists());
    let by_recipe = folder.run("pairs a.jsonl --against a.idx --method shingles -q");
    by_recipe.ok();
}

#[test]
fn a_second_writer_is_refused_and_readers_go_on() {
    let folder = Folder::with("a.jsonl", texts::news());
    folder.run("index create a.idx -q").ok();
    let writer = twinsift_index::Index::open(folder.path("a.idx")).unwrap();
    let told = folder.run("index add a.idx a.jsonl").refuses(2);
    assert!(
        told.contains("is being written to by another process"),
        "{told}"
    );
    folder.run("index query a.idx a.jsonl -q").ok();
    drop(writer);
    folder.run("index add a.idx a.jsonl -q").ok();
}

#[test]
fn damage_is_told() {
    let folder = Folder::with("a.jsonl", texts::news());
    folder.run("index create a.idx -q").ok();
    folder.run("index add a.idx a.jsonl -q").ok();
    let names = folder.list();
    let segment = names.iter().find(|name| name.contains("segment-")).unwrap();
    let mut bytes = folder.read(segment);
    bytes[40] ^= 1;
    folder.add(segment, bytes);
    for command in ["index check a.idx", "index query a.idx a.jsonl -q"] {
        let told = folder.run(command).fails(1);
        assert!(
            told.contains("is damaged: its document 0 is not what was written"),
            "{told}"
        );
    }
}
