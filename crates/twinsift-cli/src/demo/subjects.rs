//! What stories are about: one file per subject.

use serde::Deserialize;
use std::sync::LazyLock;

/// A subject: everything needed to tell stories of one kind. The strings are
/// patterns of the [grammar](super::grammar).
#[derive(Deserialize)]
pub(super) struct Subject {
    /// The part of a paper that such stories stand in.
    pub(super) section: String,
    /// Names and figures that stay the same throughout a story. Later ones may
    /// use earlier ones.
    pub(super) cast: Vec<(String, String)>,
    /// Headlines.
    pub(super) headlines: Vec<String>,
    /// First paragraphs.
    pub(super) leads: Vec<String>,
    /// The turns of a story, in order, each with sentences to choose from.
    pub(super) turns: Vec<Vec<String>>,
}

/// All subjects.
pub(super) static ALL: LazyLock<[Subject; 8]> = LazyLock::new(|| {
    [
        include_str!("subjects/business.toml"),
        include_str!("subjects/council.toml"),
        include_str!("subjects/courts.toml"),
        include_str!("subjects/culture.toml"),
        include_str!("subjects/science.toml"),
        include_str!("subjects/sport.toml"),
        include_str!("subjects/transport.toml"),
        include_str!("subjects/weather.toml"),
    ]
    .map(|subject| toml::from_str(subject).expect("a subject"))
});
