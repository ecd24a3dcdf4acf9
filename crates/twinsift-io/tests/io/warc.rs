//! Web archives.

use std::io::Write;

use twinsift::Twin;

use super::{gzip, read_bytes};

pub fn record(kind: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n{fields}Content-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    record.extend(body);
    record.extend(b"\r\n\r\n");
    record
}

pub fn response(uri: &str, digest: &str, http: &[u8]) -> Vec<u8> {
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
    let twins: Vec<_> = result.docs.iter().map(|doc| doc.twin.unwrap()).collect();
    assert_eq!(result.texts(), ["x", "", "n", ""]);
    let (Twin::Holds(a), Twin::Repeats(b)) = (twins[0], twins[1]) else {
        panic!("{twins:?}")
    };
    assert_eq!(a, b);
    let (Twin::Holds(c), Twin::Repeats(d)) = (twins[2], twins[3]) else {
        panic!("{twins:?}")
    };
    assert_eq!(c, d);
    assert_ne!(a, c);
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
