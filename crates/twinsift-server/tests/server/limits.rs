//! What is too much, too slow or too deep.

use super::{BRIDGE, document, with_news};
use std::time::{Duration, Instant};

const DOCUMENTS: &str = "/collections/news/documents";
const POST: &str = "POST /collections/news/documents";
const JSON: &str = "content-type: application/json\r\n";

#[test]
fn large_bodies_are_refused() {
    let (running, _folder) = with_news(|options| options.limits.body = 10_000);
    let mut client = running.client();
    let long = document("a", &"word ".repeat(4000));
    let told = client.post(DOCUMENTS, &long);
    assert_eq!(told.status, 413);
    assert!(told.refusal().contains("10000 bytes"));
    // Its length is not told before.
    let mut client = running.client();
    let head =
        format!("{POST} HTTP/1.1\r\nhost: localhost\r\n{JSON}transfer-encoding: chunked\r\n\r\n");
    client.send_raw(head.as_bytes()).unwrap();
    let chunk = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    let _ = client.send_raw(chunk.as_bytes());
    assert_eq!(client.reply().status, 413);
}

#[test]
fn bodies_in_memory_are_limited() {
    let (running, _folder) = with_news(|options| options.limits.bodies = 64 << 10);
    let mut client = running.client();
    let refused = client.post(DOCUMENTS, &document("a", &"word ".repeat(40_000)));
    assert_eq!(
        (refused.status, refused.header("retry-after")),
        (503, Some("1"))
    );
    let mut client = running.client();
    assert_eq!(client.post(DOCUMENTS, &document("a", BRIDGE)).status, 200);
}

#[test]
fn slow_bodies_are_cut_off() {
    let (running, _folder) = with_news(|options| options.limits.time = Duration::from_millis(300));
    let mut client = running.client();
    let head = client.head(POST, JSON, 100);
    client.send_raw(format!("{head}{{").as_bytes()).unwrap();
    let started = Instant::now();
    let reply = client.reply();
    assert_eq!(reply.status, 408);
    reply.refusal();
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn idle_connections_are_closed() {
    let (running, _folder) = with_news(|options| options.limits.idle = Duration::from_millis(300));
    for sent in [
        "",
        "GET /hea",
        "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ] {
        let mut client = running.client();
        client.send_raw(sent.as_bytes()).unwrap();
        let started = Instant::now();
        while client.try_reply().is_some() {}
        assert!(started.elapsed() < Duration::from_secs(10), "{sent}");
    }
}

#[test]
fn work_and_changes_that_wait_are_limited() {
    let (running, _folder) = with_news(|options| options.limits.queue = 0);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let add = |number: usize| {
            let running = &running;
            scope.spawn(move || {
                let mut client = running.client();
                let add = |round| {
                    let body = document(&format!("{number}-{round}"), BRIDGE);
                    let reply = client.post(DOCUMENTS, &body);
                    assert_eq!(reply.header("retry-after").is_some(), reply.status == 429);
                    reply.status
                };
                (0..20).map(add).collect::<Vec<_>>()
            })
        };
        let all: Vec<_> = (0..16).map(add).collect();
        all.into_iter()
            .flat_map(|one| one.join().unwrap())
            .collect()
    });
    assert!(statuses.iter().all(|status| [200, 429].contains(status)));
    assert!(statuses.contains(&200) && statuses.contains(&429));
    let added = statuses.iter().filter(|status| **status == 200).count();
    let shown = running.client().get("/collections/news").json();
    assert_eq!(shown["documents"], added);
    assert_eq!(shown["waiting"], 0);
}

#[test]
fn requests_at_a_time_are_limited() {
    let (running, folder) = with_news(|_| {});
    running.end();
    let running = folder.serve_with(|options| options.limits.concurrency = 0);
    let mut client = running.client();
    let refused = client.post("/collections/news/query", &document("a", BRIDGE));
    assert_eq!(
        (refused.status, refused.header("retry-after")),
        (503, Some("1"))
    );
    assert_eq!(client.get("/health").status, 200);
}

#[test]
fn deep_json_does_no_harm() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let deep = "[".repeat(1_000_000);
    assert_eq!(client.post(DOCUMENTS, &deep).status, 400);
    assert_eq!(client.put("/collections/deep", &deep).status, 400);
    assert_eq!(client.post("/compare", &deep).status, 400);
    let inside = format!(
        "{{\"id\":\"a\",\"text\":\"x\",\"x\":{}{}}}",
        "[".repeat(5000),
        "]".repeat(5000)
    );
    assert_eq!(client.post(DOCUMENTS, &inside).status, 400);
    let lines = client.post_lines(DOCUMENTS, &format!("{inside}\n{}", document("b", BRIDGE)));
    assert_eq!(lines.lines()[1]["added"], true);
}

#[test]
fn strange_requests_do_no_harm() {
    let (running, _folder) = with_news(|_| {});
    let long = "a".repeat(200_000);
    let many = "x: y\r\n".repeat(1000);
    for sent in [
        "\0\0\0\0\r\n\r\n".to_owned(),
        "GET /collections/../../etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned(),
        "GET //evil.example/ HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned(),
        "GET http://evil.example/collections HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned(),
        format!("GET /{long} HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        format!("GET /collections HTTP/1.1\r\nhost: localhost\r\nx: {long}\r\n\r\n"),
        format!("GET /collections HTTP/1.1\r\nhost: localhost\r\n{many}\r\n"),
        "POST /compare HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999999999999\r\n\r\n".to_owned(),
        "POST /compare HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(),
    ] {
        let mut client = running.client();
        let _ = client.send_raw(sent.as_bytes());
        let status = client.try_reply().map(|reply| reply.status);
        let start: String = sent.chars().take(60).collect();
        assert!(status.is_none_or(|status| (400..500).contains(&status)), "{start}: {status:?}");
    }
    assert_eq!(running.client().get("/health").status, 200);
}

#[test]
fn many_idle_connections_leave_room_for_others() {
    let (running, _folder) = with_news(|_| {});
    let idle: Vec<_> = (0..400).map(|_| running.client()).collect();
    assert_eq!(running.client().get("/health").status, 200);
    drop(idle);
}
