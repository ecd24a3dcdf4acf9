//! The help of each command: `-h` shows the dozen flags that matter, `--help` all that mean
//! something there, and both show examples. Some of the shared flags say what they mean there.

use clap::Command;
use clap::builder::PossibleValuesParser;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What the help of a command shows, as `help.toml` says.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Help {
    short: String,
    hidden: String,
    methods: Vec<String>,
    examples: String,
    help: BTreeMap<String, String>,
}

static COMMANDS: LazyLock<BTreeMap<String, Help>> =
    LazyLock::new(|| toml::from_str(include_str!("help.toml")).expect("a table of commands"));

/// All commands with their flags as help shows them.
pub fn shown(command: Command) -> Command {
    command.mut_subcommands(|below| shown_below("", below))
}

/// A command whose name follows those of the commands above it.
fn shown_below(above: &str, command: Command) -> Command {
    let path = format!("{above} {}", command.get_name());
    let path = path.trim_start();
    let command = command.mut_subcommands(|below| shown_below(path, below));
    let Some(help) = COMMANDS.get(path) else {
        return command;
    };
    let examples = help.examples.replace('\n', "\n  ");
    let command = command.after_help(format!("Examples:\n  {examples}"));
    command.mut_args(|mut arg| {
        let id = arg.get_id().to_string();
        if let Some(text) = help.help.get(&id) {
            arg = arg.help(text);
        }
        if id == "method" && !help.methods.is_empty() {
            arg = arg.value_parser(PossibleValuesParser::new(&help.methods));
        }
        let is_short = arg.is_positional() || help.short.is_empty() || has(&help.short, &id);
        let is_hidden = arg.is_hide_set() || has(&help.hidden, &id);
        arg.hide_short_help(!is_short).hide(is_hidden)
    })
}

/// Whether a list of names has this one.
fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|other| other == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        shown(Cli::command()).debug_assert();
    }

    #[test]
    fn every_name_is_that_of_a_flag() {
        for (path, help) in &*COMMANDS {
            let mut command = &Cli::command();
            for name in path.split(' ') {
                command = command.find_subcommand(name).expect("a command");
            }
            let listed = [&help.short, &help.hidden].map(|names| names.split_whitespace());
            let explained = help.help.keys().map(String::as_str);
            for name in listed.into_iter().flatten().chain(explained) {
                let is_known = command.get_arguments().any(|arg| arg.get_id() == name);
                assert!(is_known, "{path}: {name}");
            }
        }
    }
}
