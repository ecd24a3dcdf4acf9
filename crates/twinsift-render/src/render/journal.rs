//! What has been rendered so far, so that a run can be taken up again.
//!
//! Beside the output lies a file with `.part` at the end of its name. Each page
//! is added to it as a line when it is done, in whatever order that is; a line
//! that was cut short by a crash is dropped when the file is opened again. When
//! all pages are done their rows are copied to the output, in the order of the
//! input, and the output appears whole or not at all; then the journal goes.
//!
//! A journal tells what it was made with, and serves no run with other settings.
//! Pages of which nothing was to be seen are in it too, and are tried again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;
use twinsift_io::{AtomicFile, WriteError};

/// The first line: what the file is, and the settings that it was made with.
const MARK: &str = "twinsift-render-1";

/// A line is a key, a mark and a row.
const KEY_DIGITS: usize = 16;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// It is from a run with other settings.
    #[error(
        "{path} is from a run with other settings: go on with those, or remove it to begin anew"
    )]
    Settings {
        /// The journal.
        path: String,
    },
    /// It is some other file.
    #[error("{path} is not what a run has left behind: move it away, or write to another name")]
    Foreign {
        /// The journal.
        path: String,
    },
    /// Another run is at it.
    #[error("{path} is in use: another run writes to the same output")]
    Busy {
        /// The journal.
        path: String,
    },
    /// It cannot be read or written.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The journal.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The journal of a run.
pub struct Journal {
    file: File,
    name: String,
    path: Option<PathBuf>,
    end: u64,
    rows: HashMap<u64, Row>,
}

/// Where a row stands.
#[derive(Clone, Copy, Debug)]
struct Row {
    at: u64,
    len: usize,
}

