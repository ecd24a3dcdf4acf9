//! What is to be seen of pages that play tricks.

use super::server::Server;
use super::{BROWSERS, rows, run, site, words};
use crate::Folder;
use serde_json::Value;
use std::collections::BTreeMap;

/// What is to be seen of each page, and what is said of it. A star at the end of
/// a text stands for more of it.
const SEEN: &[(&str, &str, Option<&str>)] = &[
    ("/plain", "A plain page with a paragraph", None),
    ("/found", "landed here", None),
    ("/moved", "landed here", None),
    ("/elsewhere", "landed here", None),
    ("/refresh-header", "landed here", None),
    ("/meta", "landed here", None),
    ("/meta-soon", "landed here", None),
    ("/meta-late", "stay a minute", None),
    ("/script", "landed here", None),
    ("/script-soon", "landed here", None),
    ("/form", "landed here", None),
    ("/twice", "landed here", None),
    ("/loop-http", "(none)", Some("redirects without end")),
    ("/loop-a", "(none)", Some("redirects without end")),
    ("/reloads", "(none)", Some("redirects without end")),
    (
        "/endless",
        "begin on and on*",
        Some("larger than 1048576 bytes, and cut there"),
    ),
    (
        "/huge",
        "large and larger*",
        Some("larger than 1048576 bytes, and cut there"),
    ),
    ("/breaks", "the first half and", None),
    (
        "/nonsense",
        "(none)",
        Some("cannot be fetched: invalid http response"),
    ),
    ("/frameset", "the menu A plain page with a paragraph", None),
    (
        "/iframes",
        "before outer the innermost of all between elsewhere the innermost of all after a second \
         written in place nothing here after",
        None,
    ),
    ("/script-text", "made by script", None),
    ("/fetched-text", "came later", None),
    (
        "/shadow",
        "Card of Ada : the lightspare within declared Short Long",
        None,
    ),
    ("/alert", "answered false null", None),
    ("/click-download", "still a page", None),
    ("/popup", "the page", None),
    ("/pictures", "words only no picture and a script", None),
    (
        "/archive",
        "(none)",
        Some("it is no page but application/zip"),
    ),
    ("/attached", "(none)", Some("it is a download")),
    ("/empty", "(none)", Some("the answer is empty")),
    ("/missing", "no such page", None),
    ("/fails", "out of order", None),
    ("/locked", "members only", None),
    (
        "/broken",
        "a c d e cell x ¬anentity; © unclosed at the end",
        None,
    ),
    ("/text", "1 < 2 <b>&amp;", None),
    ("/latin", "café € 5", None),
    ("/japanese", "日本語の頁", None),
    ("/wide", "пример", None),
    ("/packed", "packed and unpacked", None),
    ("/history", "app", None),
    ("/deep", "bottom", None),
    ("/names", "named", None),
    ("/busy", "busy still alive", None),
    ("/ticks", "ticks", None),
    ("/animated", "still first frame second frame", None),
    ("/on-sight", "top in view", None),
];

/// The same for pages that do not end by themselves.
const STOPPED: &[(&str, &str, Option<&str>)] = &[
    ("/silent", "(none)", Some("not finished after 8 s")),
    (
        "/trickle",
        "begin drop*",
        Some("the answer did not end in time"),
    ),
    ("/hangs", "shown before", Some("not finished after 8 s")),
];

