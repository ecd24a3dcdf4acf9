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
    what: &'static str,
    environment: &'static str,
    requirements: &'static str,
}

/// The tools that find pairs.
pub const PAIRS: Packages = Packages {
    what: "the comparison",
    environment: "benchsuite/.venv",
    requirements: "requirements.txt",
};

/// The neural network.
pub const RETSIM: Packages = Packages {
    what: "RETSim",
    environment: "benchsuite/.venv-retsim",
    requirements: "retsim-requirements.txt",
};

impl Packages {
    /// Installs them in the versions that are asked for, and says which Python has them.
    pub fn prepare(self) -> Result<PathBuf> {
        let root = root()?;
        let wanted = folder(&root).join(self.requirements);
        python::prepare(self.what, &root.join(self.environment), &wanted)
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
