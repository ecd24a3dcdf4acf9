//! One run of one program: how long, how much work, how much memory.
//!
//! The system keeps the books for each process it ends: CPU time and the most
//! memory it ever held. A child starts with its parent's memory high mark, so
//! it must be started by something small. This program is not small once it
//! has compared answers; it therefore starts itself again for each run, and that
//! small process starts, waits and reports.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// The hidden command behind which the small process works.
pub const COMMAND: &str = "measure-one";

/// The time and memory that one run took.
#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    /// Seconds from start to end.
    pub wall: f64,
    /// Seconds of CPU time in the program itself.
    pub user: f64,
    /// Seconds of CPU time in the system on its behalf.
    pub system: f64,
    /// The most memory it held, in bytes.
    pub peak: u64,
}

impl Usage {
    /// All CPU time.
    pub fn cpu(&self) -> f64 {
        self.user + self.system
    }

    /// The run for the record.
    pub fn to_json(&self) -> Value {
        json!({
            "wall_seconds": self.wall,
            "user_seconds": self.user,
            "system_seconds": self.system,
            "peak_bytes": self.peak,
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            wall: value["wall_seconds"].as_f64()?,
            user: value["user_seconds"].as_f64()?,
            system: value["system_seconds"].as_f64()?,
            peak: value["peak_bytes"].as_u64()?,
        })
    }
}

/// Runs a program from a small process of its own. What it prints goes to `log`.
pub fn separately(words: &[OsString], threads: usize, log: &Path) -> Result<Usage> {
    let report = log.with_extension("measured.json");
    let this = std::env::current_exe().context("cannot find this program")?;
    let out = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let status = Command::new(this)
        .arg(COMMAND)
        .arg(&report)
        .args(words)
        .env("RAYON_NUM_THREADS", threads.to_string())
        .env("OMP_NUM_THREADS", threads.to_string())
        .env("OPENBLAS_NUM_THREADS", threads.to_string())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .stdout(out.try_clone()?)
        .stderr(out)
        .status()?;
    if !status.success() {
        let said = fs::read_to_string(log).unwrap_or_default();
        bail!("{}", last_lines(&said));
    }
    let text = fs::read_to_string(&report)?;
    Usage::from_json(&serde_json::from_str(&text)?).context("the measurement is incomplete")
}

/// The last line that a program printed, and then how it ended, which is the small
/// process's own last line.
fn last_lines(printed: &str) -> String {
    let mut lines = printed.lines().rev().filter(|line| !line.trim().is_empty());
    let end = lines.next().unwrap_or("it did not start");
    let end = end.strip_prefix("xtask: ").unwrap_or(end);
    match lines.next() {
        Some(words) => format!("{} ({end})", words.trim()),
        None => end.to_owned(),
    }
}

/// The small process: starts the program named by its arguments, waits for it,
/// and writes down what it took.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let mut words = arguments.raw_args()?;
    let (Some(report), Some(program)) = (words.next(), words.next()) else {
        bail!("{COMMAND} needs a file and a program");
    };
    let mut command = Command::new(&program);
    command.args(words);
    let run = wait(&mut command)?;
    fs::write(report, run.to_json().to_string())?;
    Ok(())
}

#[cfg(unix)]
fn wait(command: &mut Command) -> Result<Usage> {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Instant;

    let start = Instant::now();
    let child = command.spawn()?;
    let id = libc::pid_t::try_from(child.id())?;
    let mut status = 0;
    // SAFETY: `rusage` is plain numbers, for which all zeros is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live values of the right types.
        let ended = unsafe { libc::wait4(id, &raw mut status, 0, &raw mut usage) };
        if ended == id {
            break;
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error.into());
        }
    }
    let wall = start.elapsed().as_secs_f64();
    let status = ExitStatus::from_raw(status);
    if !status.success() {
        bail!("it ended with {status}");
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    // Linux counts in kibibytes, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    Ok(Usage {
        wall,
        user: seconds(usage.ru_utime),
        system: seconds(usage.ru_stime),
        peak: u64::try_from(usage.ru_maxrss)? * unit,
    })
}

#[cfg(not(unix))]
fn wait(_: &mut Command) -> Result<Usage> {
    bail!("benchmarks need a Unix system")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_measured() {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "sleep 0.05; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done",
        ]);
        let run = wait(&mut command).expect("it runs");
        assert!(run.wall >= 0.05, "{run:?}");
        assert!(run.cpu() > 0.0 && run.cpu() < run.wall, "{run:?}");
        assert!(run.peak > 100_000, "{run:?}");
        assert_eq!(Usage::from_json(&run.to_json()), Some(run));
    }

    #[test]
    fn the_last_words_are_the_programs_own() {
        let said = "reading\nno such method\n\nxtask: it ended with exit status: 2\n";
        assert_eq!(
            last_lines(said),
            "no such method (it ended with exit status: 2)"
        );
        assert_eq!(last_lines("xtask: not found\n"), "not found");
    }

    #[test]
    fn a_failure_is_an_error() {
        let error = wait(Command::new("sh").args(["-c", "exit 3"])).expect_err("it fails");
        assert_eq!(error.to_string(), "it ended with exit status: 3");
    }
}
