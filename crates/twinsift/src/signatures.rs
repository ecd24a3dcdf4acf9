//! A collection's signatures as data.

use crate::collection::documents::Documents;
use crate::sketch::Rows;

/// The signatures of a collection, to be stored and matched later and elsewhere.
/// [`Sifter::sign`](crate::Sifter::sign) makes them;
/// [`Document::signatures`](crate::Document::signatures) gives them back.
#[derive(Debug)]
pub struct Signatures {
    pub(crate) documents: Documents,
    pub(crate) rows: Rows,
    pub(crate) lanes: usize,
    pub(crate) lexicon: Option<String>,
    pub(crate) recipe: String,
}

impl Signatures {
    /// The documents, by index.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// Values to a document.
    pub fn width(&self) -> usize {
        self.rows.width() / self.lanes
    }

    /// 64-bit numbers to a value.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// The lexicon that they were made with.
    pub fn lexicon(&self) -> Option<&str> {
        self.lexicon.as_deref()
    }

    /// What they were made with: only signatures of one
    /// [`signature_id`](crate::Recipe::signature_id) may be compared.
    pub fn recipe(&self) -> &str {
        &self.recipe
    }

    /// Documents that have a signature.
    pub fn signed(&self) -> usize {
        self.rows.docs().count()
    }

    /// The values of a document, each of [`lanes`](Self::lanes) numbers, all 0 where a
    /// value is missing. `None` if the document has no signature at all.
    pub fn row(&self, doc: u32) -> Option<&[u64]> {
        self.rows.get(doc)
    }
}
