//! The Python package: built, installed and tested as its users get it.
//!
//! The wheel is of the profile `dev`, so that it is built of what the other tests are built of.
//! Its tests run in a folder from which only the installed package can be imported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;

use crate::python;
use crate::steps::{root, run as run_command, step};

const HELP: &str = include_str!("help/python.txt");

/// Runs the command.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    match arguments.next()? {
        None => step("Python package", test),
        Some(Short('h') | Long("help")) => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(other.unexpected().into()),
    }
}

/// Builds the wheel, installs it into an environment of its own and runs its tests.
pub fn test() -> Result<()> {
    let package = root()?.join("python");
    let environment = root()?.join("target/python-package");
    let wanted = package.join("tests/requirements.txt");
    let python = python::prepare("the Python package", &environment, &wanted)?;
    let wheel = build(&package, &environment)?;
    run_command(
        tool(&environment, "pip")
            .args(["install", "--quiet", "--no-deps", "--force-reinstall"])
            .arg(&wheel),
    )?;
    run_command(
        tool(&environment, "ruff")
            .args(["check", "--quiet"])
            .arg(&package),
    )?;
    run_command(
        tool(&environment, "ruff")
            .args(["format", "--quiet", "--check"])
            .arg(&package),
    )?;
    run_command(tool(&environment, "mypy").current_dir(&package))?;
    run_command(
        tool(&environment, "pyright")
            .arg("--pythonpath")
            .arg(&python)
            .current_dir(&package),
    )?;
    let tests = package.join("tests");
    run_command(
        tool(&environment, "stubtest")
            .args(["--ignore-disjoint-bases", "twinsift._twinsift"])
            .current_dir(&tests),
    )?;
    let pytest = || {
        let mut command = Command::new(&python);
        command.args(["-X", "dev", "-m", "pytest", "--quiet"]);
        command.args(["-p", "no:cacheprovider"]).current_dir(&tests);
        command
    };
    run_command(pytest().args(["--doctest-modules", "--pyargs", "twinsift"]))?;
    run_command(pytest().arg("."))?;
    test_older_spark(&wheel, &tests)
}

/// Runs some tests with the oldest Spark that the package works with.
fn test_older_spark(wheel: &Path, tests: &Path) -> Result<()> {
    let environment = root()?.join("target/python-spark-3.5");
    let wanted = tests.join("spark/requirements-3.5.txt");
    let python = python::prepare("Spark 3.5", &environment, &wanted)?;
    let pip = ["install", "--quiet", "--no-deps", "--force-reinstall"];
    run_command(tool(&environment, "pip").args(pip).arg(wheel))?;
    let mut pytest = Command::new(&python);
    pytest.args([
        "-m",
        "pytest",
        "--quiet",
        "-p",
        "no:cacheprovider",
        "-m",
        "every_spark",
    ]);
    run_command(pytest.arg("spark").current_dir(tests))
}

/// The wheel of the package.
fn build(package: &Path, environment: &Path) -> Result<PathBuf> {
    let folder = environment.join("wheels");
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    run_command(
        tool(environment, "maturin")
            .args(["build", "--quiet", "--profile", "dev", "--out"])
            .arg(&folder)
            .current_dir(package),
    )?;
    let built = fs::read_dir(&folder).context("maturin has made no wheel")?;
    let mut wheels = built.map(|entry| entry.map(|entry| entry.path()));
    match wheels.next() {
        Some(wheel) => Ok(wheel?),
        None => bail!("maturin has made no wheel"),
    }
}

/// A program of the environment.
fn tool(environment: &Path, name: &str) -> Command {
    Command::new(environment.join("bin").join(name))
}
