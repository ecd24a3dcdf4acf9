//! Signals by name, and named sets of them.

use super::{Measure, Signal, Source};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Sets of signals by name: those of the paper's Table 1, and ours.
pub mod sets {
    use super::{Measure, Signal, Source};
    use Measure::{Mcd, SameDomain, SameTitle, SimHashDistance, TfIdfDistance};

    /// The names, with what each holds.
    pub const NAMES: [(&str, &str); 9] = [
        ("all", "every signal"),
        (
            "F",
            "the paper's: same domain, same title, mcd, simhash and tf-idf of fetched bodies",
        ),
        ("R", "the same of rendered bodies"),
        ("FS", "snippets of fetched bodies"),
        ("RS", "snippets of rendered bodies"),
        (
            "fetched",
            "everything of fetched bodies but main content and snippets",
        ),
        ("main", "the main content of fetched bodies"),
        (
            "rendered",
            "everything of rendered bodies but main content and snippets",
        ),
        ("rendered_main", "the main content of rendered bodies"),
    ];

    /// The signals of a set; `None` if there is no such set.
    pub fn of(name: &str) -> Option<Vec<Signal>> {
        let paper = [SameDomain, SameTitle, Mcd, SimHashDistance, TfIdfDistance];
        let is_main = |signal: &Signal| signal.measure.is_of_main_content();
        let is_snippet = |signal: &Signal| signal.measure == Measure::SnippetMcd;
        let pick = |source: Source, fits: &dyn Fn(&Signal) -> bool| {
            let mut list = Signal::all();
            list.retain(|signal| signal.source == source && fits(signal));
            Some(list)
        };
        let in_paper = |signal: &Signal| paper.contains(&signal.measure);
        let plain = |signal: &Signal| !is_main(signal) && !is_snippet(signal);
        match name {
            "all" => Some(Signal::all()),
            "F" => pick(Source::Fetched, &in_paper),
            "R" => pick(Source::Rendered, &in_paper),
            "FS" => pick(Source::Fetched, &is_snippet),
            "RS" => pick(Source::Rendered, &is_snippet),
            "fetched" => pick(Source::Fetched, &plain),
            "rendered" => pick(Source::Rendered, &plain),
            "main" => pick(Source::Fetched, &is_main),
            "rendered_main" => pick(Source::Rendered, &is_main),
            _ => None,
        }
    }
}

/// A name that no signal and no set of signals has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no signal \"{0}\"")]
pub struct UnknownSignal(pub String);

impl Signal {
    /// Its name, which is that of its column: `mcd`, `rendered_mcd`.
    pub fn name(self) -> String {
        let name = self.measure.about().name;
        match self.source {
            Source::Fetched => name.to_owned(),
            Source::Rendered => format!("rendered_{name}"),
        }
    }

    /// The signal of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|signal| signal.name() == name)
    }

    /// The signals that names of signals and of [`sets`] stand for, each once, in the
    /// order of [`all`](Self::all).
    pub fn of_names<S: AsRef<str>>(names: &[S]) -> Result<Vec<Self>, UnknownSignal> {
        let mut wanted = Vec::new();
        for name in names {
            let name = name.as_ref();
            let found = sets::of(name).or_else(|| Self::of_name(name).map(|one| vec![one]));
            wanted.extend(found.ok_or_else(|| UnknownSignal(name.to_owned()))?);
        }
        let mut list = Self::all();
        list.retain(|signal| wanted.contains(signal));
        Ok(list)
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl Serialize for Signal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Signal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::of_name(&name).ok_or_else(|| serde::de::Error::custom(UnknownSignal(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_signal_is_found_by_its_name() {
        let names: BTreeSet<String> = Signal::all().into_iter().map(Signal::name).collect();
        assert_eq!(names.len(), Signal::all().len());
        for signal in Signal::all() {
            assert_eq!(Signal::of_name(&signal.name()), Some(signal));
        }
    }

    #[test]
    fn costs_rise_along_the_list() {
        let costs = Measure::ALL.map(|measure| measure.about().cost);
        assert!(costs.is_sorted());
    }

    #[test]
    fn sets_are_those_of_the_paper() {
        let names = |set: &[&str]| -> Vec<String> {
            let list = Signal::of_names(set).expect("known");
            list.into_iter().map(Signal::name).collect()
        };
        assert_eq!(
            names(&["F", "FS"]),
            [
                "same_domain",
                "same_title",
                "simhash_distance",
                "tfidf_distance",
                "snippet_mcd",
                "mcd"
            ]
        );
        assert_eq!(
            names(&["RS", "same_title"]),
            ["same_title", "rendered_snippet_mcd"]
        );
        assert!(sets::NAMES.iter().all(|(name, _)| sets::of(name).is_some()));
        let parts = ["fetched", "main", "FS", "rendered", "rendered_main", "RS"];
        assert_eq!(names(&parts), names(&["all"]));
        let error = Signal::of_names(&["nonsense"]).expect_err("unknown");
        assert_eq!(error, UnknownSignal("nonsense".into()));
    }
}
