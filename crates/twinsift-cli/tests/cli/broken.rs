//! Broken input costs only itself: it is named, counted and left out.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use super::formats::rows;
use super::texts::{BRIDGE, BRIDGE_EDITED, MUSEUM, STORM, line, strangers};
use super::{Folder, gzip};

/// Three good lines with two broken ones between them.
fn half_broken() -> String {
    line("1", BRIDGE)
        + "{\"id\":2,\"text\":\"cut off\n"
        + &line("3", STORM)
        + "no json\n"
        + &line("4", BRIDGE)
}

#[test]
fn broken_lines_are_named_and_left_out() {
    let folder = Folder::with("a.jsonl", half_broken());
    let ran = folder.run("pairs a.jsonl").ok();
    assert_eq!(ran.text(), "{\"a\":1,\"b\":4,\"score\":1.0}\n");
    assert!(ran.err.starts_with("skipped a.jsonl:2: "), "{ran:?}");
    assert!(ran.err.contains("\nskipped a.jsonl:4: "), "{ran:?}");
    assert!(ran.err.contains("2 broken records skipped"), "{ran:?}");
    let quiet = folder.run("pairs a.jsonl -q").ok();
    assert_eq!(quiet.err.lines().count(), 2, "{quiet:?}");
    folder.run("dedup a.jsonl -o out.jsonl").ok();
    assert_eq!(
        folder.text("out.jsonl"),
        line("1", BRIDGE) + &line("3", STORM)
    );
}

/// Rows without titles and snippets.
fn groups(rows: &str) -> Vec<String> {
    let cut = |row: &str| row.split(",\"title\":").next().unwrap_or(row).to_owned();
    rows.lines().map(cut).collect()
}

/// The row of a document that is alone.
fn single(id: &str) -> String {
    format!("{{\"id\":{id},\"cluster\":{id},\"size\":1,\"representative\":{id},\"score\":1.0")
}

#[test]
fn what_is_missing_or_of_the_wrong_kind_is_said() {
    let lines = [
        "{\"id\":1,\"story\":\"x\"}",
        "{\"id\":2,\"text\":[1]}",
        "{\"id\":{},\"text\":\"x\"}",
        "{\"id\":4,\"text\":7}",
        "[1,2]",
    ];
    let folder = Folder::with("a.jsonl", lines.join("\n") + "\n" + &line("9", BRIDGE));
    let ran = folder.run("clusters a.jsonl --all -q").ok();
    assert_eq!(groups(ran.text()), [single("9")]);
    super::golden("broken_fields", &ran.transcript());
}

#[test]
fn many_broken_lines_are_counted() {
    let folder = Folder::with("a.jsonl", "{x\n".repeat(500) + &line("1", BRIDGE));
    let ran = folder.run("pairs a.jsonl").ok();
    assert!(
        ran.err.contains("\nskipped 480 more broken records\n"),
        "{ran:?}"
    );
    assert!(ran.err.contains("500 broken records skipped"), "{ran:?}");
    assert!(ran.err.lines().count() < 40);
}

#[test]
fn invalid_utf8_costs_a_line_where_utf8_was_said() {
    let mut bytes = line("1", BRIDGE).into_bytes();
    bytes.extend(b"{\"id\":2,\"text\":\"\xff\xfe broken\"}\n");
    bytes.extend(line("3", BRIDGE_EDITED).bytes());
    let folder = Folder::with("a.jsonl", &bytes);
    let ran = folder.run("pairs a.jsonl --charset utf-8").ok();
    assert!(ran.text().starts_with("{\"a\":1,\"b\":3,"));
    assert!(ran.err.starts_with("skipped a.jsonl:2: "), "{ran:?}");
    let ran = folder.run("pairs a.jsonl").ok();
    assert!(ran.text().starts_with("{\"a\":1,\"b\":3,"));
    assert!(!ran.err.contains("skipped"), "{ran:?}");
    let mut table = b"id,text\n1,".to_vec();
    table.extend(BRIDGE.bytes());
    table.extend(b"\n2,\xff\xfe\n3,");
    table.extend(BRIDGE.bytes());
    folder.add("a.csv", table);
    let ran = folder.run("pairs a.csv").ok();
    assert_eq!(ran.text().lines().count(), 1, "{ran:?}");
}

