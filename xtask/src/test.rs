//! `cargo xtask test`: everything that must hold before a change is merged.
//!
//! The quick checks come first, and the first failure ends the run with one clear line. A
//! fresh machine with a Rust toolchain is enough; what else a test calls is installed here.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};
use lexopt::prelude::*;

use crate::layers;
use crate::links;
use crate::python;
use crate::steps::{cargo, root, run as run_command, step, works};
use crate::wheel;

const HELP: &str = include_str!("help/test.txt");

/// Programs that tests call, and the Debian packages that bring them.
const PROGRAMS: &[(&str, &str)] = &[
    ("chromium", "chromium"),
    ("chromium-headless-shell", "chromium-headless-shell"),
    ("java", "default-jre-headless"),
    ("mkfifo", "coreutils"),
    // Its service, which the installation may start, is not needed: tests run daemons of their own.
    ("rspamd", "rspamd"),
];

/// Runs the checks.
pub fn run(mut arguments: lexopt::Parser) -> Result<()> {
    match arguments.next()? {
        None => {}
        Some(Short('h') | Long("help")) => {
            print!("{HELP}");
            return Ok(());
        }
        Some(other) => return Err(other.unexpected().into()),
    }
    let start = Instant::now();
    step("tools", tools)?;
    step("links", || links::check(&root()?))?;
    step("layers", || layers::check(&root()?))?;
    step("format", || {
        run_command(cargo()?.args(["fmt", "--all", "--check"]))
    })?;
    step("clippy", || {
        let words = "clippy --workspace --all-targets -- -D warnings";
        run_command(cargo()?.args(words.split(' ')))
    })?;
    step("rustdoc", rustdoc)?;
    step("tests", tests)?;
    step("doc tests", || {
        run_command(cargo()?.args(["test", "--doc", "--workspace"]))
    })?;
    step("Python package", wheel::test)?;
    println!("all good: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn tools() -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !works(cargo()?.args([subcommand, "--version"])) {
            bail!("cargo {subcommand} is missing; get it with `rustup component add {component}`");
        }
    }
    for (program, package) in PROGRAMS {
        if !is_on_path(program) {
            install(program, package)?;
        }
    }
    Ok(())
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
}

fn install(program: &str, package: &str) -> Result<()> {
    if !is_on_path("apt-get") {
        bail!("the tests call {program}; install it (Debian has it in the package {package})");
    }
    let apt = || match is_on_path("sudo") {
        true => {
            let mut sudo = Command::new("sudo");
            sudo.arg("apt-get");
            sudo
        }
        false => Command::new("apt-get"),
    };
    run_command(apt().args(["update", "--quiet"]))?;
    let words = "install --yes --quiet --no-install-recommends";
    run_command(apt().args(words.split(' ')).arg(package))
}

/// The command and the library have the same name, so that their pages would
/// overwrite each other: they are made one after the other, the library last.
fn rustdoc() -> Result<()> {
    for packages in [
        &["--package", "twinsift-cli"][..],
        &["--workspace", "--exclude", "twinsift-cli"],
    ] {
        run_command(
            cargo()?
                .args(["doc", "--no-deps", "--document-private-items"])
                .args(packages)
                .env("RUSTDOCFLAGS", "-D warnings"),
        )?;
    }
    Ok(())
}

fn tests() -> Result<()> {
    let root = root()?;
    let wanted = root.join("crates/twinsift-eval/tests/eval/requirements.txt");
    let python = python::prepare("the tests", &root.join("target/python"), &wanted)?;
    let mut command = cargo()?;
    command.env("TWINSIFT_PYTHON", python);
    if works(cargo()?.args(["nextest", "--version"])) {
        run_command(command.args(["nextest", "run", "--workspace"]))
    } else {
        println!("    cargo-nextest is not installed; using cargo test");
        run_command(command.args(["test", "--workspace", "--all-targets"]))
    }
}
