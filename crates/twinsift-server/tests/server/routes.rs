//! Every route, with what it answers and what it refuses.

use super::{BRIDGE, Folder, STORM, document, with_news};
use serde_json::json;
use std::fmt::Write as _;

#[test]
fn collections_are_made_shown_and_removed() {
    let folder = Folder::new();
    let running = folder.serve();
    let mut client = running.client();
    let recipe = r#"{"method":"shingles","threshold":0.7}"#;
    let made = client.put("/collections/news", recipe);
    assert_eq!(made.status, 201);
    assert_eq!(made.json()["recipe"]["match"]["threshold"], 0.7);
    assert_eq!(client.put("/collections/news", recipe).status, 200);
    let other = client.put("/collections/news", "{}");
    assert_eq!(other.status, 409);
    assert!(
        other
            .refusal()
            .contains(made.json()["id"].as_str().unwrap())
    );
    assert_eq!(client.put("/collections/mail", " ").status, 201);
    let all = client.get("/collections").json();
    let names = all["collections"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mail", "news"]);
    let shown = client.get("/collections/news").json();
    assert_eq!(
        (&shown["documents"], &shown["segments"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(client.delete("/collections/news").status, 200);
    assert_eq!(client.delete("/collections/news").status, 404);
    assert_eq!(client.get("/collections/news").status, 404);
    assert!(!folder.path().join("news").exists());
    assert_eq!(client.put("/collections/news", "").status, 201);
}

#[test]
fn recipes_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    let running = folder.serve();
    let mut client = running.client();
    for (recipe, status, words) in [
        ("{", 400, "broken JSON"),
        ("[]", 400, "a recipe is a JSON object"),
        (r#"{"threshold":2}"#, 422, "\"threshold\" 2 is out of range"),
        (r#"{"colour":2}"#, 422, "colour"),
        (r#"{"method":"imatch"}"#, 422, "twinsift index create"),
        (r#"{"lexicon":"/etc/passwd"}"#, 422, "twinsift index create"),
    ] {
        let refused = client.put("/collections/news", recipe);
        assert_eq!(refused.status, status, "{recipe}");
        assert!(refused.refusal().contains(words), "{refused:?}");
    }
    assert_eq!(client.put("/collections/News", "").status, 422);
    assert_eq!(client.put("/collections/..", "").status, 422);
    assert_eq!(client.put("/collections/%2e%2e%2fnews", "").status, 422);
}

#[test]
fn documents_are_added_shown_and_removed() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let path = "/collections/news/documents";
    let added = client.post(path, &document("a", BRIDGE));
    assert_eq!(
        added.json(),
        json!({"id": "a", "added": true, "replaced": false})
    );
    let again = client.post(path, &document("a", STORM));
    assert_eq!(
        again.json(),
        json!({"id": "a", "added": true, "replaced": true})
    );
    let url = "https://example.org/a?b=1";
    let body = json!({"id": url, "html": format!("<p>{BRIDGE}"), "label": "x", "ttl": "30d"});
    assert_eq!(client.post(path, &body.to_string()).status, 200);
    let address = format!("{path}/https%3A%2F%2Fexample.org%2Fa%3Fb%3D1");
    let record = client.get(&address).json();
    assert_eq!(
        (&record["id"], &record["label"]),
        (&json!(url), &json!("x"))
    );
    assert_eq!(record["judged"], true);
    assert!(record["added"].as_str().unwrap() < record["expires"].as_str().unwrap());
    assert_eq!(client.delete(&address).status, 200);
    assert_eq!(client.delete(&address).status, 404);
    assert_eq!(
        client.get(&address).refusal(),
        format!("there is no document \"{url}\"")
    );
    let elsewhere = client.get("/collections/none/documents/a");
    assert_eq!(elsewhere.refusal(), "there is no collection \"none\"");
}

#[test]
fn a_broken_document_does_not_cost_the_others() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let path = "/collections/news/documents";
    let body = format!(
        "{}\n{{bro\n\n{{\"id\":\"b\"}}\n{{\"text\":\"no id\"}}\n{{\"id\":\"c\",\"text\":\"x\",\"ttl\":\"soon\"}}\n{}",
        document("a", BRIDGE),
        document("z", STORM)
    );
    let lines = client.post_lines(path, &body).lines();
    let ids: Vec<_> = lines.iter().map(|line| line["id"].as_str()).collect();
    assert_eq!(
        ids,
        [Some("a"), None, Some("b"), None, Some("c"), Some("z")]
    );
    let added: Vec<_> = lines.iter().map(|line| line["added"] == true).collect();
    assert_eq!(added, [true, false, false, false, false, true]);
    let is_sentence = |line: &serde_json::Value| line["error"].as_str().is_some();
    assert!(lines[1..5].iter().all(is_sentence), "{lines:?}");
    let list = format!("[{}, 7]", document("y", STORM));
    let lines = client.post(path, &list).lines();
    assert_eq!(
        (&lines[0]["added"], &lines[1]["id"]),
        (&json!(true), &json!(null))
    );
    let alone = client.post(path, r#"{"id":"b"}"#);
    assert_eq!((alone.status, &alone.json()["id"]), (422, &json!("b")));
    assert_eq!(client.post(path, "[]").body, "");
}

#[test]
fn lines_come_in_the_order_of_the_documents() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let mut body = String::new();
    for number in 0..2000 {
        let _ = writeln!(
            body,
            "{}",
            document(&number.to_string(), &format!("{BRIDGE} {number}"))
        );
    }
    for (path, key) in [("documents", "added"), ("query?top=1", "verdict")] {
        let lines = client
            .post_lines(&format!("/collections/news/{path}"), &body)
            .lines();
        let ids = lines
            .iter()
            .map(|line| line["id"].as_str().unwrap().to_owned());
        let expected = (0..2000).map(|number| number.to_string());
        assert!(ids.eq(expected), "{path}");
        assert!(lines.iter().all(|line| !line[key].is_null()));
    }
    assert_eq!(client.get("/collections/news").json()["documents"], 2000);
}

#[test]
fn queries_tell_duplicates_from_what_is_new() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let known = json!([
        {"id": "a", "text": BRIDGE, "label": "council"},
        {"id": 7, "text": format!("{BRIDGE} again")},
    ]);
    client.post("/collections/news/documents", &known.to_string());
    let path = "/collections/news/query";
    let found = client
        .post(path, &json!({"text": BRIDGE}).to_string())
        .json();
    assert_eq!(found["id"], json!(null));
    assert_eq!(found["verdict"], "duplicate");
    assert_eq!(
        (&found["duplicate_of"], &found["label"]),
        (&json!("a"), &json!("council"))
    );
    assert_eq!(found["score"], 1.0);
    let others: Vec<_> = found["matches"].as_array().unwrap().iter().collect();
    assert_eq!((others.len(), &others[1]["duplicate_of"]), (2, &json!(7)));
    let one = client
        .post(&format!("{path}?top=1"), &document("q", BRIDGE))
        .json();
    assert_eq!(one["matches"].as_array().unwrap().len(), 1);
    let new = client.post(path, &document("q", STORM)).json();
    assert_eq!(
        (&new["verdict"], &new["score"]),
        (&json!("new"), &json!(null))
    );
    let empty = client.post(path, &document("q", "")).json();
    assert_eq!(empty["verdict"], "not judged");
    for query in ["top=0", "top=x", "top=1001", "learn=maybe", "tap=1"] {
        let refused = client.post(&format!("{path}?{query}"), "{}");
        assert_eq!(refused.status, 400, "{query}");
        refused.refusal();
    }
    assert_eq!(client.post("/collections/none/query", "{}").status, 404);
}

#[test]
fn two_documents_are_compared_as_by_the_command() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let pair = json!({"a": {"text": BRIDGE}, "b": {"id": 2, "html": format!("<p>{BRIDGE} again")}});
    let answer = client.post("/compare", &pair.to_string());
    let told = answer.json();
    assert_eq!((&told["a"], &told["b"]), (&json!("a"), &json!("2")));
    assert_eq!(told["near_duplicates"], true);
    let documents = [("a", BRIDGE.to_owned()), ("2", format!("{BRIDGE} again"))];
    let [a, b] = documents.map(|(id, text)| twinsift::Document::new(id, text));
    let expected = twinsift::compare(&a, &b, &twinsift::Recipe::default()).unwrap();
    assert_eq!(
        answer.body.trim_end(),
        serde_json::to_string(&expected).unwrap()
    );
    let strict = json!({"a": {"text": BRIDGE}, "b": {"text": format!("{BRIDGE} again")}, "recipe": {"threshold": 1.0}});
    assert_eq!(
        client.post("/compare", &strict.to_string()).json()["near_duplicates"],
        false
    );
    assert_eq!(client.post("/compare", r#"{"a":{}}"#).status, 400);
    assert_eq!(client.post("/compare", r#"{"a":{},"b":{}}"#).status, 422);
}

#[test]
fn every_refusal_is_json() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    assert_eq!(
        client.get("/nothing").refusal(),
        "there is nothing at this address"
    );
    let wrong = client.send("PATCH /collections", "", "");
    assert_eq!((wrong.status, wrong.refusal().is_empty()), (405, false));
    let path = "/collections/news/documents";
    let unnamed = client.send(&format!("POST {path}"), "", "{}");
    assert_eq!((unnamed.status, unnamed.refusal().is_empty()), (415, false));
    let packed = "content-type: application/json\r\ncontent-encoding: gzip\r\n";
    assert_eq!(
        client.send(&format!("POST {path}"), packed, "{}").status,
        415
    );
    for broken in ["", "{", "7", "nul", "{} {}", "\"\\ud800\""] {
        let refused = client.post(path, broken);
        assert_eq!((refused.status, refused.refusal().is_empty()), (400, false));
    }
    let elsewhere = client.get(&format!("{path}/%ff"));
    assert_eq!(
        (elsewhere.status, elsewhere.refusal().is_empty()),
        (400, false)
    );
}

#[test]
fn health_and_figures_are_told() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    assert_eq!(client.get("/health").status, 200);
    assert_eq!(client.get("/health/ready").status, 200);
    client.post("/collections/news/documents", &document("a", BRIDGE));
    let figures = client.get("/metrics");
    for line in [
        "twinsift_requests_total{method=\"PUT\",route=\"/collections/{name}\",status=\"201\"} 1",
        "twinsift_documents{collection=\"news\"} 1",
        "twinsift_queue_length{collection=\"news\"} 0",
        "twinsift_segments{collection=\"news\"} 0",
        "twinsift_request_seconds_bucket{le=\"+Inf\",route=\"/health\"} 1",
    ] {
        assert!(figures.body.lines().any(|other| other == line), "{line}");
    }
}

#[test]
fn requests_keep_the_name_that_they_were_given() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let named = client.send("GET /health", "x-request-id: abc-1\r\n", "");
    assert_eq!(named.header("x-request-id"), Some("abc-1"));
    let evil = client.send("GET /health", "x-request-id: a b\"c\r\n", "");
    assert!(evil.header("x-request-id").unwrap().len() > 10);
    assert_ne!(evil.header("x-request-id"), Some("a b\"c"));
}

#[test]
fn an_index_is_served_as_the_one_collection() {
    let folder = Folder::new();
    let path = folder.path().join("archive.idx");
    let recipe = twinsift::Recipe::default();
    let statistics = twinsift::Statistics::default();
    twinsift_index::Index::create(&path, &recipe, &statistics)
        .unwrap()
        .close()
        .unwrap();
    let running = super::Running::new(&path, |_| {});
    let mut client = running.client();
    let added = client.post("/collections/archive/documents", &document("a", BRIDGE));
    assert_eq!(added.status, 200);
    assert_eq!(client.put("/collections/other", "").status, 409);
    assert_eq!(client.delete("/collections/archive").status, 409);
}