#[test]
fn a_damaged_row_group_costs_its_rows() {
    let texts = [BRIDGE, MUSEUM, MUSEUM, BRIDGE, STORM];
    let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(1))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.flush().unwrap();
    let groups = writer.flushed_row_groups();
    let (start, length) = groups[1].column(0).byte_range();
    let mut bytes = writer.into_inner().unwrap();
    bytes[start as usize..][..length as usize].fill(0xff);
    let folder = Folder::with("a.parquet", bytes);
    let ran = folder.run("dedup a.parquet -o out.parquet").ok();
    assert!(ran.err.starts_with("skipped a.parquet: row 2: "), "{ran:?}");
    assert!(ran.err.contains("1 broken record skipped"), "{ran:?}");
    let out = rows(&folder.path("out.parquet"));
    let kept: ArrayRef = Arc::new(StringArray::from(vec![BRIDGE, MUSEUM, STORM]));
    assert_eq!(out.column(0), &kept);
}

#[test]
fn compressed_files_cut_short_give_what_they_have() {
    let lines = strangers(4000) + &line("\"last\"", BRIDGE);
    let packed = [
        ("a.jsonl.gz", gzip(lines.as_bytes())),
        (
            "a.jsonl.zst",
            zstd::encode_all(lines.as_bytes(), 1).unwrap(),
        ),
    ];
    for (name, mut bytes) in packed {
        bytes.truncate(bytes.len() / 2);
        let folder = Folder::with(name, bytes);
        folder.add("good.jsonl", line("\"x\"", STORM) + &line("\"y\"", STORM));
        let ran = folder
            .run(&format!("clusters {name} good.jsonl --all"))
            .ok();
        let rows = ran.text().lines().count();
        assert!(rows > 500 && rows < 3900, "{name}: {rows}");
        let pair = ["x", "y"].map(|id| {
            let group = "\"cluster\":\"x\",\"size\":2,\"representative\":\"x\",\"score\":1.0";
            format!("{{\"id\":\"{id}\",{group}")
        });
        assert!(groups(ran.text()).ends_with(&pair));
        assert!(
            ran.err.starts_with(&format!("skipped {name}")),
            "{}",
            ran.err
        );
        assert!(
            ran.err.contains("the compressed data ends too early"),
            "{}",
            ran.err
        );
        folder
            .run(&format!("dedup {name} good.jsonl -o out.jsonl"))
            .ok();
        let out = folder.text("out.jsonl");
        assert_eq!(out.lines().count(), rows - 1, "{name}");
        assert!(out.lines().all(|line| line.ends_with("\"}")), "{name}");
        let told = folder.run(&format!("pairs {name} --strict")).refuses(2);
        assert!(
            told.contains("the compressed data ends too early"),
            "{told}"
        );
    }
}

#[test]
fn rubbish_in_a_folder_is_passed_over() {
    let folder = Folder::new();
    folder.add("in/a.jsonl", line("1", BRIDGE) + &line("2", BRIDGE));
    folder.add("in/b.jsonl.gz", "not gzip at all");
    folder.add("in/c.parquet", "PAR1 and no more");
    folder.add("in/d.zip", b"PK\x03\x04....");
    folder.add("in/e", b"\x00\x01\x02\x03");
    let ran = folder.run("pairs in").ok();
    assert_eq!(ran.text(), "{\"a\":1,\"b\":2,\"score\":1.0}\n");
    super::golden("broken_folder", &ran.transcript());
    let told = folder.run("pairs in/d.zip").refuses(2);
    assert_eq!(told, "in/d.zip: zip archives are not read; unpack it first");
}

