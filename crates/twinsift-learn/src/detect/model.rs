//! A detector in a file, with what is known of its training.

use serde::{Deserialize, Serialize};
use twinsift::{Detector, Find, hash};

/// What the files say they are.
pub const KIND: &str = "detector";

/// The version of the format, raised too when signals change.
pub const VERSION: u32 = 1;

/// A trained detector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    kind: String,
    version: u32,
    made_by: String,
    /// What it looks for.
    pub find: Find,
    /// How it was trained.
    pub training: Training,
    /// The detector.
    pub detector: Detector,
}

/// How a detector was trained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Labelled pairs.
    pub pairs: u64,
    /// Those that are the same.
    pub same: u64,
}

/// Why a file is no detector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Not JSON, or not of this shape.
    #[error("it is no detector: {0}")]
    Shape(String),
    /// A version that this program does not know.
    #[error(
        "it has version {0} of the format, and this program knows version {VERSION}: train it anew"
    )]
    Version(u32),
}

#[derive(Deserialize)]
struct Head {
    kind: String,
    version: u32,
}

impl Model {
    /// A new model.
    pub fn new(find: Find, detector: Detector, training: Training) -> Self {
        Self {
            kind: KIND.to_owned(),
            version: VERSION,
            made_by: concat!("twinsift ", env!("CARGO_PKG_VERSION")).to_owned(),
            find,
            training,
            detector,
        }
    }

    /// Reads a model.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let shape = |error: serde_json::Error| ModelError::Shape(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(shape)?;
        match (head.kind.as_str(), head.version) {
            (KIND, VERSION) => serde_json::from_str(text).map_err(shape),
            (KIND, version) => Err(ModelError::Version(version)),
            (kind, _) => Err(ModelError::Shape(format!("it is of the kind \"{kind}\""))),
        }
    }

    /// A short name that changes whenever anything in the model does.
    pub fn id(&self) -> String {
        format!("{:016x}", hash::bytes(self.spelled().as_bytes()))
    }

    /// The model as text.
    pub fn spelled(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_read_back_and_others_refused() {
        let detector = Detector::built_in(Find::Campaigns).expect("built in");
        let model = Model::new(Find::Campaigns, detector, Training::default());
        let text = model.spelled();
        assert_eq!(Model::parse(&text), Ok(model));
        let later = text.replace("\"version\": 1", "\"version\": 9");
        assert_eq!(Model::parse(&later), Err(ModelError::Version(9)));
        let signals = r#"{"kind": "signals", "version": 2}"#;
        let refused = Model::parse(signals).expect_err("refused").to_string();
        assert!(refused.contains("of the kind \"signals\""));
        assert!(Model::parse("nonsense").is_err());
    }
}
