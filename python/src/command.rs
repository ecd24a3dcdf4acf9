//! The command `twinsift`, for the console script of the wheel.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with the arguments of a process and returns its exit code. It takes over
/// signals and panics, so that the process should end with it.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| twinsift_cli::run(arguments))
}