#[test]
fn pages_in_old_charsets_are_read() {
    let russian = "Городской совет в понедельник вечером одобрил строительство нового моста через реку после долгого спора";
    let japanese = "市議会は月曜日の夜、川に新しい橋を架ける計画を承認した。討論は四時間以上続き、大勢の住民が集まった。";
    let cases = [
        (russian, encoding_rs::WINDOWS_1251, "windows-1251"),
        (russian, encoding_rs::KOI8_R, "koi8-r"),
        (japanese, encoding_rs::SHIFT_JIS, "shift_jis"),
        (japanese, encoding_rs::EUC_JP, "euc-jp"),
    ];
    for (text, encoding, name) in cases {
        let page = |charset: &str| {
            format!("<html><head>{charset}<title>x</title></head><body><p>{text}</p></body></html>")
        };
        let declared = page(&format!("<meta charset=\"{name}\">"));
        let folder = Folder::new();
        folder.add("in/utf8.html", page("<meta charset=utf-8>"));
        folder.add("in/declared.html", &encoding.encode(&declared).0);
        folder.add("in/silent.html", &encoding.encode(&page("")).0);
        let ran = folder.run("pairs in -q --threshold 0.99").ok();
        assert_eq!(ran.text().lines().count(), 3, "{name}: {ran:?}");
    }
    // A page that claims the wrong charset is still a page.
    let folder = Folder::new();
    let wrong = "<meta charset=utf-8><p>caf\u{e9}";
    folder.add("in/a.html", &encoding_rs::WINDOWS_1252.encode(wrong).0);
    folder.add("in/b.html", "<meta charset=no-such-thing><p>b");
    let ran = folder.run("clusters in --all").ok();
    assert_eq!(ran.text().lines().count(), 2, "{ran:?}");
}

#[test]
fn one_enormous_line() {
    // Unoptimised builds take too long over more.
    const SIZE: usize = if cfg!(debug_assertions) {
        50_000_000
    } else {
        200_000_000
    };
    let folder = Folder::new();
    let mut lines = line("1", BRIDGE).into_bytes();
    lines.extend(b"{\"id\":2,\"text\":\"");
    lines.extend(b"many words in one long line ".repeat(SIZE / 28 + 1));
    assert!(lines.len() > SIZE);
    lines.extend(b"\"}\n");
    lines.extend(line("3", BRIDGE_EDITED).bytes());
    folder.add("a.jsonl", &lines);
    let ran = folder.run("pairs a.jsonl -q").ok();
    assert!(ran.text().starts_with("{\"a\":1,\"b\":3,"), "{ran:?}");
    assert_eq!(ran.text().lines().count(), 1);
    drop(lines);
    // The same without an end.
    let mut bytes = line("1", BRIDGE).into_bytes();
    bytes.extend(b"{\"id\":2,\"text\":\"");
    bytes.extend(b"and no end ".repeat(1_000_000));
    folder.add("a.jsonl", &bytes);
    let ran = folder.run("clusters a.jsonl --all").ok();
    assert_eq!(groups(ran.text()), [single("1")]);
    assert!(ran.err.starts_with("skipped a.jsonl:2: "), "{}", ran.err);
}

#[test]
fn deeply_nested_pages() {
    const LEVELS: usize = 1_000_000;
    let deep = "<div>".repeat(LEVELS) + BRIDGE + &"</div>".repeat(LEVELS);
    let folder = Folder::new();
    folder.add("in/a.html", format!("<html><body>{deep}"));
    folder.add(
        "in/b.html",
        format!("<html><body>{}{BRIDGE}", "<b><i><a>".repeat(LEVELS / 3)),
    );
    folder.add("in/c.html", format!("<html><body><p>{BRIDGE}"));
    for content in ["all", "main"] {
        let ran = folder.run(&format!("pairs in -q --content {content}")).ok();
        assert_eq!(ran.text().lines().count(), 3, "{content}: {}", ran.err);
    }
    folder.add("deep.json", "[".repeat(LEVELS));
    folder.add(
        "deep.jsonl",
        format!(
            "{{\"id\":1,\"own\":{}\n{}",
            "[".repeat(LEVELS),
            line("2", BRIDGE)
        ),
    );
    let ran = folder.run("clusters deep.json deep.jsonl --all").ok();
    assert_eq!(groups(ran.text()).last(), Some(&single("2")), "{ran:?}");
}

