//! The other tools, in an environment that nothing else uses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::{root, run, step, works};

/// Where the rivals' scripts are.
pub fn folder(root: &Path) -> PathBuf {
    root.join("benchsuite/rivals")
}

/// Installs the rivals in the versions that are asked for, unless they are
/// there already, and says which Python has them.
pub fn prepare() -> Result<PathBuf> {
    let root = root()?;
    let wanted = folder(&root).join("requirements.txt");
    let wanted_text =
        fs::read_to_string(&wanted).with_context(|| format!("cannot read {}", wanted.display()))?;
    let environment = root.join("benchsuite/.venv");
    let installed = environment.join("installed.txt");
    let python = environment.join("bin/python");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted_text) {
        return Ok(python);
    }
    if !works(Command::new("python3").arg("--version")) {
        bail!("the rivals need Python; install python3 and python3-venv, or choose with --only");
    }
    step("install the rivals", || {
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&environment))?;
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--requirement"])
            .arg(&wanted))
    })?;
    fs::write(&installed, wanted_text)?;
    Ok(python)
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
