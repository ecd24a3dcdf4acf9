//! `twinsift render`, on a site that is served here.

mod server;
mod site;

use super::{Folder, Ran};
use serde_json::Value;
use server::{Asked, Server, page, send};
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Runs a command that needs a browser.
fn run(folder: &Folder, line: &str) -> Ran {
    let args: Vec<&str> = line.split_whitespace().collect();
    let mut command = folder.command(&args);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    folder.ran(line, command.output().unwrap())
}

/// The rows of an output, by id.
fn rows(folder: &Folder, name: &str) -> BTreeMap<String, Value> {
    let text = folder.text(name);
    let rows = text.lines().map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        let id = row["id"].as_str().unwrap();
        let path = id.split_once(".localhost").map_or(id, |(_, rest)| rest);
        let path = path.find('/').map_or(path, |at| &path[at..]);
        (path.to_owned(), row)
    });
    rows.collect()
}

/// The text of a rendered body, with one space between words.
fn words(row: &Value) -> String {
    let html = row["rendered"].as_str().unwrap_or("(none)");
    let mut text = String::new();
    let (mut in_tag, mut quoted) = (false, false);
    let body = html.find("<body").map_or(html, |at| &html[at..]);
    for c in body.chars() {
        match c {
            '<' if !in_tag => in_tag = true,
            '"' if in_tag => quoted = !quoted,
            '>' if in_tag && !quoted => {
                in_tag = false;
                text.push(' ');
            }
            c if !in_tag => text.push(c),
            _ => {}
        }
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    let text = text.replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

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
    let site = Server::start(site::answer);
    let list: Vec<String> = SEEN
        .iter()
        .map(|(path, ..)| site.at("site", path))
        .collect();
    let folder = Folder::with("pages.txt", list.join("\n"));
    let line =
        "render pages.txt -o out.jsonl --allow-host other.localhost --timeout 60 --max-size 1M";
    let ran = run(&folder, line).ok();
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

#[test]
fn pages_do_not_see_what_others_have_left() {
    let site = Server::start(site::answer);
    let folder = Folder::new();
    let (first, second) = (
        site.at("site", "/sets-cookie"),
        site.at("site", "/shows-cookie"),
    );
    run(
        &folder,
        &format!("render {first} {second} --tabs 1 -o out.jsonl"),
    )
    .ok();
    assert_eq!(
        words(&rows(&folder, "out.jsonl")["/shows-cookie"]),
        "cookie (undefined)"
    );
    assert!(
        !site
            .asked()
            .iter()
            .any(|asked| asked.headers.contains("\ncookie:"))
    );
}

/// A page that tries every way to reach another host.
fn escape_artist(asked: &Asked, _: u16, stream: &mut TcpStream) -> std::io::Result<()> {
    let to = asked.path.split_once('=').map_or("", |(_, to)| to);
    let there = format!("http://{to}");
    match asked.path.split('?').next() {
        Some("/worker.js") => {
            let script =
                format!("fetch('{there}/from-worker', {{mode: 'no-cors'}}).catch(() => 0)");
            send(
                stream,
                "200 OK\nContent-Type: text/javascript",
                script.as_bytes(),
            )
        }
        Some("/redirected") => send(stream, &format!("302 Found\nLocation: {there}/hop"), b""),
        _ => page(
            stream,
            &format!(
                "<link rel=preconnect href={there}><link rel=dns-prefetch href={there}>\
                 <link rel=stylesheet href={there}/css><link rel=preload as=script href={there}/pre>\
                 <script src={there}/js></script><img src={there}/img><iframe src={there}/frame></iframe>\
                 <iframe src='/redirected?to={to}'></iframe><object data={there}/object></object>\
                 <form id=f action={there}/form method=post target=t></form><iframe name=t></iframe>\
                 <script>f.submit(); const no = () => 0;\
                 fetch('{there}/fetch', {{mode: 'no-cors'}}).catch(no);\
                 fetch('/redirected?to={to}', {{mode: 'no-cors'}}).catch(no);\
                 navigator.sendBeacon('{there}/beacon');\
                 new WebSocket('ws://{to}/socket'); new EventSource('{there}/events');\
                 new Worker('/worker.js?to={to}'); open('{there}/window');\
                 let call = 'no calls';\
                 try {{ const peer = new RTCPeerConnection({{iceServers: [{{urls: 'turn:{to}?transport=tcp',\
                 username: 'x', credential: 'y'}}]}}); peer.createDataChannel('x');\
                 peer.createOffer().then(o => peer.setLocalDescription(o)); call = 'calls' }} catch {{}}\
                 document.write('<p>all tried, ' + call)</script>"
            ),
        ),
    }
}

#[test]
fn no_host_is_contacted_that_is_not_allowed() {
    let artist = Server::start(escape_artist);
    let elsewhere = Server::start(site::answer);
    for host in ["forbidden.localhost", "127.0.0.1", "127.0.0.2"] {
        let folder = Folder::new();
        let to = format!("{host}:{}", elsewhere.port);
        let from = artist.at("site", &format!("/?to={to}"));
        run(&folder, &format!("render {from} -o out.jsonl")).ok();
        let row = &rows(&folder, "out.jsonl")[&format!("/?to={to}")];
        assert_eq!(words(row), "all tried, no calls", "{row}");
        assert_eq!(row["error"], Value::Null, "{row}");
    }
    let asked = elsewhere.asked();
    assert!(asked.is_empty(), "{asked:?}");
    // The page did try.
    assert!(
        artist
            .asked()
            .iter()
            .any(|asked| asked.path.starts_with("/worker.js"))
    );
}

#[test]
fn a_step_to_a_host_that_is_not_allowed_is_not_taken() {
    let site = Server::start(site::answer);
    let folder = Folder::new();
    let (http, script) = (site.at("site", "/outside"), site.at("site", "/leaves"));
    run(&folder, &format!("render {http} {script} -o out.jsonl")).ok();
    let rows = rows(&folder, "out.jsonl");
    let sentence = "leads to forbidden.localhost, which is not allowed";
    for path in ["/outside", "/leaves"] {
        assert_eq!(rows[path]["error"], sentence, "{path}");
        let step = &rows[path]["redirects"][0]["url"];
        assert_eq!(*step, site.at("forbidden", "/landing"), "{path}");
    }
    assert_eq!(words(&rows["/outside"]), "(none)");
    // The page that was there is still there.
    assert_eq!(words(&rows["/leaves"]), "kept");
    assert!(site.asked().iter().all(|asked| asked.host == "site"));

    let all = Folder::new();
    let line = format!("render {http} --allow-host *.localhost -o out.jsonl");
    run(&all, &line).ok();
    assert_eq!(
        words(&self::rows(&all, "out.jsonl")["/outside"]),
        "landed here"
    );
}

#[test]
fn stored_pages_and_files_are_rendered_without_a_network() {
    let site = Server::start(site::answer);
    let folder = Folder::new();
    folder.add(
        "site/page.html",
        "<p>file<iframe src=part/frame.html></iframe><script src=s.js></script>",
    );
    folder.add(
        "site/part/frame.html",
        "<p>frame<iframe src=../../secret.html></iframe>",
    );
    folder.add("site/s.js", "document.body.append(' scripted')");
    folder.add("secret.html", "<p>secret");
    let address = site.at("site", "/plain");
    folder.add(
        "stored.jsonl",
        format!(
            "{{\"id\": 7, \"url\": \"{address}\", \"html\": \"<p id=a>stored<script>a.append(' at ' + location.pathname)</script><img src=x><script src=/script.js></script>\"}}\n\
             {{\"id\": 8, \"html\": \"<p>without address<script>document.title = 'T'</script>\"}}\n\
             {{\"id\": 9, \"text\": \"no page\"}}\n{{broken\n"
        ),
    );
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252\r\n\r\n<p>archiv\u{e9}<script>document.body.append('!')</script>";
    let http: Vec<u8> = http.chars().map(|c| c as u8).collect();
    let mut warc = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {address}\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n",
        http.len()
    )
    .into_bytes();
    warc.extend(&http);
    warc.extend(b"\r\n\r\n");
    folder.add("old.warc", warc);

    let ran = run(
        &folder,
        "render site/page.html stored.jsonl old.warc -o out.jsonl",
    )
    .ok();
    assert!(
        ran.err
            .contains("skipped stored.jsonl:3: no text: looked for \"html\""),
        "{ran:?}"
    );
    assert!(
        ran.err.contains("skipped stored.jsonl:4: broken JSON"),
        "{ran:?}"
    );
    let text = folder.text("out.jsonl");
    let rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let seen: Vec<String> = rows.iter().map(words).collect();
    assert_eq!(
        seen,
        [
            "file frame scripted",
            "stored at /plain",
            "without address",
            "archivé !"
        ]
    );
    assert_eq!(rows[1]["id"], 7);
    assert_eq!(rows[1]["url"], *address);
    assert_eq!(rows[2]["title"], "T");
    assert_eq!(
        (&rows[2]["url"], &rows[2]["final_url"]),
        (&Value::Null, &Value::Null)
    );
    let here = folder.path("site/page.html").canonicalize().unwrap();
    assert_eq!(rows[0]["final_url"], format!("file://{}", here.display()));
    assert!(site.asked().is_empty(), "{:?}", site.asked());

    // With the host allowed, the page's own script is fetched.
    run(
        &folder,
        "render stored.jsonl -o again.jsonl --allow-host site.localhost",
    )
    .ok();
    let again: Value =
        serde_json::from_str(folder.text("again.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!(words(&again), "stored at /plain and a script");
}

/// A page that takes its time the first time it is asked for, and none later.
fn forgetful(asked: &Asked, port: u16, stream: &mut TcpStream) -> std::io::Result<()> {
    match asked.path.as_str() {
        "/slow" => std::thread::sleep(Duration::from_secs(20)),
        _ => return page(stream, &format!("<p>page {} of {port}", asked.path)),
    }
    page(stream, "<p>late")
}

#[test]
fn a_run_that_was_interrupted_is_taken_up() {
    let site = Server::start(forgetful);
    let mut list = site.at("site", "/a") + "\n" + &site.at("site", "/b") + "\n";
    list += &(site.at("site", "/slow") + "\n" + &site.at("site", "/c"));
    let folder = Folder::with("pages.txt", &list);
    let words_of = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let line = "render pages.txt -o out.jsonl --timeout 60";
    let mut command = folder.command(&words_of(line));
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let part = folder.path("out.jsonl.part");
    let deadline = Instant::now() + Duration::from_secs(60);
    let lines = || fs::read_to_string(&part).map_or(0, |text| text.lines().count());
    while lines() < 4 {
        assert!(
            Instant::now() < deadline,
            "three pages are not done in a minute"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(
        folder.list(),
        ["out.jsonl.part", "pages.txt"],
        "no half an output"
    );
    // The browser ends with the command, and clears up after itself.
    while fs::read_dir(folder.temporary.path()).unwrap().count() > 0 {
        assert!(Instant::now() < deadline, "the profile is left behind");
        std::thread::sleep(Duration::from_millis(20));
    }

    let told = run(&folder, "render pages.txt -o out.jsonl --timeout 1").fails(2);
    assert!(
        told.starts_with("out.jsonl.part is from a run with other settings"),
        "{told}"
    );

    folder.add("pages.txt", list.replace("/slow", "/quick"));
    let ran = run(&folder, line).ok();
    assert!(
        ran.err.contains("3 were there from an earlier run"),
        "{ran:?}"
    );
    assert_eq!(folder.list(), ["out.jsonl", "pages.txt"]);
    let rows = rows(&folder, "out.jsonl");
    assert_eq!(rows.len(), 4);
    for path in ["/a", "/b", "/c"] {
        let times = site
            .asked()
            .iter()
            .filter(|asked| asked.path == path)
            .count();
        assert_eq!(times, 1, "{path} is asked for once in all");
        assert!(words(&rows[path]).starts_with(&format!("page {path} of")));
    }
}

#[test]
fn what_was_rendered_is_what_is_compared() {
    let site = Server::start(site::answer);
    let folder = Folder::new();
    let (meta, plain, landing) = (
        site.at("site", "/script-soon"),
        site.at("site", "/plain"),
        site.at("site", "/landing"),
    );
    run(
        &folder,
        &format!("render {meta} {plain} {landing} -o pages.jsonl.gz"),
    )
    .ok();
    let pairs = |flags: &str| {
        let line =
            format!("pairs pages.jsonl.gz --content all --features words --threshold 1 {flags}");
        String::from_utf8(folder.run(&line).ok().out).unwrap()
    };
    let found: Value = serde_json::from_str(pairs("").trim()).unwrap();
    assert_eq!((&found["a"], &found["b"]), (&meta.into(), &landing.into()));
    assert_eq!(pairs("--body fetched"), "");
}

#[test]
fn mistakes_are_one_sentence() {
    let folder = Folder::with("pages.txt", "http://a.example/\nnot an address\n");
    folder.add("mine.txt.part", "");
    folder.add(
        "program",
        "#!/bin/sh\necho 'this is no browser' >&2\nexit 3\n",
    );
    let told = |line: &str, code| run(&folder, line).fails(code);
    assert_eq!(
        told("render pages.txt -o out.csv", 2),
        "cannot write out.csv: these rows hold lists, which only JSON lines can; end the name in .jsonl"
    );
    assert_eq!(
        told("render pages.txt --allow-host http://x -o out.jsonl", 2),
        "\"http://x\" is no host to allow: write a name such as example.org, *.example.org or *"
    );
    let strict = told(
        "render pages.txt --strict --browser chromium -o out.jsonl",
        2,
    );
    assert_eq!(
        strict,
        "pages.txt:2: \"not an address\" is no address: write http:// or https:// and a host (--strict stops here)"
    );
    let missing = told("render pages.txt --browser ./none -o out.jsonl", 1);
    assert!(
        missing.starts_with("./none does not start as a browser"),
        "{missing}"
    );
    let secret = told(
        "render http://me:secret@a.example/ -o out.jsonl --strict",
        2,
    );
    assert!(
        secret.contains("holds a user name or password, which are not sent"),
        "{secret}"
    );
    let nothing = told("render no-such-file.txt -o out.jsonl", 2);
    assert!(
        nothing.starts_with("cannot read no-such-file.txt"),
        "{nothing}"
    );

    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder.path("program"), fs::Permissions::from_mode(0o755)).unwrap();
    let other = told("render pages.txt --browser ./program -o out.jsonl", 1);
    assert_eq!(
        other,
        "./program does not start as a browser: this is no browser"
    );
    let line = "render pages.txt -o out.jsonl";
    let none = folder.run(line).fails(1);
    assert!(
        none.starts_with("no browser was found: install Chromium"),
        "{none}"
    );
}

#[test]
fn a_run_of_which_nothing_came_has_failed() {
    let site = Server::start(site::answer);
    let folder = Folder::new();
    let line = format!("render {} -o out.jsonl", site.at("site", "/loop-http"));
    let ran = run(&folder, &line);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("error: not one page could be shown"),
        "{ran:?}"
    );
    assert_eq!(
        rows(&folder, "out.jsonl").len(),
        1,
        "why is written all the same"
    );
}
