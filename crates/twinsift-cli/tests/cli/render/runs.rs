//! Runs as a whole: from stored pages, taken up again, read back, and wrong.

use super::server::{Asked, Server, page};
use super::{rows, run, site, words};
use crate::Folder;
use serde_json::Value;
use std::fs;
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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

/// A page that ends the browser, whose number is in the file that is named.
fn deadly(asked: &Asked, port: u16, stream: &mut TcpStream) -> std::io::Result<()> {
    match asked.path.split_once("deadly?") {
        None => site::answer(asked, port, stream),
        Some((_, file)) => {
            let number = fs::read_to_string(file)?;
            Command::new("kill")
                .args(["-KILL", number.trim()])
                .status()?;
            Ok(())
        }
    }
}

#[test]
fn a_page_that_takes_the_browser_down_stops_nothing() {
    let site = Server::start(deadly);
    let folder = Folder::new();
    let number = folder.path("number");
    folder.add_program(
        "browser",
        &format!(
            "#!/bin/sh\necho $$ > {}\nexec chromium \"$@\"\n",
            number.display()
        ),
    );
    let mut list = vec![site.at("site", &format!("/deadly?{}", number.display()))];
    list.extend(["/plain", "/meta", "/iframes", "/missing"].map(|path| site.at("site", path)));
    folder.add("pages.txt", list.join("\n"));
    run(
        &folder,
        "render pages.txt --browser ./browser --tabs 2 -o out.jsonl",
    )
    .ok();
    let rows = rows(&folder, "out.jsonl");
    assert_eq!(words(&rows["/plain"]), "A plain page with a paragraph");
    assert_eq!(words(&rows["/meta"]), "landed here");
    assert_eq!(words(&rows["/missing"]), "no such page");
    let (_, deadly) = rows
        .iter()
        .find(|(path, _)| path.starts_with("/deadly"))
        .unwrap();
    assert_eq!(deadly["error"], "the browser ends when it shows this page");
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
        &format!("render {meta} {plain} {landing} -o pages.jsonl"),
    )
    .ok();
    let pairs = |flags: &str| {
        let line =
            format!("pairs pages.jsonl --content all --features words --threshold 1 {flags}");
        String::from_utf8(folder.run(&line).ok().out).unwrap()
    };
    let found = pairs("");
    assert_ne!(found, "", "{:#?}", rows(&folder, "pages.jsonl"));
    let found: Value = serde_json::from_str(found.trim()).unwrap();
    assert_eq!((&found["a"], &found["b"]), (&meta.into(), &landing.into()));
    assert_eq!(pairs("--body fetched"), "");
}

#[test]
fn mistakes_are_one_sentence() {
    let folder = Folder::with("pages.txt", "http://a.example/\nnot an address\n");
    folder.add("mine.txt.part", "");
    folder.add_program(
        "program",
        "#!/bin/sh\necho 'this is no browser' >&2\nexit 3\n",
    );
    let told = |line: &str, code| run(&folder, line).fails(code);
    assert_eq!(
        told("render pages.txt -o out.csv", 2),
        "cannot write out.csv: these rows are written as JSON lines only; end the name in .jsonl"
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
