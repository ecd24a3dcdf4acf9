//! What was acknowledged is there after the service has ended, one way or the other.

use super::{BRIDGE, STORM, document, with_news};
use serde_json::json;
use std::time::Duration;

#[test]
fn what_was_added_is_there_after_a_restart() {
    let (running, folder) = with_news(|_| {});
    let mut client = running.client();
    client.post("/collections/news/documents", &document("a", BRIDGE));
    client.post("/collections/news/query?learn=true", &document("b", STORM));
    client.put("/collections/gone", "");
    client.delete("/collections/gone");
    running.end();
    // What is no index is left alone, and what was being removed is removed.
    std::fs::create_dir_all(folder.path().join("notes")).unwrap();
    std::fs::create_dir_all(folder.path().join(".removed-old")).unwrap();
    let running = folder.serve();
    let mut client = running.client();
    let shown = client.get("/collections").json();
    assert_eq!(shown["collections"].as_array().unwrap().len(), 1);
    assert_eq!(shown["collections"][0]["documents"], 2);
    assert!(!folder.path().join(".removed-old").exists());
    assert!(folder.path().join("notes").exists());
    let found = client
        .post("/collections/news/query", &document("q", STORM))
        .json();
    assert_eq!(found["duplicate_of"], "b");
}

#[test]
fn a_copy_of_the_files_at_any_moment_has_what_was_acknowledged() {
    let (running, folder) = with_news(|_| {});
    let mut client = running.client();
    for number in 0..20 {
        let id = number.to_string();
        let reply = client.post("/collections/news/documents", &document(&id, BRIDGE));
        assert_eq!(reply.status, 200);
        let copy = tempfile::TempDir::new().unwrap();
        for entry in std::fs::read_dir(folder.path().join("news")).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        let searcher = twinsift_index::Searcher::open(copy.path()).unwrap();
        let now = twinsift_index::Time::now();
        assert!(searcher.get(&id, now).unwrap().is_some(), "{number}");
    }
}

#[test]
fn what_was_accepted_is_finished() {
    let (mut running, folder) = with_news(|_| {});
    let mut client = running.client();
    let body = document("late", BRIDGE);
    let head = client.head(
        "POST /collections/news/documents",
        "content-type: application/json\r\n",
        body.len(),
    );
    let (first, rest) = body.split_at(10);
    client
        .send_raw(format!("{head}{first}").as_bytes())
        .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    running.begin_end();
    std::thread::sleep(Duration::from_millis(200));
    client.send_raw(rest.as_bytes()).unwrap();
    assert_eq!(client.reply().json()["added"], true);
    assert!(client.try_reply().is_none());
    running.end();
    let mut client = folder.serve().client();
    // The new server has ended with its value; its port is closed.
    assert!(client.try_reply().is_none());
    let running = folder.serve();
    let record = running.client().get("/collections/news/documents/late");
    assert_eq!(record.json()["id"], json!("late"));
}
