//! Web archives.

use std::io::Write;

use twinsift::ContentKey;
use twinsift::collection::revisits::originals;

use super::{gzip, read_bytes};

pub(crate) fn record(kind: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n{fields}Content-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    record.extend(body);
    record.extend(b"\r\n\r\n");
    record
}

pub(crate) fn response(uri: &str, digest: &str, http: &[u8]) -> Vec<u8> {
    let fields = format!(
        "WARC-Target-URI: {uri}\r\nWARC-Payload-Digest: {digest}\r\nContent-Type: application/http; msgtype=response\r\n"
    );
    record("response", &fields, http)
}

fn page(head: &str, body: &[u8]) -> Vec<u8> {
    let mut http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{head}\r\n").into_bytes();
    http.extend(body);
    response("http://a/", "sha1:A", &http)
}

fn texts(warc: Vec<u8>) -> Vec<String> {
    read_bytes("a.warc", warc)
        .docs
        .into_iter()
        .map(|doc| doc.text)
        .collect()
}

#[test]
fn responses_are_documents_if_they_are_text_and_succeeded() {
    let mut warc = record("warcinfo", "", b"software: x\r\n");
    warc.extend(response("http://a/", "sha1:A", b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252\r\n\r\n<title>T</title><p>caf\xe9"));
    warc.extend(record("request", "", b"GET / HTTP/1.1\r\n\r\n"));
    warc.extend(response(
        "http://b/",
        "sha1:B",
        b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\nno",
    ));
    warc.extend(response(
        "http://c/",
        "sha1:C",
        b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG",
    ));
    warc.extend(response(
        "http://d/",
        "sha1:D",
        b"HTTP/1.1 203 Fine\r\nContent-Type: text/plain\r\n\r\nplain",
    ));
    warc.extend(record(
        "resource",
        "WARC-Target-URI: <http://e/>\r\nContent-Type: text/html\r\n",
        b"<p>e",
    ));
    warc.extend(record(
        "conversion",
        "WARC-Target-URI: http://f/\r\nContent-Type: text/plain\r\n",
        b"f",
    ));
    warc.extend(record(
        "response",
        "WARC-Target-URI: dns:x\r\nContent-Type: text/dns\r\n",
        b"x",
    ));
    for (name, bytes) in [("a.warc", warc.clone()), ("a.warc.gz", gzip(&warc))] {
        let result = read_bytes(name, bytes);
        assert!(result.skipped.is_empty(), "{result:?}");
        assert_eq!(result.texts(), ["café", "plain", "e", "f"]);
        assert_eq!(
            result.ids(),
            ["http://a/", "http://d/", "http://e/", "http://f/"]
        );
        assert_eq!(result.records(), [2, 6, 7, 8]);
        assert_eq!(result.docs[0].title.as_deref(), Some("T"));
        assert_eq!(
            result.docs[0].second_id.as_deref(),
            Some("http://a/@2024-05-06T07:08:09Z:2")
        );
    }
}

#[test]
fn responses_of_any_version_are_read() {
    for status in [
        "HTTP/2 200",
        "HTTP/2 200 ",
        "HTTP/2.0 200 OK",
        "HTTP/3 200 OK",
        "HTTP/1.1 200",
        "HTTP/1.0 200 OK",
    ] {
        let http =
            format!("{status}\r\ncontent-type: text/html; charset=utf-8\r\n\r\n<p>caf\u{e9}");
        let result = read_bytes("a.warc", response("http://a/", "sha1:A", http.as_bytes()));
        assert_eq!(result.texts(), ["café"], "{status} {:?}", result.reasons());
    }
    let other = response("http://a/", "sha1:A", b"HTTP/x 200 OK\r\n\r\n<p>a");
    assert_eq!(read_bytes("a.warc", other).skipped.len(), 1);
}

#[test]
fn a_member_for_each_record() {
    let mut warc = gzip(&page("", b"<p>one"));
    warc.extend(gzip(&page("", b"<p>two")));
    assert_eq!(read_bytes("a.warc.gz", warc).texts(), ["one", "two"]);
}

#[test]
fn encodings_are_undone() {
    let body = b"<p>hello <b>world</b>";
    assert_eq!(
        texts(page(
            "Transfer-Encoding: chunked\r\n",
            b"5\r\n<p>he\r\n8;x=y\r\nllo worl\r\n1\r\nd\r\n0\r\n\r\n"
        )),
        ["hello world"]
    );
    assert_eq!(
        texts(page("Transfer-Encoding: chunked\r\n", body)),
        ["hello world"]
    );
    assert_eq!(
        texts(page("Content-Encoding: gzip\r\n", &gzip(body))),
        ["hello world"]
    );
    assert_eq!(
        texts(page("Content-Encoding: gzip\r\n", body)),
        ["hello world"]
    );
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(body).unwrap();
    assert_eq!(
        texts(page(
            "content-encoding: deflate\r\n",
            &zlib.finish().unwrap()
        )),
        ["hello world"]
    );
    let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    raw.write_all(body).unwrap();
    assert_eq!(
        texts(page(
            "content-encoding: deflate\r\n",
            &raw.finish().unwrap()
        )),
        ["hello world"]
    );
    let mut both = format!("{:x}\r\n", gzip(body).len()).into_bytes();
    both.extend(gzip(body));
    both.extend(b"\r\n0\r\n\r\n");
    assert_eq!(
        texts(page(
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
            &both
        )),
        ["hello world"]
    );
}

/// Which document each revisit repeats.
fn repeated(result: &super::Result) -> Vec<(u32, Option<u32>)> {
    let keys = |(doc, found): (u32, &super::Doc)| {
        let content_keys = found.content_keys.clone();
        content_keys
            .into_iter()
            .map(move |content_key| (doc, content_key))
    };
    let content_keys: Vec<(u32, ContentKey)> = (0..).zip(&result.docs).flat_map(keys).collect();
    originals(&content_keys).collect()
}

#[test]
fn a_revisit_finds_its_original_by_whatever_they_have_in_common() {
    let original = |id: &str, more: &str| {
        let fields = format!(
            "WARC-Target-URI: <http://{id}/>\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nContent-Type: text/plain\r\n{more}"
        );
        record("response", &fields, id.as_bytes())
    };
    let revisit = |fields: &str| record("revisit", &format!("{fields}\r\n"), b"");
    let date = "WARC-Refers-To-Date: 2024-05-06T07:08:09Z";
    let warc = [
        original("a", "WARC-Payload-Digest: sha1:A\r\n"),
        original("b", ""),
        // Only the original has a digest.
        revisit(&format!("WARC-Refers-To-Target-URI: http://a/\r\n{date}")),
        revisit("WARC-Refers-To: <urn:uuid:a>"),
        // Only the revisit has one.
        revisit("WARC-Payload-Digest: sha1:B\r\nWARC-Refers-To: <urn:uuid:b>"),
        revisit("WARC-Payload-Digest: SHA1:A\r\nWARC-Refers-To: <urn:uuid:b>"),
        revisit(&format!(
            "WARC-Refers-To: <urn:uuid:c>\r\nWARC-Refers-To-Target-URI: http://b/\r\n{date}"
        )),
        revisit("WARC-Refers-To: <urn:uuid:c>"),
        revisit(
            "WARC-Refers-To-Target-URI: http://b/\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z",
        ),
    ];
    let result = read_bytes("a.warc", warc.concat());
    let found = [
        (2, Some(0)),
        (3, Some(0)),
        (4, Some(1)),
        (5, Some(0)),
        (6, Some(1)),
        (7, None),
        (8, None),
    ];
    assert_eq!(repeated(&result), found);
}

#[test]
fn revisits_repeat_what_responses_hold() {
    let mut warc = response(
        "http://a/",
        "SHA1:ABC",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x",
    );
    warc.extend(record(
        "revisit",
        "WARC-Target-URI: http://a/\r\nWARC-Payload-Digest: sha1:ABC\r\n",
        b"",
    ));
    warc.extend(record(
        "revisit",
        "WARC-Target-URI: http://i/\r\nWARC-Payload-Digest: sha1:I\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n",
    ));
    warc.extend(record(
        "response",
        "WARC-Target-URI: http://n/\r\nContent-Type: text/plain\r\n",
        b"n",
    ));
    warc.extend(record("revisit", "WARC-Target-URI: http://n/\r\nWARC-Refers-To-Target-URI: http://n/\r\nWARC-Refers-To-Date: 2024-05-06T07:08:09Z\r\n", b""));
    let result = read_bytes("a.warc", warc);
    assert_eq!(result.texts(), ["x", "", "n", ""]);
    assert_eq!(repeated(&result), [(1, Some(0)), (3, Some(2))]);
    assert_ne!(result.docs[0].second_id, result.docs[1].second_id);
}

#[test]
fn broken_records_cost_only_themselves() {
    let mut warc = page("", b"<p>one");
    warc.extend(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\nrubbish\r\n\r\n");
    warc.extend(page("", b"<p>two"));
    warc.extend(b"rubbish\r\nmore\r\n");
    warc.extend(page("", b"<p>three"));
    warc.extend(response("http://h/", "sha1:H", b"no http at all"));
    let last = page("", b"<p>four");
    warc.extend(&last[..last.len() - 8]);
    let result = read_bytes("a.warc", warc);
    assert_eq!(result.texts(), ["one", "two", "three"]);
    assert_eq!(result.records(), [1, 3, 5]);
    let reasons = result.reasons();
    assert_eq!(reasons[0], "the record's length is missing or no number");
    assert_eq!(reasons[1], "not a WARC record");
    assert!(
        reasons[2].starts_with("the HTTP header is broken"),
        "{reasons:?}"
    );
    assert_eq!(reasons[3], "the file ends in the middle of a record");
    assert_eq!(result.skipped[0].1, "a.warc: record 2");
}

#[test]
fn a_response_larger_than_a_window_is_read() {
    let body = format!("<p>{}", "word ".repeat(600_000));
    let mut warc = page("", body.as_bytes());
    warc.extend(page("", b"<p>last"));
    let result = texts(warc);
    assert_eq!(result[0].len(), 5 * 600_000 - 1);
    assert_eq!(result[1], "last");
}