#[track_caller]
fn check(rows: &BTreeMap<String, Value>, expected: &[(&str, &str, Option<&str>)]) {
    let mut wrong = Vec::new();
    for (path, text, error) in expected {
        let row = &rows[*path];
        let found = words(row);
        let is_right = match text.strip_suffix('*') {
            Some(start) => found.starts_with(start),
            None => found == *text,
        };
        if !is_right || row["error"].as_str() != *error {
            wrong.push(format!("{path}: {:.300} | {}", found, row["error"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every case at once, as in a real run: bad pages between good ones.
#[test]
fn pages_are_seen_as_a_person_would_see_them() {
    pages_are_seen_in(BROWSERS[0]);
}

#[test]
fn pages_are_seen_in_a_browser_with_windows_too() {
    pages_are_seen_in(BROWSERS[1]);
}

fn pages_are_seen_in(browser: &str) {
    let site = Server::start(site::answer);
    let list: Vec<String> = SEEN
        .iter()
        .map(|(path, ..)| site.at("site", path))
        .collect();
    let folder = Folder::with("pages.txt", list.join("\n"));
    let line =
        "render pages.txt -o out.jsonl --allow-host other.localhost --timeout 60 --max-size 1M";
    let ran = run(&folder, &format!("{line} --browser {browser}")).ok();
    assert!(ran.err.contains("could not be shown"), "{ran:?}");
    assert_eq!(folder.list(), ["out.jsonl", "pages.txt"]);

    let order: Vec<String> = folder
        .text("out.jsonl")
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["id"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(order, list, "rows are in the order of the list");

    let rows = rows(&folder, "out.jsonl");
    check(&rows, SEEN);

    let way = |path: &str| -> Vec<String> {
        let steps = rows[path]["redirects"].as_array().unwrap().iter();
        let name = |step: &Value| {
            let url = step["url"].as_str().unwrap();
            let at = url.find(&format!(":{}", site.port)).unwrap();
            let status = step["status"]
                .as_u64()
                .map_or(String::new(), |s| format!(" {s}"));
            let kind = step["kind"].as_str().unwrap();
            format!(
                "{kind}{status} {}",
                &url[at + 1 + site.port.to_string().len()..]
            )
        };
        steps.map(name).collect()
    };
    assert_eq!(way("/plain"), Vec::<String>::new());
    assert_eq!(
        way("/moved"),
        ["http 301 /found?twice", "http 302 /landing"]
    );
    assert_eq!(way("/meta-soon"), ["refresh /landing"]);
    assert_eq!(way("/refresh-header"), ["refresh /landing"]);
    assert_eq!(way("/form"), ["script /landing"]);
    assert_eq!(way("/twice"), ["script /meta", "refresh /landing"]);

    let ends_at = |path: &str| rows[path]["final_url"].as_str().unwrap().to_owned();
    assert_eq!(ends_at("/plain"), site.at("site", "/plain"));
    assert_eq!(ends_at("/elsewhere"), site.at("other", "/landing"));
    assert_eq!(
        ends_at("/history"),
        site.at("site", "/history/inner?x=1#part")
    );

    let status = |path: &str| rows[path]["status"].as_u64();
    assert_eq!(status("/found"), Some(200));
    assert_eq!(status("/missing"), Some(404));
    assert_eq!(status("/fails"), Some(500));

    assert_eq!(rows["/moved"]["title"], "Landing");
    assert_eq!(rows["/frameset"]["title"], "Frames");
    assert_eq!(rows["/script-text"]["title"], "Made");
    assert_eq!(rows["/broken"]["title"], Value::Null);

    // The fetched body is that of the first page, whatever follows.
    assert!(rows["/meta"]["html"].as_str().unwrap().contains("keyword"));
    assert!(rows["/moved"]["html"].as_str().unwrap().contains("landed"));
    assert_eq!(
        rows["/text"]["html"],
        "<pre>\n1 &lt; 2 &lt;b>&amp;amp;</pre>"
    );
    assert!(
        rows["/latin"]["html"]
            .as_str()
            .unwrap()
            .ends_with("café € 5")
    );
    assert_eq!(rows["/huge"]["html"].as_str().unwrap().len(), 1 << 20);
    for row in rows.values() {
        let rendered = row["rendered"].as_str().unwrap_or_default();
        assert!(rendered.len() < (1 << 20) + 4096, "{}", row["id"]);
        assert!(!rendered.contains("<script"), "{}", row["id"]);
    }

    let unread = [".png", ".webp", ".mp4", ".jpg", ".mp3", ".woff2", "/ahead"];
    for asked in site.asked() {
        let path = &asked.path;
        assert!(
            !unread.iter().any(|end| path.ends_with(end)),
            "fetched {path}"
        );
        assert!(!asked.headers.contains("\nauthorization:"), "{asked:?}");
    }
}

/// What the browser does not show is in the rendered body, and is no text.
#[test]
fn what_the_browser_hides_is_not_compared() {
    let site = Server::start(site::answer);
    let folder = Folder::with("pages.txt", site.at("site", "/unseen"));
    run(&folder, "render pages.txt -o out.jsonl").ok();
    let rows = rows(&folder, "out.jsonl");
    let rendered = rows["/unseen"]["rendered"].as_str().unwrap();
    for part in [
        "<p class=\"no\" hidden=\"\">by a style sheet</p>",
        "<div class=\"dim\" style=\"visibility:hidden\">dimmed <b style=\"visibility:visible\">undone</b>",
        "<div class=\"on\" style=\"color: red\">shown</div>",
        "<dialog hidden=\"\">closed</dialog>",
        "<p>far down",
    ] {
        assert!(rendered.contains(part), "{part}: {rendered}");
    }
    folder.add(
        "seen.jsonl",
        "{\"id\":\"seen\",\"text\":\"seen undone shown Short Long opened far down end\"}\n",
    );
    let found = folder
        .run("pairs out.jsonl seen.jsonl --content all --method exact -q")
        .ok();
    assert_eq!(found.text().lines().count(), 1, "{rendered}");
}

#[test]
fn pages_that_do_not_end_are_ended() {
    let site = Server::start(site::answer);
    let list: Vec<String> = STOPPED
        .iter()
        .map(|(path, ..)| site.at("site", path))
        .collect();
    let folder = Folder::with("pages.txt", list.join("\n"));
    run(&folder, "render pages.txt -o out.jsonl --timeout 8").ok();
    let rows = rows(&folder, "out.jsonl");
    check(&rows, STOPPED);
    assert_eq!(rows["/silent"]["final_url"], Value::Null);
    assert_eq!(rows["/silent"]["status"], Value::Null);
}

/// How fast are such pages seen? The summary of the run says it, and then how many
/// milliseconds the slowest took.
#[test]
#[ignore = "measures, and is for a machine with nothing else to do"]
fn how_fast_pages_are_seen() {
    let site = Server::start(site::answer);
    let rounds = 0..2;
    let list: Vec<String> = rounds
        .flat_map(|round| SEEN.iter().map(move |(path, ..)| (round, *path)))
        .map(|(round, path)| site.at("site", &format!("{path}?{round}")))
        .collect();
    let folder = Folder::with("pages.txt", list.join("\n"));
    let line = "render pages.txt -o out.jsonl --allow-host other.localhost --max-size 1M";
    eprintln!("{}", run(&folder, line).ok().err);
    let rows = rows(&folder, "out.jsonl").into_iter();
    let mut times: Vec<(u64, String)> = rows
        .map(|(path, row)| (row["milliseconds"]["total"].as_u64().unwrap(), path))
        .collect();
    times.sort_unstable();
    times
        .iter()
        .rev()
        .take(20)
        .for_each(|(time, path)| eprintln!("{time:6} {path}"));
}
