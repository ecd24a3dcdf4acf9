//! Running other programs: where the workspace is, and how a step is shown.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// The workspace's folder.
pub fn root() -> Result<PathBuf> {
    let here = std::env::var("CARGO_MANIFEST_DIR").context("run this as `cargo xtask`")?;
    let mut folder = PathBuf::from(here);
    folder.pop();
    Ok(folder)
}

/// The cargo that runs this, in the workspace's folder.
pub fn cargo() -> Result<Command> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root()?);
    Ok(command)
}

/// Shows what is about to happen, does it, and shows how long it took.
pub fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("==> {name}");
    let start = Instant::now();
    work().with_context(|| format!("{name} failed"))?;
    println!("    {name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a program to its end; what it prints is seen.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    let status = command
        .status()
        .with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(())
}

/// Whether a program starts and succeeds; what it prints is not seen.
pub fn works(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// What a program prints, without the last line's end.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let output = command
        .output()
        .with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        bail!("`{shown}` ended with {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout)
        .trim_end()
        .to_owned())
}

fn show(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let mut words = vec![name.to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    words.join(" ")
}
