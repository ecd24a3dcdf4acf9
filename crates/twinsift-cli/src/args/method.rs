//! Flags of methods: one for each parameter that the engine declares, and those that name
//! files or say how a run goes.

use super::groups::named;
use crate::exit::flag;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::path::PathBuf;
use twinsift::Choices;
use twinsift::recipe::{Kind, Name, Parameter};
use twinsift::settings::Join;

/// What was said of the method.
#[derive(Debug, Default)]
pub struct MethodArgs {
    /// The parameters. Lexicons, models and lists of words are in files, which `run` reads.
    pub choices: Choices,
    pub files: MethodFiles,
}

/// Flags of methods that are no parameters by themselves.
#[derive(Debug, Default, Args)]
pub struct MethodFiles {
    /// The model of --method andd or signals: a file of twinsift train
    #[arg(long, value_name = "MODEL", help_heading = "Method")]
    pub model: Option<PathBuf>,
    /// The algorithm of --match join; the result is the same [default: prefix]
    #[arg(long, value_parser = named::<Join>(&["prefix", "spotsigs"]), help_heading = "Method")]
    pub join: Option<Join>,
    /// List the documents that have too few spots or words of the lexicon to be
    /// judged by: id, and how many it has
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    pub unsigned: Option<PathBuf>,
    /// The lexicon of --method imatch: a file of twinsift lexicon, or documents to
    /// count [default: the statistics of the input itself]
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Lexicons",
        display_order = 0
    )]
    pub lexicon: Option<PathBuf>,
    /// A file with antecedents, in place of the language's (see twinsift spots)
    #[arg(long, value_name = "FILE", help_heading = "Spots")]
    pub antecedents: Option<PathBuf>,
    /// A file with stop words, in place of the language's
    #[arg(long, value_name = "FILE", help_heading = "Spots")]
    pub stop_words: Option<PathBuf>,
}

/// The parameters that are flags of methods. The seed belongs to commands without a method
/// too, so it is among the flags of running.
fn parameters() -> impl Iterator<Item = &'static Parameter> {
    let all = Choices::parameters().iter();
    all.filter(|parameter| parameter.name != "seed")
}

impl Args for MethodArgs {
    fn augment_args(command: Command) -> Command {
        let command = command.args(parameters().map(arg));
        MethodFiles::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for MethodArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for parameter in parameters() {
            let mut set = |text: &str| {
                let done = parameter.set(&mut self.choices, text);
                done.map_err(|why| clap::Error::raw(ErrorKind::ValueValidation, why))
            };
            if parameter.kind == Kind::Switch {
                if matches.get_flag(parameter.name) {
                    set("true")?;
                }
                continue;
            }
            let texts = matches.get_many::<String>(parameter.name);
            texts.into_iter().flatten().try_for_each(|text| set(text))?;
        }
        self.files = MethodFiles::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The flag of a parameter.
fn arg(parameter: &'static Parameter) -> Arg {
    let long = |name: &str| name.replace('_', "-");
    let mut help = parameter.about(flag);
    if let Some(default) = parameter.default {
        help += &format!(" [default: {default}]");
    }
    let arg = Arg::new(parameter.name)
        .long(long(parameter.name))
        .aliases(parameter.earlier.iter().map(|name| long(name)))
        .help(help)
        .help_heading(parameter.heading);
    let value = parameter.value.map(str::to_owned);
    let arg = arg.value_name(value.unwrap_or_else(|| parameter.name.to_uppercase()));
    match &parameter.kind {
        Kind::Switch => arg.action(ArgAction::SetTrue),
        Kind::Name(names) => {
            let value = |name: &Name| PossibleValue::new(name.name).aliases(name.earlier.clone());
            let values: Vec<_> = names.iter().map(value).collect();
            arg.value_parser(PossibleValuesParser::new(values))
        }
        kind => {
            let arg = match kind {
                Kind::Texts => arg.action(ArgAction::Append),
                _ => arg,
            };
            arg.value_parser(|text: &str| {
                parameter
                    .set(&mut Choices::default(), text)
                    .map(|()| text.to_owned())
            })
        }
    }
}
