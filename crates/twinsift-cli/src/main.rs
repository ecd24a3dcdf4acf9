//! `twinsift`: near-duplicate documents out of any collection.
//!
//! Arguments become one validated struct ([`args`]), a command runs
//! ([`commands`]), and what it says ends as an exit code ([`exit`]).

mod args;
mod commands;
mod complaints;
mod crash;
mod demo;
mod evaluate;
mod exit;
mod interrupt;
mod lexicon;
mod pages;
mod progress;
mod read;
mod report;
mod say;
mod shared_words;
mod stored;
mod study;
mod summary;
mod threads;

use args::{Cli, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => return exit::usage(&error),
    };
    crash::end_with_a_sentence();
    interrupt::leave_nothing_behind();
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
        Command::Demo(args) => commands::demo::run(args),
    })
}
