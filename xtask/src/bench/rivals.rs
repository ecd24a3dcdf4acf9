//! The other tools, in an environment that nothing else uses.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::python;
use crate::steps::root;

/// Where the rivals' scripts are.
pub fn folder(root: &Path) -> PathBuf {
    root.join("benchsuite/rivals")
}

/// Packages that are installed together, in an environment of their own.
#[derive(Clone, Copy, Debug)]
pub struct Packages {
    pub what: &'static str,
    pub environment: &'static str,
    pub requirements: &'static str,
    /// Whether the list is complete, so that nothing else is installed.
    pub is_complete: bool,
}

/// The tools that find pairs.
pub const PAIRS: Packages = Packages {
    what: "the comparison",
    environment: "benchsuite/.venv",
    requirements: "requirements.txt",
    is_complete: false,
};

/// The neural network.
pub const RETSIM: Packages = Packages {
    what: "RETSim",
    environment: "benchsuite/.venv-retsim",
    requirements: "retsim-requirements.txt",
    is_complete: false,
};

/// The tools that find pairs in a DataFrame, and what builds our own package. Some need only a
/// few of the packages that they ask for.
pub const FRAME: Packages = Packages {
    what: "the comparison from Python",
    environment: "benchsuite/.venv-frame",
    requirements: "frame-requirements.txt",
    is_complete: true,
};

impl Packages {
    /// Installs them in the versions that are asked for, and says which Python has them.
    pub fn prepare(self) -> Result<PathBuf> {
        let root = root()?;
        let wanted = folder(&root).join(self.requirements);
        let environment = root.join(self.environment);
        match self.is_complete {
            true => python::prepare_exactly(self.what, &environment, &wanted),
            false => python::prepare(self.what, &environment, &wanted),
        }
    }

    /// Their names and versions, as they are pinned.
    pub fn versions(self) -> Result<Vec<(String, String)>> {
        let wanted = folder(&root()?).join(self.requirements);
        let text = fs::read_to_string(wanted)?;
        Ok(text
            .lines()
            .filter_map(|line| line.split_once("=="))
            .map(|(name, version)| (name.to_owned(), version.to_owned()))
            .collect())
    }
}
