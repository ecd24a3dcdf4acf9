//! What stories are about: one file per subject.

mod business;
mod council;
mod courts;
mod culture;
mod science;
mod sport;
mod transport;
mod weather;

/// A subject: everything needed to tell stories of one kind. The strings are
/// patterns of the [grammar](super::grammar).
#[derive(Clone, Copy)]
pub(super) struct Subject {
    /// The part of a paper that such stories stand in.
    pub(super) section: &'static str,
    /// Names and figures that stay the same throughout a story. Later ones may
    /// use earlier ones.
    pub(super) cast: &'static [(&'static str, &'static str)],
    /// Headlines.
    pub(super) headlines: &'static [&'static str],
    /// First paragraphs.
    pub(super) leads: &'static [&'static str],
    /// The turns of a story, in order, each with sentences to choose from.
    pub(super) turns: &'static [&'static [&'static str]],
}

/// All subjects.
pub(super) const ALL: &[Subject] = &[
    business::BUSINESS,
    council::COUNCIL,
    courts::COURTS,
    culture::CULTURE,
    science::SCIENCE,
    sport::SPORT,
    transport::TRANSPORT,
    weather::WEATHER,
];
