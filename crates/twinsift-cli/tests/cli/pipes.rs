//! Readers that go away, and standard outputs that cannot be written.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use super::Folder;
use super::texts::{BRIDGE, copies, line, strangers, words};

/// Runs a line as `| head -1` would: one line is read, then the pipe is closed.
fn head(folder: &Folder, line: &str) -> (String, String, Option<i32>) {
    let args: Vec<&str> = line.split_whitespace().collect();
    let mut child = folder.command(&args).spawn().unwrap();
    let mut first = String::new();
    let mut reader = BufReader::with_capacity(1, child.stdout.take().unwrap());
    reader.read_line(&mut first).unwrap();
    drop(reader);
    let mut err = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut err).unwrap();
    (first, err, child.wait().unwrap().code())
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    // More rows than a pipe holds.
    let folder = Folder::with("a.jsonl", copies(6000));
    folder.add("b.jsonl", line("\"old\"", BRIDGE));
    folder.add("strangers.jsonl", strangers(300));
    for line in [
        "pairs a.jsonl -q --against b.jsonl",
        "clusters a.jsonl -q",
        "dedup strangers.jsonl -q",
        "compare 1 2 --in a.jsonl",
        "demo -q --documents 40 --show 9",
        "--help",
    ] {
        let (first, err, code) = head(&folder, line);
        assert!(first.ends_with('\n'), "{line}: {first}");
        assert_eq!((err.as_str(), code), ("", Some(0)), "{line}");
    }
}

#[test]
fn what_went_is_listed_though_nobody_reads_the_survivors() {
    let folder = Folder::with("a.jsonl", strangers(300) + &line("1000", &words(700, 100)));
    let (_, err, code) = head(&folder, "dedup a.jsonl -q --removed went.csv");
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!(
        folder.text("went.csv"),
        "id,duplicate_of,score\n1000,7,1.0\n"
    );
}

#[test]
fn survivors_are_written_though_nobody_reads_what_went() {
    let folder = Folder::with("a.jsonl", copies(6000));
    let (first, err, code) = head(&folder, "dedup a.jsonl -q -o out.jsonl --removed -");
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!(first, "{\"id\":1,\"duplicate_of\":0,\"score\":1.0}\n");
    assert_eq!(folder.text("out.jsonl"), line("0", BRIDGE));
}

#[test]
fn nobody_listening_at_all_is_no_error() {
    let folder = Folder::with("a.jsonl", copies(50) + "{broken\n");
    for line in [
        "pairs a.jsonl",
        "clusters a.jsonl",
        "dedup a.jsonl -o out.jsonl",
        "dedup a.jsonl",
        "compare 1 2 --in a.jsonl",
        "demo --documents 40",
        "--help",
    ] {
        let args: Vec<&str> = line.split_whitespace().collect();
        let mut child = folder.command(&args).spawn().unwrap();
        drop(child.stdout.take());
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{line}");
    }
    assert_eq!(folder.text("out.jsonl"), line("0", BRIDGE));
    let args = ["pairs", "gone.jsonl"];
    let mut child = folder.command(&args).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full() {
    let folder = Folder::with("a.jsonl", copies(5));
    for line in [
        "pairs a.jsonl",
        "clusters a.jsonl",
        "dedup a.jsonl",
        "compare 1 2 --in a.jsonl",
        "demo --documents 20",
    ] {
        let args: Vec<&str> = line.split_whitespace().collect();
        let full = File::create("/dev/full").unwrap();
        let output = folder.command(&args).stdout(full).output().unwrap();
        let ran = folder.ran(line, output);
        let told = ran.fails(1);
        assert_eq!(
            told, "cannot write standard output: No space left on device",
            "{line}"
        );
    }
    let told = folder.run("pairs a.jsonl -o /dev/full").fails(1);
    assert!(told.starts_with("cannot write /dev/full: "), "{told}");
}

#[cfg(unix)]
#[test]
fn an_output_may_be_a_device() {
    let folder = Folder::with("a.jsonl", copies(2));
    folder.run("pairs a.jsonl -o /dev/null").ok();
    let ran = folder.run("pairs a.jsonl -o /dev/stdout").ok();
    assert_eq!(ran.text(), "{\"a\":0,\"b\":1,\"score\":1.0}\n");
}

#[test]
fn bad_usage_is_known_before_standard_input_is_read() {
    let folder = Folder::new();
    for line in [
        "pairs - -o gone/rows.csv",
        "clusters - -o rows.doc",
        "pairs - --threshold 2",
        "dedup - -o out.jsonl --removed gone/rows.csv",
        "dedup - -o gone/out.jsonl",
    ] {
        let args: Vec<&str> = line.split_whitespace().collect();
        // Nothing ever comes, and nobody closes it.
        let mut child = folder.command(&args).stdin(Stdio::piped()).spawn().unwrap();
        let held = child.stdin.take();
        let mut err = String::new();
        let mut stderr = child.stderr.take().unwrap();
        stderr.read_to_string(&mut err).unwrap();
        assert!(err.starts_with("error: "), "{line}: {err}");
        assert!(
            matches!(child.wait().unwrap().code(), Some(1 | 2)),
            "{line}"
        );
        drop(held);
    }
}

/// Whoever presses Ctrl-C finds the folder as it was.
#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing_behind() {
    use std::os::unix::process::ExitStatusExt;
    let folder = Folder::with("a.jsonl", strangers(30_000));
    for (out, signal) in [("out.jsonl", "INT"), ("out/", "TERM")] {
        let args = ["dedup", "a.jsonl", "-o", out];
        let mut child = folder.command(&args).spawn().unwrap();
        while folder.list().len() < 2 {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let id = child.id().to_string();
        let mut kill = std::process::Command::new("kill");
        let killed = kill.args(["-s", signal, &id]).status().unwrap();
        assert!(killed.success());
        let ended = child.wait().unwrap();
        assert!(ended.signal().is_some(), "{ended:?}");
        assert_eq!(folder.list(), ["a.jsonl"], "{signal}");
    }
}
