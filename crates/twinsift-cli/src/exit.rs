//! Exit codes: 0 done, 1 failed, 2 bad usage or input. A closed pipe is success.

use crate::numbers::counted;
use crate::say::styled;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use twinsift_io::write::WriteError;
use twinsift_io::{ReadError, RewriteError};
use twinsift_render::WebError;
use twinsift_render::render::JournalError;

const DONE: u8 = 0;
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

/// A mistake of the user's in a place of a file or in a flag.
pub fn bad_input_at(place: impl fmt::Display, error: &anyhow::Error) -> anyhow::Error {
    bad_input(format!("{place}: {}", sentence(error)))
}

/// The code for what a command returned; an error is printed first.
pub fn code(outcome: anyhow::Result<()>) -> u8 {
    let Err(error) = outcome else {
        return match unread().len() {
            0 => DONE,
            files => {
                let files = counted(files as u64, "input file");
                complain(&format!(
                    "{files} could not be read (see above): the result is of the others only"
                ));
                FAILED
            }
        };
    };
    if is_closed_pipe(&error) {
        return DONE;
    }
    complain(&plain(&sentence(&error)));
    if is_bad_input(&error) {
        BAD_INPUT
    } else {
        FAILED
    }
}

/// The flag of a parameter.
pub fn flag(parameter: &str) -> String {
    format!("--{}", parameter.replace('_', "-"))
}

/// An error is a whole sentence; what caused it is in there already. The engine knows no
/// flags: they are named here.
pub fn sentence(error: &anyhow::Error) -> String {
    match error.downcast_ref() {
        Some(twinsift::Error::Recipe(refusal)) => refusal.spelled(flag),
        Some(error @ twinsift::Error::Spill { .. }) => format!("{error} with {}", flag("tmp")),
        Some(error @ twinsift::Error::TooManyDocuments) => {
            format!("{error} ({})", flag("against"))
        }
        _ => error.to_string(),
    }
}

fn complain(sentence: &str) {
    styled(RED, "error:").plain(" ").plain(sentence).tell();
}

/// Files and folders that the system did not let us read. A run does everything else, and
/// has failed all the same: a script must not take its result for whole.
static UNREAD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn unread() -> MutexGuard<'static, BTreeSet<String>> {
    UNREAD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes note of a file or folder that could not be read.
pub fn could_not_read(name: String) {
    unread().insert(name);
}

/// Whether the reader of the results has closed the pipe.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    matches!(write_error(error), Some(WriteError::ClosedPipe))
}

/// What went wrong with an output, whichever writer says so.
fn write_error(error: &anyhow::Error) -> Option<&WriteError> {
    match error.downcast_ref() {
        Some(RewriteError::Write(error)) => Some(error),
        _ => match error.downcast_ref() {
            Some(JournalError::Write(error)) => Some(error),
            _ => error.downcast_ref(),
        },
    }
}

/// Whether the user can mend it by asking for something else.
fn is_bad_input(error: &anyhow::Error) -> bool {
    use twinsift::Error::{DuplicateId, Lexicon, Model, Recipe};
    use twinsift_index::Error as Index;
    let is_index_of_others = matches!(
        error.downcast_ref(),
        Some(
            Index::Exists(_)
                | Index::NotAnIndex(_)
                | Index::Locked(_)
                | Index::Version { .. }
                | Index::OtherRecipe { .. }
                | Index::Document { .. }
        )
    );
    is_index_of_others
        || error.is::<BadInput>()
        || matches!(
            error.downcast_ref(),
            Some(
                ReadError::Unreadable { .. }
                    | ReadError::Unrecognised { .. }
                    | ReadError::NoFile { .. }
            )
        )
        || matches!(
            error.downcast_ref(),
            Some(Recipe(_) | DuplicateId { .. } | Lexicon { .. } | Model { .. })
        )
        || matches!(error.downcast_ref(), Some(RewriteError::Mismatch { .. }))
        || matches!(error.downcast_ref(), Some(WebError::Host(_)))
        || matches!(
            error.downcast_ref(),
            Some(
                twinsift_server::Error::Open(_)
                    | twinsift_server::Error::Keys { .. }
                    | twinsift_server::Error::Tls { .. }
                    | twinsift_server::Error::Name(_)
            )
        )
        || matches!(
            error.downcast_ref(),
            Some(
                JournalError::Settings { .. }
                    | JournalError::Foreign { .. }
                    | JournalError::Busy { .. }
            )
        )
        || matches!(write_error(error), Some(WriteError::Format { .. }))
}

/// The code for arguments that could not be parsed, or for `--help`.
pub fn usage(error: &clap::Error) -> u8 {
    // Nothing is left to do if even this cannot be printed.
    let _ = error.print();
    match error.use_stderr() {
        true => BAD_INPUT,
        false => DONE,
    }
}

/// A message without the ` (os error 2)` that Rust adds to the system's words.
pub fn plain(message: &str) -> String {
    let Some((before, number)) = message.split_once(" (os error ") else {
        return message.to_owned();
    };
    let after = number.split_once(')').map_or("", |(_, after)| after);
    format!("{before}{after}")
}

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_system_are_left_out() {
        let told = plain("cannot write x: Is full (os error 28); try y");
        assert_eq!(told, "cannot write x: Is full; try y");
        assert_eq!(plain("no such id"), "no such id");
    }
}
