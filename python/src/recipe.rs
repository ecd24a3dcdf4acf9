//! Recipes: how documents are compared.

use crate::choices::{refuse_rest, take, words};
use crate::errors::{engine, usage};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use twinsift::recipe::{Body, Content};

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
}

/// Arguments that are no parameters of the engine.
const OTHERS: [&str; 4] = ["content", "body", "antecedents", "stop_words"];

#[pymethods]
impl Recipe {
    #[new]
    #[pyo3(signature = (**parameters))]
    fn new(py: Python<'_>, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let said = match parameters {
            Some(parameters) => parameters.copy()?,
            None => PyDict::new(py),
        };
        let mut choices = take(&said)?;
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
                _ => choices.stop_words = Some(words(name, &value)?),
            }
        }
        refuse_rest(&said, &OTHERS)?;
        let recipe = choices.resolve().map_err(|error| engine(py, &error))?;
        Ok(Self { recipe })
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
        match self.recipe.classifier() {
            Some(by) => Some(by.threshold),
            None => self.recipe.threshold(),
        }
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

    /// A recipe from its JSON.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        let recipe = twinsift::Recipe::from_json(text, None, None);
        let recipe = recipe.map_err(|error| engine(py, &error))?;
        Ok(Self { recipe })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class = py.get_type::<Self>().getattr("from_json")?;
        Ok((class, (self.to_json(),)))
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
