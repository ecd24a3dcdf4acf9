//! The run of one store: load, compact, query, add, crash, and the trials.
//!
//! Loading counts from an empty folder to a closed store, with making and
//! sorting the documents; what that takes by itself is noted as well.

use crate::Options;
use crate::corpus::{Corpus, KEYS, SIGNATURE, Truth};
use crate::stores::{Access, Kind, Store};
use crate::trials;
use anyhow::{Result, ensure};
use serde_json::{Value, json};
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

const QUERIES: u64 = 20_000;
/// Documents added one by one, and again in groups.
const ADDS: u32 = 2_000;
const GROUP: usize = 100;

/// Wall seconds, CPU seconds of all threads, and bytes written to disk, which is
/// ours alone while the machine is idle.
struct Meter(Instant, f64, f64);

impl Meter {
    fn start() -> Self {
        Self(Instant::now(), usage().0, written())
    }

    fn read(&self, documents: u32) -> Value {
        let (wall, cpu) = (self.0.elapsed().as_secs_f64(), usage().0 - self.1);
        let documents = f64::from(documents);
        json!({
            "wall_seconds": wall,
            "cpu_seconds": cpu,
            "documents_per_second": documents / wall,
            "documents_per_cpu_second": documents / cpu,
            "written_bytes_per_document": (written() - self.2) / documents,
        })
    }
}

/// CPU seconds and the most memory used so far, in bytes.
fn usage() -> (f64, i64) {
    // SAFETY: all zeros are a valid `rusage`, and the pointer is to one.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    (cpu, usage.ru_maxrss * 1024)
}

/// Bytes the whole machine has sent to its disks; 0 where there is no count.
fn written() -> f64 {
    let counts = fs::read_to_string("/proc/vmstat").unwrap_or_default();
    let kib = counts
        .lines()
        .find_map(|line| line.strip_prefix("pgpgout "));
    kib.and_then(|kib| kib.parse().ok()).unwrap_or(0.0) * 1024.0
}

/// All files in a folder and the folders inside it.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let list = if path.is_dir() {
                &mut folders
            } else {
                &mut files
            };
            list.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Bytes that the files in a folder take on disk, for each document.
fn size(folder: &Path, documents: u32) -> Result<f64> {
    let mut total = 0;
    for file in files(folder)? {
        total += fs::metadata(file)?.blocks() * 512;
    }
    Ok(total as f64 / f64::from(documents))
}

/// What no durable add can beat here and now: adds a second if each is no more
/// than one write of a document's length to the end of a file, and one sync.
fn bare_syncs(path: &Path) -> Result<f64> {
    let mut file = fs::File::create(path)?;
    let start = Instant::now();
    for _ in 0..ADDS {
        file.write_all(&[1; SIGNATURE + 8 * KEYS])?;
        file.sync_data()?;
    }
    fs::remove_file(path)?;
    Ok(f64::from(ADDS) / start.elapsed().as_secs_f64())
}

/// Asks for the documents with the keys of one, and compares signatures byte by
/// byte. The numbers found, if all that was found is as it should be.
pub fn ask(store: &mut dyn Store, corpus: Corpus, number: u32) -> Result<Option<Vec<u32>>> {
    let (mut found, mut right) = (Vec::new(), true);
    store.query(&corpus.keys(number), &mut |number, id, signature| {
        let document = corpus.document(number);
        right &= id == document.id.as_bytes() && signature == document.signature;
        found.push(number);
    })?;
    found.sort_unstable();
    Ok(right.then_some(found))
}

/// Queries twice: first to warm up and to check every answer, then to measure.
fn queries(store: &mut dyn Store, corpus: Corpus, truth: &Truth, count: u32) -> Result<Value> {
    store.refresh()?;
    let asked = (0..QUERIES).map(|i| (corpus.random("query", i) % u64::from(count)) as u32);
    let asked: Vec<_> = asked.collect();
    let mut candidates = 0;
    for &number in &asked {
        let answer = truth.answer(number);
        candidates += answer.len() - 1;
        let found = ask(store, corpus, number)?;
        ensure!(found == Some(answer), "a wrong answer for {number}");
    }
    let mut times = Vec::with_capacity(asked.len());
    for number in asked {
        let document = corpus.document(number);
        let (start, mut equal) = (Instant::now(), 0);
        store.query(&document.keys, &mut |_, id, signature| {
            let pairs = signature.iter().zip(&document.signature);
            equal += id.len() + pairs.filter(|(a, b)| a == b).count();
        })?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
        black_box(equal);
    }
    times.sort_unstable_by(f64::total_cmp);
    Ok(json!({
        "p50_microseconds": times[times.len() / 2],
        "p99_microseconds": times[times.len() * 99 / 100],
        "candidates": candidates as f64 / times.len() as f64,
    }))
}

