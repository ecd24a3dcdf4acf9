//! The demonstration's search evaluation, served on this machine by `twinsift demo`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

/// A running `twinsift demo --serve`, ended when this value is dropped.
pub struct Site(Child);

impl Site {
    /// Writes the evaluation's files to `folder` and serves its pages.
    pub fn open(twinsift: &Path, folder: &Path, queries: usize, seed: u64) -> Result<Self> {
        let mut child = Command::new(twinsift)
            .args(["demo", "--serve", "--port", "0", "--quiet", "--queries"])
            .arg(queries.to_string())
            .arg("--seed")
            .arg(seed.to_string())
            .arg("--search")
            .arg(folder)
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot start twinsift demo")?;
        let said = child.stderr.take();
        let site = Self(child);
        let mut lines = said
            .into_iter()
            .flat_map(|pipe| BufReader::new(pipe).lines());
        match lines.any(|line| line.is_ok_and(|line| line.contains("serving"))) {
            true => Ok(site),
            false => bail!("twinsift demo does not serve its pages"),
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
