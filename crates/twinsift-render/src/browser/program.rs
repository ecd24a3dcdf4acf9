//! Finding the browser's program and starting it.

use std::io::Read;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use tempfile::TempDir;

use super::BrowserOptions;
use crate::error::WebError;

/// What Chromium and its kin are called. First those that have no windows at all: they
/// show the same pages in less than half the time.
const NAMES: [&str; 7] = [
    "chromium-headless-shell",
    "chrome-headless-shell",
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

/// No window, a process for each site (not all browsers have that by themselves), nothing
/// of its own on the network, no waiting for a keyring, and pages at full speed whether
/// they are in front or not.
const FLAGS: [&str; 19] = [
    "--headless",
    "--site-per-process",
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

/// Chromium's process that is kept ready for the next page: more work than it saves.
const SPARE: &str = "SpareRendererForSitePerProcess";

/// Where programs look for settings and leave things.
const HOMES: [&str; 5] = [
    "HOME",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
];

/// Puts the pipe where Chromium looks for it, and stays to tidy up: this
/// process may be gone by then.
const SCRIPT: &str =
    "profile=$1; shift; \"$@\" 3<&0 4>&1 </dev/null >/dev/null; rm -rf \"$profile\"";

/// Of what the browser says about itself, so much is kept.
const COMPLAINTS: usize = 16 << 10;

/// A program that has been started.
pub(super) struct Started {
    pub process: Child,
    pub commands: ChildStdin,
    pub answers: ChildStdout,
    pub profile: TempDir,
    /// What it says about itself, complete when it has ended.
    pub complaints: JoinHandle<String>,
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
    // The owner of a folder that we have just made is who we are.
    let is_root = profile.path().metadata().map_err(failed)?.uid() == 0;
    let sandboxed = !(options.no_sandbox || is_root);
    let mut without = options.without.clone();
    without.push(SPARE.to_owned());
    let mut command = Command::new("sh");
    command
        .args(["-c", SCRIPT, "sh"])
        .arg(profile.path())
        .arg(program)
        .args(FLAGS)
        .args((!sandboxed).then_some("--no-sandbox"))
        .arg(format!("--disable-features={}", without.join(",")))
        .args(&options.flags)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        // All that it keeps goes with the profile, and nothing of the user's is
        // there for it to find.
        .envs(HOMES.map(|name| (name, profile.path())))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Not to be ended by a Ctrl-C before it has been told to.
        .process_group(0);
    let mut process = command.spawn().map_err(failed)?;
    let pipes = (process.stdin.take(), process.stdout.take());
    let (Some(commands), Some(answers), Some(said)) = (pipes.0, pipes.1, process.stderr.take())
    else {
        return Err(WebError::Gone);
    };
    let complaints = std::thread::spawn(move || end_of_output(said));
    Ok(Started {
        process,
        commands,
        answers,
        profile,
        complaints,
        sandboxed,
    })
}

/// Returns the end of what a process prints. All of it is read, so that the process never
/// waits for a full pipe.
fn end_of_output(mut output: impl Read) -> String {
    let mut kept = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(len @ 1..) = output.read(&mut piece) {
        kept.extend_from_slice(&piece[..len]);
        kept.drain(..kept.len().saturating_sub(COMPLAINTS));
    }
    String::from_utf8_lossy(&kept).into_owned()
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
