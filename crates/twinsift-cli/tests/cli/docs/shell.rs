//! Commands as a reader types them into a shell.

use crate::{Folder, without_times};
use std::path::Path;
use std::process::Command as Process;

/// A command, and the lines that the documentation shows below it.
pub struct Command {
    pub text: String,
    pub shown: Vec<String>,
}

/// Between the outputs of two commands.
const MARK: &str = "----- next -----";

/// The command under test by its name.
const PRELUDE: &str = r#"set -euo pipefail
twinsift() {
    "$TWINSIFT" "$@"
}
"#;

/// Flags behind which a file is named that the command writes.
const OUTPUTS: [&str; 6] = [
    "-o",
    "--out",
    "--removed",
    "--unsigned",
    "--report",
    "--contradictions",
];

/// Runs commands in one shell; each must go well, find something, print what is shown and
/// write what it names. What each of them printed, or what is wrong.
pub fn run(folder: &Folder, commands: &[Command]) -> Result<Vec<String>, String> {
    let mut script = PRELUDE.to_owned();
    for command in commands {
        script += &format!("echo '{MARK}'\necho '{MARK}' >&2\n{}\n", command.text);
    }
    let ran = Process::new("bash")
        .args(["-c", &script])
        .current_dir(folder.folder.path())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("TMPDIR", folder.temporary.path())
        .env("TWINSIFT", env!("CARGO_BIN_EXE_twinsift"))
        .output()
        .unwrap();
    let [output, told] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let mark = format!("{MARK}\n");
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(&mark).skip(1);
        parts.map(str::to_owned).collect()
    };
    // Results first, then what is said about them.
    let printed: Vec<String> = (parts(&output).into_iter().zip(parts(&told)))
        .map(|(results, told)| results + &told)
        .collect();
    if !ran.status.success() {
        let last = commands.get(printed.len().saturating_sub(1));
        let last = last.map_or("", |command| &command.text);
        let printed = printed.last().unwrap_or(&output);
        return Err(format!("{last}: {}\n{printed}", ran.status));
    }
    for (command, printed) in commands.iter().zip(&printed) {
        if let Some(fault) = fault(folder, command, printed) {
            return Err(format!("{}: {fault}\n{printed}", command.text));
        }
    }
    Ok(printed)
}

/// What is wrong with a command that went well.
fn fault(folder: &Folder, command: &Command, printed: &str) -> Option<String> {
    let is_nothing = |line: &str| line.trim_start().starts_with("found  0 ");
    if printed.lines().any(is_nothing) {
        return Some("it finds nothing".to_owned());
    }
    let printed = without_times(printed);
    let mut lines = printed.lines();
    let mut shown = command.shown.iter().map(|shown| without_times(shown));
    if let Some(shown) = shown.find(|shown| !lines.any(|line| line == shown)) {
        return Some(format!("this is shown, but not printed:\n{shown}"));
    }
    let words: Vec<&str> = command.text.split_whitespace().collect();
    let mut written = words.windows(2).filter(|pair| OUTPUTS.contains(&pair[0]));
    let empty = written.find(|pair| is_empty(&folder.path(pair[1])))?;
    Some(format!("there is nothing in {}", empty[1]))
}

/// Whether a file or folder is missing or holds nothing; a table holds more than its header.
fn is_empty(path: &Path) -> bool {
    if path.is_dir() {
        return std::fs::read_dir(path).unwrap().next().is_none();
    }
    let bytes = std::fs::read(path).unwrap_or_default();
    let is_table = path.extension().is_some_and(|ending| ending == "csv");
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    bytes.is_empty() || is_table && lines < 2
}
