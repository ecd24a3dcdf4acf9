//! The flags of each command as its help shows them: `-h` the dozen that matter, `--help`
//! all that mean something there. Some of the shared ones say what they mean there.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};

/// What the help of a command shows of its flags.
struct Help {
    command: &'static str,
    /// What `-h` shows, with spaces between.
    short: &'static str,
    /// What is not shown at all, since it means nothing there.
    hidden: &'static str,
}

/// Commands with more flags than one wants to read at once.
const COMMANDS: [Help; 14] = [
    Help {
        command: "pairs",
        short: "\
            against output method threshold content format id_field text_field strict \
            quiet threads memory config",
        hidden: "",
    },
    Help {
        command: "clusters",
        short: "\
            against output group all method threshold content id_field text_field quiet \
            threads memory config",
        hidden: "",
    },
    Help {
        command: "dedup",
        short: "\
            against output keep removed method threshold content id_field text_field quiet \
            threads memory config",
        hidden: "",
    },
    Help {
        command: "compare",
        short: "\
            collection query json method features match threshold model content id_field \
            text_field quiet config",
        hidden: "unsigned join spreadsheet_safe",
    },
    Help {
        command: "eval",
        short: "\
            gold methods suite data report csv json method content id_field text_field \
            quiet threads",
        hidden: "unsigned",
    },
    Help {
        command: "render",
        short: "\
            output allow_host tabs timeout max_size browser no_sandbox format id_field \
            html_field url_field strict quiet",
        hidden: "",
    },
    Help {
        command: "signals",
        short: "\
            pairs signals queries model list output format id_field html_field \
            rendered_field quiet threads config",
        hidden: "content body",
    },
    Help {
        command: "train andd",
        short: "\
            labels output k fold lexicon min_precision content format id_field text_field \
            quiet threads config",
        hidden: "spreadsheet_safe",
    },
    Help {
        command: "train signals",
        short: "\
            pairs output signals queries learner split_by threshold_by study id_field \
            html_field quiet threads config",
        hidden: "content body",
    },
    Help {
        command: "judge",
        short: "\
            runs docs queries qrels model threshold depth output per_query contradictions \
            id_field quiet threads",
        hidden: "",
    },
    Help {
        command: "lexicon",
        short: "\
            output fold min_df max_terms content format id_field text_field strict quiet \
            threads memory config",
        hidden: "spreadsheet_safe",
    },
    Help {
        command: "signatures",
        short: "\
            output method fold model lexicon content format id_field text_field quiet \
            threads memory config",
        // A file of signatures compares nothing, neither documents in full nor signatures.
        hidden: "\
            candidates features match weights similarity threshold join distance no_verify \
            require verify unsigned spots language antecedents stop_words min_spots \
            fallback",
    },
    Help {
        command: "filter",
        short: "\
            against learn remember method threshold fold lexicon format id_field \
            text_field quiet threads config",
        hidden: "candidates unsigned join spreadsheet_safe",
    },
    Help {
        command: "demo",
        short: "documents out show search queries method threshold seed quiet threads",
        hidden: "spreadsheet_safe",
    },
];

/// All commands with their flags as help shows them.
pub fn shown(command: Command) -> Command {
    command.mut_subcommands(|below| shown_below("", below))
}

/// A command whose name follows those of the commands above it.
fn shown_below(above: &str, command: Command) -> Command {
    let path = format!("{above} {}", command.get_name());
    let path = path.trim_start();
    let command = command.mut_subcommands(|below| shown_below(path, below));
    let mut helps = COMMANDS.iter();
    let Some(help) = helps.find(|help| help.command == path) else {
        return command;
    };
    command.mut_args(|arg| {
        let arg = match path {
            "filter" => of_filter(arg),
            "signatures" => of_signatures(arg),
            _ => arg,
        };
        let id = arg.get_id().as_str();
        let is_short = arg.is_positional() || has(help.short, id);
        let is_hidden = arg.is_hide_set() || has(help.hidden, id);
        arg.hide_short_help(!is_short).hide(is_hidden)
    })
}

/// Whether a list of names has this one.
fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|other| other == name)
}

/// What flags mean in `twinsift filter`.
fn of_filter(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "method" => arg
            .value_parser(PossibleValuesParser::new([
                "imatch",
                "supershingles",
                "exact",
                "shingles",
                "spotsigs",
                "minhash",
                "simhash",
                "andd",
            ]))
            .help("How documents are compared [default: imatch, or what KNOWN was signed by]"),
        "lexicon" => arg.help(
            "The lexicon of --method imatch, or of the model: a file of twinsift lexicon, or documents to \
             count [default for imatch: the words of the known documents]",
        ),
        "idf" => arg.help(
            "Only words whose normalised idf, ln(N/df)/ln(N), is in this range count [default: 0.2,0.8]",
        ),
        "format" => arg.help("Read the stream as this format instead of guessing"),
        _ => arg,
    }
}

/// What flags mean in `twinsift signatures`.
fn of_signatures(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "method" => arg
            .value_parser(PossibleValuesParser::new([
                "imatch",
                "supershingles",
                "exact",
                "minhash",
                "andd",
            ]))
            .help("What documents are signed for [default: imatch]"),
        "model" => arg.help("The model of --method andd: a file of twinsift train"),
        "lexicon" => arg.help(
            "The lexicon of --method imatch, which needs one, or of the model: a file of twinsift lexicon, or documents to count",
        ),
        "idf" => arg.help(
            "Only words whose normalised idf, ln(N/df)/ln(N), is in this range count [default: 0.2,0.8]",
        ),
        "bits" => arg.help("Bits of a signature of --method andd, 64 to 4096 [default: 384]"),
        "bands" => arg.help(
            "Bands of min-hashes, of --method minhash and of models of extended Jaccard [default: 128]",
        ),
        "rows" => arg.help("Min-hashes to a band [default: 1]"),
        _ => arg,
    }
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
        for help in &COMMANDS {
            let mut command = &Cli::command();
            for name in help.command.split(' ') {
                command = command.find_subcommand(name).expect("a command");
            }
            for name in [help.short, help.hidden]
                .iter()
                .flat_map(|names| names.split_whitespace())
            {
                let is_known = command.get_arguments().any(|arg| arg.get_id() == name);
                assert!(is_known, "{}: {name}", help.command);
            }
        }
    }
}
