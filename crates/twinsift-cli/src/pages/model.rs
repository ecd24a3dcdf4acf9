//! Models from files.

use crate::exit::{bad_input, plain};
use std::path::Path;
use twinsift::classify::Model;

/// What a file says.
pub fn text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).map_err(|error| {
        let why = plain(&error.to_string());
        bad_input(format!("cannot read the model {}: {why}", path.display()))
    })
}

/// The model of signals in a file.
pub fn read(path: &Path) -> anyhow::Result<Model> {
    parse(path, &text(path)?)
}

/// The model of signals that a file's text is.
pub fn parse(path: &Path, text: &str) -> anyhow::Result<Model> {
    Model::parse(text).map_err(|why| {
        bad_input(format!(
            "{} cannot be used as a model: {why}",
            path.display()
        ))
    })
}
