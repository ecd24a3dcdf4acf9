//! Models from files.

use crate::exit::{bad_input, plain};
use std::path::Path;
use twinsift::features::learned::model as learned;
use twinsift_learn::classify::Model;
use twinsift_learn::classify::model::KIND;
use twinsift_learn::detect;

/// What a file says.
pub fn text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).map_err(|error| {
        let why = plain(&error.to_string());
        bad_input(format!("cannot read the model {}: {why}", path.display()))
    })
}

/// A model of any kind.
pub enum AnyModel {
    Learned(learned::Model),
    Signals(Model),
    Detector(detect::Model),
}

/// The model in a file, which says itself of which kind it is.
pub fn read_any(path: &Path) -> anyhow::Result<AnyModel> {
    let text = text(path)?;
    let kind = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|model| Some(model.get("kind")?.as_str()?.to_owned()));
    match kind.as_deref() {
        Some(KIND) => Ok(AnyModel::Signals(parse(path, &text)?)),
        Some(detect::model::KIND) => Ok(AnyModel::Detector(parse_detector(path, &text)?)),
        // It says itself what is wrong with other files.
        _ => Ok(AnyModel::Learned(learned::Model::open(path)?)),
    }
}

/// The detector that a file's text is.
fn parse_detector(path: &Path, text: &str) -> anyhow::Result<detect::Model> {
    detect::Model::parse(text).map_err(|why| unusable(path, &why))
}

fn unusable(path: &Path, why: &dyn std::fmt::Display) -> anyhow::Error {
    let path = path.display();
    bad_input(format!("{path} cannot be used as a model: {why}"))
}

/// The model of signals in a file.
pub fn read(path: &Path) -> anyhow::Result<Model> {
    parse(path, &text(path)?)
}

/// The model of signals that a file's text is.
pub fn parse(path: &Path, text: &str) -> anyhow::Result<Model> {
    Model::parse(text).map_err(|why| unusable(path, &why))
}
