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

/// Installs the rivals in the versions that are asked for, and says which Python
/// has them.
pub fn prepare() -> Result<PathBuf> {
    let root = root()?;
    let wanted = folder(&root).join("requirements.txt");
    python::prepare("the comparison", &root.join("benchsuite/.venv"), &wanted)
}

/// The rivals' names and versions, as they are pinned.
pub fn versions() -> Result<Vec<(String, String)>> {
    let wanted = folder(&root()?).join("requirements.txt");
    let text = fs::read_to_string(wanted)?;
    Ok(text
        .lines()
        .filter_map(|line| line.split_once("=="))
        .map(|(name, version)| (name.to_owned(), version.to_owned()))
        .collect())
}
