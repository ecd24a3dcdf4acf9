//! Flags and config file, resolved into what the commands work with.

use super::config::{self, RunConfig};
use super::model::{self, AnyModel};
use super::reading::read_options;
use super::{Usual, lexicon, word_lists};
use crate::args::{CommonArgs, MethodFiles, ReadArgs, RunArgs, SourceArgs};
use crate::exit::{bad_input, sentence};
use crate::stored::{self, Stored};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use twinsift::recipe::{Body, Content, IMatch, Matcher, Matching, Method};
use twinsift::settings::available_memory;
use twinsift::{Choices, Recipe, Settings};
use twinsift_index::Searcher;
use twinsift_io::write::{Column, Table, WriteError};
use twinsift_io::{DocumentKind, Inputs, ReadOptions};
use twinsift_learn::classify;

/// Everything a run needs to know.
#[derive(Debug)]
pub struct Run {
    pub inputs: Vec<PathBuf>,
    pub against: Vec<PathBuf>,
    /// What was said of the method, in flags and config file.
    pub choices: Choices,
    pub recipe: Recipe,
    /// The classifier of `--method signals`.
    pub classifier: Option<Arc<classify::Model>>,
    /// What is usual, as long as the kind of the documents is to decide what is looked for.
    usual: Option<Usual>,
    /// The kind of the documents, where it decided that.
    pub kind: Option<DocumentKind>,
    pub settings: Settings,
    pub read: ReadOptions,
    /// How `against` is read.
    pub read_against: ReadOptions,
    /// What the inputs, and those to compare with, were signed with, where they are
    /// files of signatures.
    pub stored: [Option<Stored>; 2],
    /// The index that the inputs are compared with or added to.
    pub index: Option<Searcher>,
    /// Whether documents without a near duplicate are in the results.
    pub lists_all: bool,
    /// Where documents are listed that have too little to be signed.
    pub unsigned: Option<PathBuf>,
    pub strict: bool,
    pub quiet: bool,
    /// Whether text that a spreadsheet would take for a formula is guarded.
    pub spreadsheet_safe: bool,
}

