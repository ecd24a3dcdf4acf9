//! A collection that was read and grouped.

use crate::groups::Groups;
use crate::spool::Texts;
use twinsift::Matches;

/// A collection: what was found in it, and the texts that it was found in.
#[derive(Debug)]
pub(crate) struct Collection {
    pub(crate) matches: Matches,
    pub(crate) texts: Texts,
    pub(crate) groups: Groups,
}

impl Collection {
    /// The id of a document.
    pub(crate) fn id(&self, doc: u32) -> String {
        self.matches.documents().id(doc).text.into_owned()
    }
}
