//! Exit codes: 0 done, 1 failed, 2 bad usage or input. A closed pipe is success.

use std::fmt;
use std::process::ExitCode;
use twinsift_io::ReadError;
use twinsift_io::write::WriteError;

const FAILED: u8 = 1;
const BAD_INPUT: u8 = 2;

/// A mistake in the arguments or in the input: one sentence, exit code 2.
#[derive(Debug)]
pub struct BadInput(pub String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// A mistake of the user's, as an error.
pub fn bad_input(sentence: impl Into<String>) -> anyhow::Error {
    BadInput(sentence.into()).into()
}

/// The code for what a command returned; an error is printed first.
pub fn code(outcome: anyhow::Result<()>) -> ExitCode {
    let Err(error) = outcome else {
        return ExitCode::SUCCESS;
    };
    if let Some(WriteError::ClosedPipe) = error.downcast_ref() {
        return ExitCode::SUCCESS;
    }
    anstream::eprintln!("{}error:{} {error:#}", RED.render(), RED.render_reset());
    let bad_input = error.is::<BadInput>()
        || error.is::<ReadError>()
        || matches!(
            error.downcast_ref(),
            Some(twinsift::Error::Recipe(_) | twinsift::Error::DuplicateId { .. })
        );
    ExitCode::from(if bad_input { BAD_INPUT } else { FAILED })
}

/// The code for arguments that could not be parsed, or for `--help`.
pub fn usage(error: &clap::Error) -> ExitCode {
    // Nothing is left to do if even this cannot be printed.
    let _ = error.print();
    match error.use_stderr() {
        true => ExitCode::from(BAD_INPUT),
        false => ExitCode::SUCCESS,
    }
}

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
