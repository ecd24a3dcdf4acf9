//! Records that are longer than records may be, and pages that take too long.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use twinsift_io::{Content, Inputs, ReadOptions, SurvivorWriter};

use super::{Files, Result, collect, gzip, read_with};

const MOST: usize = 200_000;

fn limited() -> ReadOptions {
    ReadOptions {
        max_document: MOST,
        to_copy: true,
        ..ReadOptions::default()
    }
}

/// Reads a file, and copies it without what was skipped, and with that.
fn read_and_copy(name: &str, bytes: &[u8]) -> (Result, Vec<u8>, Vec<u8>) {
    let files = Files::new();
    let path = files.add(name, bytes);
    let inputs = Inputs::open(&[path], limited()).unwrap();
    let result = collect(&inputs);
    let format = inputs.sources()[0].format.unwrap();
    let copied = |drop: &[u64], out: PathBuf| {
        let mut writer = SurvivorWriter::file(&out, format).unwrap();
        inputs.copy_without(0, drop, &mut writer).unwrap();
        writer.finish().unwrap();
        fs::read(out).unwrap()
    };
    let skipped: Vec<u64> = result.skipped.iter().map(|skipped| skipped.0).collect();
    let without = copied(&skipped, files.path(&format!("without-{name}")));
    let with = copied(&[], files.path(&format!("with-{name}")));
    (result, without, with)
}

#[test]
fn a_record_that_is_too_long_costs_only_itself() {
    // Just above the limit, beyond what is read at once, and many times that.
    for length in [MOST + 1, 1_100_000, 5_000_000] {
        let long = "wort ".repeat(length / 5 + 1);
        let line = |id: u32, text: &str| format!("{{\"id\":{id},\"text\":\"{text}\"}}");
        let three = |between: &str, middle: &str| {
            format!("{}{between}{middle}{between}{}", line(1, "a"), line(3, "c"))
        };
        let jsonl = three("\n", &line(2, &long)) + "\n";
        let list = format!("[{}]", three(",\n", &line(2, &format!("{long}]}},\\\"{{"))));
        let csv = format!("id,text\n1,a\n2,\"{long}\"\n3,c\n");
        let plain_csv = format!("id,text\n1,a\n2,{long}\n3,c\n");
        let quoted = format!(
            "id,text\n1,a\n2,\"{}\"\n3,c\n",
            long.replace(' ', " \"\"x\"\"\n")
        );
        let message = |text: &str| {
            format!("From a@b Mon Jan  1 00:00:00 2024\nSubject: s\nFrom: a@b\n\n{text}\n\n")
        };
        let mbox = message("a")
            + &message(&long.replace("wort wort ", "wort\nFrom wort\n"))
            + &message("c");
        for (name, bytes) in [
            ("a.jsonl", &jsonl),
            ("a.json", &list),
            ("a.csv", &csv),
            ("b.csv", &plain_csv),
            ("c.csv", &quoted),
            ("a.mbox", &mbox),
        ] {
            let (result, without, with) = read_and_copy(name, bytes.as_bytes());
            assert_eq!(
                result.records(),
                [1, 3],
                "{name} {length} {:?}",
                result.reasons()
            );
            assert_eq!(result.skipped.len(), 1, "{name} {:?}", result.reasons());
            let reason = result.reasons()[0];
            assert!(
                reason.contains("a document may have 195.3 KB (--max-document)"),
                "{reason}"
            );
            assert!(without.len() < 1_000, "{name}: {}", without.len());
            match name {
                "a.json" => assert_eq!(with.len() as isize - bytes.len() as isize, 3),
                _ => assert!(with == bytes.as_bytes(), "{name} {length}"),
            }
        }
    }
}

#[test]
fn long_records_of_an_archive_that_are_no_documents_are_copied() {
    let record = |kind: &str, media: &str, body: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Type: application/http\r\nWARC-Target-URI: http://x/{}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            body.len(),
            http.len()
        )
    };
    let long = "x ".repeat(2_000_000);
    let archive = record("response", "text/html", "<p>a")
        + &record("response", "video/mp4", &long)
        + &record("request", "text/html", &long)
        + &record("response", "text/html", &long)
        + &record("response", "text/html", "<p>c and more");
    let (result, without, with) = read_and_copy("a.warc", archive.as_bytes());
    assert_eq!(result.records(), [1, 5]);
    assert_eq!(result.skipped.len(), 1, "{:?}", result.reasons());
    assert_eq!(result.skipped[0].0, 4);
    assert_eq!(with, archive.as_bytes());
    assert_eq!(
        without.len(),
        archive.len() - record("response", "text/html", &long).len()
    );
}

