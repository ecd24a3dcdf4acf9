//! Queries that change the index, and many of them at a time.

use super::{BRIDGE, STORM, document, with_news};
use serde_json::json;
use std::sync::Barrier;

/// Does the same from many threads at once, and collects what comes of it.
fn at_once<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let barrier = Barrier::new(threads);
    std::thread::scope(|scope| {
        let (barrier, work) = (&barrier, &work);
        let run = |number| {
            scope.spawn(move || {
                barrier.wait();
                work(number)
            })
        };
        let all: Vec<_> = (0..threads).map(run).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

#[test]
fn of_equal_documents_one_is_new() {
    let (running, _folder) = with_news(|_| {});
    for round in 0..5 {
        let text = format!("{BRIDGE} {}", format!("word{round} ").repeat(40));
        let verdicts = at_once(24, |number| {
            let path = "/collections/news/query?learn=true";
            let id = format!("{round}-{number}");
            let answer = running.client().post(path, &document(&id, &text)).json();
            answer["verdict"].as_str().unwrap().to_owned()
        });
        let new = verdicts.iter().filter(|verdict| *verdict == "new").count();
        assert_eq!(new, 1, "{verdicts:?}");
    }
    let shown = running.client().get("/collections/news").json();
    assert_eq!(shown["documents"], 5 * 24);
}

#[test]
fn documents_of_one_request_know_each_other() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let body = [("a", BRIDGE), ("b", BRIDGE), ("c", STORM), ("a", BRIDGE)];
    let body = body.map(|(id, text)| document(id, text)).join("\n");
    let lines = client.post_lines("/collections/news/query?learn=true", &body);
    let of: Vec<_> = lines
        .lines()
        .iter()
        .map(|line| line["duplicate_of"].clone())
        .collect();
    // The last one takes the place of the first, and is a duplicate of the second.
    assert_eq!(of, [json!(null), json!("a"), json!(null), json!("b")]);
    let again = client.post("/collections/news/query?learn=true", &document("c", STORM));
    assert_eq!(again.json()["verdict"], "new");
    let nameless = client.post(
        "/collections/news/query?learn=true",
        &json!({"text": STORM}).to_string(),
    );
    assert_eq!(nameless.status, 422);
}

#[test]
fn many_small_changes_share_a_commit() {
    let (running, _folder) = with_news(|_| {});
    let statuses = at_once(32, |number| {
        let mut client = running.client();
        let add = |round| {
            let id = format!("{number}-{round}");
            let path = "/collections/news/documents";
            client
                .post(path, &document(&id, &format!("{STORM} {id}")))
                .status
        };
        (0..20).map(add).collect::<Vec<_>>()
    });
    assert!(statuses.iter().flatten().all(|status| *status == 200));
    let figures = running.client().get("/metrics").body;
    let figure = |name: &str| -> u64 {
        let line = figures.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(figure("twinsift_committed_changes{"), 640);
    assert!(figure("twinsift_commits{") < 640, "{figures}");
}

#[test]
fn what_is_seen_again_lives_on() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let body = json!({"id": "a", "text": BRIDGE, "ttl": 60});
    client.post("/collections/news/documents", &body.to_string());
    let expires = |client: &mut super::Client| {
        let record = client.get("/collections/news/documents/a").json();
        record["expires"].as_str().unwrap().to_owned()
    };
    let before = expires(&mut client);
    std::thread::sleep(std::time::Duration::from_millis(20));
    client.post("/collections/news/query", &document("q", BRIDGE));
    assert_eq!(expires(&mut client), before);
    let path = "/collections/news/query?renew=true";
    let found = client.post(path, &document("q", BRIDGE)).json();
    assert_eq!(found["duplicate_of"], "a");
    assert!(expires(&mut client) > before);
}

#[test]
fn what_has_expired_is_gone() {
    let (running, _folder) = with_news(|options| {
        options.limits.purge = std::time::Duration::from_millis(1);
    });
    let mut client = running.client();
    let body = json!({"id": "a", "text": BRIDGE, "ttl": 0.2});
    client.post("/collections/news/documents", &body.to_string());
    assert_eq!(client.get("/collections/news/documents/a").status, 200);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(client.get("/collections/news/documents/a").status, 404);
    let shown = client.get("/collections/news").json();
    assert_eq!(
        (&shown["documents"], &shown["removed"]),
        (&json!(0), &json!(0))
    );
}
