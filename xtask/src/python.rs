//! Python packages in an environment of their own, in pinned versions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::{run, step, works};

/// Installs the packages of a requirements file into the folder `environment`,
/// unless they are there already, and says which Python has them.
pub fn prepare(what: &str, environment: &Path, requirements: &Path) -> Result<PathBuf> {
    prepare_with(what, environment, requirements, &[])
}

/// As [`prepare`], and installs nothing that the file does not name.
pub fn prepare_exactly(what: &str, environment: &Path, requirements: &Path) -> Result<PathBuf> {
    prepare_with(what, environment, requirements, &["--no-deps"])
}

fn prepare_with(
    what: &str,
    environment: &Path,
    requirements: &Path,
    options: &[&str],
) -> Result<PathBuf> {
    let wanted = fs::read_to_string(requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    let installed = environment.join("installed.txt");
    let python = environment.join("bin/python");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    if !works(Command::new("python3").args(["-m", "venv", "--help"])) {
        bail!("Python is needed for {what}; install python3 and python3-venv");
    }
    step(&format!("install Python packages for {what}"), || {
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(environment))?;
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet"])
            .args(options)
            .arg("--requirement")
            .arg(requirements))
    })?;
    fs::write(&installed, wanted)?;
    Ok(python)
}
