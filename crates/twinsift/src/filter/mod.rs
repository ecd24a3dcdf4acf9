//! Is this document a near duplicate of one that we know?
//!
//! A [`Filter`] answers one document at a time, at once: for a stream, such as the
//! mail that comes in. It works by signatures (I-Match, super-shingles, equal
//! texts), so that an answer takes as many look-ups as a signature has values, and a
//! known document less than a kilobyte. It can learn what it has answered; what it
//! learns beyond a limit makes it forget the oldest, so that its memory is steady.

mod index;

use crate::analyse::{Analyser, Parcel, Scratch};
use crate::document::{Document, Id};
use crate::error::{Error, Result};
use crate::recipe::{FeatureKind, Matching, Recipe};
use index::{Index, Rule};

/// Learnt documents that are remembered unless told otherwise.
pub const REMEMBERED: usize = 1_000_000;

/// Answers documents of a stream.
///
/// ```
/// use twinsift::filter::{Answer, Filter};
/// use twinsift::recipe::Method;
/// use twinsift::{Choices, Document, Id};
///
/// let recipe = Choices { method: Some(Method::Exact), ..Choices::default() }.resolve()?;
/// let mut filter = Filter::new(&recipe)?;
/// filter.know(&Document::new("spam-1", "Buy our pills!"))?;
/// let answer = filter.answer(&Document::new("m7", "buy our PILLS"));
/// assert_eq!(answer, Answer::DuplicateOf { id: Id::text("spam-1"), score: 1.0 });
/// assert_eq!(filter.answer(&Document::new("m8", "lunch?")), Answer::Unknown);
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Debug)]
pub struct Filter {
    analyser: Analyser,
    scratch: Scratch,
    rule: Rule,
    known: Index,
    learnt: Index,
    keeps_words: bool,
}

/// What a filter says of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It is a near duplicate of this known document.
    DuplicateOf {
        /// The known document.
        id: Id<'static>,
        /// The recipe's score of the pair.
        score: f64,
    },
    /// It is a near duplicate of none.
    Unknown,
    /// It has too little to be judged by.
    NotJudged,
}

/// What a document is known by.
#[derive(Debug)]
struct Known {
    row: Vec<u64>,
    words: Vec<u64>,
}

impl Filter {
    /// A filter that knows nothing yet. The recipe must compare signatures, and
    /// signatures of a lexicon need one: a stream has no statistics of its own.
    pub fn new(recipe: &Recipe) -> Result<Self> {
        recipe.check()?;
        recipe.refuse_classifier()?;
        let refuse = |why: &str| Err(Error::Recipe(why.into()));
        let (require, verify) = match recipe.matching {
            Matching::IMatch { .. } if recipe.lexicon.is_none() => {
                return refuse(
                    "a filter needs a lexicon: make one with twinsift lexicon and name it with --lexicon",
                );
            }
            Matching::IMatch { require, verify } => (require as usize, verify),
            Matching::SuperShingles { .. } if recipe.narrows() => {
                return refuse(
                    "--idf goes by the statistics of a whole collection, which a stream does not have: leave out --idf",
                );
            }
            Matching::SuperShingles { require } => (require as usize, None),
            Matching::Hash if recipe.features == FeatureKind::Text => (1, None),
            _ => {
                return refuse(
                    "a filter compares signatures: use --method imatch, supershingles or exact",
                );
            }
        };
        let analyser = Analyser::new(recipe);
        let lanes = recipe.signature_lanes();
        let width = match recipe.matching {
            Matching::Hash => 1,
            _ => analyser.row_width() / lanes,
        };
        Ok(Self {
            scratch: analyser.scratch(),
            analyser,
            rule: Rule {
                require,
                verify,
                lanes,
            },
            known: Index::new(width, lanes, usize::MAX),
            learnt: Index::new(width, lanes, REMEMBERED),
            keeps_words: verify.is_some(),
        })
    }

    /// How many learnt documents are remembered.
    pub fn remember(&mut self, documents: usize) {
        self.learnt = Index::new(self.known.width(), self.rule.lanes, documents);
    }

    /// Documents that are known, learnt ones included.
    pub fn len(&self) -> usize {
        self.known.len() + self.learnt.len()
    }

    /// Whether no document is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a known document, or its signatures. Returns whether it can be matched: some have too
    /// little to be judged by.
    pub fn know(&mut self, document: &Document<'_>) -> Result<bool> {
        if self.keeps_words && document.signatures.is_some() {
            return Err(Error::Recipe(
                "--verify needs the known documents themselves, not their signatures".into(),
            ));
        }
        let width = self.known.width() * self.rule.lanes;
        if (document.signatures.as_ref()).is_some_and(|row| row.len() != width) {
            return Err(Error::Recipe(format!(
                "the signature of \"{}\" has another length than those of this method",
                document.id
            )));
        }
        match self.look(document) {
            None => Ok(false),
            Some(known) => self.known.push(&document.id, known).map(|()| true),
        }
    }

    /// Whether a document is a near duplicate of a known one.
    pub fn answer(&mut self, document: &Document<'_>) -> Answer {
        let looked_at = self.look(document);
        self.find(looked_at.as_ref())
    }

    /// As [`answer`](Self::answer); from now on the document is known too.
    pub fn answer_and_learn(&mut self, document: &Document<'_>) -> Result<Answer> {
        let looked_at = self.look(document);
        let answer = self.find(looked_at.as_ref());
        if let Some(known) = looked_at {
            self.learnt.push(&document.id, known)?;
        }
        Ok(answer)
    }

    fn find(&self, looked_at: Option<&Known>) -> Answer {
        let Some(document) = looked_at else {
            return Answer::NotJudged;
        };
        let found = self.known.find(document, self.rule);
        match found.or_else(|| self.learnt.find(document, self.rule)) {
            Some((id, score)) => Answer::DuplicateOf { id, score },
            None => Answer::Unknown,
        }
    }

    /// What the document is known by, by the very code that a collection goes
    /// through.
    fn look(&mut self, document: &Document<'_>) -> Option<Known> {
        let mut parcel = Parcel::default();
        self.analyser
            .document(document, &mut self.scratch, &mut parcel);
        let digest = parcel.digests.first().copied().flatten()?;
        let row = match parcel.rows.is_empty() {
            true => vec![(digest >> 64) as u64, digest as u64],
            false => parcel.rows,
        };
        Some(Known {
            row,
            words: match self.keeps_words {
                true => parcel.block.values,
                false => Vec::new(),
            },
        })
    }
}
