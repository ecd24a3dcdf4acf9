//! How a run may use the machine.

use crate::errors::usage;
use pyo3::prelude::*;
use std::path::PathBuf;
use twinsift::Settings;
use twinsift::settings::{Join, available_memory};

/// The arguments `threads`, `memory`, `tmp` and `join`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Machine {
    threads: Option<usize>,
    memory: Option<u64>,
    tmp: Option<PathBuf>,
    join: Option<String>,
}

impl Machine {
    /// The settings that they stand for, with the defaults of the command.
    pub(crate) fn settings(self, py: Python<'_>) -> PyResult<Settings> {
        let defaults = Settings::default();
        let tmp = self.tmp.unwrap_or_else(|| defaults.tmp.clone());
        if !tmp.is_dir() {
            let name = tmp.display();
            let sentence = format!("tmp= {name} is not a folder: make it, or name another");
            return Err(usage(py, sentence));
        }
        if self.threads == Some(0) {
            return Err(usage(py, "threads= must be at least 1"));
        }
        let join = match self.join.as_deref() {
            None => None,
            Some("prefix") => Some(Join::Prefix),
            Some("spotsigs") => Some(Join::SpotSigs),
            Some(other) => {
                let sentence =
                    format!("join= \"{other}\" is unknown: use \"prefix\" or \"spotsigs\"");
                return Err(usage(py, sentence));
            }
        };
        let free = || available_memory().map(|free| free / 4 * 3);
        Ok(Settings {
            threads: self.threads.unwrap_or(defaults.threads),
            memory: self.memory.or_else(free),
            tmp,
            join,
            ..defaults
        })
    }
}
