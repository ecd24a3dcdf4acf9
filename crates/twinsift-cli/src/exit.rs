//! Exit codes: 0 done, 1 failed, 2 bad usage or input. A closed pipe is success.

use crate::say::say;
use std::fmt;
use std::process::ExitCode;
use twinsift_io::write::WriteError;
use twinsift_io::{ReadError, RewriteError};

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
    // Each error is a whole sentence; what caused it is in there already.
    say!("{}error:{} {error}", RED.render(), RED.render_reset());
    ExitCode::from(if is_bad_input(&error) {
        BAD_INPUT
    } else {
        FAILED
    })
}

/// Whether the user can mend it by asking for something else.
fn is_bad_input(error: &anyhow::Error) -> bool {
    use twinsift::Error::{DuplicateId, Recipe};
    error.is::<BadInput>()
        || matches!(
            error.downcast_ref(),
            Some(ReadError::Unreadable { .. } | ReadError::Unrecognised { .. })
        )
        || matches!(error.downcast_ref(), Some(Recipe(_) | DuplicateId { .. }))
        || matches!(error.downcast_ref(), Some(RewriteError::Mismatch { .. }))
        || matches!(error.downcast_ref(), Some(WriteError::Format { .. }))
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

/// The system's words for an error, without the ` (os error 2)` that Rust adds.
pub fn plain_reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
