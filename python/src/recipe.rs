//! Recipes: how documents are compared.

use crate::choices::{refuse_rest, take, words};
use crate::errors::{engine, usage};
use crate::lexicon::Lexicon;
use crate::model::{AnyModel, Model};
use crate::reading::Reading;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;
use twinsift::recipe::{Body, Content};
use twinsift::{Choices, Find};
use twinsift_io::{DocumentKind, Inputs};
use twinsift_learn::classify;

/// How documents are compared: a method, or its parts, and their parameters.
///
/// >>> import twinsift
/// >>> recipe = twinsift.Recipe(method="minhash", threshold=0.7)
/// >>> recipe
/// Recipe(minhash: word 5-grams, min-hash 25 bands x 5 rows, verified Jaccard ≥ 0.7)
/// >>> recipe == twinsift.Recipe.from_json(recipe.to_json())
/// True
#[pyclass(module = "twinsift", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub(crate) recipe: twinsift::Recipe,
    /// The classifier of its pairs, if it has one.
    pub(crate) classifier: Option<Arc<classify::Model>>,
}

/// Arguments that the engine takes as values of their own.
const OTHERS: [&str; 6] = [
    "content",
    "body",
    "antecedents",
    "stop_words",
    "lexicon",
    "model",
];

/// What a recipe is made of again: JSON, lexicon and model.
type Parts = (String, Option<Lexicon>, Option<Model>);

impl Recipe {
    /// A recipe of these parameters; where they name no method, it looks for what is `usual`.
    fn of(
        py: Python<'_>,
        parameters: Option<&Bound<'_, PyDict>>,
        usual: Option<Find>,
    ) -> PyResult<Self> {
        let said = match parameters {
            Some(parameters) => parameters.copy()?,
            None => PyDict::new(py),
        };
        let mut choices = take(&said)?;
        let mut classifier = None;
        for name in OTHERS {
            let Some(value) = said.get_item(name)? else {
                continue;
            };
            said.del_item(name)?;
            if value.is_none() {
                continue;
            }
            match name {
                "content" => choices.content = Some(content(&value)?),
                "body" => choices.body = Some(body(&value)?),
                "antecedents" => choices.antecedents = Some(words(name, &value)?),
                "stop_words" => choices.stop_words = Some(words(name, &value)?),
                "lexicon" => choices.lexicon = Some(lexicon(&value)?.lexicon),
                _ => match model(&value)?.of {
                    AnyModel::Andd(model) => choices.model = Some(model),
                    AnyModel::Detector(model) => {
                        choices.find = choices.find.or(Some(model.find));
                        choices.detector = Some(Arc::new(model.detector));
                    }
                    AnyModel::Signals(model) => {
                        choices.classifier = Some(model.for_recipe());
                        classifier = Some(model);
                    }
                },
            }
        }
        read_as_model(py, &mut choices)?;
        refuse_rest(&said, &OTHERS)?;
        if !choices.names_method() {
            choices.find = usual;
        }
        let recipe = choices.resolve().map_err(|error| engine(py, &error))?;
        Ok(Self { recipe, classifier })
    }
}

/// A recipe of these parameters; where they name no method, it looks for what is usual among
/// records with these columns.
#[pyfunction]
pub(crate) fn usual_recipe(
    py: Python<'_>,
    columns: Vec<String>,
    reading: Reading,
    parameters: &Bound<'_, PyDict>,
) -> PyResult<Recipe> {
    let kind = DocumentKind::of_fields(&reading.names(), |name| columns.iter().any(|c| c == name));
    Recipe::of(py, Some(parameters), Some(kind.usual_find()))
}

/// The same for files.
#[pyfunction]
pub(crate) fn usual_recipe_of_files(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    reading: Reading,
    parameters: &Bound<'_, PyDict>,
) -> PyResult<Recipe> {
    let options = reading.options(py, &twinsift::Recipe::default(), &std::env::temp_dir())?;
    let inputs = Inputs::open(&paths, options);
    // What cannot be opened is refused when it is read.
    let find = inputs.ok().map(|inputs| inputs.kind().usual_find());
    Recipe::of(py, Some(parameters), find)
}

#[pymethods]
impl Recipe {
    #[new]
    #[pyo3(signature = (**parameters))]
    fn new(py: Python<'_>, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::of(py, parameters, None)
    }

    /// A short name that changes whenever anything in the recipe does.
    #[getter]
    fn id(&self) -> String {
        self.recipe.id()
    }

    /// The preset that it started from.
    #[getter]
    fn method(&self) -> String {
        let spelled = serde_json::to_value(self.recipe.method()).ok();
        let name = spelled.and_then(|name| name.as_str().map(str::to_owned));
        name.unwrap_or_default()
    }

