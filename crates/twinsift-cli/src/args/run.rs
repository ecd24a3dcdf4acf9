//! Flags and config file, resolved into what the commands work with.

use super::config::{self, RunConfig};
use super::spots;
use super::{CommonArgs, ReadArgs, RunArgs, SourceArgs};
use crate::exit::bad_input;
use std::path::PathBuf;
use twinsift::settings::available_memory;
use twinsift::{Choices, Keep, Recipe, Settings};
use twinsift_io::{Body, Content, FieldNames, Format, ReadOptions};

pub use super::sizes::show_size;

/// Everything a run needs to know.
#[derive(Debug)]
pub struct Run {
    pub inputs: Vec<PathBuf>,
    pub against: Vec<PathBuf>,
    /// What was said of the method, in flags and config file.
    pub choices: Choices,
    pub recipe: Recipe,
    pub settings: Settings,
    pub read: ReadOptions,
    /// Where documents with too few spots are listed.
    pub unsigned: Option<PathBuf>,
    pub strict: bool,
    pub quiet: bool,
}

impl Run {
    pub fn new(sources: SourceArgs, args: &RunArgs) -> anyhow::Result<Self> {
        let RunArgs {
            method,
            read,
            common,
        } = args;
        let named = sources.inputs.iter().chain(&sources.against);
        if named.filter(|path| path.as_os_str() == "-").count() > 1 {
            return Err(bad_input(
                "- is named twice, but standard input can be read only once",
            ));
        }
        let (choices, config) = config::load(common.config.as_deref())?;
        let mut choices = method.choices(common.seed).or(choices);
        let file = |flag: &Option<PathBuf>, key: &Option<PathBuf>| flag.clone().or(key.clone());
        let antecedents = file(&method.spots.antecedents, &config.antecedents);
        let stop_words = file(&method.spots.stop_words, &config.stop_words);
        choices.antecedents = spots::words("--antecedents", antecedents.as_deref())?;
        choices.stop_words = spots::words("--stop-words", stop_words.as_deref())?;
        let mut run = Self::resolve(sources, choices, read, common, &config)?;
        run.settings.join = method.join.or(config.join);
        run.unsigned = method.spots.unsigned.clone();
        if run.unsigned.is_some() && run.recipe.spots.is_none() {
            return Err(bad_input(
                "--unsigned has no meaning here: it belongs to --method spotsigs and --features spots",
            ));
        }
        Ok(run)
    }

    /// A run over a collection of a suite, which has methods of its own and says
    /// itself how it is read. Flags win over that.
    pub fn for_suite(
        inputs: Vec<PathBuf>,
        args: &RunArgs,
        read: &RunConfig,
    ) -> anyhow::Result<Self> {
        let sources = SourceArgs {
            inputs,
            against: Vec::new(),
        };
        let choices = Choices {
            seed: args.common.seed,
            ..Choices::default()
        };
        if args.method.choices(args.common.seed) != choices || args.common.config.is_some() {
            return Err(bad_input(
                "a suite lists its own methods: leave out --config and the flags of methods",
            ));
        }
        Self::resolve(sources, choices, &args.read, &args.common, read)
    }

    fn resolve(
        sources: SourceArgs,
        choices: Choices,
        read: &ReadArgs,
        common: &CommonArgs,
        config: &RunConfig,
    ) -> anyhow::Result<Self> {
        let settings = settings(common, config)?;
        Ok(Self {
            inputs: sources.inputs,
            against: sources.against,
            recipe: choices.resolve()?,
            unsigned: None,
            choices,
            read: read_options(read, config, &settings)?,
            settings,
            strict: read.strict || config.strict.unwrap_or(false),
            quiet: common.quiet || config.quiet.unwrap_or(false),
        })
    }
}

fn settings(common: &CommonArgs, config: &RunConfig) -> anyhow::Result<Settings> {
    let defaults = Settings::default();
    let asked = common.memory.or(config.memory_bytes()?);
    let tmp = common.tmp.clone().or_else(|| config.tmp.clone());
    if let Some(folder) = tmp.as_deref().filter(|folder| !folder.is_dir()) {
        let name = folder.display();
        return Err(bad_input(format!(
            "--tmp {name} is not a folder: make it, or name another"
        )));
    }
    Ok(Settings {
        threads: common
            .threads
            .or(config.threads)
            .map_or(defaults.threads, usize::from),
        memory: asked.or_else(|| available_memory().map(|free| free / 4 * 3)),
        tmp: tmp.unwrap_or(defaults.tmp),
        join: defaults.join,
    })
}

fn read_options(
    read: &ReadArgs,
    config: &RunConfig,
    settings: &Settings,
) -> anyhow::Result<ReadOptions> {
    let either = |flag: &Option<String>, file: &Option<String>| flag.clone().or(file.clone());
    let content = match either(&read.content, &config.content).as_deref() {
        Some("all") => Content::All,
        None | Some("main") => Content::Main,
        Some(other) => {
            return Err(bad_input(format!(
                "content \"{other}\" is unknown: use all or main"
            )));
        }
    };
    let asked = either(&read.body, &config.body);
    let body = match asked.as_deref() {
        None | Some("rendered") => Body::Rendered,
        Some("fetched") => Body::Fetched,
        Some(other) => {
            return Err(bad_input(format!(
                "body \"{other}\" is unknown: use fetched or rendered"
            )));
        }
    };
    // To ask for it is to name its usual field, which then wins over other names.
    let usual = (asked.is_some() && body == Body::Rendered).then(|| "rendered".to_owned());
    let format = match either(&read.format, &config.format) {
        None => None,
        Some(name) => Some(
            Format::of_extension(&name)
                .ok_or_else(|| bad_input(format!("the format \"{name}\" is unknown")))?,
        ),
    };
    Ok(ReadOptions {
        fields: FieldNames {
            id: either(&read.id_field, &config.id_field),
            text: either(&read.text_field, &config.text_field),
            html: either(&read.html_field, &config.html_field),
            rendered: either(&read.rendered_field, &config.rendered_field).or(usual),
            title: either(&read.title_field, &config.title_field),
            url: either(&read.url_field, &config.url_field),
            ..FieldNames::default()
        },
        content,
        body,
        format,
        spool_stdin: false,
        tmp: settings.tmp.clone(),
    })
}

/// A keep rule, and the field that it looks at.
pub fn keep_rule(rule: &str) -> anyhow::Result<(Keep, Option<String>)> {
    let field = |name: &str| match name {
        "" => Err(bad_input(format!(
            "--keep {rule} names no field: write {rule}FIELD"
        ))),
        name => Ok(Some(name.to_owned())),
    };
    Ok(match rule.split_once(':') {
        None if rule == "first" => (Keep::First, None),
        None if rule == "longest" => (Keep::Longest, None),
        Some(("max", name)) => (Keep::MaxRank, field(name)?),
        Some(("min", name)) => (Keep::MinRank, field(name)?),
        _ => {
            return Err(bad_input(format!(
                "--keep {rule} is unknown: use first, longest, max:FIELD or min:FIELD"
            )));
        }
    })
}
