//! What is looked for where no flag says it.

use twinsift::recipe::Method;
use twinsift::{Choices, Find};
use twinsift_io::DocumentKind;

/// What a command does where neither flags nor config file name a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usual {
    /// Copies, whatever the documents.
    Copies,
    /// This method.
    Method(Method),
    /// Stories among pages, campaigns among mail, else copies.
    ByKind,
    /// Campaigns among mail, else this method.
    CampaignsOr(Method),
}

impl Usual {
    /// Makes choices, where nothing was chosen, as far as they do not depend on the documents.
    /// Returns whether they may.
    pub(super) fn choose(self, choices: &mut Choices) -> bool {
        let is_open = !choices.names_method();
        let names_none = choices.method.is_none() && choices.features.is_none();
        if let (Self::Method(method) | Self::CampaignsOr(method), true) = (self, names_none)
            && choices.find.is_none()
            && choices.detector.is_none()
        {
            choices.method = Some(method);
        }
        is_open && matches!(self, Self::ByKind | Self::CampaignsOr(_))
    }

    /// What is looked for among documents of a kind, if it is something else.
    pub(super) fn find(self, kind: DocumentKind) -> Option<Find> {
        match (self, kind.usual_find()) {
            (Self::ByKind, find @ (Find::Stories | Find::Campaigns))
            | (Self::CampaignsOr(_), find @ Find::Campaigns) => Some(find),
            _ => None,
        }
    }
}

/// Why a run looks for what it does.
pub fn reason(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Mail => "campaigns, for these are mails",
        DocumentKind::Pages => "stories, for these are pages",
        _ => "copies, for these are texts",
    }
}