impl Journal {
    /// Opens the journal of an output, with what an earlier run left. Without an
    /// output it is a temporary file. `settings` are all that changes
    /// what a page looks like.
    ///
    /// # Errors
    ///
    /// If it is in use, from a run with other settings, or cannot be written.
    pub fn open(output: Option<&Path>, settings: &str) -> Result<Self, JournalError> {
        let (name, path) = match output {
            None => ("a temporary file".to_owned(), None),
            Some(output) => {
                let mut name = output.as_os_str().to_owned();
                name.push(".part");
                (name.display().to_string(), Some(PathBuf::from(name)))
            }
        };
        let opened = match &path {
            None => tempfile::tempfile(),
            Some(path) => OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path),
        };
        let failed = |source: io::Error| JournalError::Io {
            path: name.clone(),
            source,
        };
        let file = opened.map_err(failed)?;
        if file.try_lock().is_err() {
            return Err(JournalError::Busy { path: name });
        }
        let mut journal = Self {
            file,
            name,
            path,
            end: 0,
            rows: HashMap::new(),
        };
        journal.load(settings)?;
        Ok(journal)
    }

    /// How many pages an earlier run has left.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it left none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a page is done.
    pub fn holds(&self, key: u64) -> bool {
        self.rows.contains_key(&key)
    }

    /// Adds a page that is done. Only one that is `seen` will not be tried again
    /// by a later run.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn add(&mut self, key: u64, seen: bool, row: &str) -> Result<(), JournalError> {
        let mark = if seen { '+' } else { '-' };
        let line = format!("{key:016x}{mark}{row}\n");
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| self.failed(error))?;
        let head = KEY_DIGITS + 1;
        let row = Row {
            at: self.end + head as u64,
            len: line.len() - head,
        };
        self.rows.insert(key, row);
        self.end += line.len() as u64;
        Ok(())
    }

    /// Writes the rows of the pages to the output, in the order of their keys
    /// here, and removes the journal.
    ///
    /// # Errors
    ///
    /// If the output cannot be written; the journal stays then.
    pub fn finish(mut self, keys: &[u64], output: Option<&Path>) -> Result<(), JournalError> {
        let mut out = match output {
            Some(path) => AtomicFile::create(path)?,
            None => AtomicFile::stdout()?,
        };
        let mut row = Vec::new();
        for key in keys {
            let Some(&Row { at, len }) = self.rows.get(key) else {
                continue;
            };
            row.resize(len, 0);
            let read = self.file.seek(SeekFrom::Start(at));
            let read = read.and_then(|_| self.file.read_exact(&mut row));
            read.map_err(|error| self.failed(error))?;
            out.put(&row)?;
        }
        out.finish()?;
        if let Some(path) = &self.path {
            std::fs::remove_file(path).map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn failed(&self, source: io::Error) -> JournalError {
        JournalError::Io {
            path: self.name.clone(),
            source,
        }
    }

    /// Reads what is there, drops what is not whole, and stands at the end.
    fn load(&mut self, settings: &str) -> Result<(), JournalError> {
        let head = format!("{MARK} {settings}\n");
        let read = self.read_lines(&head);
        let known = read.map_err(|error| self.failed(error))?;
        match known {
            Head::Ours => {}
            Head::Settings => {
                return Err(JournalError::Settings {
                    path: self.name.clone(),
                });
            }
            Head::Foreign => {
                return Err(JournalError::Foreign {
                    path: self.name.clone(),
                });
            }
        }
        let stand = |journal: &mut Self| -> io::Result<()> {
            journal.file.set_len(journal.end)?;
            journal.file.seek(SeekFrom::Start(journal.end))?;
            if journal.end == 0 {
                journal.file.write_all(head.as_bytes())?;
                journal.end = head.len() as u64;
            }
            Ok(())
        };
        stand(self).map_err(|error| self.failed(error))
    }

    fn read_lines(&mut self, head: &str) -> io::Result<Head> {
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        if line != head.as_bytes() {
            // A head that was cut short is as good as none.
            return Ok(match line.starts_with(MARK.as_bytes()) {
                _ if head.as_bytes().starts_with(&line) => Head::Ours,
                true => Head::Settings,
                false => Head::Foreign,
            });
        }
        self.end = line.len() as u64;
        loop {
            line.clear();
            let len = reader.read_until(b'\n', &mut line)?;
            let digits = line
                .get(..KEY_DIGITS)
                .and_then(|d| std::str::from_utf8(d).ok());
            let key = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
            let (Some(key), Some(b'\n')) = (key, line.last()) else {
                return Ok(Head::Ours);
            };
            if line[KEY_DIGITS] == b'+' {
                let at = self.end + KEY_DIGITS as u64 + 1;
                let len = len - KEY_DIGITS - 1;
                self.rows.insert(key, Row { at, len });
            }
            self.end += len as u64;
        }
    }
}

/// What the first line of a file says.
enum Head {
    Ours,
    Settings,
    Foreign,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &Path) -> String {
        std::fs::read_to_string(path).expect("readable")
    }

    #[test]
    fn rows_come_out_in_the_order_asked_for_and_the_journal_goes() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("out.jsonl");
        let mut journal = Journal::open(Some(&output), "s").expect("new");
        assert!(journal.is_empty());
        journal.add(2, true, "two").expect("written");
        journal.add(1, true, "one").expect("written");
        journal.finish(&[1, 2, 3], Some(&output)).expect("written");
        assert_eq!(text(&output), "one\ntwo\n");
        let left: Vec<_> = std::fs::read_dir(folder.path())
            .expect("a folder")
            .collect();
        assert_eq!(left.len(), 1);
    }

    /// Whatever a crash leaves of the file, whole rows are kept and the rest is
    /// written again.
    #[test]
    fn a_journal_cut_anywhere_is_taken_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("out.jsonl");
        let part = folder.path().join("out.jsonl.part");
        let mut journal = Journal::open(Some(&output), "s").expect("new");
        journal.add(7, true, "seven").expect("written");
        journal.add(8, false, "nothing").expect("written");
        journal.add(9, true, "nine").expect("written");
        drop(journal);
        let whole = std::fs::read(&part).expect("readable");
        for len in 0..=whole.len() {
            std::fs::write(&part, &whole[..len]).expect("written");
            let mut journal = Journal::open(Some(&output), "s").expect("taken up");
            assert!(!journal.holds(8), "nothing was to be seen of it");
            for (key, row) in [(7, "seven"), (8, "eight"), (9, "nine")] {
                if !journal.holds(key) {
                    journal.add(key, true, row).expect("written");
                }
            }
            journal.finish(&[7, 8, 9], Some(&output)).expect("written");
            assert_eq!(text(&output), "seven\neight\nnine\n", "cut at {len}");
        }
    }

    #[test]
    fn other_settings_other_runs_and_other_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("out.jsonl");
        let part = folder.path().join("out.jsonl.part");
        let running = Journal::open(Some(&output), "s").expect("new");
        let open = |settings| Journal::open(Some(&output), settings).err();
        assert!(matches!(open("s"), Some(JournalError::Busy { .. })));
        drop(running);
        assert!(matches!(open("t"), Some(JournalError::Settings { .. })));
        std::fs::write(&part, "my own notes\n").expect("written");
        assert!(matches!(open("s"), Some(JournalError::Foreign { .. })));
        assert_eq!(text(&part), "my own notes\n");
    }
}
