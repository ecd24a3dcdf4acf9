//! Survivors in place of their own input, where something could not be read.

use super::texts::{BRIDGE, BRIDGE_EDITED, STORM, line};
use super::{Folder, gzip};

fn half_broken() -> String {
    line("1", BRIDGE) + "{\"id\":2,\"text\":\"cut off\n" + &line("3", STORM) + &line("4", BRIDGE)
}

#[test]
fn a_file_is_not_replaced_without_its_broken_records() {
    let folder = Folder::with("a.jsonl", half_broken());
    std::fs::create_dir(folder.path("in")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.jsonl", folder.path("link.jsonl")).unwrap();
        std::fs::hard_link(folder.path("a.jsonl"), folder.path("hard.jsonl")).unwrap();
    }
    let before = folder.list();
    let outputs: &[&str] = match cfg!(unix) {
        true => &["a.jsonl", "./in/../a.jsonl", "link.jsonl", "hard.jsonl"],
        false => &["a.jsonl", "./in/../a.jsonl"],
    };
    for output in outputs {
        let ran = folder.run(&format!("dedup a.jsonl -o {output} --removed gone.csv"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.err
                .contains("a.jsonl:2 could not be read, and would be lost"),
            "{ran:?}"
        );
        assert_eq!(folder.text("a.jsonl"), half_broken(), "{output}");
        assert_eq!(folder.list(), before, "{output}");
    }
    // Only that file counts: here it is one of two, and only read.
    folder.add("b.jsonl", line("9", STORM));
    folder.run("dedup b.jsonl a.jsonl -o b.jsonl").ok();
    assert_eq!(folder.text("a.jsonl"), half_broken());
}

#[test]
fn standard_input_from_the_output_is_the_same_file() {
    let folder = Folder::with("a.jsonl", half_broken());
    let mut command = folder.command(&["dedup", "-", "-o", "a.jsonl"]);
    command.stdin(std::fs::File::open(folder.path("a.jsonl")).unwrap());
    let output = command.output().unwrap();
    if cfg!(target_os = "linux") {
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(folder.text("a.jsonl"), half_broken());
    }
}

#[test]
fn broken_records_are_copied_or_dropped_where_that_is_said() {
    let folder = Folder::with("a.jsonl", half_broken());
    let ran = folder.run("dedup a.jsonl -o a.jsonl --broken copy").ok();
    assert!(ran.err.contains("1 broken record copied"), "{ran:?}");
    let kept = line("1", BRIDGE) + "{\"id\":2,\"text\":\"cut off\n" + &line("3", STORM);
    assert_eq!(folder.text("a.jsonl"), kept);
    folder
        .run("dedup a.jsonl -o b.jsonl --broken refuse")
        .fails(2);
    folder.run("dedup a.jsonl -o a.jsonl --broken drop").ok();
    assert_eq!(
        folder.text("a.jsonl"),
        line("1", BRIDGE) + &line("3", STORM)
    );
}

#[test]
fn rows_and_messages_that_are_broken_are_copied_too() {
    let csv = format!("id,text\n1,{BRIDGE}\n2\n3,\"open\n4,{BRIDGE_EDITED}\n5,{STORM}\n");
    let csv = csv.replace(", ", " ");
    let folder = Folder::with("a.csv", &csv);
    folder.run("dedup a.csv -o a.csv --broken copy").ok();
    let rows: Vec<&str> = csv.split_inclusive('\n').collect();
    assert_eq!(
        folder.text("a.csv"),
        [rows[0], rows[1], rows[2], rows[3], rows[5]].concat()
    );
}

#[test]
fn damage_cannot_be_copied_and_is_not_dropped_unasked() {
    let lines: String = (0..20_000)
        .map(|n| {
            line(
                &n.to_string(),
                &format!("number {} and {}", n * 7919, n * 104_729),
            )
        })
        .collect();
    let mut bytes = gzip(lines.as_bytes());
    bytes.truncate(bytes.len() / 2);
    let folder = Folder::with("a.jsonl.gz", &bytes);
    for flags in ["", "--broken copy"] {
        let ran = folder.run(&format!("dedup a.jsonl.gz -o a.jsonl.gz {flags}"));
        assert!(matches!(ran.code, Some(1 | 2)), "{ran:?}");
        assert!(ran.err.contains("--broken drop"), "{ran:?}");
        assert!(ran.err.contains("a.jsonl.gz"), "{ran:?}");
        assert_eq!(folder.read("a.jsonl.gz"), bytes);
        assert_eq!(folder.list(), ["a.jsonl.gz"]);
    }
    folder
        .run("dedup a.jsonl.gz -o a.jsonl.gz --broken drop")
        .ok();
}

#[test]
fn a_file_that_cannot_be_read_is_copied_into_the_folder() {
    let folder = Folder::with("in/a.jsonl", half_broken());
    folder.add("in/b.zip", b"PK\x03\x04 and so on");
    folder.run("dedup in -o out/ --broken copy").ok();
    assert_eq!(folder.read("out/b.zip"), b"PK\x03\x04 and so on");
    assert_eq!(folder.text("out/a.jsonl").lines().count(), 3);
    folder.run("dedup in -o left/").ok();
    assert_eq!(folder.text("left/a.jsonl").lines().count(), 2);
    assert!(!folder.path("left/b.zip").exists());
}

#[test]
fn long_documents_are_skipped_and_told() {
    let long = line("2", &"wort ".repeat(300_000));
    let all = line("1", BRIDGE) + &long + &line("3", BRIDGE);
    let folder = Folder::with("a.jsonl", &all);
    let ran = folder.run("pairs a.jsonl --max-document 1M").ok();
    assert_eq!(ran.text(), "{\"a\":1,\"b\":3,\"score\":1.0}\n");
    assert!(
        ran.err.starts_with(
            "skipped a.jsonl:2: it has 1.4 MB, and a document may have 1 MB (--max-document)"
        ),
        "{ran:?}"
    );
    folder
        .run("pairs a.jsonl --memory 4M")
        .ok()
        .err
        .contains("a.jsonl:2");
    folder
        .run("pairs a.jsonl --max-document 1M --strict")
        .fails(2);
    folder.add(
        "c.toml",
        "max_document = \"1M\"\ncharset = \"utf-8\"\ndelimiter = \"tab\"\n",
    );
    let ran = folder.run("pairs a.jsonl --config c.toml").ok();
    assert!(ran.err.contains("skipped a.jsonl:2: "), "{ran:?}");
    folder.run("pairs a.jsonl --max-document 2M").ok();
    let ran = folder
        .run("dedup a.jsonl -o a.jsonl --max-document 1M --broken copy")
        .ok();
    assert!(ran.err.contains("1 broken record"), "{ran:?}");
    assert_eq!(folder.text("a.jsonl"), line("1", BRIDGE) + &long);
}

#[test]
fn charsets_and_delimiters_are_checked() {
    let folder = Folder::with("a.csv", b"id|text\n1|caf\xe9 am Fluss in der Stadt\n");
    let ran = folder.run("pairs a.csv --delimiter |").ok();
    assert!(
        ran.err
            .contains("a.csv is read as windows-1252 where it is not UTF-8"),
        "{ran:?}"
    );
    for flags in [
        "--delimiter ||",
        "--delimiter é",
        "--charset klingon",
        "--charset iso-2022-jp",
    ] {
        folder.run(&format!("pairs a.csv {flags}")).fails(2);
    }
}
