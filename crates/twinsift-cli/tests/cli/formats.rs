//! Every format goes through `dedup` and keeps what we know nothing about.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::texts::{BRIDGE, BRIDGE_EDITED, MUSEUM, STORM, line, news};
use super::{Folder, gunzip, gzip};

/// Undoes whatever compression the bytes show.
pub fn unpack(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match bytes {
        [0x1f, 0x8b, ..] => return gunzip(bytes),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return zstd::decode_all(bytes).unwrap(),
        [b'B', b'Z', b'h', ..] => bzip2::read::MultiBzDecoder::new(bytes).read_to_end(&mut plain),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => {
            lzma_rust2::XzReader::new(bytes, true).read_to_end(&mut plain)
        }
        _ => plain.write(bytes),
    }
    .unwrap();
    plain
}

fn pack(bytes: &[u8], ending: &str) -> Vec<u8> {
    match ending {
        "gz" => gzip(bytes),
        "zst" => zstd::encode_all(bytes, 3).unwrap(),
        "bz2" => {
            let mut encoder =
                bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        "xz" => {
            let options = lzma_rust2::XzOptions::with_preset(3);
            let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        other => panic!("{other}"),
    }
}

/// The rows of a Parquet file.
pub fn rows(path: &Path) -> RecordBatch {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let mut batches = builder.build().unwrap();
    let batch = batches.next().unwrap().unwrap();
    assert!(batches.next().is_none());
    batch
}

/// Writes `input` as a file of this name, deduplicates it, and compares.
#[track_caller]
fn check(name: &str, input: impl AsRef<[u8]>, expected: &str) {
    let folder = Folder::with(name, input);
    folder.run(&format!("dedup {name} -o out-{name}")).ok();
    let out = unpack(&folder.read(&format!("out-{name}")));
    assert_eq!(String::from_utf8_lossy(&out), expected, "{name}");
    let kept = folder.run(&format!("pairs out-{name}")).ok();
    assert_eq!(kept.text(), "", "{name}");
}

#[test]
fn json_lines() {
    let first = format!("{{\"id\": 1,  \"text\":\"{BRIDGE}\", \"n\": 1.50, \"x\":[1, {{}}]}}\r\n");
    let second = format!("{{\"text\":\"{BRIDGE_EDITED}\",\"id\":2}}\n");
    let third = format!("  {{\"é\":\"\\u00e9\",\"id\":3,\"text\":\"{STORM}\"}}");
    let all = format!("{first}{second}\n{third}");
    let expected = format!("{first}\n{third}\n");
    for name in ["a.jsonl", "a.ndjson", "lines-without-ending"] {
        check(name, &all, &expected);
    }
    for ending in ["gz", "zst", "bz2", "xz"] {
        let packed = pack(all.as_bytes(), ending);
        check(&format!("a.jsonl.{ending}"), &packed, &expected);
    }
}

#[test]
fn compression_by_content() {
    for ending in ["gz", "zst", "bz2", "xz"] {
        let folder = Folder::with("data", pack(news().as_bytes(), ending));
        assert_eq!(folder.run("pairs data").ok().text().lines().count(), 2);
        folder
            .run(&format!("dedup data -o out.jsonl.{ending}"))
            .ok();
        let out = unpack(&folder.read(&format!("out.jsonl.{ending}")));
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), 4);
    }
}

#[test]
fn json_lists() {
    let first = format!("{{\n  \"id\": 1,\n  \"text\": \"{BRIDGE}\",\n  \"own\": [1,  2]\n}}");
    let second = format!("{{\"id\":2,\"text\":\"{BRIDGE_EDITED}\"}}");
    let third = format!("{{\"id\":3,\"own\":null,\"text\":\"{STORM}\"}}");
    let expected = format!("[\n{first},\n{third}\n]\n");
    check(
        "a.json",
        format!("[ {first} ,{second},\n{third}]"),
        &expected,
    );
    check("list", format!("[{first},{second},{third}]\n"), &expected);
}

#[test]
fn tables() {
    let first = format!("1,\"a \"\"b\"\", c\",\"{BRIDGE}\n\"\n");
    let second = format!("2,,{BRIDGE_EDITED}\n");
    let third = format!("3, spaces ,\"{STORM}\"\n");
    let header = "id,own note,text\n";
    let all = format!("{header}{first}{second}{third}");
    let expected = format!("{header}{first}{third}");
    check("a.csv", &all, &expected);
    check("a.csv.gz", gzip(all.as_bytes()), &expected);
    check("table", &all, &expected);
    let tabs = |text: &str| text.replace(',', "\t");
    check("a.tsv", tabs(&all), &tabs(&expected));
    check("tabs", tabs(&all), &tabs(&expected));
}

