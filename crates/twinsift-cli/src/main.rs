//! The `twinsift` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(twinsift_cli::run(std::env::args_os()))
}