    /// The least similarity of near duplicates, where the method has one.
    #[getter]
    fn threshold(&self) -> Option<f64> {
        self.recipe.least_score()
    }

    /// Seed of everything random.
    #[getter]
    fn seed(&self) -> u64 {
        self.recipe.seed()
    }

    /// The recipe as JSON, with its lexicon and model as their ids.
    fn to_json(&self) -> String {
        self.recipe.to_json()
    }

    /// A recipe from its JSON, with the lexicon and the model that it was made with.
    #[staticmethod]
    #[pyo3(signature = (text, lexicon=None, model=None))]
    fn from_json(
        py: Python<'_>,
        text: &str,
        lexicon: Option<&Bound<'_, Lexicon>>,
        model: Option<&Bound<'_, Model>>,
    ) -> PyResult<Self> {
        let lexicon = lexicon.map(|lexicon| Arc::clone(&lexicon.get().lexicon));
        let (mut learned, mut classifier) = (None, None);
        match model.map(|model| model.get().of.clone()) {
            Some(AnyModel::Andd(model)) => learned = Some(model),
            Some(AnyModel::Signals(model)) => classifier = Some(model),
            // The detector is part of the recipe's JSON.
            Some(AnyModel::Detector(_)) | None => {}
        }
        let recipe = twinsift::Recipe::from_json(text, lexicon, learned);
        let recipe = recipe.map_err(|error| engine(py, &error))?;
        let asked = recipe.classifier().map(|by| by.model.clone());
        if asked != classifier.as_ref().map(|model| model.id()) {
            let asked = asked.unwrap_or_else(|| "no classifier".to_owned());
            let sentence = format!("this recipe needs {asked}: hand it over with model=");
            return Err(usage(py, sentence));
        }
        Ok(Self { recipe, classifier })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let class = py.get_type::<Self>().getattr("from_json")?;
        let lexicon = self.recipe.lexicon().map(|lexicon| Lexicon {
            lexicon: Arc::clone(lexicon),
        });
        let learned = self.recipe.model().cloned().map(AnyModel::Andd);
        let model = learned.or(self.classifier.clone().map(AnyModel::Signals));
        let model = model.map(|of| Model { of });
        Ok((class, (self.to_json(), lexicon, model)))
    }

    fn __repr__(&self) -> String {
        format!("Recipe({})", self.recipe)
    }

    fn __str__(&self) -> String {
        self.recipe.to_string()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.recipe == other.recipe
    }

    fn __hash__(&self) -> u64 {
        twinsift::hash::bytes(self.recipe.id().as_bytes())
    }
}

/// A lexicon, or the one in a file.
fn lexicon(value: &Bound<'_, PyAny>) -> PyResult<Lexicon> {
    match value.cast::<Lexicon>() {
        Ok(lexicon) => Ok(lexicon.get().clone()),
        Err(_) => Lexicon::load(value.py(), value.extract()?),
    }
}

/// A model, or the one in a file.
fn model(value: &Bound<'_, PyAny>) -> PyResult<Model> {
    match value.cast::<Model>() {
        Ok(model) => Ok(model.get().clone()),
        Err(_) => Model::load(value.py(), value.extract()?),
    }
}

/// Has pages read as those were that a model was made of.
fn read_as_model(py: Python<'_>, choices: &mut Choices) -> PyResult<()> {
    let Some(reading) = choices
        .model
        .as_ref()
        .and_then(|model| model.reading.clone())
    else {
        return Ok(());
    };
    let made_of_all = reading.content == "all";
    let made_of_fetched = reading.body.as_deref() == Some("fetched");
    let content = match made_of_all {
        true => Content::All,
        false => Content::Main,
    };
    let body = match made_of_fetched {
        true => Body::Fetched,
        false => Body::Rendered,
    };
    if *choices.content.get_or_insert(content) != content
        || *choices.body.get_or_insert(body) != body
    {
        let body = reading.body.as_deref().unwrap_or("rendered");
        let sentence = format!(
            "the model was trained with content=\"{}\" and body=\"{body}\": leave them out, or train it again",
            reading.content
        );
        return Err(usage(py, sentence));
    }
    Ok(())
}

fn content(value: &Bound<'_, PyAny>) -> PyResult<Content> {
    match value.extract::<String>()?.as_str() {
        "main" => Ok(Content::Main),
        "all" => Ok(Content::All),
        other => Err(usage(
            value.py(),
            format!("content= \"{other}\" is unknown: use \"all\" or \"main\""),
        )),
    }
}

fn body(value: &Bound<'_, PyAny>) -> PyResult<Body> {
    match value.extract::<String>()?.as_str() {
        "rendered" => Ok(Body::Rendered),
        "fetched" => Ok(Body::Fetched),
        other => Err(usage(
            value.py(),
            format!("body= \"{other}\" is unknown: use \"fetched\" or \"rendered\""),
        )),
    }
}
