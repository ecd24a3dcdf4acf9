//! A collection's signatures as data.

use crate::collection::documents::Documents;
use crate::error::{Result, refuse};
use crate::recipe::{FeatureKind, Matching, Method, Recipe};
use crate::sketch::Rows;

/// Why other methods cannot do with signatures.
pub(crate) const SIGNATURES_ONLY: &str = "stored signatures are offered for ‹method› imatch (without ‹verify›), andd ‹match› lsh ‹no_verify›, minhash ‹no_verify›, supershingles and exact: other methods compare the documents themselves";

/// The signatures of a collection, to be stored and matched later and elsewhere.
/// [`Sifter::sign`](crate::Sifter::sign) makes them;
/// [`Document::signatures`](crate::Document::signatures) gives them back.
#[derive(Debug)]
pub struct Signatures {
    pub(crate) documents: Documents,
    pub(crate) rows: Rows,
    pub(crate) lanes: usize,
    pub(crate) method: Method,
    pub(crate) lexicon: Option<String>,
    pub(crate) recipe: String,
}

impl Signatures {
    /// Refuses recipes that have no signatures to store, and those whose signatures depend
    /// on the collection itself: they could be compared with no other.
    pub fn check(recipe: &Recipe) -> Result<()> {
        let why = match recipe.matching {
            Matching::IMatch { .. } if recipe.features != FeatureKind::Lexicon => {
                "signatures of spots depend on the collection that they are made of, and could be compared with no other: use ‹method› imatch and a lexicon"
            }
            Matching::IMatch { .. } if recipe.lexicon.is_none() => {
                "without a lexicon, signatures could be compared with no other collection: make one with twinsift lexicon, and name it with ‹lexicon›"
            }
            _ if recipe.narrows() => {
                "‹idf› without a lexicon makes signatures that could be compared with no other collection: leave it out"
            }
            Matching::IMatch { .. }
            | Matching::SuperShingles { .. }
            | Matching::MinHashes { .. }
            | Matching::Hyperplanes { .. }
            | Matching::WeightedMinHash { verify: false, .. } => return Ok(()),
            Matching::Hash if recipe.features == FeatureKind::Text => return Ok(()),
            _ => SIGNATURES_ONLY,
        };
        refuse(why)
    }

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

    /// The method that compares them.
    pub fn method(&self) -> Method {
        self.method
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