impl Run {
    /// Opens a table of results.
    pub fn table(&self, path: Option<&Path>, columns: &[Column<'_>]) -> Result<Table, WriteError> {
        let table = Table::create(path, columns)?;
        Ok(table.guard_formulas(self.spreadsheet_safe))
    }

    /// Looks for what is usual among documents of this kind, where nothing else was said. Before
    /// it is told, the run looks for copies.
    pub fn tell_kind(&mut self, inputs: &Inputs) -> anyhow::Result<()> {
        let Some(usual) = self.usual.take() else {
            return Ok(());
        };
        let kind = inputs.kind();
        self.kind = Some(kind);
        if let Some(find) = usual.find(kind) {
            (self.choices.find, self.choices.method) = (Some(find), None);
            self.recipe = self.choices.resolve()?;
        }
        Ok(())
    }

    pub fn new(sources: SourceArgs, args: &RunArgs) -> anyhow::Result<Self> {
        Self::with_usual(sources, args, Usual::Copies)
    }

    /// As [`new`](Self::new), with something else that is usual.
    pub fn with_usual(sources: SourceArgs, args: &RunArgs, usual: Usual) -> anyhow::Result<Self> {
        let RunArgs {
            method,
            read,
            common,
        } = args;
        refuse_stdin_twice(&sources)?;
        let (said_by_file, config) = config::load(common.config.as_deref())?;
        let said = Choices {
            seed: common.seed,
            ..method.choices.clone()
        };
        let mut choices = said.or(said_by_file.clone());
        load_word_lists(&method.files, &config, &mut choices)?;
        let classifier = load_model(&method.files, &config, &mut choices)?;
        let settings = settings(common, &config)?;
        let options = read_options(read, common, &config, &settings, choices.model.as_deref())?;
        if let Some(searcher) = find_index(&sources.against)? {
            let is_said = choices != Choices::default() || method.files.lexicon.is_some();
            load_lexicon(&method.files, &config, &options, &settings, &mut choices)?;
            let of_index = Self::of_index(sources, read, common, searcher.clone())?;
            if is_said {
                let asked =
                    Self::resolve(SourceArgs::only(Vec::new()), choices, read, common, &config)?;
                let read_alike = asked.recipe.of_documents_read_for(searcher.recipe());
                searcher.check_recipe(&read_alike)?;
            }
            return Ok(of_index);
        }
        load_lexicon(&method.files, &config, &options, &settings, &mut choices)?;
        let stored = [
            Stored::probe(&sources.inputs, &options)?,
            Stored::probe(&sources.against, &options)?,
        ];
        choose_stored(&mut choices, &stored);
        let is_open = usual.choose(&mut choices);
        let run = Self::resolve(sources, choices, read, common, &config);
        let mut run = run.map_err(|error| match &common.config {
            Some(path) if error.is::<twinsift::Error>() && said_by_file != Choices::default() => {
                bad_input(format!(
                    "{} ({} has a say in this)",
                    sentence(&error),
                    path.display()
                ))
            }
            _ => error,
        })?;
        run.classifier = classifier;
        run.usual = is_open.then_some(usual);
        run.use_stored(stored)?;
        run.settings.join = method.files.join.or(config.join);
        run.unsigned = method.files.unsigned.clone();
        run.check_unsigned()?;
        Ok(run)
    }

    fn check_unsigned(&self) -> anyhow::Result<()> {
        let Some(path) = &self.unsigned else {
            return Ok(());
        };
        if path.as_os_str() == "-" {
            return Err(bad_input(
                "--unsigned names a file: standard output is for results",
            ));
        }
        match self.recipe.spot_rules().is_some() || self.recipe.imatch_rules().is_some() {
            true => Ok(()),
            false => Err(bad_input(
                "--unsigned has no meaning here: it belongs to --method spotsigs, --features spots and --method imatch",
            )),
        }
    }

    /// Takes the inputs that hold signatures for what they are.
    fn use_stored(&mut self, stored: [Option<Stored>; 2]) -> anyhow::Result<()> {
        self.stored = stored;
        let sides = [&mut self.read, &mut self.read_against];
        for (options, stored) in sides.into_iter().zip(&self.stored) {
            if let Some(stored) = stored {
                options.fields = stored::fields(&options.fields, stored.width);
                // Their ids are as results showed them.
                options.fields.id = None;
                options.id_per_file = false;
            }
        }
        for stored in self.stored.iter().flatten() {
            stored.refuse_method(&self.recipe)?;
            self.recipe.check_values()?;
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
        if self.recipe.model().is_some() {
            return first.refuse_recipe(&self.recipe);
        }
        // What they were made with is not needed any more, only how many there are.
        if let Matching::IMatch(_) = self.recipe.matching() {
            self.recipe = (self.choices).resolve_stored(first.width as u32, first.lanes)?;
        }
        Ok(())
    }

    /// Whether there are no documents, only their signatures.
    pub fn is_stored(&self) -> bool {
        self.stored[0].is_some() && (self.stored[1].is_some() || self.against.is_empty())
    }

    /// How documents are compared, in a line.
    pub fn method(&self) -> String {
        match (&self.stored[0], self.recipe.matching()) {
            (Some(stored), Matching::IMatch(IMatch { require, .. })) if self.is_stored() => {
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
        let sources = SourceArgs::only(inputs);
        let choices = Choices {
            fold: said_by_file.fold,
            ..Choices::default()
        };
        Self::resolve(sources, choices, read, common, &config)
    }

    /// A run by the recipe of an index, which says what of a page is compared.
    pub fn of_index(
        sources: SourceArgs,
        read: &ReadArgs,
        common: &CommonArgs,
        searcher: Searcher,
    ) -> anyhow::Result<Self> {
        let (_, config) = config::load(common.config.as_deref())?;
        let mut run = Self::resolve(sources, Choices::default(), read, common, &config)?;
        let recipe = searcher.recipe().clone();
        let is_other = |is_said: bool, is_same: bool| is_said && !is_same;
        if is_other(
            read.content.is_some(),
            run.recipe.content() == recipe.content(),
        ) || is_other(read.body.is_some(), run.recipe.body() == recipe.body())
        {
            return Err(bad_input(
                "the index says what of a page is compared, which is something else: leave out --content and --body",
            ));
        }
        for options in [&mut run.read, &mut run.read_against] {
            options.content = match recipe.content() {
                Content::All => twinsift_io::Content::All,
                _ => twinsift_io::Content::Main,
            };
            options.body = match recipe.body() {
                Body::Fetched => twinsift_io::Body::Fetched,
                _ => twinsift_io::Body::Rendered,
            };
        }
        (run.recipe, run.index) = (recipe, Some(searcher));
        Ok(run)
    }

    /// A run over a collection of a suite, which has methods of its own and says
    /// itself how it is read. Flags win over that.
    pub fn for_suite(
        inputs: Vec<PathBuf>,
        args: &RunArgs,
        read: &RunConfig,
    ) -> anyhow::Result<Self> {
        let sources = SourceArgs::only(inputs);
        let choices = Choices {
            seed: args.common.seed,
            ..Choices::default()
        };
        if args.method.choices != Choices::default() || args.common.config.is_some() {
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
        let read_options = read_options(read, common, config, &settings, choices.model.as_deref())?;
        let choices = Choices {
            content: Some(match read_options.content {
                twinsift_io::Content::All => Content::All,
                _ => Content::Main,
            }),
            body: Some(match read_options.body {
                twinsift_io::Body::Fetched => Body::Fetched,
                _ => Body::Rendered,
            }),
            ..choices
        };
        Ok(Self {
            inputs: sources.inputs,
            against: sources.against,
            recipe: choices.resolve()?,
            unsigned: None,
            classifier: None,
            usual: None,
            kind: None,
            choices,
            read_against: read_options.clone(),
            read: read_options,
            stored: [None, None],
            index: None,
            lists_all: false,
            settings,
            strict: read.strict || config.strict.unwrap_or(false),
            quiet: common.quiet || config.quiet.unwrap_or(false),
            spreadsheet_safe: common.spreadsheet_safe || config.spreadsheet_safe.unwrap_or(false),
        })
    }
}

/// The index among the documents to compare with, opened.
fn find_index(against: &[PathBuf]) -> anyhow::Result<Option<Searcher>> {
    let Some(folder) = against.iter().find(|path| Searcher::is_one(path)) else {
        return Ok(None);
    };
    match against.len() {
        1 => Ok(Some(Searcher::open(folder)?)),
        _ => Err(bad_input(format!(
            "{} is an index: --against takes one of them, and nothing else beside it",
            folder.display()
        ))),
    }
}

fn refuse_stdin_twice(sources: &SourceArgs) -> anyhow::Result<()> {
    let named = sources.inputs.iter().chain(&sources.against);
    match named.filter(|path| path.as_os_str() == "-").count() > 1 {
        true => Err(bad_input(
            "- is named twice, but standard input can be read only once",
        )),
        false => Ok(()),
    }
}

fn load_word_lists(
    files: &MethodFiles,
    config: &RunConfig,
    choices: &mut Choices,
) -> anyhow::Result<()> {
    let antecedents = files.antecedents.as_ref().or(config.antecedents.as_ref());
    let stop_words = files.stop_words.as_ref().or(config.stop_words.as_ref());
    choices.antecedents = word_lists::load("--antecedents", antecedents)?;
    choices.stop_words = word_lists::load("--stop-words", stop_words)?;
    Ok(())
}

/// Loads the model, and returns it if it is a classifier.
fn load_model(
    files: &MethodFiles,
    config: &RunConfig,
    choices: &mut Choices,
) -> anyhow::Result<Option<Arc<classify::Model>>> {
    let Some(path) = files.model.as_ref().or(config.model.as_ref()) else {
        return Ok(None);
    };
    Ok(match model::read_any(path)? {
        AnyModel::Learned(model) => {
            choices.model = Some(Arc::new(model));
            None
        }
        AnyModel::Detector(model) => {
            choices.find = choices.find.or(Some(model.find));
            choices.detector = Some(Arc::new(model.detector));
            None
        }
        AnyModel::Signals(model) => {
            choices.classifier = Some(model.for_recipe());
            Some(Arc::new(model))
        }
    })
}

fn load_lexicon(
    files: &MethodFiles,
    config: &RunConfig,
    options: &ReadOptions,
    settings: &Settings,
    choices: &mut Choices,
) -> anyhow::Result<()> {
    if let Some(path) = files.lexicon.as_ref().or(config.lexicon.as_ref()) {
        // A model undoes disguises in the lexicon itself.
        let fold = choices.fold == Some(true) && choices.model.is_none();
        choices.lexicon = Some(lexicon::load(path, options.clone(), fold, settings)?);
    }
    Ok(())
}

/// Chooses the method of stored signatures where none was named.
fn choose_stored(choices: &mut Choices, stored: &[Option<Stored>; 2]) {
    let signed_by = stored.iter().flatten().map(|stored| stored.method).next();
    if choices.method.is_none() && choices.features.is_none() {
        choices.method = signed_by;
    }
    if matches!(signed_by, Some(Method::Andd | Method::MinHash)) && choices.matcher.is_none() {
        (choices.matcher, choices.no_verify) = (Some(Matcher::Lsh), Some(true));
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
        tmp: tmp.unwrap_or_else(|| defaults.tmp.clone()),
        ..defaults
    })
}
