//! Documents whose ids are not unique, or do not matter.

use super::Folder;
use super::texts::{BRIDGE, MUSEUM, STORM, line};

/// Shards that number from 0, and a table without ids.
fn shards() -> Folder {
    let folder = Folder::new();
    folder.add("in/a.jsonl", line("0", BRIDGE) + &line("1", MUSEUM));
    folder.add("in/b.jsonl", line("0", STORM) + &line("1", BRIDGE));
    folder.add("in/c.csv", format!("text\n{MUSEUM}\n"));
    folder
}

#[test]
fn a_repeated_id_is_refused_with_the_ways_out() {
    let folder = shards();
    let told = folder.run("pairs in").refuses(2);
    assert_eq!(
        told,
        "the id \"0\" occurs twice, at in/a.jsonl:1 and at in/b.jsonl:1: name another field with --id-field, or documents by their place with --id-field none, or the file before each id with --id-per-file"
    );
    folder.add("a.jsonl", line("0", BRIDGE) + &line("0", MUSEUM));
    let told = folder.run("clusters a.jsonl").refuses(2);
    assert!(told.ends_with("with --id-field none"), "{told}");
}

#[test]
fn documents_are_named_by_their_place() {
    let folder = shards();
    let ran = folder.run("pairs in -q --id-field none").ok();
    assert_eq!(
        ran.text(),
        "{\"a\":\"in/a.jsonl:1\",\"b\":\"in/b.jsonl:2\",\"score\":1.0}\n{\"a\":\"in/a.jsonl:2\",\"b\":\"in/c.csv:1\",\"score\":1.0}\n"
    );
    // Mail and pages in archives too.
    let mail = format!("From x\nSubject: s\nMessage-ID: <same@x>\n\n{BRIDGE}\n\n");
    folder.add("m.mbox", mail.repeat(2));
    let ran = folder.run("pairs m.mbox -q --id-field none").ok();
    assert_eq!(
        ran.text(),
        "{\"a\":\"m.mbox:1\",\"b\":\"m.mbox:2\",\"score\":1.0}\n"
    );
}

#[test]
fn documents_are_told_apart_by_their_file() {
    let folder = shards();
    folder.add("c.toml", "id_per_file = true\n");
    for flags in ["--id-per-file", "--config c.toml"] {
        let line = format!("dedup in -q -o out/ --removed removed.csv {flags}");
        folder.run(&line).ok();
        assert_eq!(
            folder.text("removed.csv"),
            "id,duplicate_of,score\nin/b.jsonl:1,in/a.jsonl:0,1.0\nin/c.csv:1,in/a.jsonl:1,1.0\n"
        );
        assert_eq!(folder.text("out/b.jsonl"), line_of_storm());
        std::fs::remove_dir_all(folder.path("out")).unwrap();
    }
    // Results name documents for later questions.
    let line = "compare in/a.jsonl:0 in/b.jsonl:1 --in in --id-per-file --json";
    let told: serde_json::Value = serde_json::from_slice(&folder.run(line).ok().out).unwrap();
    assert_eq!(told["near_duplicates"], true);
}

fn line_of_storm() -> String {
    line("0", STORM)
}
