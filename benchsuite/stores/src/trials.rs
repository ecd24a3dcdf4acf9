//! Trials that need further processes: a crash, readers beside a writer,
//! flipped bytes, and a build of the dependency alone.

use crate::corpus::{Corpus, Truth};
use crate::measure::{ask, files};
use crate::stores::{Access, Kind, Store};
use crate::{Options, again};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How processes of ours end, beside 0.
pub const REFUSED: u8 = 3;
const WRONG: u8 = 4;
const UNSOUND: u8 = 5;
const NO_CHECK: u8 = 6;

/// Documents of the small store: loaded, and then added one by one.
const LOADED: u32 = 1_900;
const SMALL: u32 = 2_000;
/// Adds that are confirmed before the writer is killed.
const BEFORE_CRASH: u32 = 500;
const FLIPS: u64 = 50;
const READERS: usize = 2;

/// A small store, closed.
pub fn small(kind: &Kind, folder: &Path, corpus: Corpus) -> Result<()> {
    fs::create_dir(folder)?;
    (kind.open)(folder, Access::Write)?.load(corpus, LOADED)?;
    let mut store = (kind.open)(folder, Access::Write)?;
    for document in corpus.documents(LOADED..SMALL).chunks(1) {
        store.add(document)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let status = Command::new("cp").arg("-r").args([from, to]).status()?;
    ensure!(status.success(), "cannot copy {}", from.display());
    Ok(())
}

/// What this program does when it has called itself.
pub fn play(role: &str, kind: &Kind, options: &Options) -> Result<ExitCode> {
    let corpus = Corpus { seed: options.seed };
    let access = if role == "read" {
        Access::Read
    } else {
        Access::Write
    };
    let mut store = (kind.open)(&options.dir, access)?;
    Ok(match role {
        "add" => {
            for number in options.first.. {
                store.add(&[corpus.document(number)])?;
                println!("{number}");
            }
            ExitCode::SUCCESS
        }
        "read" => {
            read(kind, options, corpus, store)?;
            ExitCode::SUCCESS
        }
        "check" => check(&mut *store, corpus),
        "verify" => ExitCode::from(match store.verify()? {
            Some(true) => 0,
            Some(false) => UNSOUND,
            None => NO_CHECK,
        }),
        _ => bail!("no such role"),
    })
}

/// Kills a process that adds documents, and opens what it leaves behind.
pub fn crash(kind: &Kind, folder: &Path, corpus: Corpus, first: u32) -> Result<Value> {
    let mut child = again(kind, folder, corpus, first)?
        .args(["--role", "add", "--first", &first.to_string()])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut confirmed = first;
    let output = child.stdout.take().context("no output")?;
    for line in BufReader::new(output).lines() {
        confirmed = line?.parse::<u32>()? + 1;
        if confirmed == first + BEFORE_CRASH {
            child.kill()?;
        }
    }
    child.wait()?;
    ensure!(confirmed >= first + BEFORE_CRASH, "the writer gave up");

    let start = Instant::now();
    let mut store = (kind.open)(folder, Access::Write)?;
    let opened = start.elapsed().as_secs_f64();
    let answer = ask(&mut *store, corpus, 0)?.context("a wrong answer")?;
    let seconds = start.elapsed().as_secs_f64();
    ensure!(answer.contains(&0), "a document is gone");
    let mut lost = 0;
    for number in first..confirmed {
        let found = ask(&mut *store, corpus, number)?;
        lost += u32::from(!found.is_some_and(|found| found.contains(&number)));
    }
    Ok(json!({
        "seconds": seconds,
        "open_seconds": opened,
        "confirmed": confirmed - first,
        "lost": lost,
    }))
}

/// Lets processes read a small store while this one writes to it.
pub fn processes(kind: &Kind, small: &Path, folder: &Path, corpus: Corpus) -> Result<Value> {
    copy(small, folder)?;
    let mut store = (kind.open)(folder, Access::Write)?;
    store.add(&[corpus.document(SMALL)])?;
    let mut readers = Vec::new();
    for _ in 0..READERS {
        let mut command = again(kind, folder, corpus, SMALL)?;
        command.args(["--role", "read"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        readers.push(command.spawn()?);
    }
    // Readers look for the last document when the flag is up.
    for number in SMALL + 1..=SMALL + 100 {
        store.add(&[corpus.document(number)])?;
        sleep(Duration::from_millis(10));
    }
    fs::write(flag(folder), "")?;
    let mut said = Vec::new();
    for reader in readers {
        let output = reader.wait_with_output()?;
        said.push(if output.status.success() {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        } else {
            let error = String::from_utf8_lossy(&output.stderr);
            format!("no: {}", error.lines().next().unwrap_or("it crashed"))
        });
    }
    drop(store);
    fs::remove_file(flag(folder))?;
    fs::remove_dir_all(folder)?;
    said.dedup();
    Ok(json!({ "documented": kind.documented, "tried": said.join("; ") }))
}

fn flag(folder: &Path) -> PathBuf {
    folder.with_extension("flag")
}

/// Reads beside a writer, and says whether it sees what was written meanwhile.
fn read(kind: &Kind, options: &Options, corpus: Corpus, mut store: Box<dyn Store>) -> Result<()> {
    let right = |store: &mut dyn Store, number| -> Result<bool> {
        let found = ask(store, corpus, number)?.context("a wrong answer")?;
        Ok(found.contains(&number))
    };
    let (mut number, deadline) = (0, Instant::now() + Duration::from_secs(60));
    while !flag(&options.dir).exists() {
        ensure!(
            right(&mut *store, number)?,
            "document {number} is not found"
        );
        ensure!(Instant::now() < deadline, "the writer does not end");
        number = (number + 1) % SMALL;
    }
    let last = SMALL + 100;
    let when = if right(&mut *store, last)? {
        "at once"
    } else if store.refresh().is_ok() && right(&mut *store, last)? {
        "after refreshing"
    } else {
        drop(store);
        let mut store = (kind.open)(&options.dir, Access::Read)?;
        let seen = right(&mut *store, last)?;
        if seen { "after opening again" } else { "never" }
    };
    println!("yes, sees new documents {when}");
    Ok(())
}

/// Holds all answers of a small store to the truth. A wrong answer outweighs
/// any number of refused ones.
fn check(store: &mut dyn Store, corpus: Corpus) -> ExitCode {
    let truth = Truth::new(corpus, SMALL);
    let mut worst = 0;
    for number in 0..SMALL {
        let answers = [
            ask(store, corpus, number).map(|found| found == Some(truth.answer(number))),
            store
                .number(&corpus.id(number))
                .map(|found| found == Some(number)),
        ];
        for answer in answers {
            worst = worst.max(match answer {
                Ok(true) => 0,
                Ok(false) => WRONG,
                Err(_) => REFUSED,
            });
        }
    }
    ExitCode::from(worst)
}

/// Flips bytes of a small store, one at a time, and sees what becomes of it.
pub fn flips(kind: &Kind, small: &Path, folder: &Path, corpus: Corpus) -> Result<Value> {
    let (pages, mut flips) = (pages(small)?, Vec::new());
    for flip in 0..FLIPS {
        let random = |name| corpus.random(name, flip);
        let (file, page, length) = &pages[(random("page") % pages.len() as u64) as usize];
        let at = page * PAGE as u64 + random("byte") % length;
        let mask = 1 + (random("mask") % 255) as u8;
        let outcome = |role: &str| -> Result<&str> {
            copy(small, folder)?;
            let path = folder.join(file);
            let broken = fs::File::options().read(true).write(true).open(path)?;
            let mut byte = [0];
            broken.read_exact_at(&mut byte, at)?;
            broken.write_all_at(&[byte[0] ^ mask], at)?;
            let mut command = again(kind, folder, corpus, SMALL)?;
            let end = end(command.args(["--role", role]))?;
            fs::remove_dir_all(folder)?;
            let Some(status) = end else { return Ok("hung") };
            let ends = [
                (REFUSED, "refused"),
                (0, "right"),
                (WRONG, "wrong"),
                (UNSOUND, "unsound"),
                (NO_CHECK, "no check"),
                (101, "panicked"),
            ];
            let end = |&&(code, _): &&(u8, &str)| status.code() == Some(code.into());
            Ok(ends.iter().find(end).map_or("crashed", |&(_, name)| name))
        };
        let (answers, own_check) = (outcome("check")?, outcome("verify")?);
        let place = format!("{}:{at}", file.display());
        flips.push(json!({ "place": place, "answers": answers, "own_check": own_check }));
    }
    let count = |what, ends: &[&str]| {
        flips
            .iter()
            .filter(|f| ends.iter().any(|&end| f[what] == end))
            .count()
    };
    Ok(json!({
        "refused": count("answers", &["refused"]),
        "right": count("answers", &["right"]),
        "wrong": count("answers", &["wrong"]),
        "crashed": count("answers", &["crashed", "panicked", "hung"]),
        "found_by_own_check": (count("own_check", &["no check"]) == 0)
            .then(|| flips.len() - count("own_check", &["right"])),
        "each": flips,
    }))
}

const PAGE: usize = 4096;

/// The pages of all files that hold something, and their lengths. Space set
/// aside for later does not count.
fn pages(folder: &Path) -> Result<Vec<(PathBuf, u64, u64)>> {
    let mut pages = Vec::new();
    for path in files(folder)? {
        let bytes = fs::read(&path)?;
        let file = path.strip_prefix(folder)?;
        let used = bytes.chunks(PAGE).enumerate();
        let used = used.filter(|(_, page)| page.iter().any(|&byte| byte != 0));
        pages.extend(used.map(|(number, page)| {
            let (number, length) = (number as u64, page.len() as u64);
            (file.to_path_buf(), number, length)
        }));
    }
    Ok(pages)
}

/// How a process ends; none if it is still at it after a minute.
fn end(command: &mut Command) -> Result<Option<ExitStatus>> {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn()?;
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        sleep(Duration::from_millis(5));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// The line of `Cargo.toml` that asks for a store.
pub fn dependency(kind: &Kind) -> Result<&'static str> {
    let start = format!("{} = ", kind.dependency);
    let mut lines = include_str!("../Cargo.toml").lines();
    let line = lines.find(|line| line.starts_with(&start));
    line.with_context(|| format!("{} is not in Cargo.toml", kind.dependency))
}

/// Seconds to build a crate that needs nothing but the store's dependency.
pub fn build(kind: &Kind, folder: &Path) -> Result<f64> {
    let folder = folder.join("build");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "")?;
    fs::write(folder.join("Cargo.lock"), include_str!("../Cargo.lock"))?;
    let package = "[package]\nname = \"stores\"\nversion = \"0.0.0\"\nedition = \"2024\"";
    let toml = format!(
        "{package}\n[workspace]\n[dependencies]\n{}\n",
        dependency(kind)?
    );
    fs::write(folder.join("Cargo.toml"), toml)?;
    let mut command = Command::new("cargo");
    command.args(["build", "--release", "-j1", "--offline"]);
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    let start = Instant::now();
    let output = command.current_dir(&folder).output()?;
    let seconds = start.elapsed().as_secs_f64();
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cannot build: {error}");
    fs::remove_dir_all(folder)?;
    Ok(seconds)
}