pub fn measure(kind: &Kind, options: &Options) -> Result<Value> {
    let count = options.documents;
    ensure!(
        (1..=1_000_000_000).contains(&count),
        "--documents must be from 1 to 1000000000"
    );
    let corpus = Corpus { seed: options.seed };
    let folder = options.dir.join("store");
    fs::create_dir(&folder)?;
    let stage = |what: &str| eprintln!("{}: {what}", kind.name);
    let open = || (kind.open)(&folder, Access::Write);
    let mut figures = json!({
        "store": kind.name,
        "dependency": trials::dependency(kind)?,
        "documents": count,
        "seed": options.seed,
    });

    stage("make documents only");
    let meter = Meter::start();
    (0..count).for_each(|number| drop(black_box(corpus.document(number))));
    drop(black_box((
        corpus.sorted_postings(count),
        corpus.sorted_ids(count),
    )));
    figures["making_only"] = meter.read(count);

    stage("load");
    let meter = Meter::start();
    let mut store = open()?;
    store.load(corpus, count)?;
    drop(store);
    figures["load"] = meter.read(count);
    figures["load"]["peak_memory"] = usage().1.into();
    figures["bytes_per_document"] = size(&folder, count)?.into();

    stage("compact");
    let mut store = open()?;
    let meter = Meter::start();
    if store.compact()? {
        drop(store);
        figures["compact"] = meter.read(count);
        figures["compact"]["bytes_per_document"] = size(&folder, count)?.into();
        store = open()?;
    }

    stage("query");
    let truth = Truth::new(corpus, count);
    figures["query"] = queries(&mut *store, corpus, &truth, count)?;

    stage("add");
    let documents = corpus.documents(count..count + ADDS);
    let meter = Meter::start();
    for document in documents.chunks(1) {
        store.add(document)?;
    }
    figures["add"] = meter.read(ADDS);
    let bare = bare_syncs(&options.dir.join("bare"))?;
    figures["add"]["bare_syncs_per_second"] = bare.into();
    let documents = corpus.documents(count + ADDS..count + 2 * ADDS);
    let meter = Meter::start();
    for documents in documents.chunks(GROUP) {
        store.add(documents)?;
    }
    figures["add_in_groups"] = meter.read(ADDS);
    let count = count + 2 * ADDS;
    let truth = Truth::new(corpus, count);
    figures["query_after_adds"] = queries(&mut *store, corpus, &truth, count)?;
    drop(store);

    stage("crash");
    figures["crash"] = trials::crash(kind, &folder, corpus, count)?;
    fs::remove_dir_all(&folder)?;
    stage("processes");
    trials::small(kind, &folder, corpus)?;
    let trial = options.dir.join("trial");
    figures["processes"] = trials::processes(kind, &folder, &trial, corpus)?;
    stage("flipped bytes");
    figures["flips"] = trials::flips(kind, &folder, &trial, corpus)?;
    if options.build_times {
        stage("build");
        figures["build_seconds"] = trials::build(kind, &options.dir)?.into();
    }
    figures["peak_memory"] = usage().1.into();
    Ok(figures)
}

pub const HEADER: &str = "\
| store | bytes/doc | compacted | docs/CPU s | docs/s | single adds/s | in 100s/s \
| p50 µs | p99 µs | open after crash s | readers beside a writer \
| flips: refused/right/WRONG/crashed | found by own check | build s |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|---|---|--:|";

pub fn row(figures: &Value) -> String {
    let at = |path: &str| figures.pointer(path);
    let number = |path: &str, digits: usize| {
        let number = at(path).and_then(Value::as_f64);
        number.map_or("–".to_owned(), |number| format!("{number:.digits$}"))
    };
    let text = |path: &str| at(path).and_then(Value::as_str).unwrap_or("–").to_owned();
    let flips = ["refused", "right", "wrong", "crashed"];
    let flips = flips.map(|name| number(&format!("/flips/{name}"), 0));
    let cells = [
        text("/store"),
        number("/bytes_per_document", 0),
        number("/compact/bytes_per_document", 0),
        number("/load/documents_per_cpu_second", 0),
        number("/load/documents_per_second", 0),
        number("/add/documents_per_second", 0),
        number("/add_in_groups/documents_per_second", 0),
        number("/query/p50_microseconds", 1),
        number("/query/p99_microseconds", 1),
        number("/crash/seconds", 3),
        text("/processes/tried"),
        flips.join("/"),
        number("/flips/found_by_own_check", 0),
        number("/build_seconds", 1),
    ];
    format!("| {} |", cells.join(" | "))
}
