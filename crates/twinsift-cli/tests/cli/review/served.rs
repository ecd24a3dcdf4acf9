//! Who is let in, and what pages hold.

use super::{Answer, Review, collection, field};
use crate::Folder;
use serde_json::json;

const POLICY: &str = "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

fn refused(answer: &Answer) {
    assert_eq!(answer.status, 403, "{}", answer.head);
    assert!(answer.head.contains(POLICY), "{}", answer.head);
}

#[test]
fn only_the_browser_that_came_first_is_let_in() {
    let folder = collection();
    let review = Review::start(&folder, "pages.jsonl --labels labels.csv");
    let host = format!("host: {}\r\n", review.address);
    let all = [
        "/",
        "/groups",
        "/group/0",
        "/question",
        "/learning",
        "/pair?a=0&b=1",
        "/style.css",
        "/script.js",
        "/none",
    ];
    for path in all {
        refused(&review.send(&format!("GET {path}"), &host, ""));
    }
    refused(&review.send("GET /?token=00", &host, ""));
    refused(&review.send(
        &format!("GET {}", review.token),
        "host: evil.example\r\n",
        "",
    ));
    let headers = review.enter();
    // The token is void now.
    refused(&review.send(&format!("GET {}", review.token), &host, ""));
    for path in all {
        let answer = review.page(path, &headers);
        assert_eq!(
            answer.status,
            if path == "/none" { 404 } else { 200 },
            "{path}"
        );
        assert!(answer.head.contains(POLICY), "{path}: {}", answer.head);
        assert!(
            !answer.body.contains(" style=") && !answer.body.contains("<style"),
            "{path}"
        );
        assert!(
            !answer.body.contains(" onclick") && !answer.body.contains("javascript:"),
            "{path}"
        );
    }
    let elsewhere = headers.replace(&host, "host: evil.example\r\n");
    refused(&review.send("GET /", &elsewhere, ""));
    let page = review.page("/question", &headers).body;
    let (form, a, b) = (field(&page, "form"), field(&page, "a"), field(&page, "b"));
    let answer = format!("a={a}&b={b}&label=1");
    refused(&review.send("POST /answer", &headers, &answer));
    refused(&review.send("POST /answer", &headers, &format!("form=00&{answer}")));
    let foreign = format!("{headers}origin: http://evil.example\r\n");
    refused(&review.send("POST /answer", &foreign, &format!("form={form}&{answer}")));
    assert_eq!(folder.text("labels.csv").lines().count(), 1);
    let own = format!("{headers}origin: http://{}\r\n", review.address);
    let kept = review.send("POST /answer", &own, &format!("form={form}&{answer}"));
    assert_eq!(kept.status, 303);
    assert_eq!(folder.text("labels.csv").lines().count(), 2);
    let open = format!("form={form}&{answer}&back=//evil.example/");
    assert!(
        review
            .send("POST /answer", &own, &open)
            .head
            .contains("location: /\r\n")
    );
}

const EVIL: &str =
    "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u{1b}[31m\u{202e}abc\u{0}";

#[test]
fn hostile_documents_are_shown_harmlessly() {
    let folder = Folder::new();
    let words = super::super::texts::BRIDGE;
    let long = format!("{words} ").repeat(400);
    let mut rows = String::new();
    for number in 0..3 {
        let id = format!("../{EVIL}\n{number}");
        let text = format!("{words} {EVIL} {words} مرحبا بالعالم");
        rows += &format!(
            "{}\n",
            json!({"id": id, "title": format!("{EVIL} {number}"), "text": text})
        );
        let large = format!(
            "{long}{} changed {number} {}",
            long.repeat(8),
            long.repeat(8)
        );
        rows += &format!(
            "{}\n",
            json!({"id": format!("large {number}"), "text": large})
        );
    }
    folder.add("evil.jsonl", rows);
    let review = Review::start(&folder, "evil.jsonl --labels labels.csv");
    let headers = review.enter();
    for path in [
        "/",
        "/groups",
        "/groups?words=%3Cscript%3E&sort=id",
        "/group/0",
        "/group/1",
        "/question",
        "/learning",
        "/pair?a=0&b=2",
        "/pair?a=1&b=3",
        "/pair?a=0&b=1",
    ] {
        let page = review.page(path, &headers);
        assert_eq!(page.status, 200, "{path}");
        let scripts = page.body.matches("<script").count();
        assert_eq!(scripts, 1, "{path}: {}", page.body);
        for part in ["<img", "\u{1b}", "\u{202e}", "\u{0}"] {
            assert!(!page.body.contains(part), "{path}: {part:?}");
        }
        assert!(
            page.body.len() < 400_000,
            "{path}: {} bytes",
            page.body.len()
        );
    }
    let group = review.page("/group/0", &headers).body;
    assert!(
        group.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
        "{group}"
    );
    assert!(group.contains("<span class=\"code\">U+202E</span>") && group.contains('\u{241b}'));
    // What differs far within large texts is found.
    let large = review.page("/pair?a=1&b=3", &headers).body;
    assert!(
        large.contains("<del>0 </del>") && large.contains("<ins>1 </ins>"),
        "{large}"
    );
    assert!(large.contains("which are the same in both"), "{large}");
    let found = review.page("/groups?words=large", &headers).body;
    assert!(found.contains("1 group."), "{found}");
    assert!(
        review
            .page("/groups?words=nowhere", &headers)
            .body
            .contains("0 groups.")
    );
}

#[test]
fn a_report_shows_groups_harmlessly() {
    let folder = Folder::new();
    let words = super::super::texts::BRIDGE;
    let words = format!("{words} ").repeat(12);
    let row = |number: usize, more: &str| {
        format!(
            "{}\n",
            json!({"id": number, "title": format!("{EVIL}{number}"), "text": format!("{words} {more}")})
        )
    };
    folder.add(
        "a.jsonl",
        row(1, "<style>") + &row(2, EVIL) + "{\"id\": 3, \"text\": \"alone\"}\n",
    );
    for group in ["components", "star"] {
        folder
            .run(&format!(
                "clusters a.jsonl --threshold 0.3 --group {group} -o groups.csv --report report.html"
            ))
            .ok();
        let report = folder.text("report.html");
        assert!(report.contains("default-src 'none'"), "{report}");
        assert!(
            !report.contains("<script")
                && !report.contains("<img")
                && report.matches("<style").count() == 1
        );
        assert!(
            report.contains("1 group of 2 documents among 3 documents"),
            "{report}"
        );
        assert!(
            report.contains("<del>") && report.contains("<ins>"),
            "{report}"
        );
        let faults = crate::browser::faults(&folder.path("report.html"), &["sizes"]);
        assert!(faults.is_empty(), "{faults:?}");
    }
    let refused = folder.run("clusters a.jsonl --report a.jsonl");
    assert!(refused.err.contains("is one of the inputs"), "{refused:?}");
}