#[test]
fn an_id_twice_is_an_error_that_names_both_places() {
    let folder = Folder::with("a.jsonl", line("1", BRIDGE) + &line("\"x\"", STORM));
    folder.add("b.csv", format!("id,text\n7,{MUSEUM}\nx,{BRIDGE}\n"));
    let expected = "the id \"x\" occurs twice, at a.jsonl:2 and at b.csv: row 2: name another field with --id-field, or documents by their place with --id-field none, or the file before each id with --id-per-file";
    for line in [
        "pairs a.jsonl b.csv",
        "clusters a.jsonl b.csv -o rows.csv",
        "dedup a.jsonl b.csv -o out",
    ] {
        let told = folder.run(line).refuses(2);
        assert_eq!(told, expected, "{line}");
    }
    assert_eq!(folder.list(), ["a.jsonl", "b.csv"]);
    // Old documents have names of their own, each of them once.
    folder.run("pairs a.jsonl --against b.csv").ok();
    let told = folder.run("pairs a.jsonl --against b.csv b.csv").refuses(2);
    assert!(
        told.contains("\"7\" occurs twice, at b.csv: row 1 and at b.csv: row 1"),
        "{told}"
    );
    // The same file twice is the same mistake.
    let told = folder.run("pairs a.jsonl a.jsonl").refuses(2);
    assert!(told.contains("at a.jsonl:1 and at a.jsonl:1"), "{told}");
}

#[test]
fn missing_files() {
    let folder = Folder::with("a.jsonl", half_broken());
    for line in [
        "pairs gone.jsonl",
        "pairs a.jsonl gone.jsonl",
        "clusters gone.jsonl -o rows.csv",
        "dedup a.jsonl gone.jsonl -o out.jsonl",
        "pairs a.jsonl --against gone.jsonl",
        "dedup a.jsonl --against gone.jsonl -o out.jsonl",
    ] {
        let told = folder.run(line).refuses(2);
        assert_eq!(
            told, "cannot read gone.jsonl: No such file or directory",
            "{line}"
        );
    }
    assert_eq!(folder.list(), ["a.jsonl"]);
}

#[test]
fn strict_stops_at_the_first_broken_record() {
    let folder = Folder::with("a.jsonl", half_broken());
    folder.add("out.jsonl", "old\n");
    folder.add("removed.csv", "old too\n");
    for line in [
        "pairs a.jsonl --strict",
        "pairs a.jsonl --strict -o out.jsonl",
        "clusters a.jsonl --strict -o removed.csv",
        "dedup a.jsonl --strict -o out.jsonl --removed removed.csv",
        "compare 1 4 --in a.jsonl --strict",
    ] {
        let told = folder.run(line).refuses(2);
        assert!(told.starts_with("a.jsonl:2: "), "{line}: {told}");
        assert!(told.ends_with(" (--strict stops here)"), "{line}: {told}");
    }
    assert_eq!(folder.text("out.jsonl"), "old\n");
    assert_eq!(folder.text("removed.csv"), "old too\n");
    assert_eq!(folder.list(), ["a.jsonl", "out.jsonl", "removed.csv"]);
    let told = folder
        .run("pairs out.jsonl --against a.jsonl --strict")
        .refuses(2);
    assert!(told.starts_with("out.jsonl:1: "), "{told}");
    folder.add("good.jsonl", line("\"g\"", MUSEUM));
    folder.run("pairs good.jsonl --strict").ok();
    let told = folder
        .run("pairs good.jsonl --against a.jsonl --strict")
        .refuses(2);
    assert!(told.starts_with("a.jsonl:2: "), "{told}");
}

