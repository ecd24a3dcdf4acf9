//! Choices for a detector, which says everything but its threshold.

use super::Choices;
use crate::detector::{Detector, Find};
use crate::error::{Result, misplaced, refuse};
use crate::recipe::{FeatureRules, Matching, Method, Recipe};

impl Choices {
    /// Whether a detector is to decide. Methods and their parts win over what is looked for.
    pub(super) fn is_detected(&self) -> bool {
        let names_parts =
            self.method.is_some() || self.features.is_some() || self.matcher.is_some();
        let looks_for_more = self.find.is_some_and(|find| find != Find::Copies);
        self.method == Some(Method::Detector)
            || !names_parts && (looks_for_more || self.detector.is_some())
    }

    /// Whether anything was said of how documents are compared, besides how much is enough.
    pub fn names_method(&self) -> bool {
        const OTHERS: [&str; 4] = ["threshold", "content", "body", "seed"];
        self.given().any(|(name, _)| !OTHERS.contains(&name))
    }

    /// The recipe of a detector.
    pub(super) fn resolve_detected(&self) -> Result<Recipe> {
        let find = self.find.unwrap_or(Find::Stories);
        let built_in = || Detector::built_in(find);
        let Some(mut detector) = self.detector.as_deref().copied().or_else(built_in) else {
            return refuse(
                "there is no detector of copies, which are found by the text they share: leave out ‹method› detector",
            );
        };
        self.refuse_parts()?;
        detector.threshold = self.threshold.unwrap_or(detector.threshold);
        Ok(Recipe {
            method: Method::Detector,
            features: FeatureRules::Profile,
            matching: Matching::Detector(detector),
            seed: self.seed.unwrap_or(0),
            ..Recipe::default()
        })
    }

    /// Refuses what other methods are made of.
    fn refuse_parts(&self) -> Result<()> {
        const OWN: [&str; 7] = [
            "method",
            "find",
            "detector",
            "threshold",
            "content",
            "body",
            "seed",
        ];
        match self.given().find(|(name, _)| !OWN.contains(name)) {
            None => Ok(()),
            Some((name, _)) => misplaced(format!(
                "‹{name}› has no meaning here: a detector has its own measure. Leave it out, or name a ‹method›",
            )),
        }
    }
}