#[test]
fn parquet_rows() {
    let folder = Folder::new();
    let strings = |values: [&str; 3]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let own = Arc::new(Int64Array::from(vec![Some(5), None, None])) as ArrayRef;
    let columns = [
        ("id", strings(["x", "y", "z"]), false),
        ("own", own, true),
        ("text", strings([BRIDGE, BRIDGE_EDITED, STORM]), true),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    let bytes = writer.into_inner().unwrap();
    folder.add("a.parquet", &bytes);
    folder.add("table", &bytes);
    for name in ["a.parquet", "table"] {
        folder
            .run(&format!("dedup {name} -o out.parquet --removed gone.csv"))
            .ok();
        let out = rows(&folder.path("out.parquet"));
        assert_eq!(out.schema().fields(), batch.schema().fields());
        assert_eq!(out.slice(0, 1), batch.slice(0, 1));
        assert_eq!(out.slice(1, 1), batch.slice(2, 1));
        assert_eq!(out.num_rows(), 2);
        assert!(folder.text("gone.csv").contains("\ny,x,0.95"));
    }
    let ran = folder.run_on("pairs -", &bytes).ok();
    assert!(ran.text().starts_with("{\"a\":\"x\",\"b\":\"y\""));
}

fn warc_record(kind: &str, address: &str, body: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nX-Own: kept\r\nWARC-Target-URI: {address}\r\nWARC-Date: 2024-05-06T07:08:09Z\r\nContent-Type: application/http; msgtype={kind}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
}

fn page(text: &str) -> String {
    format!("<!doctype html><title>News</title><p>{text}</p>")
}

pub fn response(address: &str, text: &str) -> String {
    html_response(address, &page(text))
}

pub fn html_response(address: &str, html: &str) -> String {
    let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
    warc_record("response", address, &body)
}

#[test]
fn web_archives() {
    let request = warc_record("request", "http://a/", "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    let first = response("http://a/", BRIDGE);
    let second = response("http://b/", BRIDGE_EDITED);
    let third = response("http://c/", STORM);
    let all = format!("{request}{first}{second}{third}");
    let expected = format!("{request}{first}{third}");
    check("a.warc", &all, &expected);
    check("archive", &all, &expected);
    let members: Vec<u8> = [&request, &first, &second, &third]
        .iter()
        .flat_map(|record| gzip(record.as_bytes()))
        .collect();
    check("a.warc.gz", &members, &expected);
    check("b.warc.gz", gzip(all.as_bytes()), &expected);
    let folder = Folder::with("a.warc.gz", &members);
    let ran = folder.run("pairs a.warc.gz -q").ok();
    assert!(
        ran.text()
            .starts_with("{\"a\":\"http://a/\",\"b\":\"http://b/\"")
    );
}

pub fn mail(subject: &str, text: &str) -> String {
    format!(
        "Received: from x by y\nMessage-ID: <{subject}@example.org>\nFrom: a@example.org\nX-Own: kept\nSubject: {subject}\n\n{text}\n"
    )
}

#[test]
fn mailboxes() {
    let boxed = |mail: String| format!("From a@example.org Mon Jan  1 00:00:00 2024\n{mail}\n");
    let first = boxed(mail("one", BRIDGE));
    let second = boxed(mail("one", BRIDGE_EDITED));
    let third = boxed(mail("three", STORM));
    let all = format!("{first}{second}{third}");
    let expected = format!("{first}{third}");
    check("a.mbox", &all, &expected);
    check("mailbox", &all, &expected);
    check("a.mbox.gz", gzip(all.as_bytes()), &expected);
}

/// Files of a folder: name, content, and whether it stays.
fn check_folder(files: &[(&str, String, bool)]) {
    let folder = Folder::new();
    for (name, content, _) in files {
        folder.add(&format!("in/{name}"), content);
    }
    folder.run("dedup in -o out --removed gone.jsonl").ok();
    for (name, content, stays) in files {
        let path = folder.path(&format!("out/{name}"));
        assert_eq!(path.exists(), *stays, "{name}: {:?}", folder.list());
        if *stays {
            assert_eq!(&folder.text(&format!("out/{name}")), content, "{name}");
        }
        assert_eq!(&folder.text(&format!("in/{name}")), content, "{name}");
        let listed = folder
            .text("gone.jsonl")
            .contains(&format!("\"id\":\"in/{name}\""));
        assert_eq!(listed, !stays, "{name}: {}", folder.text("gone.jsonl"));
    }
    let stay = files.iter().filter(|file| file.2).count();
    assert_eq!(folder.list().len(), files.len() + stay + 1);
}

#[test]
fn folders_of_mails() {
    check_folder(&[
        ("1.eml", mail("one", BRIDGE), true),
        ("2/2.eml", mail("one", BRIDGE_EDITED), false),
        ("3.eml", mail("two", STORM), true),
    ]);
    check_folder(&[
        ("cur/1:2,S", mail("one", BRIDGE), true),
        ("new/2", mail("one", BRIDGE_EDITED), false),
        ("new/3", mail("two", STORM), true),
    ]);
}

#[test]
fn folders_of_pages_and_texts() {
    check_folder(&[
        ("a.html", page(BRIDGE), true),
        ("deep/er/b.html", page(BRIDGE_EDITED), false),
        ("c.htm", page(STORM), true),
    ]);
    check_folder(&[
        ("a.txt", BRIDGE.to_owned(), true),
        ("b.md", format!("# {BRIDGE_EDITED}\n"), false),
        ("c.md", format!("*{MUSEUM}*\n"), true),
        ("empty.txt", String::new(), true),
        ("no-ending", STORM.to_owned(), true),
    ]);
}

#[test]
fn mixed_folders() {
    let folder = Folder::new();
    let lines = line("1", BRIDGE) + &line("2", STORM);
    folder.add("in/lines.jsonl.gz", gzip(lines.as_bytes()));
    folder.add("in/page.html", page(BRIDGE_EDITED));
    folder.add(
        "in/table.csv",
        format!("id,text,own\nt1,{STORM},x\nt2,{MUSEUM},y\n"),
    );
    folder.add("in/mail/1.eml", mail("three", MUSEUM));
    folder.add(
        "in/w.warc",
        response("http://a/", &super::texts::words(0, 60)),
    );
    folder.add("in/.hidden", "left alone");
    let ran = folder
        .run("dedup in -o out --removed gone.csv --threshold 0.7")
        .ok();
    assert!(
        ran.err
            .contains("3 near duplicates removed, 4 documents kept"),
        "{ran:?}"
    );
    let out: Vec<String> = folder
        .list()
        .into_iter()
        .filter(|name| name.starts_with("out/"))
        .collect();
    assert_eq!(
        out,
        [
            "out/lines.jsonl.gz",
            "out/mail/1.eml",
            "out/table.csv",
            "out/w.warc"
        ]
    );
    assert_eq!(gunzip(&folder.read("out/lines.jsonl.gz")), lines.as_bytes());
    assert_eq!(folder.text("out/table.csv"), "id,text,own\n");
    // A folder that is full already is left alone.
    let told = folder.run("dedup in -o out").refuses(1);
    assert_eq!(told, "cannot write out: the folder is there and not empty");
    let told = folder.run("dedup in -o out.jsonl").refuses(2);
    assert!(told.contains("name a folder, such as -o clean/"), "{told}");
}

#[test]
fn several_inputs_into_one_file() {
    let folder = Folder::new();
    folder.add("a.jsonl", line("1", BRIDGE) + line("2", STORM).trim_end());
    folder.add(
        "b.jsonl.gz",
        gzip((line("3", MUSEUM) + &line("4", STORM)).as_bytes()),
    );
    folder.run("dedup a.jsonl b.jsonl.gz -o out.jsonl").ok();
    assert_eq!(
        folder.text("out.jsonl"),
        line("1", BRIDGE) + &line("2", STORM) + &line("3", MUSEUM)
    );
    folder.add("a.csv", format!("id,text\n1,{BRIDGE}\n"));
    folder.add("b.csv", format!("text,id\n{STORM},2\n"));
    let told = folder.run("dedup a.csv b.csv -o out.csv").refuses(2);
    assert_eq!(
        told,
        "cannot put b.csv into out.csv: its columns are not those of a.csv"
    );
    assert!(!folder.path("out.csv").exists());
}

#[test]
fn a_file_may_be_replaced_by_its_survivors() {
    let folder = Folder::with("a.jsonl", line("1", BRIDGE) + &line("2", BRIDGE));
    folder.run("dedup a.jsonl -o a.jsonl").ok();
    assert_eq!(folder.text("a.jsonl"), line("1", BRIDGE));
}

#[test]
fn standard_input() {
    let folder = Folder::with("more.csv", format!("id,text\nx,{MUSEUM}\n"));
    let ran = folder.run_on("pairs - -q", news().as_bytes()).ok();
    assert_eq!(ran.text().lines().count(), 2);
    let ran = folder
        .run_on("clusters - -q", &gzip(news().as_bytes()))
        .ok();
    assert_eq!(ran.text().lines().count(), 4);
    let ran = folder.run_on("pairs - more.csv -q", news().as_bytes()).ok();
    assert_eq!(ran.text().lines().count(), 3);
    folder
        .run_on("dedup - -o out.jsonl", news().as_bytes())
        .ok();
    assert_eq!(folder.text("out.jsonl").lines().count(), 4);
    let ran = folder
        .run_on("pairs more.csv --against - -q", news().as_bytes())
        .ok();
    assert_eq!(ran.text(), "{\"a\":\"x\",\"b\":\"museum\",\"score\":1.0}\n");
    let told = folder.run_on("pairs - --against -", b"").fails(2);
    assert_eq!(
        told,
        "- is named twice, but standard input can be read only once"
    );
}

#[test]
fn a_named_format_wins_over_the_name() {
    let folder = Folder::with("lines.txt", news());
    assert_eq!(folder.run("pairs lines.txt").ok().text(), "");
    let ran = folder.run("pairs lines.txt --format jsonl").ok();
    assert_eq!(ran.text().lines().count(), 2);
}

#[test]
fn own_field_names() {
    let record = |name: &str, text: &str| {
        format!("{{\"key\":\"{name}\",\"story\":\"{text}\",\"text\":\"same\"}}\n")
    };
    let folder = Folder::with(
        "a.jsonl",
        record("x", BRIDGE) + &record("y", BRIDGE) + &record("z", STORM),
    );
    let ran = folder
        .run("pairs a.jsonl -q --id-field key --text-field story")
        .ok();
    assert_eq!(ran.text(), "{\"a\":\"x\",\"b\":\"y\",\"score\":1.0}\n");
    folder.add(
        "b.jsonl",
        format!("{{\"id\":1,\"raw\":\"<p>{BRIDGE}\"}}\n{{\"id\":2,\"raw\":\"<b>{BRIDGE}</b>\"}}\n"),
    );
    let ran = folder
        .run("pairs b.jsonl -q --html-field raw --title-field t --url-field u")
        .ok();
    assert_eq!(ran.text(), "{\"a\":1,\"b\":2,\"score\":1.0}\n");
}

#[test]
fn main_content_leaves_out_the_furniture() {
    let menu: String = (0..120)
        .map(|n| format!("<li><a href='/{n}'>Topic {n} of today</a></li>"))
        .collect();
    let site = |text: &str| {
        format!(
            "<html><head><title>Site</title></head><body><nav><ul>{menu}</ul></nav><article><h1>Story</h1><p>{text}.</p><p>{text}, they said.</p></article></body></html>"
        )
    };
    let folder = Folder::new();
    folder.add("in/a.html", site(BRIDGE));
    folder.add("in/b.html", site(STORM));
    assert_eq!(
        folder
            .run("pairs in --threshold 0.6 --content all")
            .ok()
            .text()
            .lines()
            .count(),
        1
    );
    let ran = folder.run("pairs in --threshold 0.6").ok();
    assert_eq!(ran.text(), "");
}

#[test]
fn survivors_on_standard_output() {
    let folder = Folder::new();
    let lines = line("1", BRIDGE) + &line("2", BRIDGE_EDITED) + line("3", STORM).trim_end();
    let kept = line("1", BRIDGE) + &line("3", STORM);
    folder.add("a.jsonl", &lines);
    folder.add("a.jsonl.gz", gzip(lines.as_bytes()));
    let ran = folder.run("dedup a.jsonl --removed gone.csv").ok();
    assert_eq!(ran.text(), kept);
    assert!(
        ran.err
            .contains("1 near duplicate removed, 2 documents kept")
    );
    assert_eq!(folder.text("gone.csv"), "id,duplicate_of,score\n2,1,0.95\n");
    // It is plain whatever the input is.
    assert_eq!(folder.run("dedup a.jsonl.gz -q").ok().text(), kept);
    let packed = gzip(lines.as_bytes());
    assert_eq!(folder.run_on("dedup -", &packed).ok().text(), kept);
    assert_eq!(folder.run("dedup a.jsonl -o -").ok().text(), kept);
    let rows = folder.run("pairs a.jsonl -o -").ok();
    assert!(rows.text().starts_with("{\"a\":1,"), "{rows:?}");
    assert!(!folder.path("-").exists());
    folder.add("a.csv", format!("id,text\n1,{BRIDGE}\n2,{BRIDGE_EDITED}\n"));
    let ran = folder.run("dedup a.csv").ok();
    assert_eq!(ran.text(), format!("id,text\n1,{BRIDGE}\n"));
    folder.add("a.json", format!("[{}]", line("1", BRIDGE).trim_end()));
    let ran = folder.run("dedup a.json").ok();
    assert_eq!(ran.text(), format!("[\n{}]\n", line("1", BRIDGE)));
    folder.add("page.html", page(BRIDGE));
    assert_eq!(folder.run("dedup page.html").ok().text(), page(BRIDGE));
    // What comes out is what goes in.
    let again = folder.run_on("dedup - --strict", kept.as_bytes()).ok();
    assert_eq!(again.text(), kept);
}
