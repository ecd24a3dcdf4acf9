//! Formats told from content.

use twinsift_io::{Format, Inputs, ReadOptions};

use super::{Files, read_bytes, read_with};

fn format(bytes: impl AsRef<[u8]>) -> Format {
    let files = Files::new();
    let path = files.add("data", bytes);
    let inputs = Inputs::open(&[path], ReadOptions::default()).unwrap();
    inputs.sources()[0].format.unwrap()
}

#[test]
fn formats_are_told_from_content() {
    assert_eq!(format("{\"text\":1}\n{\"text\":2}\n"), Format::Jsonl);
    assert_eq!(format(" [\n{\"text\":1}]"), Format::Json);
    assert_eq!(format("[1] is a footnote"), Format::Text);
    assert_eq!(format("{\n\"text\":\n1}"), Format::Json);
    assert_eq!(format("id,text\n1,a\n"), Format::Csv);
    assert_eq!(format("ID,Text\n1,a\n"), Format::Csv);
    assert_eq!(format("id\ttext\n1\ta\n"), Format::Tsv);
    assert_eq!(
        format("WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n"),
        Format::Warc
    );
    assert_eq!(format("From me Mon Jan 1\nSubject: x\n\ny\n"), Format::Mbox);
    assert_eq!(
        format("Received: by x\n\tfor y\nSubject: s\n\nbody"),
        Format::Eml
    );
    assert_eq!(format("<!DOCTYPE html><p>x"), Format::Html);
    assert_eq!(format("\n<?xml version='1.0'?>\n<html><p>x"), Format::Html);
    for mailbox in [
        "From - Mon Jan  1 00:00:00 2024\n\n",
        "From a b@c Mon Jan 1 00:00 2024 +0100\r\nX: y\r\n",
        "From nobody\nReceived: by x\n",
        "\n\nFrom me Mon Jan 1\nSubject: x\n\ny\n",
    ] {
        assert_eq!(format(mailbox), Format::Mbox, "{mailbox}");
    }
    for text in [
        "From the first day on, text.",
        "From the beginning it was clear\nthat nothing would come of it.\n",
        "From 9:30 on Mon Jan 1 we are open.\n\nNote: not in 2024.\n",
    ] {
        assert_eq!(format(text), Format::Text, "{text}");
        assert_eq!(read_bytes("data", text).texts(), [text]);
    }
    assert_eq!(format("Just some words: and more.\n"), Format::Text);
    assert_eq!(format("\u{feff}{\"text\":1}\n{\"text\":2}"), Format::Jsonl);
    assert_eq!(format(b"\xff\xfea\0b\0"), Format::Text);
}

#[test]
fn a_format_that_is_given_counts() {
    let files = Files::new();
    let path = files.add("data.txt", "{\"text\":\"a\"}\n");
    let options = ReadOptions {
        format: Some(Format::Jsonl),
        ..ReadOptions::default()
    };
    assert_eq!(read_with(&[path], options).texts(), ["a"]);
}

#[test]
fn unknown_extensions_are_looked_into() {
    assert_eq!(read_bytes("a.log", "some words").texts(), ["some words"]);
    assert_eq!(
        read_bytes("a.dump", "{\"text\":\"x\"}\n{\"text\":\"y\"}").texts(),
        ["x", "y"]
    );
    assert_eq!(read_bytes("a.JSONL", "{\"text\":\"x\"}").texts(), ["x"]);
}