#[test]
fn whole_files_have_the_same_limit() {
    let page = format!("<p>{}", "word ".repeat(100_000));
    let mail = format!("Subject: s\nFrom: a@b\n\n{}", "word ".repeat(100_000));
    for (name, bytes) in [("a.txt", &page), ("a.html", &page), ("a.eml", &mail)] {
        for name in [name.to_owned(), format!("{name}.gz")] {
            let bytes = match name.ends_with(".gz") {
                true => gzip(bytes.as_bytes()),
                false => bytes.clone().into_bytes(),
            };
            let files = Files::new();
            let path = files.add(&name, bytes);
            let result = read_with(&[path], limited());
            assert!(result.docs.is_empty(), "{name}");
            assert!(result.reasons()[0].starts_with("it has "), "{name}");
            let is_bomb = result.reasons()[0].ends_with("decompression bomb");
            assert_eq!(is_bomb, name.ends_with(".gz"), "{:?}", result.reasons());
        }
    }
}

#[test]
fn a_body_that_unpacks_to_too_much_is_told() {
    let body = gzip(&vec![b'a'; 40_000_000]);
    let mut http =
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n".to_vec();
    http.extend(body);
    let mut warc = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n",
        http.len()
    )
    .into_bytes();
    warc.extend(http);
    warc.extend(b"\r\n\r\n");
    let files = Files::new();
    let result = read_with(&[files.add("a.warc", warc)], limited());
    assert!(result.docs.is_empty());
    let reason = result.reasons()[0];
    assert!(
        reason.starts_with("its body of 38 KB unpacks to at least 3.9 MB, "),
        "{reason}"
    );
    assert!(reason.ends_with("decompression bomb"), "{reason}");
}

#[test]
fn an_open_quote_costs_one_line_also_in_a_long_table() {
    let rows: String = (3..60_000)
        .map(|row| format!("{row},text {row}\n"))
        .collect();
    let table = format!("id,text\n1,a\n2,\"b\n{rows}");
    let files = Files::new();
    let result = read_with(&[files.add("a.csv", table)], limited());
    assert_eq!(
        result.reasons(),
        ["a quoted cell is opened and never closed"]
    );
    assert_eq!(result.docs.len(), 59_998);
}

#[test]
fn pages_that_would_take_forever_are_compared_as_a_whole() {
    for (part, count) in [
        ("word&nbsp;other ", 400_000),
        ("&", 10_000_000),
        ("<", 3_000_000),
        ("a\0", 2_000_000),
        ("word&nbsp;other </x>", 300_000),
        ("a&nbsp;<body></body>", 300_000),
    ] {
        let page = format!(
            "<html><body><p>begin {}</p></body></html>",
            part.repeat(count)
        );
        let files = Files::new();
        let path = files.add("a.html", page);
        let options = ReadOptions {
            content: Content::Main,
            ..ReadOptions::default()
        };
        let started = Instant::now();
        let inputs = Inputs::open(&[path], options).unwrap();
        let result = collect(&inputs);
        assert!(result.docs[0].text.starts_with("begin "), "{part}");
        assert_eq!(inputs.whole_pages(), 1, "{part}");
        // Squared, these are hours in a build without optimisation.
        assert!(started.elapsed() < Duration::from_secs(300), "{part}");
    }
}

#[test]
fn ordinary_pages_with_many_entities_are_not_too_much() {
    let cell = "<tr><td>&nbsp;</td><td>some words &amp; more, of a table</td></tr>";
    let article = "<p>Words of an article, that are long enough to be one; and&nbsp;so on.</p>";
    for page in [
        format!("<table>{}</table>", cell.repeat(8_000)),
        format!("<div>{}</div>", article.repeat(8_000)),
    ] {
        let files = Files::new();
        let mut file = fs::File::create(files.path("a.html")).unwrap();
        file.write_all(page.as_bytes()).unwrap();
        let options = ReadOptions {
            content: Content::Main,
            ..ReadOptions::default()
        };
        let inputs = Inputs::open(&[files.path("a.html")], options).unwrap();
        assert_eq!(collect(&inputs).docs.len(), 1);
        assert_eq!(inputs.whole_pages(), 0);
    }
}
