//! A Chromium, driven over a pipe.
//!
//! Chromium takes commands as JSON on two file descriptors of its own; a shell
//! puts our pipe there. That needs no port that others could connect to, no
//! driver program, no asynchronous runtime, and no code generated from the
//! whole protocol, of which a few dozen messages are used here: the crates
//! that offer more compile for longer than the rest of the project.
//!
//! One thread reads what the browser says and deals it out: each [`Tab`] is
//! used by a thread of its own and hears of nothing else. If this process ends
//! in whatever way, the pipe closes, the browser ends, and the shell that waits
//! for it removes the profile.

mod connection;
mod context;
mod program;
mod tab;

use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use crate::error::WebError;
use connection::Connection;
pub use context::Context;
pub use program::find;
pub use tab::{Message, Tab};

/// A browser answers within this time even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long the browser has to end by itself when asked to.
const FAREWELL: Duration = Duration::from_secs(5);

/// How a browser is started.
#[derive(Clone, Debug, Default)]
pub struct BrowserOptions {
    /// The program; else the first of the usual names on the path.
    pub program: Option<PathBuf>,
    /// Start it without its sandbox. As root that is so in any case, because
    /// Chromium does not start otherwise.
    pub no_sandbox: bool,
    /// Features of the browser that are switched off.
    pub without: Vec<String>,
    /// Further flags.
    pub flags: Vec<String>,
}

/// A browser that runs, with a profile of its own that goes when it does.
pub struct Browser {
    process: Child,
    connection: Arc<Connection>,
    sandboxed: bool,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser and waits until it answers.
    ///
    /// # Errors
    ///
    /// If there is no browser, or it does not start.
    pub fn start(options: &BrowserOptions) -> Result<Self, WebError> {
        let program = match &options.program {
            Some(program) => program.clone(),
            None => find()?,
        };
        let started = program::start(&program, options)?;
        let mut browser = Self {
            process: started.process,
            connection: Connection::open(started.commands, started.answers),
            sandboxed: started.sandboxed,
            _profile: started.profile,
        };
        match browser.version() {
            Ok(_) => Ok(browser),
            Err(_) => {
                browser.end();
                let said = started.complaints.join().unwrap_or_default();
                Err(program::explain(&program, &said))
            }
        }
    }

    /// What the browser calls itself, such as `Chrome/148.0`.
    ///
    /// # Errors
    ///
    /// If it does not answer.
    pub fn version(&self) -> Result<String, WebError> {
        let mut talk = self.connection.talk();
        let answer = talk.call(
            "",
            "Browser.getVersion",
            json!({}),
            Instant::now() + PATIENCE,
        )?;
        Ok(answer["product"].as_str().unwrap_or_default().to_owned())
    }

    /// Whether pages are locked up in a sandbox.
    pub fn is_sandboxed(&self) -> bool {
        self.sandboxed
    }

    /// Makes a place for pages that shares nothing with any other.
    ///
    /// # Errors
    ///
    /// If the browser does not answer.
    pub fn open_context(&self) -> Result<Context, WebError> {
        Context::open(&self.connection)
    }

    /// Ends the browser: by asking, then by force.
    fn end(&mut self) {
        self.connection.send("", "Browser.close", json!({}));
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        // The browser and the shell that waits for it are a group.
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.process.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.end();
    }
}
