//! Whole commands, as a user runs them: files in, and then what is printed, what
//! is written and which exit code comes of it. All data is made here.

#![allow(unreachable_pub, reason = "tests have no public interface")]
#![allow(clippy::unwrap_used)]

mod andd;
mod broken;
#[path = "../browser/mod.rs"]
mod browser;
mod determinism;
mod disks;
mod docs;
mod eval;
mod filter;
mod fold;
mod formats;
mod golden;
mod help;
mod ids;
mod imatch;
mod in_place;
mod index;
mod judge;
mod languages;
mod pipes;
mod render;
mod review;
mod rspamd;
mod serve;
mod signals;
mod spots;
mod stored;
mod terminal;
mod texts;
mod usage;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder for one test's files; commands run in it, so that names are short
/// and the same everywhere.
struct Folder {
    folder: TempDir,
    /// Where commands put what is temporary; empty again after each.
    temporary: TempDir,
}

impl Folder {
    fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            temporary: TempDir::new().unwrap(),
        }
    }

    /// A folder with one file in it.
    fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.add(name, bytes);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn add(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// Every file and empty folder, hidden ones too, in order.
    fn list(&self) -> Vec<String> {
        let mut names = Vec::new();
        list_into(self.folder.path(), "", &mut names);
        names.sort();
        names
    }

    /// A command that is ready to run, whatever the machine is set up for.
    fn command<S: AsRef<std::ffi::OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_twinsift"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_clear()
            .env("TMPDIR", self.temporary.path())
            .env("RUST_BACKTRACE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the command with the words of `line` as its arguments.
    fn run(&self, line: &str) -> Ran {
        let args: Vec<&str> = line.split_whitespace().collect();
        let output = self.command(&args).output().unwrap();
        self.ran(line, output)
    }

    /// As [`Folder::run`], with something on standard input.
    fn run_on(&self, line: &str, input: &[u8]) -> Ran {
        let args: Vec<&str> = line.split_whitespace().collect();
        let mut child = self.command(&args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writing = std::thread::spawn(move || {
            // A command that fails early does not read on.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writing.join().unwrap();
        self.ran(line, output)
    }

    fn ran(&self, line: &str, output: Output) -> Ran {
        let ran = Ran {
            line: line.to_owned(),
            code: output.status.code(),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        };
        let left: Vec<_> = fs::read_dir(self.temporary.path()).unwrap().collect();
        assert!(left.is_empty(), "left behind: {left:?}\n{ran:?}");
        for name in self.list() {
            assert!(!name.contains(".twinsift-"), "left behind: {name}\n{ran:?}");
        }
        assert!(!ran.err.contains("panicked"), "{ran:?}");
        assert!(!ran.err.contains("RUST_BACKTRACE"), "{ran:?}");
        assert!(!ran.err.contains("(os error"), "{ran:?}");
        ran
    }
}

fn list_into(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let before = names.len();
        if entry.file_type().unwrap().is_dir() {
            list_into(&entry.path(), &format!("{name}/"), names);
            if names.len() == before {
                names.push(name + "/");
            }
        } else {
            names.push(name);
        }
    }
}

/// What came of a command.
#[derive(Debug)]
struct Ran {
    line: String,
    code: Option<i32>,
    out: Vec<u8>,
    err: String,
}

impl Ran {
    /// It must have gone well.
    #[track_caller]
    fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        let complains = self.err.lines().any(|line| line.starts_with("error:"));
        assert!(!complains, "{self:?}");
        self
    }

    /// It must have failed with this code and one sentence, and printed nothing.
    #[track_caller]
    fn fails(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.out, b"", "{self:?}");
        let at = self.err.find("error: ");
        let at = at.unwrap_or_else(|| panic!("no sentence: {self:?}"));
        assert!(at == 0 || self.err[..at].ends_with('\n'), "{self:?}");
        let told = self.err[at + 7..].trim_end();
        assert!(!told.is_empty() && !told.contains("error:"), "{self:?}");
        told.to_owned()
    }

    /// As [`Ran::fails`]; the sentence is one line and nothing else was said.
    #[track_caller]
    fn refuses(self, code: i32) -> String {
        assert!(self.err.starts_with("error: "), "{self:?}");
        let told = self.fails(code);
        assert!(!told.contains('\n'), "{told}");
        told
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    /// Command, outputs and code as one text, without what differs from run to run.
    fn transcript(&self) -> String {
        let mut text = format!("$ twinsift {}\n", self.line);
        text += self.text();
        if !self.err.is_empty() {
            text += "--- standard error\n";
            text += &without_times(&self.err);
        }
        if self.code != Some(0) {
            writeln!(text, "--- exit code {:?}", self.code).unwrap();
        }
        text
    }
}

/// Replaces the seconds that something took, and how much work it was: that is
/// the engine's business, and no part of an answer.
fn without_times(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with("  matched  ") {
            out += "  matched  [work]\n";
            continue;
        }
        let seconds = |rest: &str| {
            let number = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            (number.len() < rest.len()).then(|| number.strip_prefix(" s").map(str::to_owned))?
        };
        match line
            .match_indices(" in ")
            .find_map(|(at, _)| Some((at, seconds(&line[at + 4..])?)))
        {
            Some((at, rest)) => write!(out, "{} in [time]{rest}", &line[..at]).unwrap(),
            None => out += line,
        }
    }
    out
}

/// Compares with the stored answer of this name.
#[track_caller]
fn golden(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut decoder = flate2::read::MultiGzDecoder::new(bytes);
    std::io::Read::read_to_end(&mut decoder, &mut plain).unwrap();
    plain
}
