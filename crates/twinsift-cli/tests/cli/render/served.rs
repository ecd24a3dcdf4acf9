//! The demonstration's search evaluation, served by itself: a browser shows what the
//! generator says that it should, and the rest of the way goes on from there.

use super::{rows, run, words};
use crate::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// A demonstration that serves its pages while this is alive.
struct Demo(Child);

impl Demo {
    fn start(folder: &Folder, line: &str) -> Self {
        let args: Vec<&str> = line.split_whitespace().collect();
        let mut child = folder
            .command(&args)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let demo = Self(child);
        assert!(said.any(|line| line.unwrap().contains("serving")));
        demo
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn a_browser_shows_what_the_generator_says() {
    let folder = Folder::new();
    let _demo = Demo::start(&folder, "demo --search ev --queries 2 --serve --port 0 -q");
    run(&folder, "render ev/addresses.txt -o ev/rendered.jsonl").ok();
    let (made, shown) = (
        rows(&folder, "ev/pages.jsonl"),
        rows(&folder, "ev/rendered.jsonl"),
    );
    assert_eq!(made.len(), 36);
    assert!(made.keys().eq(shown.keys()), "the ids of the list are kept");
    for (id, made) in &made {
        let shown = &shown[id];
        let kind = &made["kind"];
        assert_eq!(shown["error"], Value::Null, "{id}, {kind}");
        assert_eq!(made["html"], shown["html"], "{id}, {kind}");
        if made["rendered"].is_string() {
            assert_eq!(words(made), words(shown), "{id}, {kind}");
            assert_eq!(made["final_url"], shown["final_url"], "{id}, {kind}");
        }
    }

    // The pages have no field with their query; the pairs do.
    let train = "train signals ev/rendered.jsonl --pairs ev/pairs.csv --queries ev/queries.tsv --signals F,R,RS --split-by query --folds 2 --runs 1 -o m.json";
    folder.run(train).ok();
    let judge = "judge --run ev/west.run --docs ev/rendered.jsonl --queries ev/queries.tsv --qrels ev/qrels.txt --model m.json";
    assert!(folder.run(judge).ok().text().contains("west"));
}

#[test]
fn a_port_that_is_taken_is_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let folder = Folder::new();
    let told = folder
        .run(&format!(
            "demo --search ev --queries 1 --serve --port {port}"
        ))
        .fails(2);
    assert!(told.contains("choose another with --port"), "{told}");
    assert!(folder.list().is_empty());
}

/// Two addresses cannot have one name.
#[test]
fn ids_of_addresses_are_distinct() {
    let folder = Folder::with(
        "pages.txt",
        "one\thttp://127.0.0.1:1/a\none\thttp://127.0.0.1:1/b\n",
    );
    let told = run(&folder, "render pages.txt --strict -o out.jsonl").fails(2);
    assert!(
        told.starts_with("pages.txt:2: the id \"one\" occurs twice"),
        "{told}"
    );
}
