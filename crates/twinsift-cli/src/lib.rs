//! `twinsift`: near-duplicate documents out of any collection.
//!
//! The command as a function, for the program of that name and for the console script of the
//! Python package.
//!
//! Arguments (`args`) are resolved into one checked struct (`plan`), a command runs
//! (`commands`), and its outcome is an exit code (`exit`).

#![allow(
    unreachable_pub,
    reason = "only the function that runs the command is public"
)]

mod args;
mod commands;
mod complaints;
mod crash;
mod demo;
mod evaluate;
mod exit;
mod find;
mod ingest;
mod interrupt;
mod known;
mod numbers;
mod outputs;
mod pages;
mod plan;
mod progress;
mod read;
mod report;
mod say;
mod shared_words;
mod stored;
mod study;
mod summary;
mod survivors;
mod threads;

use args::{Cli, Command};
pub use known::Known;
pub use pages::CandidatePages;
use std::ffi::OsString;
pub use survivors::write_survivors;

/// Runs the command with the arguments of a process, the first of which is the program's name,
/// and returns its exit code. A panic and a signal end the process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::read(arguments) {
        Ok(cli) => cli,
        Err(error) => return exit::usage(&error),
    };
    // A service outlives a request that fails, and a signal lets it finish what it has begun.
    if !matches!(cli.command, Command::Serve(_) | Command::Review(_)) {
        crash::install_panic_handler();
        interrupt::remove_unfinished_on_signal();
    }
    exit::code(match cli.command {
        Command::Pairs(args) => commands::pairs::run(args),
        Command::Clusters(args) => commands::clusters::run(args),
        Command::Dedup(args) => commands::dedup::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Eval(args) => commands::eval::run(*args),
        Command::Render(args) => commands::render::run(args),
        Command::Spots(args) => commands::spots::run(args),
        Command::Judge(args) => commands::judge::run(*args),
        Command::Train(args) => commands::train::run(args),
        Command::Signals(args) => commands::signals::run(args),
        Command::Lexicon(args) => commands::lexicon::run(*args),
        Command::Signatures(args) => commands::signatures::run(*args),
        Command::Filter(args) => commands::filter::run(*args),
        Command::Index(args) => commands::index::run(args),
        Command::Serve(args) => commands::serve::run(*args),
        Command::Review(args) => commands::review::run(*args),
        Command::Demo(args) => commands::demo::run(args),
    })
}