/// A collection of which nothing can be read is a mistake, also beside one that can.
#[test]
fn nothing_of_one_collection_can_be_read() {
    let folder = Folder::with("new.jsonl", line("1", BRIDGE));
    folder.add("old.csv", format!("id,story\n9,{BRIDGE}\n"));
    let told = folder.run("dedup new.jsonl --against old.csv").fails(2);
    assert!(
        told.starts_with("not one document of --against could be read: "),
        "{told}"
    );
    let told = folder.run("dedup old.csv --against new.jsonl").fails(2);
    assert!(
        told.starts_with("not one document could be read: "),
        "{told}"
    );
}

/// A file that cannot be opened is no broken record: what it holds is missing, and the
/// exit code must tell.
#[test]
#[cfg(unix)]
fn a_file_that_cannot_be_read_is_a_failure() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.add(
        "in/a.jsonl",
        line("1", BRIDGE) + &line("2", BRIDGE) + "{x\n",
    );
    symlink("gone.jsonl", folder.path("in/b.jsonl")).unwrap();
    for command in [
        "pairs in -o out.jsonl",
        "clusters in -o out.jsonl",
        "dedup in -o out.jsonl",
    ] {
        let ran = folder.run(command);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(
            ran.err.contains("skipped in/b.jsonl: cannot be read: "),
            "{ran:?}"
        );
        assert!(
            ran.err.contains("1 broken record skipped; 1 file skipped"),
            "{ran:?}"
        );
        let last =
            "error: 1 input file could not be read (see above): the result is of the others only\n";
        assert!(ran.err.ends_with(last), "{ran:?}");
        assert!(!folder.text("out.jsonl").is_empty(), "the rest is done");
    }
    let ran = folder.run("compare 1 2 --in in");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let ran = folder.run("lexicon in -o l.lexicon");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("1 broken record skipped; 1 file skipped"),
        "{ran:?}"
    );
    let told = folder.run("pairs in/b.jsonl").refuses(2);
    assert!(told.starts_with("cannot read in/b.jsonl: "), "{told}");
    let told = folder.run("pairs in --strict").fails(2);
    assert!(told.ends_with("(--strict stops here)"), "{told}");
    // A link that leads back misses nothing.
    std::fs::remove_file(folder.path("in/b.jsonl")).unwrap();
    symlink("..", folder.path("in/up")).unwrap();
    folder.run("pairs in/a.jsonl -o out.jsonl").ok();
}

#[test]
fn a_folder_without_files_is_no_input() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("empty/deep")).unwrap();
    folder.add("empty/.hidden", "x");
    for command in [
        "pairs empty",
        "clusters empty",
        "dedup empty -o out/",
        "lexicon empty -o x",
    ] {
        assert_eq!(
            folder.run(command).refuses(2),
            "there is no file to read in empty (hidden ones are left out)"
        );
    }
    folder.add("a.jsonl", line("1", BRIDGE));
    folder.run("pairs a.jsonl empty").ok();
}

#[test]
fn of_two_columns_of_one_name_none_is_taken() {
    let folder = Folder::with(
        "a.csv",
        format!("id,text,text\n1,x,{BRIDGE}\n2,y,{BRIDGE}\n"),
    );
    let ran = folder.run("pairs a.csv");
    assert_eq!(ran.code, Some(2));
    let told = "skipped a.csv: the column \"text\" is there twice: rename one of the two\n";
    assert!(ran.err.starts_with(told), "{ran:?}");
    // What is not looked at may be there as often as it likes.
    folder.add(
        "b.csv",
        format!("id,text,n,n\n1,{BRIDGE},1,2\n2,{BRIDGE},1,2\n"),
    );
    assert_eq!(folder.run("pairs b.csv").ok().text().lines().count(), 1);
    let told = folder.run("dedup b.csv -o c.csv --keep max:n").fails(2);
    assert!(told.starts_with("not one document could be read"), "{told}");
}
