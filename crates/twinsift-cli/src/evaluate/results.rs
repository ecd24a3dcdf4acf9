//! Finished trials of a suite, kept so that it can go on where it stopped.
//!
//! One line of JSON for each trial, added when it is done. A trial is known by
//! everything that its outcome follows from: version, recipe, how trials are
//! made, and the inputs by name, size and time of change. A line that was cut off
//! is left out, and its trial runs again.

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
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let lines = text
                    .lines()
                    .filter_map(|line| serde_json::from_str(line).ok());
                known.extend(lines.map(|line: Line| (line.key, line.outcome)));
                ends_in_line = text.is_empty() || text.ends_with('\n');
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

/// A name for everything in `parts`, and for the state of `files`.
pub fn key(parts: &[&str], files: &[PathBuf]) -> String {
    let mut spelled = env!("CARGO_PKG_VERSION").to_owned();
    for part in parts {
        spelled += &format!("\n{part}");
    }
    for file in files {
        let state = std::fs::metadata(file).ok();
        let size = state.as_ref().map_or(0, |state| state.len());
        let changed = state.and_then(|state| state.modified().ok());
        let since = changed.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let nanoseconds = since.map_or(0, |time| time.as_nanos());
        spelled += &format!("\n{}\n{size}\n{nanoseconds}", file.display());
    }
    format!("{:032x}", hash::digest(spelled.bytes().map(u64::from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_line_is_left_out_and_the_rest_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.jsonl");
        let outcome = MethodOutcome {
            name: "m".to_owned(),
            ..MethodOutcome::default()
        };
        let mut results = Results::open(&path).expect("open");
        results.add("one".to_owned(), &outcome).expect("add");
        results.add("two".to_owned(), &outcome).expect("add");
        let text = std::fs::read_to_string(&path).expect("read");
        std::fs::write(&path, &text[..text.len() - 20]).expect("cut");
        let mut again = Results::open(&path).expect("open");
        assert!(again.find("one").is_some() && again.find("two").is_none());
        again.add("two".to_owned(), &outcome).expect("add");
        let last = Results::open(&path).expect("open");
        assert_eq!(last.find("two").map(|o| o.name.as_str()), Some("m"));
    }

    #[test]
    fn another_recipe_or_another_file_is_another_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("data");
        std::fs::write(&file, "1").expect("write");
        let files = [file.clone()];
        let first = key(&["a"], &files);
        assert_eq!(first, key(&["a"], &files));
        assert_ne!(first, key(&["b"], &files));
        std::fs::write(&file, "12").expect("write");
        assert_ne!(first, key(&["a"], &files));
    }
}
