//! The review as a process: who is let in, what is shown, what is kept, and what is left when it
//! is killed.

mod pages;
mod served;

use super::Folder;
use super::docs::markdown::text;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

/// A review that is killed with its test.
struct Review {
    child: Child,
    /// The host and port.
    address: String,
    /// What follows the address, to begin with.
    token: String,
}

impl Drop for Review {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: status, head and body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Review {
    /// Reviews documents, with flags.
    fn start(folder: &Folder, line: &str) -> Self {
        let line = format!("review {line} --quiet");
        let args: Vec<&str> = line.split(' ').collect();
        let mut child = folder.command(&args).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let opened =
            lines.find_map(|line| Some(line.unwrap().split_once("open http://")?.1.to_owned()));
        let opened = opened.expect("an address");
        // Nobody reads on: it must not stop for that.
        std::thread::spawn(move || lines.for_each(drop));
        let (address, token) = opened.split_once('/').unwrap();
        Self {
            child,
            address: address.to_owned(),
            token: format!("/{token}"),
        }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sends a request with headers of its own on a connection of its own.
    fn send(&self, line: &str, headers: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let request = format!(
            "{line} HTTP/1.1\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// Opens the first page, and gives the headers of a browser that has.
    fn enter(&self) -> String {
        let host = format!("host: {}\r\n", self.address);
        let answer = self.send(&format!("GET {}", self.token), &host, "");
        assert_eq!(answer.status, 303, "{}", answer.head);
        let (_, cookie) = answer.head.split_once("set-cookie: ").unwrap();
        let cookie = cookie.split(';').next().unwrap();
        format!("{host}cookie: {cookie}\r\n")
    }

    /// A page, once it is there.
    fn page(&self, path: &str, headers: &str) -> Answer {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let answer = self.send(&format!("GET {path}"), headers, "");
            if !answer.body.contains("http-equiv=\"refresh\"") || Instant::now() > deadline {
                return answer;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The value of a field of a form on a page.
fn field(body: &str, name: &str) -> String {
    let (_, rest) = body
        .split_once(&format!("name=\"{name}\" value=\""))
        .unwrap_or_else(|| panic!("{body}"));
    rest.split('"').next().unwrap().to_owned()
}

/// A folder with pages, some of them copies of others.
fn collection() -> Folder {
    let folder = Folder::new();
    folder.run("demo --documents 60 --out pages.jsonl -q").ok();
    folder
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = collection();
    for (line, why) in [
        ("review pages.jsonl", "--labels"),
        (
            "review pages.jsonl --labels pages.jsonl",
            "is one of the inputs",
        ),
        (
            "review pages.jsonl --labels made.csv -o made.csv",
            "the same file",
        ),
        (
            "review pages.jsonl --labels none/made.csv",
            "there is no folder",
        ),
        ("review nothing.jsonl --labels made.csv", "nothing.jsonl"),
    ] {
        let ran = folder.run(line);
        assert_eq!(ran.code, Some(2), "{line}: {ran:?}");
        assert!(ran.err.contains(why), "{line}: {ran:?}");
    }
    let review = Review::start(&folder, "pages.jsonl --labels labels.csv");
    let second = folder.run("review pages.jsonl --labels labels.csv");
    assert!(
        second.err.contains("is open in another review"),
        "{second:?}"
    );
    drop(review);
    // One document is no collection to learn from, but it can be looked at.
    folder.add("one.jsonl", "{\"id\": 1, \"text\": \"one\"}\n");
    let review = Review::start(&folder, "one.jsonl --labels one.csv");
    let headers = review.enter();
    assert!(
        review
            .page("/", &headers)
            .body
            .contains("No two documents are near duplicates")
    );
    assert!(
        review
            .page("/question", &headers)
            .body
            .contains("Every pair was asked about")
    );
}

#[test]
fn two_raters_are_compared() {
    let folder = Folder::new();
    folder.add(
        "anna.csv",
        "a,b,label\n1,2,1\n3,4,0\n5,6,1\n7,8,unsure\n1,9,1\n",
    );
    folder.add(
        "bert.csv",
        "a,b,label,when\n2,1,1,x\n4,3,1,x\n3,4,0,y\n5,6,never,z\n7,8,1,z\n",
    );
    let told = folder.run("review --compare anna.csv bert.csv").ok();
    // Of three pairs two alike; by chance (2/3 * 1/3 + 1/3 * 2/3) = 4/9, so (2/3 - 4/9) / (5/9).
    assert!(
        told.text().contains("3 pairs that both decided"),
        "{told:?}"
    );
    assert!(
        told.text()
            .contains("agreement 66.7 %, Cohen's kappa 0.400"),
        "{told:?}"
    );
    assert!(
        told.text().contains("5  6  the same to the first only"),
        "{told:?}"
    );
}

#[test]
fn labels_of_a_review_train_a_detector() {
    let folder = collection();
    let pages = folder.text("pages.jsonl");
    let ids: Vec<String> = pages
        .lines()
        .map(|line| {
            let page: serde_json::Value = serde_json::from_str(line).unwrap();
            page["id"].as_str().unwrap().to_owned()
        })
        .collect();
    let mut rows = "a,b,label,when,why\n".to_owned();
    for (a, b, label) in [
        (0, 1, "1"),
        (2, 3, "0"),
        (4, 5, "unsure"),
        (1, 0, "0"),
        (6, 7, "1"),
        (6, 7, "undone"),
        (8, 9, "never"),
    ] {
        rows += &format!(
            "{},{},{label},2026-01-01T00:00:00Z,random\n",
            ids[a], ids[b]
        );
    }
    folder.add("labels.csv", rows);
    let told = folder
        .run("train detector pages.jsonl --pairs labels.csv -o made.json")
        .ok();
    assert!(
        told.err
            .contains("from 3 labelled pairs, of which 0 the same"),
        "{told:?}"
    );
}

#[test]
fn the_guide_names_the_keys() {
    let guide = text("GUIDE.md");
    for key in ["`s`", "`d`", "`u`", "`z`", "`n`"] {
        assert!(guide.contains(key), "{key}");
    }
}
