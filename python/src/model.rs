//! Models that were learnt from labels.

use crate::errors::{input, usage};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use twinsift::features::learned::model as learned;
use twinsift_learn::{classify, detect};

/// A model that was learnt from labels: of `train_andd`, `train_signals` or `train_detector`, or a
/// file of the command `twinsift train`.
#[pyclass(module = "twinsift", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) of: AnyModel,
}

#[derive(Clone, Debug)]
pub(crate) enum AnyModel {
    /// Weights of k-grams.
    Andd(Arc<learned::Model>),
    /// A classifier of pairs.
    Signals(Arc<classify::Model>),
    /// A detector.
    Detector(Arc<detect::Model>),
}

impl Model {
    fn parsed(py: Python<'_>, text: &str, name: &str, path: Option<&Path>) -> PyResult<Self> {
        let kind = serde_json::from_str::<serde_json::Value>(text)
            .ok()
            .and_then(|model| Some(model.get("kind")?.as_str()?.to_owned()));
        let unusable = |why: &dyn std::fmt::Display| {
            input(py, format!("{name} cannot be used as a model: {why}"))
        };
        let parsed = match kind.as_deref() {
            Some(classify::model::KIND) => {
                let model = classify::Model::parse(text).map_err(|why| unusable(&why))?;
                Some(AnyModel::Signals(Arc::new(model)))
            }
            Some(detect::model::KIND) => {
                let model = detect::Model::parse(text).map_err(|why| unusable(&why))?;
                Some(AnyModel::Detector(Arc::new(model)))
            }
            _ => None,
        };
        if let Some(of) = parsed {
            return Ok(Self { of });
        }
        let model = match path {
            Some(path) => learned::Model::open(path),
            None => learned::Model::parse(text, name),
        };
        let model = model.map_err(|error| input(py, error.to_string()))?;
        if path.is_none() && model.query_log.is_some() {
            let why = "has queries in a file of its own, which are not in its JSON: load it";
            return Err(input(py, format!("{name} {why}")));
        }
        Ok(Self {
            of: AnyModel::Andd(Arc::new(model)),
        })
    }
}

#[pymethods]
impl Model {
    /// Read a model from a file.
    #[staticmethod]
    pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| input(py, format!("cannot read the model {name}: {error}")))?;
        Self::parsed(py, &text, &name, Some(&path))
    }

    /// A model from its JSON.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        Self::parsed(py, text, "this text", None)
    }

    /// The model as JSON, which is what its file holds.
    fn to_json(&self) -> String {
        match &self.of {
            AnyModel::Andd(model) => model.to_json(),
            AnyModel::Signals(model) => model.spelled(),
            AnyModel::Detector(model) => model.spelled(),
        }
    }

    /// Write the model to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        if let AnyModel::Andd(model) = &self.of
            && model.query_log.is_some()
        {
            let why = "this model has queries in a file of its own: copy both files";
            return Err(usage(py, why));
        }
        Ok(std::fs::write(path, self.to_json())?)
    }

    /// What kind of model it is: "andd", "signals" or "detector".
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.of {
            AnyModel::Andd(_) => learned::KIND,
            AnyModel::Signals(_) => classify::model::KIND,
            AnyModel::Detector(_) => detect::model::KIND,
        }
    }

    /// A short name that tells it from others.
    #[getter]
    fn id(&self) -> String {
        match &self.of {
            AnyModel::Andd(model) => model.id(),
            AnyModel::Signals(model) => model.id(),
            AnyModel::Detector(model) => model.id(),
        }
    }

    /// Pairs with at least this score are near duplicates, unless told otherwise.
    #[getter]
    fn threshold(&self) -> f64 {
        match &self.of {
            AnyModel::Andd(model) => model.threshold,
            AnyModel::Signals(model) => model.threshold,
            AnyModel::Detector(model) => model.detector.threshold,
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let from_json = py.get_type::<Self>().getattr("from_json")?;
        Ok((from_json, (self.to_json(),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.id() == other.id()
    }

    fn __hash__(&self) -> u64 {
        twinsift::hash::bytes(self.id().as_bytes())
    }

    fn __repr__(&self) -> String {
        format!("<twinsift.Model {}: {}>", self.kind(), self.id())
    }
}
