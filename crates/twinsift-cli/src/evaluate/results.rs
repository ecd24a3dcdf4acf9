//! Finished trials of a suite, kept so that it can go on where it stopped.
//!
//! One line of JSON for each trial, added when it is done. A trial is known by
//! everything that its outcome follows from: version, recipe, how trials are made,
//! documents and labels. A line that was cut off is left out, and its trial runs
//! again.

use super::outcome::MethodOutcome;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use twinsift::hash;

/// Results by what they follow from.
pub struct Results {
    path: PathBuf,
    file: File,
    known: HashMap<String, MethodOutcome>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    outcome: MethodOutcome,
}

impl Results {
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let fail = |error: std::io::Error| anyhow::anyhow!("{}: {error}", path.display());
        let mut known = HashMap::new();
        let mut ends_in_line = true;
        match std::fs::read(path) {
            Ok(bytes) => {
                let lines = bytes
                    .split(|&byte| byte == b'\n')
                    .filter_map(|line| serde_json::from_slice(line).ok());
                known.extend(lines.map(|line: Line| (line.key, line.outcome)));
                ends_in_line = bytes.last().is_none_or(|&byte| byte == b'\n');
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(fail(error)),
        }
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(fail)?;
        if !ends_in_line {
            file.write_all(b"\n").map_err(fail)?;
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            known,
        })
    }

    pub fn find(&self, key: &str) -> Option<&MethodOutcome> {
        self.known.get(key)
    }

    pub fn add(&mut self, key: String, outcome: &MethodOutcome) -> anyhow::Result<()> {
        let outcome = outcome.clone();
        let mut line = serde_json::to_vec(&Line { key, outcome })?;
        line.push(b'\n');
        self.file
            .write_all(&line)
            .map_err(|error| anyhow::anyhow!("{}: {error}", self.path.display()))
    }
}

/// A name for everything in `parts`.
pub fn key(parts: &[&str]) -> String {
    let parts = [env!("CARGO_PKG_VERSION")]
        .into_iter()
        .chain(parts.iter().copied());
    let digest = hash::digest(parts.map(|part| hash::bytes(part.as_bytes())));
    format!("{digest:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_line_is_left_out_and_the_rest_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.jsonl");
        let outcome = MethodOutcome {
            name: "é".to_owned(),
            ..MethodOutcome::default()
        };
        let mut results = Results::open(&path).expect("open");
        results.add("one".to_owned(), &outcome).expect("add");
        results.add("two".to_owned(), &outcome).expect("add");
        let bytes = std::fs::read(&path).expect("read");
        let letter = bytes.iter().rposition(|&byte| byte == 0xc3);
        std::fs::write(&path, &bytes[..=letter.expect("an é")]).expect("cut");
        let mut again = Results::open(&path).expect("open");
        assert!(again.find("one").is_some() && again.find("two").is_none());
        again.add("two".to_owned(), &outcome).expect("add");
        let last = Results::open(&path).expect("open");
        assert_eq!(last.find("two").map(|o| o.name.as_str()), Some("é"));
    }

    #[test]
    fn any_other_part_is_another_key() {
        assert_eq!(key(&["a", "b"]), key(&["a", "b"]));
        assert_ne!(key(&["a", "b"]), key(&["a", "c"]));
        assert_ne!(key(&["ab"]), key(&["a", "b"]));
    }
}
