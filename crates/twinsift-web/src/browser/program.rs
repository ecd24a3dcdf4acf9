//! Finding the browser's program and starting it.

use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempfile::TempDir;

use super::BrowserOptions;
use crate::error::WebError;

/// What Chromium and its kin are called.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// Where they are if not on the path.
const PLACES: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// No window, nothing of its own on the network, no waiting for a keyring, and
/// pages at full speed whether they are in front or not.
const FLAGS: [&str; 18] = [
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--password-store=basic",
    "--use-mock-keychain",
];

/// Puts the pipe where Chromium looks for it, and stays to tidy up: this
/// process may be gone by then.
const SCRIPT: &str = "profile=$1; complaints=$2; shift 2; \
    \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>\"$complaints\"; rm -rf \"$profile\"";

/// A program that has been started.
pub(super) struct Started {
    pub process: Child,
    pub commands: ChildStdin,
    pub answers: ChildStdout,
    pub profile: TempDir,
    /// Where what it says about itself goes.
    pub complaints: PathBuf,
    pub sandboxed: bool,
}

/// The first browser with one of the usual names.
///
/// # Errors
///
/// If there is none.
pub fn find() -> Result<PathBuf, WebError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let on_path = NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = on_path
        .chain(PLACES.iter().map(PathBuf::from))
        .find(|file| file.is_file());
    found.ok_or_else(|| WebError::NoBrowser(NAMES.join(", ")))
}

/// Starts `program`; whether it works shows when it answers.
pub(super) fn start(program: &Path, options: &BrowserOptions) -> Result<Started, WebError> {
    let failed = |error: std::io::Error| WebError::Start {
        program: program.display().to_string(),
        reason: error.to_string(),
    };
    let profile = tempfile::Builder::new()
        .prefix("twinsift-browser-")
        .tempdir()
        .map_err(failed)?;
    // Beside the profile's own files, of which Chromium makes folders.
    let complaints = profile.path().join("complaints.txt");
    File::create(&complaints).map_err(failed)?;
    // The owner of a file that we have just made is who we are.
    let is_root = std::fs::metadata(&complaints).map_err(failed)?.uid() == 0;
    let sandboxed = !(options.no_sandbox || is_root);
    let mut command = Command::new("sh");
    command
        .args(["-c", SCRIPT, "sh"])
        .arg(profile.path())
        .arg(&complaints)
        .arg(program)
        .args(FLAGS)
        .args((!sandboxed).then_some("--no-sandbox"))
        .args(&options.flags)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // Not to be ended by a Ctrl-C before it has been told to.
        .process_group(0);
    let mut process = command.spawn().map_err(failed)?;
    let (Some(commands), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
        return Err(WebError::Gone);
    };
    Ok(Started {
        process,
        commands,
        answers,
        profile,
        complaints,
        sandboxed,
    })
}

/// Why a browser did not start, by what it said.
pub(super) fn explain(program: &Path, said: &str) -> WebError {
    let program = program.display().to_string();
    if said.contains("No usable sandbox") || said.contains("without --no-sandbox") {
        return WebError::NoSandbox { program };
    }
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    WebError::Start {
        program,
        reason: last.unwrap_or("it said nothing").trim().to_owned(),
    }
}
