//! Weights of signals, by name.

use super::signals::{COUNT, NAMES};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// How much each signal counts, then how much the log-odds of each do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights(pub [f32; 2 * COUNT]);

/// The weights of a signal as they are written down.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    value: f32,
    log_odds: f32,
}

impl Serialize for Weights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (values, log_odds) = self.0.split_at(COUNT);
        let both = values.iter().zip(log_odds);
        let written = both.map(|(&value, &log_odds)| Written { value, log_odds });
        serializer.collect_map(NAMES.iter().zip(written))
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut written = BTreeMap::<String, Written>::deserialize(deserializer)?;
        let mut weights = [0.0; 2 * COUNT];
        for (at, name) in NAMES.iter().enumerate() {
            if let Some(Written { value, log_odds }) = written.remove(*name) {
                (weights[at], weights[COUNT + at]) = (value, log_odds);
            }
        }
        match written.into_keys().next() {
            None => Ok(Self(weights)),
            Some(name) => Err(D::Error::custom(format!("there is no signal \"{name}\""))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_written_by_name_and_read_back() {
        let weights = Weights(std::array::from_fn(|at| at as f32 / 8.0 - 1.0));
        let written = serde_json::to_string(&weights).expect("written");
        assert!(written.starts_with(r#"{"word_cosine":{"value":-1.0,"log_odds":1.125}"#));
        let read: Weights = serde_json::from_str(&written).expect("read");
        assert_eq!(read, weights);
        let few: Weights = serde_json::from_str("{}").expect("read");
        assert_eq!(few.0, [0.0; 2 * COUNT]);
        let unknown = r#"{"wrod_cosine": {"value": 1, "log_odds": 0}}"#;
        let refused = serde_json::from_str::<Weights>(unknown).expect_err("refused");
        assert!(refused.to_string().contains("wrod_cosine"));
    }
}
