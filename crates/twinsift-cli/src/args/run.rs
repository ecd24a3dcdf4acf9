//! Flags and config file, resolved into what the commands work with.

use super::config::{self, RunConfig};
use super::spots;
use super::{CommonArgs, ReadArgs, RunArgs, SourceArgs};
use crate::exit::bad_input;
use crate::lexicon;
use crate::pages::model::{self, AnyModel};
use crate::stored::{self, Stored};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::Arc;
use twinsift::recipe::{Matching, Method};
use twinsift::settings::available_memory;
use twinsift::sketch::imatch::Digest;
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
    /// How `against` is read.
    pub read_against: ReadOptions,
    /// What the inputs, and those to compare with, were signed with, where they are
    /// files of signatures.
    pub stored: [Option<Stored>; 2],
    /// Where documents are listed that have too little to be signed.
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
        let (said_by_file, config) = config::load(common.config.as_deref())?;
        let mut choices = method.choices(common.seed).or(said_by_file.clone());
        let file = |flag: &Option<PathBuf>, key: &Option<PathBuf>| flag.clone().or(key.clone());
        let antecedents = file(&method.spots.antecedents, &config.antecedents);
        let stop_words = file(&method.spots.stop_words, &config.stop_words);
        choices.antecedents = spots::words("--antecedents", antecedents.as_deref())?;
        choices.stop_words = spots::words("--stop-words", stop_words.as_deref())?;
        let lexicon = file(&method.lexicons.lexicon, &config.lexicon);
        let settings = settings(common, &config)?;
        let options = read_options(read, &config, &settings)?;
        if let Some(path) = file(&method.model, &config.model) {
            match model::read_any(&path)? {
                AnyModel::Learned(model) => choices.model = Some(Arc::new(model)),
                AnyModel::Signals(model) => choices.classifier = Some(Arc::new(model)),
            }
        }
        if let Some(path) = lexicon {
            // A model undoes disguises in the lexicon itself.
            let fold = choices.fold == Some(true) && choices.model.is_none();
            let lexicon = lexicon::load(&path, options.clone(), fold, &settings)?;
            choices.lexicon = Some(lexicon);
        }
        let stored = [
            Stored::probe(&sources.inputs, &options)?,
            Stored::probe(&sources.against, &options)?,
        ];
        // Files of I-Match signatures say themselves what they are.
        let is_imatch = stored.iter().flatten().any(Stored::has_lexicon);
        if is_imatch && choices.method.is_none() && choices.features.is_none() {
            choices.method = Some(Method::IMatch);
        }
        let run = Self::resolve(sources, choices, read, common, &config);
        let mut run = run.map_err(|error| match &common.config {
            Some(path) if error.is::<twinsift::Error>() && said_by_file != Choices::default() => {
                bad_input(format!("{error} ({} has a say in this)", path.display()))
            }
            _ => error,
        })?;
        run.use_stored(stored)?;
        run.settings.join = method.join.or(config.join);
        run.unsigned = method.unsigned.clone();
        if run
            .unsigned
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-")
        {
            return Err(bad_input(
                "--unsigned names a file: standard output is for results",
            ));
        }
        let can_be_unsigned = run.recipe.spots.is_some() || run.recipe.imatch.is_some();
        if run.unsigned.is_some() && !can_be_unsigned {
            return Err(bad_input(
                "--unsigned has no meaning here: it belongs to --method spotsigs, --features spots and --method imatch",
            ));
        }
        Ok(run)
    }

    /// Takes the inputs that hold signatures for what they are.
    fn use_stored(&mut self, stored: [Option<Stored>; 2]) -> anyhow::Result<()> {
        self.stored = stored;
        let sides = [&mut self.read, &mut self.read_against];
        for (options, stored) in sides.into_iter().zip(&self.stored) {
            if let Some(stored) = stored {
                options.fields = stored::fields(&options.fields, stored.width);
            }
        }
        let [Some(first), others] = &self.stored else {
            return match &self.stored[1] {
                Some(old) => old.refuse_recipe(&self.recipe),
                None => Ok(()),
            };
        };
        match others {
            Some(others) => first.refuse_other(others)?,
            None if self.against.is_empty() => {}
            // Documents to compare with are signed as the flags say.
            None => return first.refuse_recipe(&self.recipe),
        }
        // A model says which pairs are near duplicates, so it must be the same one.
        if self.recipe.learned.is_some() {
            return first.refuse_recipe(&self.recipe);
        }
        // What they were made with is not needed any more, only how many there are.
        if let Matching::IMatch { .. } = self.recipe.matching {
            let choices = Choices {
                lexicons: Some(first.width as u32 - 1),
                lexicon: None,
                drop: None,
                digest: None,
                ..self.choices.clone()
            };
            self.recipe = choices.resolve()?;
            if let Some(rules) = &mut self.recipe.imatch {
                rules.digest = match first.lanes {
                    3 => Digest::Sha1,
                    _ => Digest::Sum,
                };
            }
        }
        Ok(())
    }

    /// Whether there are no documents, only their signatures.
    pub fn is_stored(&self) -> bool {
        self.stored[0].is_some() && (self.stored[1].is_some() || self.against.is_empty())
    }

    /// How documents are compared, in a line.
    pub fn method(&self) -> String {
        match (&self.stored[0], self.recipe.matching) {
            (Some(stored), Matching::IMatch { require, .. }) if self.is_stored() => {
                let width = stored.width;
                format!("imatch: stored signatures, {require} of {width} equal")
            }
            _ => self.recipe.to_string(),
        }
    }

    /// A run that only reads, though the config file may say that disguises are undone.
    pub fn of_reading(
        inputs: Vec<PathBuf>,
        read: &ReadArgs,
        common: &CommonArgs,
    ) -> anyhow::Result<Self> {
        let (said_by_file, config) = config::load(common.config.as_deref())?;
        let sources = SourceArgs {
            inputs,
            against: Vec::new(),
        };
        let choices = Choices {
            fold: said_by_file.fold,
            ..Choices::default()
        };
        Self::resolve(sources, choices, read, common, &config)
    }

    /// As [`new`](Self::new), with another default method.
    pub fn with_method(
        sources: SourceArgs,
        mut args: RunArgs,
        default: Method,
    ) -> anyhow::Result<Self> {
        let (choices, _) = config::load(args.common.config.as_deref())?;
        let chosen = args.method.choices(None).or(choices);
        if chosen.method.is_none() && chosen.features.is_none() {
            args.method.method = Some(default);
        }
        Self::new(sources, &args)
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
        let read_options = read_options(read, config, &settings)?;
        Ok(Self {
            inputs: sources.inputs,
            against: sources.against,
            recipe: choices.resolve()?,
            unsigned: None,
            choices,
            read_against: read_options.clone(),
            read: read_options,
            stored: [None, None],
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
            .or(config.threads.map(NonZeroU16::get))
            .map_or(defaults.threads, usize::from),
        memory: asked.or_else(|| available_memory().map(|free| free / 4 * 3)),
        tmp: tmp.unwrap_or(defaults.tmp),
        join: defaults.join,
        crowd: defaults.crowd,
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
        to_copy: false,
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
