//! What pairs of equal signatures are held against.

use crate::similarity::Similarity;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A second look at pairs of equal signatures, on all words of both documents. Written
/// as `cosine:0.9`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Verify {
    /// The measure.
    pub similarity: Similarity,
    /// The least similarity.
    pub threshold: f64,
}

impl TryFrom<String> for Verify {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || {
            format!(
                "\"{text}\" is not a measure and a threshold above 0 and at most 1, such as cosine:0.9"
            )
        };
        let (name, threshold) = text.split_once(':').ok_or_else(wrong)?;
        let similarity = match name {
            "jaccard" => Similarity::Jaccard,
            "cosine" => Similarity::Cosine,
            "extended-jaccard" => Similarity::ExtendedJaccard,
            _ => return Err(wrong()),
        };
        let threshold: f64 = threshold.parse().map_err(|_| wrong())?;
        match threshold > 0.0 && threshold <= 1.0 {
            true => Ok(Self {
                similarity,
                threshold,
            }),
            false => Err(wrong()),
        }
    }
}

impl From<Verify> for String {
    fn from(verify: Verify) -> Self {
        verify.to_string()
    }
}

impl fmt::Display for Verify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.similarity {
            Similarity::Jaccard => "jaccard",
            Similarity::Cosine => "cosine",
            Similarity::ExtendedJaccard => "extended-jaccard",
        };
        write!(f, "{name}:{}", self.threshold)
    }
}
