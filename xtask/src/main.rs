//! Chores: what people and CI run, written in the language of the project so
//! that a checkout and a Rust toolchain are all that is needed.

#![allow(unreachable_pub, reason = "a program has no public interface")]

mod bench;
mod layers;
mod links;
mod python;
mod results;
mod site;
mod steps;
mod test;
mod wheel;

use std::process::ExitCode;

use anyhow::{Result, bail};
use lexopt::prelude::*;

const HELP: &str = include_str!("help/xtask.txt");

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut arguments = lexopt::Parser::from_env();
    match arguments.next()? {
        None | Some(Short('h') | Long("help")) => {
            print!("{HELP}");
            Ok(())
        }
        Some(Value(command)) => match command.to_string_lossy().as_ref() {
            "test" => test::run(arguments),
            "python" => wheel::run(arguments),
            "bench" => bench::run(arguments),
            "results" => results::run(arguments),
            bench::measure::COMMAND => bench::measure::run(arguments),
            other => bail!("there is no command {other:?}; see cargo xtask --help"),
        },
        Some(other) => Err(other.unexpected().into()),
    }
}
