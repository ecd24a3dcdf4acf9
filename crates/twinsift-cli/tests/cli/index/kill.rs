//! A writer that is killed at any moment loses nothing that it has acknowledged.

use super::super::Folder;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::Duration;
use twinsift::hash::Stream;
use twinsift::{Document, Signature, Verifier};
use twinsift_index::{Record, Searcher, Time};

/// How often a writer is killed, times what `TWINSIFT_TRIALS` says.
const KILLS: usize = 100;

/// The text of a version of a document: most are near duplicates of some others.
fn text(id: usize, version: usize) -> String {
    let family = id % 7;
    let words = (0..60).map(|at| format!("f{family}w{at}"));
    words
        .chain([format!("v{version}d{id}")])
        .collect::<Vec<_>>()
        .join(" ")
}

/// What is known of the documents of an index.
struct Known {
    folder: Folder,
    random: Stream,
    /// The version of each document; 0 if it is not there.
    versions: HashMap<usize, usize>,
    /// The versions of each document that were sent, the latest last.
    sent: HashMap<usize, Vec<usize>>,
    next: usize,
}

#[test]
fn nothing_that_was_acknowledged_is_lost() {
    let times = std::env::var("TWINSIFT_TRIALS").ok();
    let kills = KILLS * times.and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut known = Known {
        folder: Folder::new(),
        random: Stream::new(11),
        versions: HashMap::new(),
        sent: HashMap::new(),
        next: 0,
    };
    known.folder.run("index create a.idx -q").ok();
    let mut unfinished = 0;
    for _ in 0..kills {
        // For each document, what it may be from now on besides what it was.
        let (possible, was_killed) = match known.random.below(4) {
            0 => known.import(),
            1 => known.compact_or_remove(),
            _ => known.add_with_acknowledgements(),
        };
        unfinished += usize::from(was_killed);
        known.look(&possible);
    }
    assert!(
        unfinished > kills / 4,
        "{unfinished} of {kills} were killed"
    );
}

impl Known {
    fn lines(&mut self, count: usize) -> (String, Vec<(usize, usize)>) {
        let (mut lines, mut sent) = (String::new(), Vec::new());
        for _ in 0..count {
            self.next += 1;
            let id = self.random.below(60);
            let _ = writeln!(
                lines,
                "{{\"id\":{id},\"text\":\"{}\"}}",
                text(id, self.next)
            );
            sent.push((id, self.next));
            self.sent.entry(id).or_default().push(self.next);
        }
        (lines, sent)
    }

    fn start(&self, command: &str) -> Child {
        let words: Vec<&str> = command.split(' ').collect();
        let mut command = self.folder.command(&words);
        command.stdin(Stdio::piped()).spawn().unwrap()
    }

    /// Kills a child after a while; says whether it had not ended before.
    fn kill(&mut self, mut child: Child) -> bool {
        std::thread::sleep(Duration::from_micros(self.random.below(30_000) as u64));
        let had_ended = child.try_wait().unwrap().is_some();
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!had_ended || output.status.code() == Some(0), "{told}");
        !had_ended
    }

    fn add_with_acknowledgements(&mut self) -> (Vec<(usize, usize)>, bool) {
        let mut child = self.start("index add a.idx - --ack -q");
        let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (lines, sent) = self.lines(12);
        let writing = std::thread::spawn(move || {
            for line in lines.split_inclusive('\n') {
                if stdin.write_all(line.as_bytes()).is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_micros(500));
            }
        });
        let reading = std::thread::spawn(move || {
            let lines = BufReader::new(stdout).lines();
            lines
                .map_while(Result::ok)
                .filter(|line| line.ends_with("true}"))
                .count()
        });
        let was_killed = self.kill(child);
        writing.join().unwrap();
        let acknowledged = reading.join().unwrap();
        for &(id, version) in &sent[..acknowledged] {
            self.versions.insert(id, version);
        }
        (sent[acknowledged..].to_vec(), was_killed)
    }

    fn import(&mut self) -> (Vec<(usize, usize)>, bool) {
        let (lines, sent) = self.lines(30);
        self.folder.add("in.jsonl", lines);
        let child = self.start("index add a.idx in.jsonl -q");
        let was_killed = self.kill(child);
        if !was_killed {
            self.versions.extend(sent.iter().copied());
        }
        // All of them or none: of documents that come twice, the last.
        let last: HashMap<usize, usize> = sent.into_iter().collect();
        let all = self.versions_on_disk();
        let came = last
            .iter()
            .filter(|(id, version)| all.get(id) == Some(version))
            .count();
        assert!(came == 0 || came == last.len(), "{came} of {}", last.len());
        (last.into_iter().collect(), was_killed)
    }

    fn compact_or_remove(&mut self) -> (Vec<(usize, usize)>, bool) {
        if self.random.below(2) == 0 {
            let child = self.start("index compact a.idx -q");
            return (Vec::new(), self.kill(child));
        }
        let gone: Vec<usize> = self.versions.keys().copied().take(5).collect();
        let list = gone.iter().map(|id| format!("{id}\n")).collect::<String>();
        self.folder.add("gone.txt", list);
        let child = self.start("index remove a.idx --ids gone.txt -q");
        let was_killed = self.kill(child);
        if !was_killed {
            gone.iter().for_each(|id| _ = self.versions.remove(id));
        }
        (gone.into_iter().map(|id| (id, 0)).collect(), was_killed)
    }

    fn records(&self) -> (Searcher, Vec<Record>) {
        let searcher = Searcher::open(self.folder.path("a.idx")).unwrap();
        let mut records = Vec::new();
        let all = searcher.visit(Time::now(), |record, _| {
            records.push(record);
            Ok(())
        });
        all.unwrap();
        (searcher, records)
    }

    fn versions_on_disk(&self) -> HashMap<usize, usize> {
        let (searcher, records) = self.records();
        let signature = |id, version| -> Signature {
            searcher
                .extractor()
                .extract(&Document::new("", text(id, version)))
        };
        let version = |record: &Record| {
            let id: usize = record.id.text.parse().unwrap();
            let mut latest_first = self.sent[&id].iter().copied().rev();
            let version = latest_first.find(|&version| signature(id, version) == record.signature);
            (id, version.expect("a document as it was sent"))
        };
        records.iter().map(version).collect()
    }

    /// Looks at what is on disk, which must be what was known, or what was possible besides.
    fn look(&mut self, possible: &[(usize, usize)]) {
        let checked = twinsift_index::check(self.folder.path("a.idx")).unwrap();
        assert!(checked.problems.is_empty(), "{:?}", checked.problems);
        let found = self.versions_on_disk();
        for id in 0..60 {
            let [known, now] = [&self.versions, &found].map(|of| of.get(&id).copied().unwrap_or(0));
            let is_possible = known == now || possible.contains(&(id, now));
            assert!(
                is_possible,
                "document {id} is version {now} in place of {known}"
            );
        }
        self.versions = found;
        let (searcher, records) = self.records();
        let verifier = Verifier::new(searcher.recipe()).unwrap();
        for asked in records.iter().step_by(17) {
            let mut expected: Vec<_> = records
                .iter()
                .filter_map(|one| {
                    Some((
                        one.id.clone(),
                        verifier.score(&asked.signature, &one.signature)?,
                    ))
                })
                .collect();
            expected.sort_by(|a, b| b.1.total_cmp(&a.1));
            let answer = searcher
                .search(&asked.signature, usize::MAX, Time::now())
                .unwrap();
            let answer: Vec<_> = answer
                .matches
                .into_iter()
                .map(|one| (one.id, one.score))
                .collect();
            assert_eq!(answer, expected);
        }
    }
}
