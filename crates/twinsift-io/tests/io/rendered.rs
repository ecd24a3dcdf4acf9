//! Pages with two bodies: the one that was fetched and the one that was seen.

use twinsift::Rendered;
use twinsift_io::{Body, Content, FieldNames, ReadOptions};

use super::{Files, Result, read_with};

const TWO_BODIES: &str = r#"{"url":"http://a/","final_url":"http://b/","title":"seen","html":"<title>fetched</title><p>wait","rendered":"<title>seen</title><p>hello"}"#;

fn read(line: &str, body: Body, fields: FieldNames) -> Result {
    let files = Files::new();
    let path = files.add("pages.jsonl", line);
    let options = ReadOptions {
        body,
        fields,
        ..ReadOptions::default()
    };
    read_with(&[path], options)
}

#[test]
fn what_was_seen_is_compared_unless_the_other_is_asked_for() {
    let text = |body| {
        let result = read(TWO_BODIES, body, FieldNames::default());
        let doc = &result.docs[0];
        (doc.title.clone().unwrap(), doc.text.clone())
    };
    assert_eq!(text(Body::default()), ("seen".into(), "hello".into()));
    assert_eq!(text(Body::Fetched), ("fetched".into(), "wait".into()));
    assert_eq!(text(Body::Both), ("fetched".into(), "wait".into()));
}

#[test]
fn both_bodies_come_side_by_side() {
    let result = read(TWO_BODIES, Body::Both, FieldNames::default());
    let doc = &result.docs[0];
    let seen = Rendered {
        text: "hello".into(),
        title: Some("seen".into()),
        url: Some("http://b/".into()),
    };
    assert_eq!(doc.rendered.as_deref(), Some(&seen));
    assert_eq!(doc.url.as_deref(), Some("http://a/"));

    let only = r#"{"id":1,"rendered":"<p>hello"}"#;
    let result = read(only, Body::Both, FieldNames::default());
    assert_eq!((result.texts(), result.skipped.len()), (vec![""], 0));
    assert!(result.docs[0].rendered.is_some());
}

#[test]
fn a_page_that_could_not_be_rendered_keeps_its_other_body() {
    for line in [
        r#"{"id":1,"html":"<p>wait","rendered":null}"#,
        r#"{"id":1,"html":"<p>wait","rendered":""}"#,
        r#"{"id":1,"html":"<p>wait","rendered":true}"#,
        r#"{"id":1,"html":"<p>wait"}"#,
    ] {
        let result = read(line, Body::Both, FieldNames::default());
        assert_eq!(result.texts(), ["wait"], "{line}");
        assert_eq!(result.docs[0].rendered, None, "{line}");
        let result = read(line, Body::Rendered, FieldNames::default());
        assert_eq!(result.texts(), ["wait"], "{line}");
    }
    let nothing = r#"{"url":"u","html":null,"rendered":null,"error":"no such host"}"#;
    let result = read(nothing, Body::Rendered, FieldNames::default());
    assert_eq!((result.texts(), result.skipped.len()), (vec![""], 0));
}

#[test]
fn a_named_field_wins_over_what_was_seen() {
    let html = || FieldNames {
        html: Some("html".to_owned()),
        ..FieldNames::default()
    };
    let result = read(TWO_BODIES, Body::Rendered, html());
    assert_eq!(result.texts(), ["wait"]);
    let named = FieldNames {
        rendered: Some("rendered".to_owned()),
        ..html()
    };
    let result = read(TWO_BODIES, Body::Rendered, named);
    assert_eq!(result.texts(), ["hello"]);
    let result = read(TWO_BODIES, Body::Both, html());
    assert!(result.docs[0].rendered.is_some());
}

#[test]
fn pages_are_given_as_they_stand_if_that_is_asked_for() {
    let files = Files::new();
    let paths = [
        files.add("a.jsonl", r#"{"id":1,"html":"<p>a &amp; b"}"#),
        files.add("b.html", "<title>t</title><b>x"),
        files.add("c.txt", "1 < 2 & 3"),
        files.add(
            "d.warc",
            "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\n\
             Content-Length: 9\r\n\r\n1 < 2 & 3\r\n\r\n",
        ),
    ];
    let options = ReadOptions {
        content: Content::Html,
        ..ReadOptions::default()
    };
    let result = read_with(&paths, options);
    assert_eq!(
        result.texts(),
        [
            "<p>a &amp; b",
            "<title>t</title><b>x",
            "<pre>\n1 &lt; 2 &amp; 3</pre>",
            "<pre>\n1 &lt; 2 &amp; 3</pre>"
        ]
    );
    assert_eq!(result.docs[1].title.as_deref(), Some("t"));
}
