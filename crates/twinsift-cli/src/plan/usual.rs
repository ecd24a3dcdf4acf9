//! What is looked for where no flag says it.

use twinsift::recipe::Method;
use twinsift::{Choices, Find};
use twinsift_io::DocumentKind;

/// What a command does where neither flags nor config file name a method.
#[derive(Clone, Copy, Debug)]
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
    /// Whether it depends on the documents.
    pub(super) fn needs_kind(self) -> bool {
        matches!(self, Self::ByKind | Self::CampaignsOr(_))
    }

    /// Makes choices of documents of a kind, where nothing was chosen.
    pub(super) fn choose(self, choices: &mut Choices, kind: Option<DocumentKind>) {
        if choices.names_method() {
            return;
        }
        match (self, kind) {
            (Self::ByKind | Self::CampaignsOr(_), Some(DocumentKind::Mail)) => {
                choices.find = Some(Find::Campaigns);
            }
            (Self::ByKind, Some(DocumentKind::Pages)) => choices.find = Some(Find::Stories),
            (Self::Method(method) | Self::CampaignsOr(method), _) => {
                choices.method = Some(method);
            }
            (Self::Copies | Self::ByKind, _) => {}
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
