//! The service as a process: its start, its end, and what is left when it is killed.

use super::Folder;
use super::docs::markdown::{Kind, sections};
use super::texts::BRIDGE;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

/// A service that is killed with its test.
struct Service {
    child: Child,
    address: String,
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Service {
    /// Serves the folder "collections" on a port that is free.
    fn start(folder: &Folder) -> Self {
        let line = "serve collections --listen 127.0.0.1:0 --quiet";
        let args: Vec<&str> = line.split(' ').collect();
        let mut child = folder.command(&args).spawn().unwrap();
        let mut told = String::new();
        let stderr = child.stderr.take().unwrap();
        BufReader::new(stderr).read_line(&mut told).unwrap();
        let address = told.trim().strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("{told}")).to_owned();
        Self { child, address }
    }

    /// Sends a request on a connection of its own; status and body of the answer, unless the
    /// service is gone.
    fn try_send(&self, line: &str, kind: &str, body: &str) -> Option<(u16, String)> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let length = body.len();
        let request = format!(
            "{line} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}",
            self.address
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, body.to_owned()))
    }

    fn send(&self, line: &str, body: &str) -> (u16, String) {
        self.try_send(line, "application/json", body).unwrap()
    }

    fn signal(&self, signal: i32) {
        let pid = i32::try_from(self.child.id()).unwrap();
        // SAFETY: it is our own child, which has not been waited for.
        assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
    }
}

#[test]
fn what_is_acknowledged_survives_a_kill() {
    let folder = Folder::new();
    let mut service = Service::start(&folder);
    service.send("PUT /collections/news", "");
    let mut acknowledged: Vec<String> = Vec::new();
    for round in 0..3 {
        acknowledged.extend(std::thread::scope(|scope| {
            let add = |thread: usize| {
                let service = &service;
                scope.spawn(move || {
                    let mut known = Vec::new();
                    for number in 0.. {
                        let id = format!("{round}-{thread}-{number}");
                        let body = json!({"id": id, "text": format!("{BRIDGE} {id}")});
                        let path = match number % 2 {
                            0 => "POST /collections/news/documents",
                            _ => "POST /collections/news/query?learn=true",
                        };
                        let sent = service.try_send(path, "application/json", &body.to_string());
                        match sent {
                            Some((200, answer)) if answer.ends_with('\n') => known.push(id),
                            _ => break,
                        }
                    }
                    known
                })
            };
            let threads: Vec<_> = (0..4).map(add).collect();
            std::thread::sleep(std::time::Duration::from_millis(300));
            service.signal(libc::SIGKILL);
            let known = threads.into_iter().map(|thread| thread.join().unwrap());
            known.flatten().collect::<Vec<_>>()
        }));
        service = Service::start(&folder);
        for id in &acknowledged {
            let (status, _) = service.send(&format!("GET /collections/news/documents/{id}"), "");
            assert_eq!(status, 200, "{id} is lost");
        }
    }
    assert!(acknowledged.len() > 20, "{}", acknowledged.len());
}

#[test]
fn a_signal_ends_it_in_order() {
    let folder = Folder::new();
    let mut service = Service::start(&folder);
    service.send("PUT /collections/news", "");
    service.signal(libc::SIGTERM);
    assert_eq!(service.child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new();
    let open = folder.run("serve collections --listen 0.0.0.0:0");
    assert_eq!(open.code, Some(2), "{open:?}");
    assert!(open.err.contains("name a key file with --keys"), "{open:?}");
    folder.add("keys", "gateway write\n");
    let keys = folder.run("serve collections --keys keys");
    assert_eq!(keys.code, Some(2), "{keys:?}");
    assert!(
        keys.err.contains("keys, line 1: a key has a name"),
        "{keys:?}"
    );
    let made = folder
        .run("serve keygen --name gateway --right write --collection mail")
        .ok();
    let lines: Vec<&str> = made.text().lines().collect();
    assert!(lines[0].starts_with("ts_") && lines[1].starts_with("gateway write mail "));
    let name = folder.run("serve keygen --name gateway --right write --collection Mail");
    assert_eq!(name.code, Some(2), "{name:?}");
}

/// The words of a line of shell, without its quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars().chain([' ']) {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') if word.is_empty() => {}
            (None, ' ') => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words
}

/// The guide's walk-through, as curl would send it.
#[test]
fn the_guide_walks_through_the_service() {
    let folder = Folder::new();
    let service = Service::start(&folder);
    let mut answers = Vec::new();
    let blocks = sections("GUIDE.md")
        .into_iter()
        .flat_map(|section| section.code);
    for code in blocks {
        let Kind::Block(_, block) = code.kind else {
            continue;
        };
        if block.starts_with("{\"id\":null,\"verdict\"") {
            let shown: Value = serde_json::from_str(&block).unwrap();
            let last: &String = answers.last().unwrap();
            assert_eq!(serde_json::from_str::<Value>(last).unwrap(), shown);
        }
        for line in block.lines().filter(|line| line.starts_with("curl ")) {
            let (mut method, mut kind) = ("GET".to_owned(), "application/json".to_owned());
            let (mut path, mut body) = (String::new(), String::new());
            let mut all = words(line).into_iter().skip(1);
            while let Some(word) = all.next() {
                let mut next = || all.next().unwrap();
                match word.as_str() {
                    "-X" => method = next(),
                    "-d" => body = next(),
                    "--json" => (method, body) = ("POST".to_owned(), next()),
                    "-H" => kind = next().split_once(": ").unwrap().1.to_owned(),
                    "--data-binary" => {
                        assert_eq!(next(), "@articles.jsonl");
                        let row = json!({"id": "one", "text": BRIDGE});
                        (method, body) = ("POST".to_owned(), format!("{row}\n"));
                    }
                    url => {
                        path = url
                            .strip_prefix("http://127.0.0.1:8017")
                            .unwrap()
                            .to_owned()
                    }
                }
            }
            let sent = service.try_send(&format!("{method} {path}"), &kind, &body);
            let (status, answer) = sent.unwrap();
            assert!(matches!(status, 200 | 201), "{line}: {answer}");
            answers.push(answer);
        }
    }
    assert_eq!(answers.len(), 5);
}
